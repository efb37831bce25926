"""The best joints through many rows at once, with numpy, where gaps may only be filled in part.

What `capped.join_through` finds row by row. Of the states that a row's options lead to hardly any can be on the best
plan: what each brings at most and at least is worked out for those of all rows together, and `capped.join` is shown
only those that may be on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from adstudio.planning.engines import capped
from adstudio.planning.engines.frontier import Chain, Frontier, Joint
from adstudio.planning.engines.options import NEVER, OWED, OWED_BITS, Option, Row
from adstudio.planning.problem import Problem

Array = np.ndarray[Any, np.dtype[np.int64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]

Through = tuple[Joint, Option]
"""A joint, and the option that is taken in between."""

_APART = 1 << 36
"""More than any two times are apart: it sets the states of one row apart from those of the next."""

_SAFE = 1 << 60
"""Of values below this, three can be summed in 64 bits."""

_LEAST = -4 * _SAFE

_GAIN, _SHIFT, _WINDOWS, _GAPS = map(attrgetter, ("gain", "shift", "windows", "gaps"))


class _Between(NamedTuple):
    """A row between the frontiers before it and (mirrored) after it; `floor` is that of what comes after the row."""

    prefix: Frontier
    row: Row
    floor: int
    suffix: Frontier
    mirrored_floor: int


def joints_through(forward: Chain, backward: Chain, places: Sequence[int], problem: Problem) -> list[Through | None]:
    """The best way to take one of its own options at each of these rows; None where nothing fits.

    `forward` holds the frontiers of a capped problem's rows, `backward` those in mirrored time.
    """
    found: list[Through | None] = [None] * len(places)
    asked: list[tuple[int, _Between]] = []
    for number, place in enumerate(places):
        after = len(forward.rows) - place - 1
        row, prefix, suffix = forward.rows[place], forward.frontiers[place], backward.frontiers[after]
        if row.options and prefix[0] and suffix[0]:
            each = _Between(prefix, row, forward.floors[place + 1], suffix, backward.floors[after])
            if row.options[0].gaps is None:  # an override, which uses no gap's share
                found[number] = capped.join_through(*each, problem)
            else:
                asked.append((number, each))
    rows = [row for _, row in asked]
    try:
        joints = [*_joints(rows, problem)]
    except OverflowError:
        joints = [capped.join_through(*row, problem) for row in rows]
    for (number, _), joint in zip(asked, joints, strict=True):
        found[number] = joint
    return found


class _Ends:
    """The frontiers at one end of many rows, one after another; those of row n are from `starts[n]` on."""

    def __init__(self, frontiers: Sequence[Frontier]) -> None:
        """Lay them out.

        Raises:
            OverflowError: where sums of values might not fit 64 bits.
        """
        self.counts = np.array([len(states) for states, _ in frontiers])
        self.starts = np.concatenate(([0], np.cumsum(self.counts)))
        self.rows = np.repeat(np.arange(len(frontiers)), self.counts)
        self.states = _flat(states for states, _ in frontiers)
        self.values = _safe(_flat(values for _, values in frontiers))
        self.ready, self.owed = self.states >> OWED_BITS, self.states & OWED
        self._keys = self.rows * _APART + self.ready

    def until(self, rows: Array, times: Array) -> Array:
        """The place after the last state of each of these rows that is ready by a time."""
        return self._keys.searchsorted(rows * _APART + times, "right")

    def so_far(self, values: Array) -> Array:
        """The greatest of the values of each row up to each place."""
        order = np.argsort(values, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        above = self.rows * len(order)
        return values[order[np.maximum.accumulate(rank + above) - above]]


class _Ways:
    """The windows of all options of many rows, in order, with the gaps that they are in."""

    def __init__(self, rows: Sequence[_Between]) -> None:
        self.options = [*chain.from_iterable(each.row.options for each in rows)]
        numbers = np.repeat(np.arange(len(rows)), [len(each.row.options) for each in rows])
        self.option = np.repeat(np.arange(len(self.options)), [*map(len, map(_WINDOWS, self.options))])
        self.row = numbers[self.option]
        self.gain = _safe(_flat([map(_GAIN, self.options)]))[self.option]
        self.shift = _flat([map(_SHIFT, self.options)])[self.option]
        self.lo, self.hi = _flat(chain.from_iterable(map(_WINDOWS, self.options))).reshape(-1, 2).T
        self.start, self.end, self.capacity = _flat(chain.from_iterable(map(_GAPS, self.options))).reshape(-1, 3).T


class _Reached(NamedTuple):
    """States that windows lead to: row and window, the time when ready, the silence owed, and the value."""

    row: Array
    window: Array
    ready: Array
    owed: Array
    value: Array

    def only(self, some: Mask | Array) -> _Reached:
        return _Reached(*[column[some] for column in self])

    @property
    def states(self) -> Array:
        return (self.ready << OWED_BITS) | self.owed


def _flat(lists: Iterable[Iterable[int]]) -> Array:
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64)


def _safe(values: Array) -> Array:
    if max(int(values.max()), -int(values.min())) >= _SAFE:
        raise OverflowError
    return values


def _parts(counts: Array) -> tuple[Array, Array]:
    """The numbers of stretches, each as often as it has parts, and the numbers of the parts in them."""
    number = np.repeat(np.arange(len(counts)), counts)
    return number, np.arange(len(number)) - np.repeat(np.cumsum(counts) - counts, counts)


def _joints(rows: Sequence[_Between], problem: Problem) -> Iterator[Through | None]:
    """What `joints_through` finds.

    Raises:
        OverflowError: where sums of values might not fit 64 bits.
    """
    if not rows:
        return
    ways, before, after = _Ways(rows), _Ends([row.prefix for row in rows]), _Ends([row.suffix for row in rows])
    reached, best = _promising(rows, _reached(rows, ways, before, problem.min_pause), after, problem)
    gained = np.full(len(rows), _LEAST)
    np.maximum.at(gained, reached.row, reached.value)
    suffixes = np.flatnonzero(after.values >= np.repeat(best - gained, after.counts))
    # Of the same state twice, `capped.undominated` wants the greater value first, and `origin` takes the first option.
    reached = reached.only(np.lexsort((reached.window, -reached.value, reached.states, reached.row)))
    columns = (
        np.searchsorted(reached.row, np.arange(len(rows) + 1)),
        np.searchsorted(suffixes, after.starts),
        after.starts,
        reached.states,
        reached.value,
        ways.option[reached.window],
        suffixes,
        after.states[suffixes],
        after.values[suffixes],
    )
    firsts, others, starts, states, values, options, places, mirrored, worths = (each.tolist() for each in columns)
    for number, row in enumerate(rows):
        these, those = slice(firsts[number], firsts[number + 1]), slice(others[number], others[number + 1])
        prefix, gains, base = capped.undominated(states[these], values[these])
        suffix = mirrored[those], worths[those]
        joint = capped.join((prefix, gains), row.floor, suffix, row.mirrored_floor, problem)
        if joint is None:
            yield None
            continue
        total, here, place = joint
        option = ways.options[options[states.index(prefix[here], these.start)]]
        taken = Row(must=True, options=(option,), first=NEVER)
        way = capped.origin(*row.prefix, taken, row.floor, prefix[here], gains[here] + base)
        if way is None:
            raise AssertionError("no option leads to a state that one has led to")
        yield (total + base, way[1], places[those.start + place] - starts[number]), option


def _reached(rows: Sequence[_Between], ways: _Ways, before: _Ends, pause: int) -> _Reached:
    """What all windows lead to, also where a state could have taken the option in an earlier one."""
    of, shift, lo = ways.row, ways.shift, ways.lo
    length = shift - pause
    full, last = ways.end - ways.capacity, ways.end - length
    inside = before.until(of, ways.start - 1)
    some = np.maximum(lo, full) <= last
    # Of the states that enter a gap together only the best matters.
    enter = np.flatnonzero(some & (inside > before.starts[of]))
    window, part = _parts(np.where(some, before.until(of, ways.hi) - inside, 0))
    at = inside[window] + part
    begin = np.maximum(before.ready[at], lo[window])
    clock = np.maximum(np.maximum(begin, full[window]), before.ready[at] + before.owed[at])
    fits = clock <= last[window]
    window, at, begin, clock = window[fits], at[fits], begin[fits], clock[fits]
    value = np.concatenate((before.so_far(before.values)[inside[enter] - 1], before.values[at]))
    begin = np.concatenate((lo[enter], begin))
    clock = np.concatenate((np.maximum(lo, full)[enter], clock))
    window = np.concatenate((enter, window))
    row = of[window]
    # Silence that is kept before the floor is not owed any more.
    ready = np.maximum(begin + shift[window], np.array([each.floor for each in rows])[row])
    owed = np.maximum(clock + length[window] - ready, 0)
    return _Reached(row, window, ready, owed, value + ways.gain[window])


def _promising(rows: Sequence[_Between], reached: _Reached, after: _Ends, problem: Problem) -> tuple[_Reached, Array]:
    """Those of the states that may be on a best plan, and what the best plan of each row has at least."""
    row, pause = reached.row, problem.min_pause
    floors, mirrored_floors = np.array([(each.floor, each.mirrored_floor) for each in rows]).T
    latest = np.where(reached.ready <= floors[row], NEVER, np.maximum(pause - reached.ready, mirrored_floors[row]))
    until = after.until(row, latest)
    best = np.full(len(rows), _LEAST)

    # At least: with a suffix that owes nothing. At most: with any that fits by the first clock.
    free = after.so_far(np.where(after.owed > 0, _LEAST, after.values))
    fits = until > after.starts[row]
    np.maximum.at(best, row, np.where(fits, reached.value + free[until - 1], _LEAST))
    by_first = after.so_far(after.values)
    some = np.flatnonzero(fits & (reached.value + by_first[until - 1] >= best[row]))
    reached, row, until = reached.only(some), row[some], until[some]
    # The second clock of a suffix, and how far it may be where both owe silence in the same gap.
    clocks = np.where(after.owed > 0, after.ready + after.owed, -NEVER)
    gaps = np.searchsorted(problem.gap_starts, reached.ready, "right") - 1
    silence = np.array(problem.gap_silences)[gaps] - reached.ready - reached.owed
    limit = np.where(reached.owed > 0, silence, NEVER)
    by_clock = np.lexsort((clocks, after.rows))
    within = (after.rows[by_clock] * _APART + clocks[by_clock]).searchsorted(row * _APART + limit, "right")
    # At most: one suffix fits by the first clock, and another by the second.
    by_second = after.so_far(after.values[by_clock])
    most = reached.value + np.minimum(by_first[until - 1], by_second[within - 1])
    most[within <= after.starts[row]] = _LEAST
    np.maximum.at(best, row, np.where(reached.owed > 0, _LEAST, most))
    # The most promising state of each row shows what is really to be had.
    peaks = np.full(len(rows), _LEAST)
    np.maximum.at(peaks, row, most)
    top = np.flatnonzero((most == peaks[row]) & (most > _LEAST))
    numbers, first = np.unique(row[top], return_index=True)
    top = top[first]
    state, part = _parts(until[top] - after.starts[numbers])
    suffix = after.starts[numbers][state] + part
    fits = clocks[suffix] <= limit[top][state]
    np.maximum.at(best, numbers[state[fits]], (reached.value[top][state] + after.values[suffix])[fits])
    return reached.only((most >= best[row]) & (most > _LEAST)), best
