"""Runs: stretches of film that both cuts certainly have, and how pieces of a time map follow from them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from adstudio.conform.time_map import FRAME_MS, Piece, TimeMap, time_map
from adstudio.core.timebase import Span

SURE_MS = 200
"""A cut that may lie anywhere within so little is sure; a scene change this near to it is where it lies."""


@dataclass(frozen=True)
class Run:
    """Film from `old.start` to `old.end` (ms of the former cut) that is later in the new one by `offset` (ms).

    The offset is what is to be added to times that were made longer or shorter already; `confidence` in thousandths.
    """

    old: Span
    offset: float
    confidence: int

    def piece(self, ratio: Fraction, before: float = 0.0, after: float = 0.0) -> Piece:
        """The run as a piece, made longer by so many milliseconds of the former cut at its ends."""
        old = Span(round(self.old.start - before), round(self.old.end + after))
        new = Span(*(round(time * ratio + self.offset) for time in (old.start, old.end)))
        return Piece(old, new, self.confidence)


@dataclass(frozen=True)
class Bounds:
    """What limits runs: the ends of both cuts (ms), and film that only one of them has, in order.

    `changes` are times at which the former cut's scenes change: where somebody would cut.
    """

    old_end: int
    new_end: int
    only_old: tuple[Span, ...] = ()
    only_new: tuple[Span, ...] = ()
    changes: tuple[int, ...] = ()


def disjoint(pieces: Sequence[Piece], ratio: Fraction, old_end: int, new_end: int) -> list[Piece]:
    """The pieces within the cuts and without what overlaps, of which the later piece is shortened, in either cut."""
    found: list[Piece] = []
    at = 0
    for piece in sorted(pieces, key=lambda each: each.old):
        found += _cut(piece, ratio, (max(at, 0), old_end), (0, new_end))
        at = max(at, found[-1].old.end if found else 0)
    at, left = 0, list[Piece]()
    for piece in sorted(found, key=lambda each: each.new):
        left += _cut(piece, ratio, (0, old_end), (at, new_end))
        at = max(at, left[-1].new.end if left else 0)
    return left


def _cut(piece: Piece, ratio: Fraction, old: tuple[int, int], new: tuple[int, int]) -> list[Piece]:
    """What of a piece lies within these times; nothing, if nothing does."""
    begin = max(old[0] - piece.old.start, -(-(new[0] - piece.new.start) // ratio), 0)
    end = max(piece.old.end - old[1], -(-(piece.new.end - new[1]) // ratio), 0)
    if begin + end >= piece.old.length:
        return []
    if not begin and not end:
        return [piece]
    start = max(piece.new.start + round(begin * ratio), new[0])
    stop = min(piece.new.end - round(end * ratio), new[1])
    if stop <= start:
        return []
    return [Piece(Span(piece.old.start + int(begin), piece.old.end - int(end)), Span(start, stop), piece.confidence)]


def filled(runs: Sequence[Run], ratio: Fraction, bounds: Bounds) -> TimeMap:
    """The map of runs between which it is not known where the cuts lie: there they go on as far as they can.

    What the two cuts have between two runs is shared out at a change of scene, if there is one, else in the middle; it
    is unsure then.
    """
    return _Filling(sorted(runs, key=lambda run: run.old), ratio, bounds).time_map()


class _Filling:
    """Works in milliseconds of the former cut on both sides; places are those of runs in its order."""

    def __init__(self, runs: list[Run], ratio: Fraction, bounds: Bounds) -> None:
        self.runs, self.ratio, self.bounds = runs, ratio, bounds
        self.new = [run.piece(ratio).new for run in runs]
        self.order = sorted(range(len(runs)), key=lambda place: self.new[place])
        self.after = [0.0] * len(runs)
        self.before = [0.0] * len(runs)
        self.unsure: list[Span] = []

    def time_map(self) -> TimeMap:
        """The finished map."""
        if not self.runs:
            return TimeMap((), self.bounds.old_end, self.bounds.new_end, self.ratio)
        following = dict(pairwise(self.order))
        for left, right in pairwise(range(len(self.runs))):
            if following.get(left) == right:
                self._between(left, right)
            else:
                self._apart(left, right)
        self._first()
        self._last()
        for left, right in pairwise(self.order):
            if right != left + 1:
                self._share_room(left, right)
        pieces = [
            run.piece(self.ratio, before, after)
            for run, before, after in zip(self.runs, self.before, self.after, strict=True)
        ]
        found = disjoint(pieces, self.ratio, self.bounds.old_end, self.bounds.new_end)
        return time_map(found, self.bounds.old_end, self.bounds.new_end, self.ratio, self.unsure)

    def _between(self, left: int, right: int) -> None:
        """Two runs that follow one another in both cuts."""
        start, stop = self.runs[left].old.end, self.runs[right].old.start
        gap = max(0, stop - start)
        room = max(0.0, self._room(left, right))
        common = min(gap, room)
        most_after, most_before = self._reach_after(left, common), self._reach_before(right, common)
        if most_after + most_before <= common:
            self.after[left], self.before[right] = most_after, most_before
            return
        first, last = max(0.0, common - most_before), min(most_after, common)
        gone = gap - common
        at, sure = self._cut_at(start + first, start + last, gone)
        self.after[left], self.before[right] = at - start, common - (at - start)
        if not sure and max(gone, room - common) > FRAME_MS:
            self.unsure.append(Span(round(start + first), round(start + last + gone)))

    def _cut_at(self, first: float, last: float, gone: float) -> tuple[float, bool]:
        """Where between two times a cut lies behind which so much is gone, and whether that is sure."""
        changes = [change for change in self.bounds.changes if first - SURE_MS <= change <= last + SURE_MS]
        if gone > FRAME_MS:
            both = [change for change in changes if self._changes_near(change + gone)]
            ends = [change - gone for change in self.bounds.changes if first <= change - gone <= last]
            if both:
                return min(max(both[0], first), last), True
            changes += [round(end) for end in ends]
        if last - first <= SURE_MS:
            return (first + last) / 2, True
        if len(changes) == 1:
            return min(max(changes[0], first), last), gone <= FRAME_MS
        middle = (first + last) / 2
        nearest = min(changes, key=lambda change: abs(change - middle), default=middle)
        return min(max(nearest, first), last), False

    def _changes_near(self, time: float) -> bool:
        changes = self.bounds.changes
        place = bisect_left(changes, time - SURE_MS)
        return place < len(changes) and changes[place] <= time + SURE_MS

    def _apart(self, left: int, right: int) -> None:
        """Two runs that the new cut has apart: each goes on to a change of scene between them, else half the way."""
        start, stop = self.runs[left].old.end, self.runs[right].old.start
        gap = max(0, stop - start)
        changes = [change for change in self.bounds.changes if start - SURE_MS <= change <= stop + SURE_MS]
        at = min(max(changes[0], start), stop) if changes else (start + stop) / 2
        self.after[left] = self._reach_after(left, min(at - start, gap))
        self.before[right] = self._reach_before(right, min(stop - at, gap))
        if len(changes) != 1 and gap > SURE_MS:
            self.unsure.append(Span(start, stop))

    def _first(self) -> None:
        """The first run of the former cut goes back to its beginning, if it is the new cut's first one too."""
        start, new = self.runs[0].old.start, self.new[0].start
        is_first = self.order[0] == 0
        self.before[0] = self._reach_before(0, min(start, float(new / self.ratio)) if is_first else start)
        if start > SURE_MS and (not is_first or abs(new - start * self.ratio) > FRAME_MS):
            self.unsure.append(Span(round(start - self.before[0]), start))
        if not is_first:
            first = self.order[0]
            self.before[first] = min(self.before[first], float(self.new[first].start / self.ratio))

    def _last(self) -> None:
        last, end = len(self.runs) - 1, self.runs[-1].old.end
        rest, room = self.bounds.old_end - end, self.bounds.new_end - self.new[last].end
        is_last = self.order[-1] == last
        self.after[last] = self._reach_after(last, max(0.0, min(rest, float(room / self.ratio)) if is_last else rest))
        if rest > SURE_MS and (not is_last or abs(room - rest * self.ratio) > FRAME_MS):
            self.unsure.append(Span(end, round(end + self.after[last])))
        if not is_last:
            final = self.order[-1]
            room = (self.bounds.new_end - self.new[final].end) / self.ratio
            self.after[final] = min(self.after[final], max(0.0, float(room)))

    def _share_room(self, left: int, right: int) -> None:
        """Two runs that only the new cut has next to each other, and want more room than there is between them."""
        room = max(0.0, self._room(left, right))
        wanted = self.after[left] + self.before[right]
        if wanted > room:
            self.after[left] *= room / wanted
            self.before[right] *= room / wanted

    def _room(self, left: int, right: int) -> float:
        return float((self.new[right].start - self.new[left].end) / self.ratio)

    def _reach_after(self, place: int, most: float) -> float:
        """How far a run can go on: up to the next film that only one cut has."""
        old, new = self.runs[place].old.end, self.new[place].end
        return min(most, _until(self.bounds.only_old, old), _until(self.bounds.only_new, new) / float(self.ratio))

    def _reach_before(self, place: int, most: float) -> float:
        old, new = self.runs[place].old.start, self.new[place].start
        return min(most, _since(self.bounds.only_old, old), _since(self.bounds.only_new, new) / float(self.ratio))


def _until(spans: Sequence[Span], time: int) -> float:
    place = bisect_left(spans, time, key=lambda span: span.start)
    return spans[place].start - time if place < len(spans) else float("inf")


def _since(spans: Sequence[Span], time: int) -> float:
    earlier = [span.end for span in spans if span.end <= time]
    return time - max(earlier) if earlier else float("inf")
