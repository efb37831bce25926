"""A date says its month in a word."""

import pytest
from PySide6.QtCore import QDate, QDateTime, QLocale, QTime

from adstudio.ui.widgets.formatting import date_in_words, moment_in_words


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("C", "28 November 2026"),
        ("en_GB", "28 November 2026"),
        ("en_US", "November 28, 2026"),
        ("de_DE", "28. November 2026"),
        ("fr_FR", "28 novembre 2026"),
        ("da_DK", "28. november 2026"),
    ],
)
def test_a_date_in_the_words_of_the_language(language: str, shown: str):
    before = QLocale()
    QLocale.setDefault(QLocale(language))
    try:
        assert date_in_words(QDate(2026, 11, 28)) == shown
        moment = moment_in_words(QDateTime(QDate(2026, 11, 28), QTime(9, 5)))
        assert moment.startswith(f"{shown}, ")
        assert "9:05" in moment.replace(".", ":")
    finally:
        QLocale.setDefault(before)
