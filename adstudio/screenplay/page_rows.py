"""The rows of a laid-out page, and removal of page numbers, headers and (CONTINUED)."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from adstudio.screenplay.builder import Place
from adstudio.screenplay.line_kinds import cue, is_heading, numbered_heading

_CONTINUED = re.compile(
    r"(?:[A-Z]?\d{1,4}[A-Z]{0,2}\.?\s+)?\(?CONTINUED\)?:?\s*(?:\(\d{1,3}\))?(?:\s+[A-Z]?\d{1,4}[A-Z]{0,2}\.?)?"
)
_PAGE_NUMBER = re.compile(r"(?:-\s?\d{1,4}\s?-|(?:PAGE|Page|page)\s\d{1,4}\.?|\d{1,4}[A-Z]?\.?)")
_MORE = re.compile(r"\(\s*MORE\s*\)|\(\s*more\s*\)")
_MARK = re.compile(r"\*{1,3}")
_DIGITS = re.compile(r"\d+")
_FAR_RIGHT = 30
_REPEATED = 3


class Segment(NamedTuple):
    """Adjacent words; `left` in columns of a tenth of an inch, fractions allowed."""

    left: float
    text: str


class Row(NamedTuple):
    """One row. `gap`: after an empty row; `breaks`: first on its page; `edge`: in the page's outer margin."""

    segments: tuple[Segment, ...]
    place: Place
    gap: bool = False
    breaks: bool = False
    edge: bool = False

    @property
    def left(self) -> float:
        """The column where the row starts."""
        return self.segments[0].left

    @property
    def text(self) -> str:
        """The row's words."""
        return "  ".join(segment.text for segment in self.segments)

    @property
    def more(self) -> bool:
        """Whether it is (MORE): the speech continues on the next page."""
        return _MORE.fullmatch(self.text) is not None


def body_rows(rows: list[Row], base: float) -> list[Row]:
    """The rows without page numbers, headers and the like; a row after such a removal `breaks`."""
    rows = [_without_marks(row) for row in rows]
    pages = max(1, len({row.place.page for row in rows}))
    repeated = Counter(_shape(row) for row in rows if row.edge)
    body: list[Row] = []
    page, gap, breaks = rows[0].place.page if rows else 0, False, False
    for row in rows:
        breaks = breaks or row.place.page != page
        page = row.place.page
        gap = gap or row.gap
        if not row.segments:
            continue
        if _CONTINUED.fullmatch(row.text) or _is_number(row, base) or _is_header(row, base, repeated, pages):
            breaks = True
            continue
        body.append(row._replace(gap=gap or breaks, breaks=breaks))
        gap = breaks = False
    return body


def is_page_line(text: str) -> bool:
    """Whether a line only marks a scene or speech that continues over a page break."""
    return _MORE.fullmatch(text) is not None or _CONTINUED.fullmatch(text) is not None


def base_column(rows: list[Row], standard: float | None) -> float:
    """The column of headings and action.

    It is the one where most headings start; without headings the `standard` one, else the leftmost column where a tenth
    of the rows start.
    """
    headings = Counter[int]()
    lefts = Counter[int]()
    for row in rows:
        if not row.segments:
            continue
        lefts[round(row.left)] += 1
        at = next((segment for segment in row.segments if is_heading(segment.text)), None)
        if at is not None:
            headings[round(at.left)] += 1
        elif numbered_heading(row.text) is not None:
            # The number is one space before the heading.
            headings[round(row.left)] += 1
    if headings:
        return float(min(headings, key=lambda column: (-headings[column], column)))
    leftmost = min((column for column, count in lefts.items() if count * 10 >= lefts.total()), default=0)
    return float(leftmost if standard is None else min(standard, leftmost))


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
