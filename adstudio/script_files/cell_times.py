"""Times as office programs leave them in the cells of a table: on a clock of twelve hours, or as fractions of a day."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adstudio.core.timebase import MAX_TIME_MS
from adstudio.script_files.grids import GridRow

_TWELVE_HOURS = re.compile(
    r"\s*(?P<hours>0?[1-9]|1[0-2]):(?P<rest>[0-5]?\d:[0-5]\d(?:[.,]\d{1,3})?)\s?(?P<half>[ap])\.?m\.?\s*", re.IGNORECASE
)
_FRACTION = re.compile(r"\s*(?:0?[.,]\d{5,20}|\d(?:[.,]\d{1,20})?[eE]-0?[1-9])\s*\Z")
"""Seconds are not written with so many decimals."""
_NOTHING = re.compile(r"\s*(?:0(?:[.,]0*)?)?\s*\Z")
_LEAST = 3
"""How many fractions of a day a column has at least."""
_LONGEST = 0.001
"""Of a day: a line lasts no 86 seconds."""
_DAY_MS = 86_400_000


def with_clock_times(rows: Sequence[GridRow]) -> list[GridRow]:
    """The rows with such times as clock times: `12:01:05 AM` is 00:01:05, and 0.000752314814814815 that as well.

    A column is of fractions where nothing else is in it but a heading: the time formats of its cells were lost, as in
    a table that was saved as text.
    """
    width = max((len(row.cells) for row in rows), default=0)
    fractions = {at for at in range(width) if _holds_fractions([row.cells[at] for row in rows if at < len(row.cells)])}
    return [GridRow(row.line, [_cell(cell, at in fractions) for at, cell in enumerate(row.cells)]) for row in rows]


def _holds_fractions(cells: Sequence[str]) -> bool:
    places = [place for place, cell in enumerate(cells) if _FRACTION.match(cell)]
    if len(places) < _LEAST:
        return False
    if not all(_FRACTION.match(cell) or _NOTHING.match(cell) for cell in cells[places[0] :]):
        return False
    values = [_number(cells[place]) for place in places]
    # Times go on; durations are short. Other shares, such as a confidence, do neither.
    return values == sorted(values) or max(values) < _LONGEST


def _cell(cell: str, fraction: bool) -> str:
    if fraction and cell.strip() and (_FRACTION.match(cell) or _NOTHING.match(cell)):
        return _clock(round(_number(cell) * _DAY_MS))
    found = _TWELVE_HOURS.fullmatch(cell)
    if found is None:
        return cell
    hours = int(found["hours"]) % 12 + (12 if found["half"].lower() == "p" else 0)
    return f"{hours:02d}:{found['rest']}"


def _number(cell: str) -> float:
    return float(cell.strip().replace(",", "."))


def _clock(ms: int) -> str:
    seconds, rest = divmod(min(ms, MAX_TIME_MS), 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{rest:03d}"
