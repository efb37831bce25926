"""Removal of page numbers, headers and (CONTINUED) from the rows of a laid-out text."""

from __future__ import annotations

import re
from collections import Counter

from adstudio.screenplay.line_kinds import cue, is_heading, numbered_heading
from adstudio.screenplay.page_numbers import page_number_rows
from adstudio.screenplay.page_rows import CONTINUED, Row

_PAGE_NUMBER = re.compile(r"(?:-\s?\d{1,4}\s?-|(?:PAGE|Page|page)\s\d{1,4}\.?|\d{1,4}[A-Z]?\.?)")
_MARK = re.compile(r"\*{1,3}")
_DIGITS = re.compile(r"\d+")
_RULE = re.compile(r"[-–—=_*~·•]{2,}|Page missing\.?")
"""A row that only separates pages."""
_FAR_RIGHT = 30
_REPEATED = 3
_FEW_PAGES = 2
"""With so few pages, nothing can be on three of them."""


def body_rows(rows: list[Row], base: float) -> list[Row]:
    """The rows without page numbers, headers and the like; a row after such a removal `breaks`."""
    rows = [_without_marks(row) for row in rows]
    counted = page_number_rows(rows)
    pages = max(1, len({row.place.page for row in rows}))
    everywhere = Counter(_shape(row) for row in rows)
    # A name that is first on some pages stands elsewhere too.
    repeated = Counter(
        {
            shape: count
            for shape, count in Counter(_shape(row) for row in rows if row.edge).items()
            if 2 * count > everywhere[shape]
        }
    )
    columns = Counter(round(row.left) for row in rows if row.segments and not row.edge)
    body: list[Row] = []
    page, gap, breaks = rows[0].place.page if rows else 0, False, False
    for at, row in enumerate(rows):
        breaks = breaks or row.place.page != page
        page = row.place.page
        gap = gap or row.gap
        if not row.segments:
            continue
        if (
            at in counted
            or _RULE.fullmatch(row.text)
            or CONTINUED.fullmatch(row.text)
            or _is_number(row, base)
            or _is_header(row, base, repeated, pages)
            or (pages <= _FEW_PAGES and _is_set_apart(row, repeated, pages, columns))
        ):
            breaks = True
            continue
        body.append(row._replace(gap=gap or breaks, breaks=breaks))
        gap = breaks = False
    return body


def _without_marks(row: Row) -> Row:
    return row._replace(segments=tuple(segment for segment in row.segments if not _MARK.fullmatch(segment.text)))


def _shape(row: Row) -> str:
    return _DIGITS.sub("#", row.text)


def _is_number(row: Row, base: float) -> bool:
    if len(row.segments) > 1 or _PAGE_NUMBER.fullmatch(row.text) is None:
        return False
    return row.edge or row.left - base >= _FAR_RIGHT or row.text.startswith(("-", "P", "p"))


def _is_header(row: Row, base: float, repeated: Counter[str], pages: int) -> bool:
    """A row that ends in a page number at the far right, or one in the margin that many pages share but for numbers."""
    if numbered_heading(row.text) is not None or row.more:
        return False
    first, last = row.segments[0], row.segments[-1]
    numbered = last.left - base >= _FAR_RIGHT and _PAGE_NUMBER.fullmatch(last.text) and first.text != last.text
    if len(row.segments) > 1 and numbered and (row.edge or last.text.endswith(".")):
        return True
    if not row.edge:
        return False
    name = cue(row.text)
    if name is not None and name.continued:
        return False
    return repeated[_shape(row)] >= _REPEATED and repeated[_shape(row)] * 5 >= pages


def _is_set_apart(row: Row, repeated: Counter[str], pages: int, columns: Counter[int]) -> bool:
    """A row by itself in the margin of one of a few pages: on each of them, or where no row of the body begins."""
    if not row.edge or not row.gap or is_heading(row.text) or cue(row.text) is not None:
        return False
    here = round(row.left)
    alone = not any(columns[column] for column in (here - 1, here, here + 1))
    return alone or (pages > 1 and repeated[_shape(row)] == pages)
