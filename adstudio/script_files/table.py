"""AD scripts as tables: values separated by commas, semicolons, tabs or strokes, Markdown, and columns of spaces.

Columns are known by their headings, in any order; without headings by what is in them. Our own CSV is one of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from adstudio.core.errors import Oddity
from adstudio.core.timebase import FrameRate
from adstudio.core.words import count_words
from adstudio.script_files.asides import cue_words, is_narrator
from adstudio.script_files.columns import STATUS, Column, column_of, names_columns
from adstudio.script_files.grids import (
    DELIMITERS,
    TITLE_ROWS,
    GridRow,
    about_unclosed,
    cells_of,
    is_rule,
    lines_shown,
    separated,
    spaced,
    within_columns,
)
from adstudio.script_files.times import Stamp, is_time, time_span

_LEAST_ROWS = 2
_MOSTLY = 0.8
_DECIMAL = re.compile(r"\d{1,6}(?:[.,]\d{1,6})?")
_FORMULA = re.compile(r"'(?=[=+\-@\t\r\n])")
_SHOWN = 5
_LONGEST_SHOWN = 40
_NOTED = {Column.SPEED: "speed", Column.DUCK: "duck", Column.STATUS: "status", Column.PRONUNCIATION: "pronunciation"}
"""What is noted of a line beside its notes, and as what; its voice too, where not all have the same."""
_Holds = Callable[[str], bool]


class _CellReader(Protocol):
    def __call__(self, *wanted: Column) -> str: ...


@dataclass(frozen=True)
class TableRow:
    """One row: what is spoken, its time (None if there is none), and what stands beside it.

    `cue`: the words, or the sound, after which it is spoken. `notes`: a line for each thing that is noted.
    """

    line: int
    text: str
    stamp: Stamp | None = None
    cue: str = ""
    notes: str = ""
    number: str = ""
    scene: str = ""


@dataclass(frozen=True)
class ScriptTable:
    """The rows with text or cue words, and what was not used."""

    rows: tuple[TableRow, ...]
    oddities: tuple[Oddity, ...] = ()


def script_table(text: str, rate: FrameRate) -> ScriptTable | None:
    """The table that a whole text is; None if it is none. Frames in a timecode are of that rate."""
    grids = {delimiter: separated(text, delimiter) for delimiter in DELIMITERS if delimiter in text}
    for delimiter, (grid, unclosed) in (*grids.items(), (" ", (spaced(text), ()))):
        found = _with_head(grid, rate, delimiter)
        if found is not None:
            return _with_unclosed(found, unclosed)
    for delimiter, (grid, unclosed) in grids.items():
        found = _without_head(grid, rate, delimiter)
        if found is not None:
            return _with_unclosed(found, unclosed)
    return None


def _with_unclosed(table: ScriptTable, unclosed: Sequence[int]) -> ScriptTable:
    return ScriptTable(table.rows, (*about_unclosed(unclosed), *table.oddities))


def markdown_table(lines: Sequence[tuple[int, str]], rate: FrameRate) -> ScriptTable | None:
    """The table in lines that begin and end with strokes, with their numbers; None if it has no head and no times."""
    grid = [GridRow(number, cells_of(line)) for number, line in lines]
    headed = len(grid) > 1 and is_rule(grid[1].cells)
    rows = [row for row in grid if not is_rule(row.cells)]
    if headed and rows and names_columns(rows[0].cells):
        columns = [column_of(cell) for cell in rows[0].cells]
        return table_of(rows[1:], columns, rate, names=rows[0].cells, delimiter=" | ")
    return _without_head(rows[1:] if headed else rows, rate, "|", least=1)


def table_of(
    grid: Sequence[GridRow],
    columns: Sequence[Column | None],
    rate: FrameRate,
    *,
    names: Sequence[str] = (),
    delimiter: str = ",",
) -> ScriptTable | None:
    """The rows of a grid whose columns are known; None if no column can be the text.

    A row with cue words alone gives them to the next one. Where no column is named as the text, it is the wordiest of
    those that are not known. Where the text is the last column, what a row has beyond it is text with the delimiter in
    it.
    """
    oddities: list[Oddity] = []
    names = [" ".join(name.split())[:_LONGEST_SHOWN] for name in names]
    text_at = next((at for at, column in enumerate(columns) if column is Column.TEXT), None)
    if text_at is None:
        text_at = _wordiest(grid, [at for at, column in enumerate(columns) if column is None])
        if text_at is None:
            return None
        if text_at < len(names) and names[text_at]:
            what = f"no column is named as the description, so “{names[text_at]}” is taken for it"
            oddities.append(Oddity(what, grid[0].line if grid else None))
    unused = [
        names[at]
        for at, column in enumerate(columns)
        if column is None and at != text_at and at < len(names) and names[at]
    ]
    if unused:
        shown = ", ".join(f"“{name}”" for name in unused[:_SHOWN])
        oddities.append(Oddity(f"these columns of the table are not known, so they are not used: {shown}"))
    grid, _, beyond = within_columns(grid, len(columns), text_at, delimiter)
    too_long = [row.line for row in beyond]
    if too_long:
        rows_have = "one row has" if len(too_long) == 1 else f"{len(too_long)} rows have"
        what = f"{rows_have} more cells than the header row, of which the last are not used: {lines_shown(too_long)}"
        oddities.append(Oddity(f"{what} (is there a “{delimiter}” in a text without quotation marks?)", too_long[0]))
    rows: list[TableRow] = []
    cue = ""
    voices: list[str] = []
    dialogue = _dialogue_lines(grid, columns)
    if dialogue:
        what = f"rows spoken by anyone but the narrator are dialogue, so not described: {lines_shown(dialogue)}"
        oddities.append(Oddity(what, dialogue[0]))
    spoken_in = frozenset(dialogue)
    for line, cells in grid:
        row = _row(line, cells, text_at, columns, rate)
        if line in spoken_in:
            cue = cue_words(row.text) or cue
            continue
        cue = row.cue or cue
        if not row.text:
            continue
        rows.append(row if row.cue or not cue else replace(row, cue=cue))
        voices.append(_cell(cells, text_at, columns, Column.VOICE, Column.SPEAKER))
        cue = ""
    if len(set(voices)) > 1:
        rows = [
            replace(row, notes="\n".join(filter(None, (row.notes, f"voice: {voice}")))) if voice else row
            for row, voice in zip(rows, voices, strict=True)
        ]
    return ScriptTable(tuple(rows), tuple(oddities))


def _dialogue_lines(grid: Sequence[GridRow], columns: Sequence[Column | None]) -> list[int]:
    """The lines whose speaker is not the narrator.

    None where no row has the narrator as its speaker: the column may then name the voices of the description.
    """
    at = next((at for at, column in enumerate(columns) if column is Column.SPEAKER), None)
    if at is None:
        return []
    speakers = [(row.line, row.cells[at]) for row in grid if at < len(row.cells) and row.cells[at].strip()]
    others = [line for line, speaker in speakers if not is_narrator(speaker)]
    return others if len(others) < len(speakers) else []


def _cell(cells: Sequence[str], text_at: int, columns: Sequence[Column | None], *wanted: Column) -> str:
    """The first of these columns with something in it."""
    for column in wanted:
        for at, each in enumerate(columns):
            if each is column and at != text_at and at < len(cells) and cells[at].strip():
                return _plain(cells[at])
    return ""


def _notes(cell: _CellReader) -> str:
    """What is noted of a line, as an import notes it: no speed in words a minute, and no status that we know."""
    notes = [cell(Column.NOTES)]
    for column, what in _NOTED.items():
        value = cell(column)
        known = value.isdecimal() if column is Column.SPEED else column is Column.STATUS and value.casefold() in STATUS
        if value and not known:
            notes.append(f"{what}: {value}")
    return "\n".join(filter(None, notes))


def _row(line: int, cells: Sequence[str], text_at: int, columns: Sequence[Column | None], rate: FrameRate) -> TableRow:
    cell = partial(_cell, cells, text_at, columns)
    return TableRow(
        line=line,
        text=_plain(cells[text_at]) if text_at < len(cells) else "",
        stamp=_stamp(cell, rate),
        cue=cue_words(cell(Column.CUE)),
        notes=_notes(cell),
        number=cell(Column.NUMBER),
        scene=cell(Column.SCENE),
    )


def _stamp(cell: _CellReader, rate: FrameRate) -> Stamp | None:
    first, last = cell(Column.IN_SECONDS), cell(Column.OUT_SECONDS)
    if _DECIMAL.fullmatch(first):
        return time_span(f"{first} s", f"{last} s" if _DECIMAL.fullmatch(last) else "", rate)
    first, last = cell(Column.IN), cell(Column.OUT)
    if _DECIMAL.fullmatch(first) and ("." in first or "," in first or _DECIMAL.fullmatch(last)):
        first, last = f"{first} s", f"{last} s" if last else ""
    return time_span(first, last, rate)


def _plain(cell: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from running it as a formula."""
    return " ".join(_FORMULA.sub("", cell.strip(), count=1).split())


def _with_head(grid: Sequence[GridRow], rate: FrameRate, delimiter: str) -> ScriptTable | None:
    for at, row in enumerate(grid[:TITLE_ROWS]):
        if len(row.cells) > 1 and names_columns(row.cells):
            rows = [each for each in grid[at + 1 :] if not is_rule(each.cells) and each.cells != row.cells]
            columns = [column_of(cell) for cell in row.cells]
            found = table_of(rows, columns, rate, names=row.cells, delimiter=delimiter)
            if found is None or not at:
                return found
            above = f"above the table’s header row, so not described: {_shown(grid[0])}"
            return ScriptTable(found.rows, (Oddity(above, grid[0].line), *found.oddities))
    return None


def _shown(row: GridRow) -> str:
    return f"“{' '.join(' '.join(row.cells).split())[:_LONGEST_SHOWN]}”"


def _without_head(
    grid: Sequence[GridRow], rate: FrameRate, delimiter: str, *, least: int = _LEAST_ROWS
) -> ScriptTable | None:
    """A table by what is in its columns: one or two of times first, and as many cells in each row."""
    width = min((len(row.cells) for row in grid), default=0)
    if len(grid) < least or width < 2:
        return None
    if not any(map(is_time, grid[0].cells)) and len(grid) > least:
        grid = grid[1:]  # a head whose words are not known
    # A text with the separator in it, which is last.
    grid = [row._replace(cells=[*row.cells[: width - 1], delimiter.join(row.cells[width - 1 :])]) for row in grid]
    columns: list[Column | None] = [None] * width
    of_times = [at for at in range(width) if _share(grid, at, is_time) >= _MOSTLY]
    if not of_times:
        return None
    for at, column in zip(of_times, (Column.IN, Column.OUT), strict=False):
        columns[at] = column
    for at in of_times[2:]:
        columns[at] = Column.DURATION
    for at in range(width):
        if columns[at] is None and _share(grid, at, lambda cell: cell.strip(" .#").isdigit()) >= _MOSTLY:
            columns[at] = Column.NUMBER
    table = table_of(grid, columns, rate)
    left = [at for at, column in enumerate(columns) if column is None]
    if table is None or len(left) < 2:
        return table
    what = (
        f"this table has no header row, so of its {len(left)} columns of text the longest is taken for the description"
    )
    return ScriptTable(table.rows, (Oddity(what, grid[0].line), *table.oddities))


def _share(grid: Sequence[GridRow], at: int, holds: _Holds) -> float:
    written = [row.cells[at].strip() for row in grid if row.cells[at].strip()]
    return sum(map(holds, written)) / len(grid) if written else 0.0


def _wordiest(grid: Sequence[GridRow], places: Sequence[int]) -> int | None:
    words = {at: sum(count_words(row.cells[at]) for row in grid if at < len(row.cells)) for at in places}
    best = max(words, key=lambda at: words[at], default=None)
    return best if best is not None and words[best] else None
