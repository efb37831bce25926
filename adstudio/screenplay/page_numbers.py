"""Finds page numbers and the headers beside them in text without form feeds: numbers that count up, page by page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from adstudio.screenplay.line_kinds import cue, numbered_heading
from adstudio.screenplay.page_rows import Row

_NUMBER = re.compile(
    r"(?:[-–—\[(]\s?)?(?:page\s|pg\.?\s|p\.\s?)?(\d{1,4})[A-Z]?\.?(?:\s?(?:of|/)\s?\d{1,4})?(?:\s?[-–—\])])?",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_LEAST_PAGES = 3
_LEAST_APART = 15
"""Lines from one page number to the next."""
_MISSING = 2
"""Page numbers that may be missing between two, as text recognition spoils some."""
_NEAR = 3
_LONGEST_HEADER = 100
_SENTENCE_ENDS = (".", "!", "?", "…", ")")


def page_number_rows(rows: Sequence[Row]) -> frozenset[int]:
    """The places of rows that are page numbers, with or without a title, and of repeated headers near them."""
    numbers: dict[str, list[tuple[int, int]]] = {}
    for at, row in enumerate(rows):
        found = _numbered(row)
        if found is not None:
            numbers.setdefault(found[0], []).append((at, found[1]))
    pages = {at for places in numbers.values() for at in _chain(rows, places)}
    return frozenset(pages | _headers(rows, pages)) if pages else frozenset()


def _numbered(row: Row) -> tuple[str, int] | None:
    """What a row says besides the number at one of its ends, and the number."""
    if not row.segments or numbered_heading(row.text) is not None or len(row.text) > _LONGEST_HEADER:
        return None
    first, last = row.segments[0].text.strip(), row.segments[-1].text.strip()
    for text, rest in ((last, row.segments[:-1]), (first, row.segments[1:])):
        found = _NUMBER.fullmatch(text)
        if found is not None and text != (rest[-1].text if rest else ""):
            shape = "  ".join(segment.text for segment in rest)
            return f"{_DIGITS.sub('#', shape)}|{_DIGITS.sub('#', text, count=1) if not rest else ''}", int(found[1])
    return None


def _chain(rows: Sequence[Row], places: Sequence[tuple[int, int]]) -> list[int]:
    """The longest run of numbers that count up, each at least some lines below the one before."""
    best: list[int] = []
    for start in range(min(len(places), 2 * _LEAST_PAGES)):
        at, number = places[start]
        run = [at]
        for following, value in places[start + 1 :]:
            apart = rows[following].place.line - rows[at].place.line
            turned = rows[following].place.page != rows[at].place.page
            if 1 <= value - number <= 1 + _MISSING and (turned or apart >= _LEAST_APART):
                run.append(following)
                at, number = following, value
        best = max(best, run, key=len)
    return best if len(best) >= _LEAST_PAGES else []


def _headers(rows: Sequence[Row], pages: set[int]) -> set[int]:
    """Rows near page numbers that recur there but for their digits."""
    near = {
        at + by
        for at in pages
        for by in range(-_NEAR, _NEAR + 1)
        if by and 0 <= at + by < len(rows) and at + by not in pages
    }
    shapes = Counter(_DIGITS.sub("#", rows[at].text) for at in near)
    everywhere = Counter(_DIGITS.sub("#", row.text) for row in rows)
    return {
        at
        for at in near
        if 2 * shapes[shape := _DIGITS.sub("#", rows[at].text)] >= len(pages)
        and shapes[shape] >= _LEAST_PAGES
        and shapes[shape] * 2 > everywhere[shape]
        and not rows[at].text.endswith(_SENTENCE_ENDS)
        and cue(rows[at].text) is None
        and numbered_heading(rows[at].text) is None
    }
