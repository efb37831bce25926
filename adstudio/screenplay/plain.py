"""Plain text in standard layout, with columns made by leading spaces."""

from __future__ import annotations

import re
from itertools import pairwise

from adstudio.screenplay.builder import Builder, Place
from adstudio.screenplay.layout import read_rows
from adstudio.screenplay.line_kinds import cue, is_heading
from adstudio.screenplay.page_rows import Row, Segment, base_column, body_rows, is_page_line

_SEGMENT_GAP = re.compile(r" {4,}|\t+")
_LONE_NUMBER = re.compile(r"\d{1,4}\.")
_NAMES_AT_LEAST = 2
_NAME_INDENT = 8
_MOSTLY = 0.8
_NEARLY = 0.95
_ROWS_TO_TELL = 20


def is_laid_out(text: str) -> bool:
    """Whether character names are indented well to the right of headings: nearly all that look like names must be."""
    lines = [line.rstrip().expandtabs(8) for line in text.replace("\f", "\n").split("\n")]
    if _is_double_spaced([not before and bool(line) for before, line in pairwise(lines) if line]):
        lines = [line for before, line in pairwise(["", *lines]) if line or not before]
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    headings = [indent for line, indent in zip(lines, indents, strict=True) if line and is_heading(line.strip())]
    base = min(headings, default=0)
    names = [
        indent - base >= _NAME_INDENT
        for line, indent, after in zip(lines, indents, [*lines[1:], ""], strict=True)
        if line and after and not is_heading(line.strip()) and cue(line) is not None
    ]
    return sum(names) >= max(_NAMES_AT_LEAST, _MOSTLY * len(names))


def without_page_lines(text: str) -> str:
    """A text without standard layout, with page numbers, (MORE) and (CONTINUED) replaced by empty lines."""
    lines = text.replace("\f", "\n").split("\n")
    alone = [not before.strip() for before in ["", *lines]]
    lines_left = [
        "" if is_page_line(line.strip()) or (above and _LONE_NUMBER.fullmatch(line.strip())) else line
        for line, above in zip(lines, alone, strict=False)
    ]
    return "\n".join(lines_left)


def read_laid_out(text: str, builder: Builder) -> None:
    """Read a text in standard layout into a builder; form feeds separate pages."""
    rows: list[Row] = []
    number = 0
    pages = text.split("\f")
    for page, content in enumerate(pages, 1):
        lines = content.split("\n")
        rows += _rows(lines, number, page if len(pages) > 1 else 0)
        number += len(lines) - 1
    base = base_column(rows, None)
    read_rows(_single_spaced(body_rows(rows, base)), base, builder)


def _rows(lines: list[str], before: int, page: int) -> list[Row]:
    rows: list[Row] = []
    gap = True
    for at, line in enumerate(lines, 1):
        expanded = line.expandtabs(8).rstrip()
        if not expanded:
            gap = True
            continue
        rows.append(Row(_segments(expanded), Place(before + at, page), gap=gap))
        gap = False
    if page and rows:
        rows[0] = rows[0]._replace(edge=True)
        rows[-1] = rows[-1]._replace(edge=True)
    return rows


def _segments(line: str) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    at = len(line) - len(line.lstrip(" "))
    for gap in _SEGMENT_GAP.finditer(line, at):
        segments.append(Segment(at, line[at : gap.start()]))
        at = gap.end()
    segments.append(Segment(at, line[at:]))
    return tuple(segment for segment in segments if segment.text)


def _is_double_spaced(gaps: list[bool]) -> bool:
    """Whether nearly every row follows an empty one."""
    return len(gaps) >= _ROWS_TO_TELL and sum(gaps) >= _NEARLY * len(gaps)


def _single_spaced(rows: list[Row]) -> list[Row]:
    """In double-spaced text only two empty rows separate paragraphs, recognised by the line numbers."""
    if not _is_double_spaced([row.gap for row in rows]):
        return rows
    spaced = [rows[0]]
    for before, row in pairwise(rows):
        spaced.append(row._replace(gap=row.breaks or row.place.line - before.place.line > 2))
    return spaced
