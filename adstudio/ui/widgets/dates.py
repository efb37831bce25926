"""Dates as the describer's language writes them in full: a month is a word, so that no day is taken for one."""

from __future__ import annotations

import re

from PySide6.QtCore import QDate, QDateTime, QLocale

_WEEKDAY = re.compile(r",?\s*dddd,?\s*(?:'den'\s*)?")
_PLAIN = "d MMMM yyyy"


def date_in_words(date: QDate) -> str:
    """`28 November 2026`, in the words and the order of the describer's language."""
    locale = QLocale()
    form = _WEEKDAY.sub("", locale.dateFormat(QLocale.FormatType.LongFormat)).strip()
    if locale.language() is QLocale.Language.C or ("MMM" not in form and not re.search("[^ -~]", form)):
        form = _PLAIN
    return locale.toString(date, form)


def moment_in_words(moment: QDateTime) -> str:
    """`28 November 2026, 14:05`."""
    locale = QLocale()
    is_plain = locale.language() is QLocale.Language.C
    time = locale.toString(moment.time(), "HH:mm" if is_plain else locale.timeFormat(QLocale.FormatType.ShortFormat))
    return f"{date_in_words(moment.date())}, {time}"
