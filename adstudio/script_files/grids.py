"""Tables as grids of cells, whatever is in them: separated by commas, semicolons, tabs or strokes, or by spaces."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.core.timebase import RATES
from adstudio.script_files.asides import without_label
from adstudio.script_files.columns import MOST_COLUMNS, Column, ColumnChoices, column_of, names_columns
from adstudio.script_files.times import is_time, time_stamp, without_marks

DELIMITERS = ("\t", ";", ",", "|")
TITLE_ROWS = 12
"""The most rows of titles and notes before the head of a table."""
_MOST_UNCLOSED = 100
"""Quotation marks that are not closed; a text with more is no table."""
_TIME_WITHIN = 3
"""A row's time is one of so many first cells."""
_LISTED = 5
_LEAST_TIMED = 2
_ANY_RATE = RATES["25"]
_AROUND_TIMES = " \t:|,;–—-[]()*_`"
_RULE = re.compile(r"\s*:?-{1,}:?\s*")
_SPACES = re.compile(r"\t+| {2,}")


class GridRow(NamedTuple):
    """A row's cells, and the number of the line where it begins, from 1."""

    line: int
    cells: list[str]


def is_rule(cells: Sequence[str]) -> bool:
    """Whether a row is the line under a Markdown table's head."""
    return bool(cells) and all(_RULE.fullmatch(cell) for cell in cells)


def cells_of(line: str) -> list[str]:
    """The cells of a Markdown table's row; empty for any other line."""
    text = line.strip()
    if not (text.startswith("|") and text.count("|") >= 2):
        return []
    return [cell.strip() for cell in text.strip("|").split("|")]


def within_columns(
    grid: Sequence[GridRow], width: int, text_at: int, delimiter: str
) -> tuple[list[GridRow], list[int], list[GridRow]]:
    """The rows with no more cells than columns.

    Where the text is the last column, what a row has beyond it is text with the delimiter in it: the lines of such rows
    are returned too. Elsewhere it is left out, and returned as rows of their own.
    """
    rows: list[GridRow] = []
    joined: list[int] = []
    beyond: list[GridRow] = []
    for row in grid:
        cells = list(row.cells)
        while len(cells) > width and not cells[-1].strip():
            cells.pop()
        if len(cells) > width and text_at == width - 1 and delimiter:
            cells[text_at:] = [delimiter.join(cells[text_at:])]
            joined.append(row.line)
        elif len(cells) > width:
            beyond.append(GridRow(row.line, cells[width:]))
        rows.append(GridRow(row.line, cells[:width]))
    return rows, joined, beyond


def table_width(head: GridRow | None, body: Sequence[GridRow], width: int, choices: ColumnChoices | None) -> int:
    """How many columns the table has, whatever a row has beyond them: those of its head, or of most of its rows."""
    least = max(choices.columns, default=0) if choices is not None else 0
    if head is None:
        counts = Counter(map(_written_width, body))
        return max(least, min(count for count, rows in counts.items() if rows == max(counts.values())))
    named = Column.TEXT in map(column_of, head.cells) or Column.TEXT in (choices.columns.values() if choices else ())
    return max(least, _written_width(head)) if named else width


def _written_width(row: GridRow) -> int:
    return max((at for at, cell in enumerate(row.cells, 1) if cell.strip()), default=0)


def lines_shown(lines: Sequence[int]) -> str:
    """The first of several line numbers, for messages: “lines 3, 5, 8”."""
    shown = ", ".join(map(str, lines[:_LISTED]))
    return f"line {shown}" if len(lines) == 1 else f"lines {shown}{' …' if len(lines) > _LISTED else ''}"


def about_unclosed(lines: Sequence[int]) -> tuple[Oddity, ...]:
    """What is said of lines with a quotation mark that is not closed."""
    what = f"a quotation mark is not closed, so each line is read by itself: {lines_shown(lines)}"
    return (Oddity(what, lines[0]),) if lines else ()


def giant_cell(text: str) -> int | None:
    """The line of the first cell that is longer than any line of a script can be; None where there is none."""
    for delimiter in DELIMITERS:
        reader, at = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), 0
        try:
            for _ in reader:
                at = reader.line_num
        except csv.Error:
            return at + 1
    return None


def separated(text: str, delimiter: str) -> tuple[list[GridRow], list[int]]:
    """The rows with anything in them; none if they cannot be read, or are of Markdown.

    With them the lines with a quotation mark that is not closed; each of these lines is read by itself.
    """
    if delimiter == "|" and any(map(cells_of, text.splitlines())):
        return [], []
    rows: list[GridRow] = []
    unclosed: list[int] = []
    lines = list(io.StringIO(text.lstrip("\ufeff"), newline=""))
    at = 0
    try:
        while at < len(lines):
            # An empty line behind the last one: a row with it in it has an open quotation mark.
            reader, first = csv.reader(chain(islice(lines, at, None), ("\n",)), delimiter=delimiter), at
            for row in _rows_read(reader):
                cells = row or []
                begin, at = at, first + reader.line_num
                swallows = at > begin + 1 and (
                    row is None
                    or (at > len(lines) and bool(row))
                    or any(_begins_row(line, delimiter) for line in lines[begin + 1 : at])
                )
                if swallows:
                    cells, at = next(csv.reader([lines[begin]], delimiter=delimiter)), begin + 1
                    unclosed.append(at)
                if (row is None and not swallows) or len(cells) > MOST_COLUMNS or len(unclosed) > _MOST_UNCLOSED:
                    return [], []
                if any(cell.strip() for cell in cells) and not (begin == 0 and cells[0].startswith("sep=")):
                    rows.append(GridRow(begin + 1, cells))
                if swallows:
                    break
    except csv.Error:
        return [], []
    return rows, unclosed


def _rows_read(reader: Iterator[list[str]]) -> Iterator[list[str] | None]:
    """The rows that a reader of CSV reads; None, at the end, for one with a cell that is too long."""
    try:
        yield from reader
    except csv.Error:
        yield None


def _begins_row(line: str, delimiter: str) -> bool:
    """Whether a line by itself is a row of a table: one of its first cells is a time, and closes no quotation mark."""
    cells = line.split(delimiter, _TIME_WITHIN)
    return len(cells) > 1 and any(
        is_time(cell.strip()) and delimiter.join(cells[:at]).count('"') % 2 == 0
        for at, cell in enumerate(cells[:_TIME_WITHIN])
    )


def spaced(text: str) -> list[GridRow]:
    """The rows of columns that spaces or tabs keep apart, by where the headings of their first row begin."""
    lines = [line.expandtabs(8).rstrip() for line in text.splitlines()]
    for at, line in enumerate(lines[: 2 * TITLE_ROWS]):
        heads = _pieces(line)
        if len(heads) < 3 or not names_columns([head for _, head in heads]):
            continue
        starts = [place for place, _ in heads]
        text_at = next((n for n, (_, head) in enumerate(heads) if column_of(head) is Column.TEXT), None)
        rows = [GridRow(at + 1, [head for _, head in heads])]
        for number, other in enumerate(lines[at + 1 :], at + 2):
            cells = [""] * len(starts)
            for place, piece in _pieces(other):
                column = max(n for n, start in enumerate(starts) if start <= place + 2 or not n)
                cells[column] = f"{cells[column]} {piece}".strip()
            goes_on = text_at is not None and cells[text_at] and not any(cells[:text_at])
            if goes_on and len(rows) > 1 and text_at is not None and lines[number - 2].strip():
                rows[-1].cells[text_at] = f"{rows[-1].cells[text_at]} {cells[text_at]}"
            elif any(cells):
                rows.append(GridRow(number, cells))
        return rows
    return []


def timed(paragraphs: Sequence[str]) -> list[GridRow]:
    """The rows of a text without columns whose paragraphs begin with a time, under a head; none of any other text.

    What is on the next lines goes on with a text, up to an empty one; a time alone has its text below it.
    """
    if max(map(len, paragraphs), default=0) > csv.field_size_limit():
        return []
    above: list[GridRow] = []
    rows: list[GridRow] = []
    texts: list[list[str]] = []
    goes_on = is_timed = False
    for number, paragraph in enumerate(paragraphs, 1):
        line, _ = without_marks(paragraph.strip(), numbered=True)
        behind = without_label(line)
        if behind is not None and time_stamp(behind, _ANY_RATE) is not None:
            line = behind
        stamp = time_stamp(line, _ANY_RATE)
        if stamp is not None:
            rows.append(GridRow(number, [line.removesuffix(stamp.rest).strip(_AROUND_TIMES), ""]))
            texts.append([stamp.rest.strip()])
            is_timed = True
        elif is_timed and line and (goes_on or not any(texts[-1])):
            texts[-1].append(line)
        elif line and not line.isdecimal():
            (rows or above).append(GridRow(number, [line, ""]))
            if rows:
                texts.append([])
            is_timed = False
        goes_on = bool(line)
    for row, text in zip(rows, texts, strict=True):
        row.cells[1] = " ".join(filter(None, text))
    spoken = sum(bool(row.cells[1]) for row in rows)
    if spoken < _LEAST_TIMED or spoken * 2 < len(rows):
        return []
    return [*above[: TITLE_ROWS - 1], GridRow(rows[0].line, ["TC in", "Text"]), *rows]


def _pieces(line: str) -> list[tuple[int, str]]:
    pieces: list[tuple[int, str]] = []
    at = len(line) - len(line.lstrip())
    for gap in _SPACES.finditer(line, at):
        pieces.append((at, line[at : gap.start()]))
        at = gap.end()
    return [*pieces, (at, line[at:])] if line[at:] else pieces
