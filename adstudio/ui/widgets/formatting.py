"""Times, dates and figures as the describer reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QDate, QDateTime, QLocale

from adstudio.core.film import Film
from adstudio.core.narration import LengthSource
from adstudio.core.script import SALIENCE_UNIT
from adstudio.core.timebase import TimeError, ms_from_seconds, tenths_down, tenths_up
from adstudio.core.words import opening_words
from adstudio.delivery.spoken_counts import SpokenCounts
from adstudio.planning.film.conflict_messages import MessageStyle

BILLION = 10**9
SHOWN_WORDS = 6
LONGEST_IN_SECONDS_MS = 99_000
"""What lasts longer is shown in minutes and seconds."""
PREDICTED_MARK = "≈ "
"""Before a length that the voice has not been measured to have."""
SOURCES = {
    LengthSource.OWN: "set by hand",
    LengthSource.TAKE: "the take’s",
    LengthSource.ACCEPTED: "as accepted",
    LengthSource.MEASURED: "measured",
    LengthSource.PREDICTED: "predicted",
    LengthSource.RATE: "by the speaking rate",
}
"""Where lengths come from."""
_WEEKDAY = re.compile(r",?\s*dddd,?\s*(?:'den'\s*)?")
_FILE_NAME = re.compile(r"\S+\.\w")
"""As a first word."""


def timecode(film: Film, ms: int) -> str:
    """A point in time as the film's own timecode: the only notation for points in time in the window."""
    return film.timecode(ms)


def duration(ms: int) -> str:
    """A length in seconds with one decimal, as the describer's language writes it; beyond 99 s in minutes."""
    if abs(ms) > LONGEST_IN_SECONDS_MS:
        return _minutes(ms)
    return f"{tenths(ms / 1000)} s"


def used_of(used: int, whole: int) -> str:
    """A part of a length, both in the units of the length: `1 min 24 s of 1 min 44 s`."""
    if whole <= LONGEST_IN_SECONDS_MS:
        return f"{duration(used)} of {duration(whole)}"
    return f"{_minutes(used)} of {_minutes(whole)}"


def _minutes(ms: int) -> str:
    minutes, seconds = divmod((abs(ms) + 500) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{'-' if ms < 0 else ''}{f'{hours} h ' if hours else ''}{minutes} min {seconds} s"


def lacking(ms: int) -> str:
    """A length that is missing, rounded up to a tenth of a second."""
    return duration(tenths_up(ms))


def free(ms: int) -> str:
    """A length that is left, rounded down to a tenth of a second; `nothing` below that."""
    left = tenths_down(max(0, ms))
    return duration(left) if left else "nothing"


NO_ROOM = "no room while the other lines stay"
ON_TIME = "on time"


def drift_words(by: int) -> str:
    """How early or late a line is, by its drift in half-milliseconds: `2.3 s late`."""
    away = duration((abs(by) + 1) // 2)
    return ON_TIME if away == duration(0) else f"{away} {'late' if by > 0 else 'early'}"


def tenths(value: float) -> str:
    """A number with one decimal, as the describer's language writes it."""
    return QLocale().toString(value, "f", 1)


def salience(value: int | None) -> str:
    """A salience with two decimals."""
    return "–" if value is None else QLocale().toString(value / SALIENCE_UNIT, "f", 2)


def worth(value: int) -> str:
    """A change of the plan's worth, with its sign."""
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{QLocale().toString(abs(value) / BILLION, 'f', 2)}"


WORTH_TIP = "Salience times seconds spoken, summed over the spoken lines: the plan is the one with the highest sum."
"""The unit of `worth`."""


def quoted_line(text: str, words: int = SHOWN_WORDS) -> str:
    """The first words of a line in quotation marks, without its full stop: what quotes it is a sentence too."""
    return f"“{opening_words(text, words)}”"


def quoted(text: str, words: int = SHOWN_WORDS) -> str:
    """The first words of a name, or of what was typed, in quotation marks, as it is written."""
    found = text.split()
    return f"“{' '.join(found[:words])}{'…' if len(found) > words else ''}”"


MANNER = MessageStyle(duration, quoted_line)
"""How conflicts are worded in the editor."""


def as_sentence(said: str) -> str:
    """What something below the editor said, as a sentence: it begins with a capital and ends with one full stop.

    A question or an exclamation keeps its mark, and a file its name.
    """
    said = said.rstrip(".")
    first = said[:1] if _FILE_NAME.match(said) else said[:1].upper()
    return f"{first}{said[1:]}{'' if said.endswith(('?', '!')) else '.'}" if said else ""


def shortened_list(lines: Sequence[str], most: int) -> str:
    """The first of several lines, and how many more there are."""
    more = len(lines) - most
    return "\n".join([*lines[:most], *([f"… and {more} more"] if more > 0 else [])])


def counted(count: int, one: str, several: str = "") -> str:
    """A number with its noun."""
    return f"{QLocale().toString(count)} {one if count == 1 else several or one + 's'}"


NO_ITEMS = "no items"


def items_described(spoken: int, items: int) -> str:
    """How many of some items are spoken: `33 of 66 items described`."""
    return f"{QLocale().toString(spoken)} of {counted(items, 'item')} described" if items else NO_ITEMS


def described_in_lines(counts: SpokenCounts) -> str:
    """The same, and in how many lines: `33 of 66 items described in 30 lines`."""
    said = items_described(counts.spoken, counts.items)
    return f"{said} in {counted(counts.lines, 'line')}" if counts.items else said


def read_time(film: Film, text: str) -> int:
    """A time as somebody types it: `1:02:03.5`, `62,5`, or a timecode of the film with frames.

    Raises:
        TimeError: for anything else.
    """
    typed = text.strip()
    parts = typed.replace(";", ":").split(":")
    if len(parts) == 4:
        return film.frame_rate.ms_of_label(typed, start=film.start_timecode)
    if len(parts) > 4 or not typed:
        raise TimeError(f"“{typed}” is not a time: type 1:02:03.5 or hours, minutes, seconds and frames")
    total = 0
    for part in parts[:-1]:
        if not part.isdigit():
            raise TimeError(f"“{typed}” is not a time: type 1:02:03.5")
        total = (total + int(part)) * 60
    return total * 1000 + ms_from_seconds(read_number(parts[-1]))


def read_number(text: str) -> str:
    """A number with a dot, from one typed with a dot or a comma."""
    return text.strip().replace(",", ".")


def date_in_words(date: QDate) -> str:
    """`28 November 2026`, in the words and the order of the describer's language; a month is never a number."""
    locale = QLocale()
    form = _WEEKDAY.sub("", locale.dateFormat(QLocale.FormatType.LongFormat)).strip()
    if locale.language() is QLocale.Language.C or ("MMM" not in form and not re.search("[^ -~]", form)):
        form = "d MMMM yyyy"
    return locale.toString(date, form)


def moment_in_words(moment: QDateTime) -> str:
    """`28 November 2026, 14:05`."""
    locale = QLocale()
    is_plain = locale.language() is QLocale.Language.C
    time = locale.toString(moment.time(), "HH:mm" if is_plain else locale.timeFormat(QLocale.FormatType.ShortFormat))
    return f"{date_in_words(moment.date())}, {time}"
