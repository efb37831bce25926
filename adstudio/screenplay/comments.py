"""Removes Fountain's comments: notes [[ ]] and boneyards /* */."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_BONEYARD = re.compile(r"/\*|\*/")
_NOTE = re.compile(r"\[\[|\]\]|\n ?(?=\n)")


class Line(NamedTuple):
    """A line of text and its number in the file, from 1."""

    text: str
    number: int


class _Cut(NamedTuple):
    start: int
    end: int
    note: bool


class Uncommented(NamedTuple):
    """The remaining lines, and the numbers of lines with comments that the syntax does not know.

    `unclosed`: a boneyard without an end; `open_notes`: a note without one; `long_notes`: a note over empty lines.
    """

    lines: list[Line]
    unclosed: list[int]
    open_notes: list[int]
    long_notes: list[int]


def lines_without_comments(text: str, *, unclosed_as_text: bool = False) -> Uncommented:
    """The lines of a text without notes and boneyards.

    A line that held only notes is removed, so that it does not separate paragraphs. A boneyard over several lines
    leaves a blank one. Balanced boneyards nest; otherwise the first "*/" ends them. Beyond the syntax, a boneyard that
    is never closed lasts to the end of the text, or is text (`unclosed_as_text`); a note may contain empty lines up to
    its end, and one that is never closed lasts to the next empty line.
    """
    boneyards, unclosed = _boneyards(text)
    notes, open_notes, long_notes = _notes(text, boneyards)
    if unclosed and not unclosed_as_text:
        boneyards.append(_Cut(unclosed[0], len(text), note=False))
    cuts = sorted([*boneyards, *notes])
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    pieces: list[tuple[str, int, bool]] = []
    at = 0
    for cut in cuts:
        if cut.start < at:
            continue
        pieces.append((text[at : cut.start], at, cut.note or "\n" not in text[cut.start : cut.end]))
        at = cut.end
    pieces.append((text[at:], at, False))
    numbers = [[bisect_right(starts, place) for place in places] for places in (unclosed[:1], open_notes, long_notes)]
    return Uncommented(_joined(pieces, starts), *numbers)


def _joined(pieces: list[tuple[str, int, bool]], starts: list[int]) -> list[Line]:
    lines: list[Line] = []
    parts: list[str] = []
    number = 1
    noted = False
    for text, offset, vanishes in pieces:
        first, *others = text.split("\n")
        if not parts:
            number = bisect_right(starts, offset)
        parts.append(first)
        line = bisect_right(starts, offset)
        for place, other in enumerate(others, 1):
            _finish(lines, parts, number, noted)
            parts, number, noted = [other], line + place, False
        noted = noted or vanishes
    _finish(lines, parts, number, noted)
    return lines


def _finish(lines: list[Line], parts: list[str], number: int, noted: bool) -> None:
    whole = "".join(parts)
    if whole.strip() or not noted:
        lines.append(Line(whole, number))


def _boneyards(text: str) -> tuple[list[_Cut], list[int]]:
    marks = [(found.start(), found[0] == "/*") for found in _BONEYARD.finditer(text)]
    ends: dict[int, int] = {}
    following: dict[int, int] = {}
    stack: list[int] = []
    for at, opens in marks:
        if opens:
            stack.append(at)
        elif stack:
            ends[stack.pop()] = at
    close = -1
    for at, opens in reversed(marks):
        if not opens:
            close = at
        elif close >= 0:
            following[at] = close
    cuts: list[_Cut] = []
    unclosed: list[int] = []
    past = 0
    for at, opens in marks:
        if not opens or at < past:
            continue
        end = ends.get(at, following.get(at))
        if end is None:
            unclosed.append(at)
            continue
        past = end + 2
        cuts.append(_Cut(at, past, note=False))
    return cuts, unclosed


def _notes(text: str, boneyards: list[_Cut]) -> tuple[list[_Cut], list[int], list[int]]:
    """The notes, and where those begin that are never closed, or hold an empty line."""
    cuts: list[_Cut] = []
    unclosed: list[int] = []
    long: list[int] = []
    opened: int | None = None
    empty: int | None = None
    place = 0

    def close_at_empty_line() -> None:
        nonlocal opened, empty
        if opened is not None:
            unclosed.append(opened)
            cuts.append(_Cut(opened, len(text) if empty is None else empty, note=True))
        opened = empty = None

    for found in _NOTE.finditer(text):
        at = found.start()
        while place < len(boneyards) and boneyards[place].end <= at:
            place += 1
        if place < len(boneyards) and boneyards[place].start <= at:
            continue
        if found[0] == "[[":
            if empty is not None:
                close_at_empty_line()
            opened = at if opened is None else opened
        elif found[0] == "]]":
            if opened is not None:
                cuts.append(_Cut(opened, found.end(), note=True))
                long += [opened] if empty is not None else []
            opened = empty = None
        elif opened is not None and empty is None:
            empty = at
    close_at_empty_line()
    return cuts, unclosed, long
