"""Timing the chosen lines: as near as possible to what they describe (DESIGN section 4, timing).

With eventualities and variants fixed, deliveries are moved, also to other gaps, to minimise Σ|midpoint − m_i|; ties go
to the lexicographically earliest starts. It is solved exactly, from the last line to the first: the least cost of the
lines from i on, as a function of the ready time, is piecewise linear and non-decreasing, with very few pieces. Costs
are in half-milliseconds, since midpoints fall on them.

If gaps may only be filled in part, a line's cost also depends on how full its gap already is; since lines in a gap
follow each other, `Room` records that.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.planning.engines.options import NEVER
from adstudio.planning.problem import GapCap
from adstudio.planning.windows import Window

_IMPOSSIBLE = 1 << 80


@dataclass(frozen=True, slots=True)
class Line:
    """A chosen variant to be timed: its duration, where it may start, and its doubled target midpoint.

    `gaps` are those of the windows, where they may only be filled in part and the line uses their share. A `target` of
    None means no occurrence: any time is as good.
    """

    length: int
    windows: tuple[Window, ...]
    gaps: tuple[GapCap, ...] | None
    target: int | None


Room = tuple[int, int]
"""The start of a gap, and how much of the gap is narrated so far."""

_NOTHING_SAID: Room = (-1, 0)


class _Cost:
    """A non-decreasing function of the ready time: pieces up to `ends[k]`, with value `values[k]` there."""

    __slots__ = ("ends", "slopes", "values")

    def __init__(self) -> None:
        self.ends: list[int] = []
        self.values: list[int] = []
        self.slopes: list[int] = []

    def put(self, end: int, value: int, slope: int) -> None:
        """Prepend a piece, unless it merely continues a flat one."""
        if self.ends and slope == 0 and self.slopes[-1] == 0 and self.values[-1] == value:
            return
        self.ends.append(end)
        self.values.append(value)
        self.slopes.append(slope)

    def close(self) -> None:
        """Put the pieces, which were added from last to first, into ascending order."""
        self.ends.reverse()
        self.values.reverse()
        self.slopes.reverse()


Piece = tuple[int, int, int, int, Room]
"""First and last start, the cost at the last, the slope, and the resulting room."""


def best_starts(lines: Sequence[Line], pause: int) -> list[int] | None:
    """The starts of least total deviation, the earliest among equals; None if the lines cannot be placed."""
    reached: list[list[Room]] = [[_NOTHING_SAID]]
    for line in lines:
        if line.gaps is None:
            reached.append(reached[-1])
            continue
        rooms = (_follow(room, gap, line.length) for room in reached[-1] for gap in line.gaps)
        reached.append(list(dict.fromkeys(room for room in rooms if room is not None)))

    free = _Cost()
    free.put(NEVER, 0, 0)
    after = dict.fromkeys(reached[-1], free)
    pieces: list[dict[Room, list[Piece]]] = []
    for line, rooms in zip(reversed(lines), reversed(reached[:-1]), strict=True):
        here = {room: _pieces(line, pause, room, after) for room in rooms}
        pieces.append(here)
        after = {room: _least_from(found) for room, found in here.items()}
    pieces.reverse()

    starts: list[int] = []
    ready, room = -NEVER, _NOTHING_SAID
    for line, here in zip(lines, pieces, strict=True):
        best = _earliest_best(here[room], ready)
        if best is None:
            return None
        start, room = best
        starts.append(start)
        ready = start + line.length + pause
    return starts


def deviation(lines: Sequence[Line], starts: Sequence[int]) -> int:
    """Σ|midpoint − m_i| in half-milliseconds."""
    return sum(
        abs(2 * start + line.length - line.target)
        for line, start in zip(lines, starts, strict=True)
        if line.target is not None
    )


def _follow(room: Room, gap: GapCap, length: int) -> Room | None:
    start, _, capacity = gap
    used = length + (room[1] if room[0] == start else 0)
    return (start, used) if used <= capacity and start >= room[0] else None


def _pieces(line: Line, pause: int, room: Room, after: dict[Room, _Cost]) -> list[Piece]:
    """The cost of starting this line at d and continuing optimally, as ascending pieces."""
    shift = line.length + pause
    offset = 0 if line.target is None else line.length - line.target
    kink = NEVER if line.target is None else -offset // 2
    steep = 0 if line.target is None else 2
    found: list[Piece] = []
    for number, (lo, hi) in enumerate(line.windows):
        left = room if line.gaps is None else _follow(room, line.gaps[number], line.length)
        if left is None:
            continue
        cost = after[left]
        ends, values, slopes = cost.ends, cost.values, cost.slopes
        if not ends:
            continue
        latest = min(hi, ends[-1] - shift)
        first = lo
        place = bisect_left(ends, lo + shift)
        while first <= latest:
            edge = ends[place] - shift
            last = min(latest, edge)
            if first <= kink < last:
                last = kink
            slope = slopes[place] + (steep if first > kink else -steep)
            value = values[place] - slopes[place] * (edge - last)
            if steep:
                value += abs(2 * last + offset)
            found.append((first, last, value, slope, left))
            first = last + 1
            if last == edge:
                place += 1
    return found


def _least_from(pieces: Sequence[Piece]) -> _Cost:
    """The least cost of starting at or after a time, as a function of it."""
    cost = _Cost()
    least = _IMPOSSIBLE
    for first, last, at_last, slope, _ in reversed(pieces):
        if slope <= 0:
            if at_last < least:
                least = at_last
                cost.put(last, least, 0)
            continue
        at_first = at_last - slope * (last - first)
        if at_first >= least:
            continue
        upto = min(last, first + (least - at_first) // slope)
        if upto > first:
            cost.put(upto, at_first + slope * (upto - first), slope)
        least = at_first
        cost.put(first, least, 0)
    cost.close()
    return cost


def _earliest_best(pieces: Sequence[Piece], ready: int) -> tuple[int, Room] | None:
    """The earliest start of least cost, not before `ready`, and the resulting room."""
    best, found = _IMPOSSIBLE, None
    for first, last, at_last, slope, room in pieces:
        if last < ready:
            continue
        start = max(first, ready) if slope >= 0 else last
        cost = at_last - slope * (last - start)
        if cost < best:
            best, found = cost, (start, room)
    return found
