"""The rows of a laid-out page, and the column of its action."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from adstudio.screenplay.builder import Place
from adstudio.screenplay.line_kinds import is_heading, numbered_heading

CONTINUED = re.compile(
    r"(?:[A-Z]?\d{1,4}[A-Z]{0,2}\.?\s+)?\(?CONTINUED\)?:?\s*(?:\(\d{1,3}\))?(?:\s+[A-Z]?\d{1,4}[A-Z]{0,2}\.?)?"
)
"""A row that only says that a scene goes on over a page break, with the scene's number."""
_MORE = re.compile(r"\(\s*MORE\s*\)|\(\s*more\s*\)")


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


def is_page_line(text: str) -> bool:
    """Whether a line only marks a scene or speech that continues over a page break."""
    return _MORE.fullmatch(text) is not None or CONTINUED.fullmatch(text) is not None


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
