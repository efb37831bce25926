"""Spans in order of time: the visible ones are found at once, those that overlap are stacked. Pure."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate

from adstudio.core.timebase import Span

Timed = tuple[int, int, str]
"""Start, end and id of a span."""
TimeRange = tuple[float, float]


@dataclass(frozen=True)
class SortedSpans:
    """The spans of one lane, by start. `keys` are ids; `levels[i]` is the row of span i among `depths[i]` rows.

    `reach[i]` is the latest end among spans 0…i, so that both ends of the visible range are found by bisection.
    """

    keys: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    levels: Sequence[int] = ()
    depths: Sequence[int] = ()
    reach: tuple[int, ...] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def place(self) -> dict[str, int]:
        """Where each id stands."""
        return dict(zip(self.keys, range(len(self.keys)), strict=True))

    @cached_property
    def mean_length(self) -> float:
        """Mean length in milliseconds, 0 for an empty strip."""
        return (sum(self.ends) - sum(self.starts)) / len(self.keys) if self.keys else 0.0

    def span(self, key: str) -> Span | None:
        """The span with an id, if it is there."""
        place = self.place.get(key)
        return None if place is None else Span(self.starts[place], self.ends[place])

    def between(self, start: float, end: float) -> list[int]:
        """The spans that touch a time range."""
        first = bisect_left(self.reach, start)
        last = bisect_right(self.starts, end)
        ends = self.ends
        return [i for i in range(first, last) if ends[i] >= start]

    def depth_at(self, ms: int) -> int:
        """How many spans are there at a moment."""
        return sum(self.starts[i] <= ms < self.ends[i] for i in self.between(ms, ms))

    def latest_before(self, ms: float) -> int | None:
        """The last span that starts at or before a time."""
        found = bisect_right(self.starts, ms) - 1
        return found if found >= 0 else None

    def nearest(self, ms: float) -> int | None:
        """The span nearest to a time; the one that starts last where several contain it."""
        if not self.keys:
            return None
        inside = self.between(ms, ms)
        if inside:
            return inside[-1]
        after = bisect_right(self.starts, ms)
        around = [after] if after < len(self.keys) else []
        if after:
            around.append(bisect_left(self.reach, self.reach[after - 1]))  # all before it end before the time
        return min(around, key=lambda i: max(self.starts[i] - ms, ms - self.ends[i]))


def strip_of(spans: Iterable[Timed], *, rows: int = 0) -> SortedSpans:
    """A strip of (start, end, id) in any order; a reversed span stands as a point at its start.

    Overlapping spans are stacked: with `rows` into that many rows for all, else into as many as each cluster of
    overlapping spans needs, so that a span that meets none has the lane to itself.
    """
    ordered = sorted(spans)
    if not ordered:
        return SortedSpans()
    starts, ends, keys = zip(*ordered, strict=True)
    ends = tuple(map(max, starts, ends))
    reach = tuple(accumulate(ends, max))
    occupied = tuple(map(max, ends, [start + 1 for start in starts]))  # a point takes room too
    levels, depths = _stacked(starts, occupied, rows) if rows else _clustered(starts, occupied)
    return SortedSpans(keys, starts, ends, levels, depths, reach)


def with_others(
    strip: SortedSpans, removed: Iterable[Timed], added: Iterable[Timed], rows: int
) -> tuple[SortedSpans, range, range]:
    """A strip that was stacked into that many rows, without some of its spans and with others.

    It is what `strip_of` would make of them, but only the clusters of overlapping spans that they are in are stacked
    anew: the second and third values are those places in the old strip and in the new one. No span is reversed.
    """
    keys, starts, ends = list(strip.keys), list(strip.starts), list(strip.ends)
    first, last = sys.maxsize, -1
    for start, end, key in removed:
        place = keys.index(key, bisect_left(starts, start))
        del keys[place], starts[place], ends[place]
        first, last = min(first, start), max(last, end, start + 1)
    for start, end, key in added:
        place = bisect_left(starts, start)
        while place < len(keys) and starts[place] == start and (ends[place], keys[place]) < (end, key):
            place += 1
        keys.insert(place, key)
        starts.insert(place, start)
        ends.insert(place, end)
        first, last = min(first, start), max(last, end, start + 1)
    if not keys:
        return SortedSpans(), range(len(strip)), range(0)
    reach = tuple(accumulate(ends, max))
    begin = bisect_left(starts, first)
    while 0 < begin < len(keys) and reach[begin - 1] >= starts[begin]:
        begin -= 1
    until = bisect_left(starts, last, begin)
    while until < len(keys) and (until and reach[until - 1] >= starts[until]):
        until += 1
    unchanged = len(keys) - until
    occupied = list(map(max, ends[begin:until], [start + 1 for start in starts[begin:until]]))
    levels = [
        *strip.levels[:begin],
        *_stacked(starts[begin:until], occupied, rows)[0],
        *strip.levels[len(strip) - unchanged :],
    ]
    new = SortedSpans(tuple(keys), tuple(starts), tuple(ends), levels, [rows] * len(keys), reach)
    return new, range(begin, len(strip) - unchanged), range(begin, until)


def _stacked(starts: Sequence[int], ends: Sequence[int], rows: int) -> tuple[Sequence[int], Sequence[int]]:
    """Each into the first row that is free, or that will be free first."""
    free = [-1] * rows
    levels: list[int] = []
    for start, end in zip(starts, ends, strict=True):
        row = 0
        while row < rows and free[row] > start:
            row += 1
        if row == rows:
            row = free.index(min(free))
        free[row] = max(free[row], end)
        levels.append(row)
    return levels, [rows] * len(levels)


def _clustered(starts: Sequence[int], ends: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Each cluster of overlapping spans into as many rows as it needs."""
    levels: list[int] = []
    depths: list[int] = []
    free: list[int] = []
    reach = -1
    for start, end in zip(starts, ends, strict=True):
        if start >= reach:
            depths += [len(free)] * (len(levels) - len(depths))
            free = []
        row = next((row for row, until in enumerate(free) if until <= start), len(free))
        free[row : row + 1] = [end]
        levels.append(row)
        reach = max(reach, end)
    return levels, [*depths, *[len(free)] * (len(levels) - len(depths))]


def deepest(spans: Iterable[Timed], most: int) -> tuple[int, int]:
    """The most spans that are ever there at once, and a time when they are.

    Beyond `most` nobody counts, and in a long film that is soon.
    """
    found = at = 0
    there: list[int] = []  # the ends of those that are there, the first one first
    for start, end, _ in sorted(spans):
        if end <= start:
            continue
        while there and there[0] <= start:
            heappop(there)
        heappush(there, end)
        if len(there) > found:
            found, at = len(there), start
            if found >= most:
                break
    return found, at


def merged(ranges: Iterable[TimeRange]) -> list[TimeRange]:
    """Ranges in order, those that overlap or touch made one."""
    found: list[TimeRange] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
