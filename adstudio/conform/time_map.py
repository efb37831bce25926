"""How time in a new cut of a film follows from time in the former cut: piecewise linear, at one speed throughout.

A piece is a stretch of film that both cuts have. What lies in no piece was removed from the former cut, or inserted in
the new one. Pieces that the new cut has in another order were moved.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from adstudio.core.timebase import Span

CERTAIN = 1000
"""A confidence in thousandths."""
LEAST_PART_MS = 1000
"""Of a span, at least half or so many milliseconds must be left for it to be in the new cut."""
FRAME_MS = 40
"""What is no longer than a frame of 25 is neither removed nor inserted."""
SAME_OFFSET_MS = 12
"""Pieces that are later by as much, to a bin of the waveform, are one."""
LONGEST_JOIN_MS = 1000
"""A span goes on over inserted film that is no longer than this."""


@dataclass(frozen=True)
class Piece:
    """A stretch of film in both cuts, in milliseconds of each; `confidence` is in thousandths.

    `moved`: it comes before or after other film than it did.
    """

    old: Span
    new: Span
    confidence: int = CERTAIN
    moved: bool = False


class Fate(Enum):
    """What became of a stretch of film."""

    SAME = "same"
    """It is where it was."""
    SHIFTED = "shifted"
    """It is earlier or later, but between the same film."""
    MOVED = "moved"
    REMOVED = "removed"
    INSERTED = "inserted"


@dataclass(frozen=True)
class Stretch:
    """A stretch of film and what became of it, its times in the cuts that have it; `confidence` is in thousandths."""

    fate: Fate
    old: Span | None
    new: Span | None
    confidence: int


@dataclass(frozen=True)
class TimeMap:
    """The pieces in the order of the former cut, which `ratio` makes longer or shorter; `old_end` and `new_end` in ms.

    `unsure` are spans of the former cut in which a cut may lie elsewhere than the map has it.

    Raises:
        ValueError: if pieces overlap in either cut.
    """

    pieces: tuple[Piece, ...]
    old_end: int
    new_end: int
    ratio: Fraction = Fraction(1)
    unsure: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        for spans in ([piece.old for piece in self.pieces], [piece.new for piece in self._in_new_order]):
            if any(after.start < before.end for before, after in pairwise(spans)):
                raise ValueError("the pieces of a time map overlap")

    @cached_property
    def _in_new_order(self) -> tuple[Piece, ...]:
        return tuple(sorted(self.pieces, key=lambda piece: piece.new))

    @cached_property
    def _starts(self) -> list[int]:
        return [piece.old.start for piece in self.pieces]

    def piece_at(self, time: int) -> Piece | None:
        """The piece that a time of the former cut lies in; None where that was removed."""
        place = bisect_right(self._starts, time) - 1
        near = [piece for piece in self.pieces[max(0, place) : place + 2] if _distance(piece.old, time) <= FRAME_MS]
        return min(near, key=lambda piece: _distance(piece.old, time), default=None)

    def at(self, time: int) -> int | None:
        """A time of the former cut in the new one; None where that was removed."""
        piece = self.piece_at(time)
        return None if piece is None else self._in_piece(piece, time)

    def span(self, span: Span, longest_join: int = LONGEST_JOIN_MS) -> Span | None:
        """What is left of a span of the former cut, in the new one; None where it was removed, or nearly all of it.

        Of a span whose parts have been moved apart, the longest.
        """
        if span.length == 0:
            time = self.at(span.start)
            return None if time is None else Span(time, time)
        first, behind = bisect_right(self._starts, span.start) - 1, bisect_left(self._starts, span.end)
        near = self.pieces[max(0, first) : behind]
        parts = [(piece, each) for piece in near if (each := piece.old.overlap(span)) and each.length]
        groups: list[list[tuple[Piece, Span]]] = []
        for piece, part in parts:
            if groups and self._goes_on(groups[-1][-1][0], piece, longest_join):
                groups[-1].append((piece, part))
            else:
                groups.append([(piece, part)])
        if not groups:
            return None
        longest = max(groups, key=_length)
        if _length(longest) < min(LEAST_PART_MS, (span.length + 1) // 2):
            return None
        (first, begin), (last, end) = longest[0], longest[-1]
        return Span(self._in_piece(first, begin.start), self._in_piece(last, end.end))

    def is_whole(self, span: Span) -> bool:
        """Whether all of a span is in the new cut, and in one piece."""
        left = self.span(span)
        return left is not None and abs(left.length - round(span.length * self.ratio)) <= FRAME_MS

    def is_unsure(self, span: Span) -> bool:
        """Whether a cut may lie in a span, of whose place the map is not sure."""
        return any(each.start < span.end and span.start < each.end for each in self.unsure)

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """All that became of the film: of the former cut in its order, then what was inserted, in the new one's."""
        found: list[Stretch] = []
        for span, piece in _with_rest(self.old_end, [(piece.old, piece) for piece in self.pieces]):
            if piece is None:
                found.append(Stretch(Fate.REMOVED, span, None, self._confidence(span, old=True)))
            else:
                still = piece.old.start == piece.new.start and self.ratio == 1
                fate = Fate.MOVED if piece.moved else Fate.SAME if still else Fate.SHIFTED
                found.append(Stretch(fate, piece.old, piece.new, piece.confidence))
        for span, piece in _with_rest(self.new_end, [(piece.new, piece) for piece in self._in_new_order]):
            if piece is None:
                found.append(Stretch(Fate.INSERTED, None, span, self._confidence(span, old=False)))
        return tuple(found)

    def of(self, *fates: Fate) -> tuple[Stretch, ...]:
        """The stretches of these fates."""
        return tuple(stretch for stretch in self.stretches if stretch.fate in fates)

    @property
    def shared(self) -> int:
        """How much of the former cut is in the new one, in milliseconds."""
        return sum(piece.old.length for piece in self.pieces)

    @property
    def changes_nothing(self) -> bool:
        """Whether every time is the same in both cuts."""
        return all(stretch.fate is Fate.SAME for stretch in self.stretches)

    def _in_piece(self, piece: Piece, time: int) -> int:
        return min(max(piece.new.start + round((time - piece.old.start) * self.ratio), piece.new.start), piece.new.end)

    def _goes_on(self, piece: Piece, other: Piece, longest_join: int) -> bool:
        """Whether a piece follows another in the new cut, with little between them."""
        order = self._in_new_order
        place = bisect_left(order, piece.new, key=lambda each: each.new)
        return order[place + 1 : place + 2] == (other,) and other.new.start - piece.new.end <= longest_join

    def _confidence(self, span: Span, *, old: bool) -> int:
        """That of the pieces at both ends of what no piece covers."""
        sides = [(piece.old if old else piece.new, piece.confidence) for piece in self.pieces]
        near = [sure for side, sure in sides if side.end == span.start or side.start == span.end]
        return min(near, default=CERTAIN)


def time_map(
    pieces: Iterable[Piece], old_end: int, new_end: int, ratio: Fraction = Fraction(1), unsure: Sequence[Span] = ()
) -> TimeMap:
    """The map of these pieces, in any order: those that follow on from one another are joined, moved ones marked."""
    joined: list[Piece] = []
    for piece in sorted(pieces, key=lambda each: each.old):
        before = joined[-1] if joined else None
        if before is not None and _is_one(before, piece, ratio):
            confidence = min(before.confidence, piece.confidence)
            joined[-1] = Piece(Span(before.old.start, piece.old.end), Span(before.new.start, piece.new.end), confidence)
        elif piece.old.length and piece.new.length:
            joined.append(piece)
    joined = _to_ends(joined, old_end, new_end)
    order = _longest_in_order(joined)
    marked = tuple(replace(piece, moved=place not in order) for place, piece in enumerate(joined))
    return TimeMap(marked, old_end, new_end, ratio, tuple(unsure))


def _to_ends(pieces: Sequence[Piece], old_end: int, new_end: int) -> list[Piece]:
    """The pieces, the first and the last one from and to the ends of both cuts where they are less than a frame off."""
    found = list(pieces)
    if found and max(found[0].old.start, found[0].new.start) <= FRAME_MS:
        first, less = found[0], min(found[0].old.start, found[0].new.start)
        old, new = (Span(span.start - less, span.end) for span in (first.old, first.new))
        found[0] = replace(first, old=old, new=new)
    if found and max(rests := (old_end - found[-1].old.end, new_end - found[-1].new.end)) <= FRAME_MS:
        last, more = found[-1], max(0, min(rests))
        old, new = (Span(span.start, span.end + more) for span in (last.old, last.new))
        found[-1] = replace(last, old=old, new=new)
    return found


def _longest_in_order(pieces: Sequence[Piece]) -> set[int]:
    """The places of the pieces that are in the same order in both cuts, so that the others are as short as can be."""
    best: list[int] = []
    before: list[int] = []
    for place, piece in enumerate(pieces):
        earlier = [other for other in range(place) if pieces[other].new.end <= piece.new.start]
        previous = max(earlier, key=lambda other: best[other], default=-1)
        before.append(previous)
        best.append(piece.old.length + (best[previous] if previous >= 0 else 0))
    at = max(range(len(best)), key=lambda place: best[place], default=-1)
    order: set[int] = set()
    while at >= 0:
        order.add(at)
        at = before[at]
    return order


def _is_one(piece: Piece, other: Piece, ratio: Fraction) -> bool:
    """Whether a piece goes on with another one, at the same offset."""
    gap, room = other.old.start - piece.old.end, other.new.start - piece.new.end
    return 0 <= gap <= FRAME_MS and 0 <= room <= FRAME_MS and abs(room - gap * ratio) <= SAME_OFFSET_MS


def _distance(span: Span, time: int) -> int:
    return max(span.start - time, time - span.end, 0)


def _length(parts: Sequence[tuple[Piece, Span]]) -> int:
    return sum(part.length for _, part in parts)


def _with_rest(end: int, spans: Sequence[tuple[Span, Piece]]) -> Iterator[tuple[Span, Piece | None]]:
    """The spans in order, and what lies between them, before and after, without a piece."""
    at = 0
    for span, piece in spans:
        if span.start - at > FRAME_MS:
            yield Span(at, span.start), None
        yield span, piece
        at = span.end
    if end - at > FRAME_MS:
        yield Span(at, end), None
