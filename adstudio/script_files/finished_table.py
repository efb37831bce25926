"""Finished AD scripts as tables: what each column holds, by its heading or as a person says, and the lines in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from statistics import median, mode

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.timebase import MAX_TIME_MS
from adstudio.core.words import count_words
from adstudio.script_files.asides import is_narrator
from adstudio.script_files.columns import Column, ColumnChoices, column_of, names_columns
from adstudio.script_files.finished import DEEPEST, FinishedLine, FinishedScript
from adstudio.script_files.grids import TITLE_ROWS, GridRow, is_rule, lines_shown, table_width, within_columns
from adstudio.script_files.own_titles import own_title
from adstudio.script_files.script_clock import ScriptClock, WrittenTime
from adstudio.script_files.times import is_time

_FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r", "\n")
_LISTED = 5
_LONGEST_SHOWN = 40
_MOSTLY = 0.8
_DECIBELS = re.compile(r"[-+−–]?\s?(\d{1,2}(?:[.,]\d{1,2})?)\s?(?:dB)?", re.IGNORECASE)
_STATUS = {"draft": (False, False), "seen": (True, False), "accepted": (True, True), "approved": (True, True)}
"""Whether a line is seen and accepted, by the words for it; others are noted."""
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
    reader = _Reader(body, names, clock, name, delimiter)
    reader.choose_columns(choices)
    above = [row for row in rows if head is not None and row.line < head.line]
    title, skipped = own_title([" ".join(filter(None, map(str.strip, row.cells))) for row in above])
    if skipped:
        what = f"above the table’s header row, so not used: {_shown(skipped[0])}"
        reader.oddities.insert(0, Oddity(what, above[-len(skipped)].line))
    return replace(reader.read(), title=title)


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


def _plain(cell: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from running it as a formula."""
    text = cell.replace("\r\n", "\n").replace("\r", "\n")
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA_MARKS) else text.strip()


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return f"“{text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1].rstrip() + '…'}”"


def _share(rows: Sequence[GridRow], at: int, holds: Callable[[str], bool]) -> float:
    cells = [_cell(row, at) for row in rows[:_EXAMINED]]
    written = [cell for cell in cells if cell]
    return sum(map(holds, written)) / len(written) if written else 0.0


def _holds_times(rows: Sequence[GridRow], at: int) -> bool:
    return _share(rows, at, is_time) >= _MOSTLY


def _holds_times_or_numbers(rows: Sequence[GridRow], at: int) -> bool:
    return _share(rows, at, lambda cell: is_time(cell) or re.fullmatch(r"[\d.,]+", cell) is not None) >= _MOSTLY


@dataclass
class _Reader:
    rows: Sequence[GridRow]
    names: Sequence[str]
    clock: ScriptClock
    name: str
    delimiter: str = ""
    oddities: list[Oddity] = field(default_factory=list[Oddity])
    places: dict[Column, int] = field(default_factory=dict[Column, int])
    doubled: list[str] = field(default_factory=list[str])
    """What is unclear, as several columns with different content have one heading."""

    # Which column holds what.

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
            None if each is Column.TEXT and at + 1 not in chosen and self._holds_numbers(at) else each
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

    def _one_of(self, places: list[int], column: Column) -> int:
        """The one of several columns with this heading: what the others have, if anything, is the same."""
        written = [at for at in places if any(_cell(row, at) for row in self.rows)] or places[:1]
        if len(places) == 1:
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
        nexts = [start for start, _ in spans[1:]] + [MAX_TIME_MS]
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

    # The lines.

    def read(self) -> FinishedScript:
        offset = self._between_labels_and_seconds()
        lines: list[FinishedLine] = []
        untimed: list[FinishedLine] = []
        differing: list[int] = []
        empty: list[int] = []
        cue = ""
        dialogue = self._dialogue()
        for row in self.rows:
            text = _plain(self._at(row, Column.TEXT))
            if row.line in dialogue:
                cue = text
                continue
            cue = _plain(self._at(row, Column.CUE)) or cue
            if not text.strip():
                if self._says_anything(row):
                    empty.append(row.line)
                continue
            start, end, differs = self._span(row, offset)
            if differs:
                differing.append(row.line)
            line = self._line(row, text, cue)
            cue = ""
            if start is None:
                untimed.append(line)
            else:
                lines.append(replace(line, start=start, end=end))
        self._report(lines, differing, dialogue)
        if empty:
            self.oddities.append(Oddity(f"rows have no text, so not used: {lines_shown(empty)}", empty[0]))
        return FinishedScript(tuple(lines), tuple(self.oddities), untimed=tuple(untimed))

    def _says_anything(self, row: GridRow) -> bool:
        """Whether a row without a text has more than a number, and cue words for the next one."""
        passed = {self.places.get(column) for column in (Column.NUMBER, Column.CUE, Column.CUE_OUT)}
        return any(cell.strip() for at, cell in enumerate(row.cells) if at not in passed)

    def _report(
        self,
        lines: Sequence[FinishedLine],
        differing: Sequence[int],
        dialogue: frozenset[int],
    ) -> None:
        if differing:
            what = f"timecode and seconds do not agree, and the timecode is used: {lines_shown(differing)}"
            self.oddities.append(Oddity(what, differing[0]))
        if dialogue:
            spoken = sorted(dialogue)
            what = f"rows spoken by anyone but the narrator are dialogue, so not used: {lines_shown(spoken)}"
            self.oddities.append(Oddity(what, spoken[0]))
        reversed_lines = [line.line for line in lines if line.end is not None and line.end < line.start]
        if reversed_lines:
            what = f"lines end before they start, so their out times are not used: {lines_shown(reversed_lines)}"
            self.oddities.append(Oddity(what, reversed_lines[0]))

    def _at(self, row: GridRow, column: Column) -> str:
        place = self.places.get(column)
        return "" if place is None or place >= len(row.cells) else row.cells[place]

    def _line(self, row: GridRow, text: str, cue: str) -> FinishedLine:
        voice = _plain(self._at(row, Column.VOICE)) or _plain(self._at(row, Column.SPEAKER))
        notes = [_plain(self._at(row, Column.NOTES))]
        duck, speed = _plain(self._at(row, Column.DUCK)), _plain(self._at(row, Column.SPEED))
        depth = _DECIBELS.fullmatch(duck)
        status = _plain(self._at(row, Column.STATUS))
        seen, accepted = _STATUS.get(status.casefold(), (None, None))
        # A number of words a minute follows from text and times.
        if speed and not speed.isdecimal():
            notes.append(f"speed: {speed}")
        if duck and depth is None:
            notes.append(f"duck: {duck}")
        if status and seen is None:
            notes.append(f"status: {status}")
        return FinishedLine(
            text,
            0,
            None,
            row.line,
            number=_plain(self._at(row, Column.NUMBER)),
            cue=cue,
            notes="\n".join(filter(None, notes)),
            voice=voice,
            pronunciation=_plain(self._at(row, Column.PRONUNCIATION)),
            duck=None if depth is None else min(round(float(depth[1].replace(",", ".")) * 10), DEEPEST),
            seen=seen,
            accepted=accepted,
        )

    def _dialogue(self) -> frozenset[int]:
        """The lines whose speaker is not the narrator, where any row has the narrator as its speaker."""
        named = {row.line: speaker for row in self.rows if (speaker := self._at(row, Column.SPEAKER).strip())}
        others = frozenset(line for line, speaker in named.items() if not is_narrator(speaker))
        return others if len(others) < len(named) else frozenset()

    def _seconds(self, row: GridRow, column: Column) -> int | None:
        cell = self._at(row, column)
        return self.clock.duration(cell, row.line) if cell.strip() else None

    def _time(self, row: GridRow, column: Column) -> WrittenTime | None:
        cell = self._at(row, column).strip()
        if not cell:
            return None
        found = self.clock.read(cell, row.line)
        # Plain numbers in a column of times are seconds.
        seconds = None if found is not None else self.clock.duration(cell, row.line)
        return found if seconds is None else WrittenTime(seconds - self.clock.clock_offset, label=False)

    def _between_labels_and_seconds(self) -> int | None:
        """By how much timecode is ahead of the seconds beside it, as in most rows; None where a row never has both."""
        if Column.IN not in self.places or Column.IN_SECONDS not in self.places:
            return None
        found = [
            label.ms - seconds
            for row in self.rows
            if (label := self._time(row, Column.IN)) and (seconds := self._seconds(row, Column.IN_SECONDS)) is not None
        ]
        if not found:
            return None
        usual = mode(round(each / 200) for each in found)
        ahead = round(median(each for each in found if abs(each - 200 * usual) <= 200))
        # A start timecode is of a whole second nearly always; seconds are exact, and timecode is not.
        return round(ahead, -3) if abs(ahead - round(ahead, -3)) < 1000 / self.clock.rate.rate else ahead

    def _span(self, row: GridRow, offset: int | None) -> tuple[int | None, int | None, bool]:
        """When a row's line starts and ends, and whether its timecode says otherwise than the seconds beside it."""
        both = self.clock.read_both(self._at(row, Column.IN), row.line) if self._at(row, Column.IN).strip() else None
        start = self._time(row, Column.IN)
        end = self._time(row, Column.OUT) or (both[1] if both is not None else None)
        first, last = self._seconds(row, Column.IN_SECONDS), self._seconds(row, Column.OUT_SECONDS)
        if first is not None and start is not None and offset is not None:
            tolerance = 2 * round(1000 / self.clock.rate.rate) + 20
            moved = abs(start.ms - first - offset) > tolerance
            if not moved and (end is None or last is None or abs(end.ms - last - offset) <= tolerance):
                return first, last, False
            return start.ms - offset, None if end is None else end.ms - offset, True
        at = first if first is not None else None if start is None else start.ms
        if at is None:
            return None, None, False
        until = last if first is not None else None if end is None else end.ms
        if until is None and (length := self._at(row, Column.DURATION)).strip():
            duration = self.clock.duration(length, row.line)
            until = None if duration is None else at + duration
        return at, until, False
