"""Finished AD scripts as tables: what each column holds, by its heading or as a person says, and the lines in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.timebase import MAX_TIME_MS
from adstudio.core.words import count_words
from adstudio.script_files.cell_times import with_clock_times
from adstudio.script_files.columns import Column, ColumnChoices, column_of, names_columns
from adstudio.script_files.finished import FinishedScript
from adstudio.script_files.grids import TITLE_ROWS, GridRow, is_rule, lines_shown, table_width, within_columns
from adstudio.script_files.own_titles import own_title
from adstudio.script_files.script_clock import ScriptClock
from adstudio.script_files.table_rows import RowReader
from adstudio.script_files.times import is_time

_LISTED = 5
_LONGEST_SHOWN = 40
_MOSTLY = 0.8
_FRAMES = re.compile(r"[(\[]\s*(?:frames?|bilder|images|fotogramas|fotogrammi)\s*[)\]]", re.IGNORECASE)
_LONGEST_FRAME = 9
_POINT = re.compile(r"(\d{1,2}:\d\d:\d\d)[.,](\d\d)")
_LEAST_FRAMES, _MOST_FRAMES = 12, 30
"""Of so many hundredths of a second, some would be above the frames of a second."""
_EXAMINED = 200
"""Rows looked at to find what a column holds."""


@dataclass(frozen=True)
class ColumnSeen:
    """A column of a table for a person to say what it holds: its number from 1, heading, and a cell that is not empty.

    `guess` is what it seems to hold.
    """

    number: int
    heading: str
    example: str
    guess: Column | None = None


class UnclearColumnsError(BadInputError):
    """Nobody but a person can say which column holds what."""

    option = "--columns"

    def __init__(self, why: str, columns: Sequence[ColumnSeen]) -> None:
        shown = "; ".join(f"{each.number} {_shown(each.heading or each.example)}" for each in columns[:20])
        super().__init__(f"{why}: say which column holds what (the columns are {shown})")
        self.why = why
        self.columns = tuple(columns)


def finished_table(
    grid: Sequence[GridRow],
    clock: ScriptClock,
    name: str,
    choices: ColumnChoices | None = None,
    delimiter: str = "",
) -> FinishedScript | None:
    """The script in a table; None if the table is none of a script: it has neither headings nor times.

    `delimiter` is what keeps the cells of a text apart, which may be in the text of a line too.

    Raises:
        UnclearColumnsError: where it is not clear which column is the text, or the time.
        BadInputError: for choices of columns that the table does not have.
    """
    rows = [row for row in grid if any(cell.strip() for cell in row.cells) and not is_rule(row.cells)]
    rows = with_clock_times(rows)
    if not rows:
        return None
    width = max(len(row.cells) for row in rows)
    if choices is not None and (beyond := [number for number in choices.columns if number > width]):
        raise BadInputError(f"{name} has no column {beyond[0]}: its table has {width}")
    head, body = _head(rows, choices)
    if choices is None and (head is None or not names_columns(head.cells)):
        holds = _holds_times if head is None else _holds_times_or_numbers
        if not any(holds(body, at) for at in range(width)):
            return None
    names = [*(head.cells if head is not None else ()), *[""] * width][: table_width(head, body, width, choices)]
    columns = _Columns(body, names, clock, name, delimiter)
    columns.choose_columns(choices)
    above = [row for row in rows if head is not None and row.line < head.line]
    title, skipped = own_title([" ".join(filter(None, map(str.strip, row.cells))) for row in above])
    if skipped:
        what = f"above the table’s header row, so not used: {_shown(skipped[0])}"
        columns.oddities.insert(0, Oddity(what, above[-len(skipped)].line))
    return replace(RowReader(columns.rows, columns.places, clock, columns.oddities).read(), title=title)


def _head(rows: Sequence[GridRow], choices: ColumnChoices | None) -> tuple[GridRow | None, Sequence[GridRow]]:
    for place, row in enumerate(rows[:TITLE_ROWS]):
        if names_columns(row.cells):
            below = rows[place + 1] if place + 1 < len(rows) else row
            # A head of two rows: Timecode above In and Out.
            second = below if names_columns(below.cells) else row
            cells = [low.strip() or high for high, low in zip_longest(row.cells, second.cells, fillvalue="")]
            heads = (row.cells, second.cells)
            return GridRow(row.line, cells), [each for each in rows[place + 1 :] if each.cells not in heads]
    timed = [at - 1 for at, column in (choices.columns.items() if choices else ()) if column is Column.IN]
    first = rows[0]
    if any(map(is_time, first.cells)) or (timed and _cell(first, timed[0]).isdigit()) or len(rows) < 2:
        return None, rows
    # Titles and notes above a head that is not known have fewer cells than it.
    above = rows[: next((at for at, row in enumerate(rows[: TITLE_ROWS + 1]) if any(map(is_time, row.cells))), 1)]
    place = max(range(len(above)), key=lambda at: (sum(bool(cell.strip()) for cell in above[at].cells), at))
    return rows[place], rows[place + 1 :]


def _cell(row: GridRow, at: int) -> str:
    return row.cells[at].strip() if at < len(row.cells) else ""


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return f"“{text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1].rstrip() + '…'}”"


def _share(rows: Sequence[GridRow], at: int, holds: Callable[[str], bool]) -> float:
    cells = [_cell(row, at) for row in rows[:_EXAMINED]]
    written = [cell for cell in cells if cell]
    return sum(map(holds, written)) / len(written) if written else 0.0


def _with_joined(row: GridRow, places: Sequence[int]) -> GridRow:
    """A row with what is in all of several columns in the first of them."""
    joined = "\n".join(dict.fromkeys(filter(None, (_cell(row, at) for at in places))))
    cells = [*row.cells, *[""] * (places[0] + 1 - len(row.cells))]
    return GridRow(row.line, [*cells[: places[0]], joined, *cells[places[0] + 1 :]])


def _holds_times(rows: Sequence[GridRow], at: int) -> bool:
    return _share(rows, at, is_time) >= _MOSTLY


def _holds_times_or_numbers(rows: Sequence[GridRow], at: int) -> bool:
    return _share(rows, at, lambda cell: is_time(cell) or re.fullmatch(r"[\d.,]+", cell) is not None) >= _MOSTLY


@dataclass
class _Columns:
    """Finds which column of a table holds what."""

    rows: Sequence[GridRow]
    names: Sequence[str]
    clock: ScriptClock
    name: str
    delimiter: str = ""
    oddities: list[Oddity] = field(default_factory=list[Oddity])
    places: dict[Column, int] = field(default_factory=dict[Column, int])
    doubled: list[str] = field(default_factory=list[str])
    """What is unclear, as several columns with different content have one heading."""

    def choose_columns(self, choices: ColumnChoices | None) -> None:
        chosen: Mapping[int, Column | None] = {} if choices is None else choices.columns
        # Where the others say nothing, A is a letter, and not Italian for the end.
        known = names_columns([*self.names])
        columns = [
            chosen[at + 1] if at + 1 in chosen else column_of(name) if known or len(name.strip()) > 2 else None
            for at, name in enumerate(self.names)
        ]
        # Words may be how many there are.
        columns = [
            None if each in (Column.TEXT, Column.NOTES) and at + 1 not in chosen and self._holds_numbers(at) else each
            for at, each in enumerate(columns)
        ]
        taken = frozenset(each for each in chosen.values() if each is not None)
        for column in Column:
            places = [at for at, each in enumerate(columns) if each is column]
            if column in taken:
                places = [at for at in places if chosen.get(at + 1) is column]
            if places:
                self.places[column] = self._one_of(places, column)
        if self.doubled:
            self._ask("; ".join(self.doubled))
        free = [at for at, each in enumerate(columns) if each is None and at + 1 not in chosen]
        self._find_times(free)
        self._find_text([at for at in free if at not in self.places.values()])
        self._fit_rows()
        self._read_frames()
        unused = [
            self._called(at)
            for at in free
            if at < len(self.names)
            and at not in self.places.values()
            and (self.names[at].strip() or any(_cell(row, at) for row in self.rows))
        ]
        if unused:
            more = f" and {len(unused) - _LISTED} more" if len(unused) > _LISTED else ""
            what = f"columns of the table that are not known, so not used: {', '.join(unused[:_LISTED])}{more}"
            self.oddities.append(Oddity(what))

    def _fit_rows(self) -> None:
        """What rows have beyond the columns belongs to the text, or is listed."""
        text_at, width = self.places[Column.TEXT], len(self.names)
        is_last = text_at >= max(self.places.values()) and not any(map(str.strip, self.names[text_at + 1 :]))
        if is_last and any(self.names) and not all(len(row.cells) > text_at + 1 for row in self.rows):
            # Only some rows go on behind the text, where nothing is headed.
            width, self.names = text_at + 1, self.names[: text_at + 1]
        self.rows, joined, beyond = within_columns(self.rows, width, text_at, self.delimiter)
        more = "rows have more cells than the table has columns"
        if joined:
            self.oddities.append(Oddity(f"{more}: the description goes on in them: {lines_shown(joined)}", joined[0]))
        if beyond:
            lines, first = lines_shown([row.line for row in beyond]), _shown(self.delimiter.join(beyond[0].cells))
            what = f"{more}, and what is beyond is not used (is a text not in quotation marks?): {lines} ({first})"
            self.oddities.append(Oddity(what, beyond[0].line))

    def _read_frames(self) -> None:
        """Frames, where a heading says so: In (frames).

        Those behind a point too, where that is never as much as a second has frames: 01:00:05.12.
        """
        places = [self.places[column] for column in (Column.IN, Column.OUT) if column in self.places]
        counted = [at for at in places if _FRAMES.search(self.names[at]) and self._holds_numbers(at)]
        if counted:
            self.rows = [GridRow(row.line, self._in_seconds(row, counted)) for row in self.rows]
        cells = [cell for row in self.rows for at in places if (cell := _cell(row, at))]
        found = [each for each in map(_POINT.fullmatch, cells) if each is not None]
        behind = [int(each[2]) for each in found]
        timecode = len(found) == len(cells) and sum(map(bool, behind)) >= _LEAST_FRAMES and max(behind) < _MOST_FRAMES
        if not timecode or self.clock.rate.nominal > _MOST_FRAMES:
            return
        self.rows = [
            GridRow(
                row.line,
                [_POINT.sub(r"\1:\2", cell.strip()) if at in places else cell for at, cell in enumerate(row.cells)],
            )
            for row in self.rows
        ]
        what = (
            f"times such as {found[0][0]} are read as timecode: what is behind the point is never above {max(behind)}"
        )
        self.oddities.append(Oddity(f"{what}, so it is frames"))

    def _in_seconds(self, row: GridRow, places: Sequence[int]) -> list[str]:
        """The cells of a row, with frames counted from the first one as seconds."""
        cells = [*row.cells]
        for at in places:
            cell = _cell(row, at)
            if cell.isdecimal() and len(cell) < _LONGEST_FRAME:
                cells[at] = f"{self.clock.rate.ms_of_frame(int(cell)) / 1000:.3f}"
        return cells

    def _one_of(self, places: list[int], column: Column) -> int:
        """The one of several columns with this heading: what the others have, if anything, is the same."""
        written = [at for at in places if any(_cell(row, at) for row in self.rows)] or places[:1]
        if len(places) == 1:
            return places[0]
        if column is Column.NOTES:
            self.rows = [_with_joined(row, places) for row in self.rows]
            return places[0]
        first = written[0]
        same = all(_cell(row, at) in ("", _cell(row, first)) for at in written[1:] for row in self.rows)
        if not same and column in (Column.TEXT, Column.IN, Column.OUT, Column.IN_SECONDS, Column.OUT_SECONDS):
            which = ", ".join(str(at + 1) for at in places)
            self.doubled.append(f"columns {which} of {self.name} are all headed as {column.value}, and differ")
            return first
        others = ", ".join(str(at + 1) for at in places if at != first)
        what = f"several columns are headed as {column.value}: column {first + 1} is used, not {others}"
        self.oddities.append(Oddity(what))
        return first

    def _find_times(self, free: Sequence[int]) -> None:
        if Column.IN in self.places or Column.IN_SECONDS in self.places:
            self._find_out(free)
            return
        timed = [at for at in free if _holds_times(self.rows, at)]
        if not timed:
            self._ask(f"no column of {self.name} holds the times of its lines")
        if len(timed) > 2 or (len(timed) == 2 and Column.OUT in self.places):
            self._ask(f"several columns of {self.name} hold times")
        for at, column in zip(timed, (Column.IN, Column.OUT), strict=False):
            self.places[column] = at
        which = " and ".join(f"column {at + 1}" for at in timed)
        what = f"{which} is taken for it" if len(timed) == 1 else f"{which} are taken for in and out"
        self.oddities.append(Oddity(f"no column is headed as the time, so {what}"))

    def _find_out(self, free: Sequence[int]) -> None:
        """The out times, where only the in times are headed: times beside them that end each line before the next."""
        at = self.places.get(Column.IN, -1) + 1
        known = {Column.OUT, Column.OUT_SECONDS, Column.DURATION} & self.places.keys()
        if known or not at or at not in free or not _holds_times(self.rows, at):
            return
        clock = ScriptClock(self.clock.rate)
        read = [(clock.read(_cell(row, at - 1), 0), clock.read(_cell(row, at), 0)) for row in self.rows[:_EXAMINED]]
        spans = [(start.ms, end.ms) for start, end in read if start is not None and end is not None]
        nexts = [*(start for start, _ in spans), MAX_TIME_MS][1:]
        fitting = sum(start < end <= following for (start, end), following in zip(spans, nexts, strict=True))
        if spans and fitting >= _MOSTLY * len(spans):
            self.places[Column.OUT] = at
            self.oddities.append(Oddity(f"no column is headed as the out time, so {self._called(at)} is taken for it"))

    def _find_text(self, free: Sequence[int]) -> None:
        if Column.TEXT in self.places:
            return
        words = {at: sum(count_words(_cell(row, at)) for row in self.rows) for at in free}
        wordy = [at for at in free if words[at] > len(self.rows)]
        if len(wordy) != 1:
            why = "none" if not wordy else "more than one"
            self._ask(f"no column of {self.name} is headed as the description, and {why} could be it")
        self.places[Column.TEXT] = wordy[0]
        what = f"no column is headed as the description, so {self._called(wordy[0])} is taken for it"
        self.oddities.append(Oddity(what))

    def _called(self, at: int) -> str:
        return _shown(self.names[at]) if self.names[at].strip() else f"column {at + 1}"

    def _holds_numbers(self, at: int) -> bool:
        return _share(self.rows, at, str.isdecimal) >= _MOSTLY

    def _ask(self, why: str) -> None:
        guesses = {at: column for column, at in self.places.items()}
        seen = (
            ColumnSeen(
                at + 1,
                " ".join(name.split()),
                next((_cell(row, at) for row in self.rows if _cell(row, at)), ""),
                guesses.get(at),
            )
            for at, name in enumerate(self.names)
        )
        raise UnclearColumnsError(why, [each for each in seen if each.heading or each.example])
