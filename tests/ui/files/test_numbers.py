"""Fields for numbers read a comma and a point, in every language."""

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QValidator

from adstudio.ui.files.numbers import NumberField, SecondsField


@pytest.fixture(params=["de_DE", "en_US", "fr_FR", "C"])
def language(request):
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield request.param
    QLocale.setDefault(before)


@pytest.mark.parametrize(("typed", "ms"), [("1,5", 1500), ("1.5", 1500), ("0,001", 1), (".25", 250), ("12", 12_000)])
def test_a_comma_and_a_point_are_read_right(qtbot, language, typed: str, ms: int):
    field = SecondsField("Margin", greatest=60_000)
    qtbot.addWidget(field)
    field.selectAll()
    qtbot.keyClicks(field, typed)
    assert field.ms == ms
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.ms == ms


def test_it_is_shown_as_the_language_writes_it(qtbot, language):
    field = SecondsField("Margin", greatest=60_000)
    qtbot.addWidget(field)
    field.show_ms(1500)
    assert field.text() == ("1,5 s" if language in ("de_DE", "fr_FR") else "1.5 s")
    field.show_ms(2000)
    assert field.text() == "2 s"
    field.show_ms(10_000)
    assert field.text() == "10 s"


@pytest.mark.parametrize("text", ["x", "-1", "1,2,3", "1.2345", "1e5", "nan", "∞"])
def test_what_is_no_number_is_not_taken(qtbot, text: str):
    field = NumberField("Share", greatest=100, decimals=3)
    qtbot.addWidget(field)
    assert field.validate(text, 0)[0] is QValidator.State.Invalid


def test_too_much_becomes_the_most(qtbot):
    field = SecondsField("Margin", greatest=60_000)
    qtbot.addWidget(field)
    field.selectAll()
    qtbot.keyClicks(field, "99")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert field.ms == 60_000
