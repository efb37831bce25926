"""The best joints through many rows at once, with numpy, where gaps may only be filled in part.

What `capped.join_through` finds row by row. Of the states that a row's options lead to hardly any can be on the best
plan: what each brings at most and at least is worked out for those of all rows together, and only those that may be on
it are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
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

_SAFE = 1 << 58
"""Values are below this, or rows are joined one by one."""

_LEAST = -8 * _SAFE
"""The value of what does not fit; two of these and three values can be summed in 64 bits."""

_NOTHING = _LEAST // 2
"""More than any sum with what does not fit, and less than any of three values."""

_BLOCK = 8
"""States of a prefix that are judged together."""

_PAIRS = 30_000
"""So many pairs of states and suffixes are compared at once, of those rows that have the fewest."""

_NONE, _SEVERAL = -1, -2
"""In place of the best of a row's states: none can be joined, or more must be known to say which it is."""


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
        self.options: list[Option] = [*chain.from_iterable([each.row.options for each in rows])]
        _, _, shifts, gains, windows, _, gaps, *_ = zip(*self.options, strict=True)
        numbers = np.repeat(np.arange(len(rows)), [len(each.row.options) for each in rows])
        self.option = np.repeat(np.arange(len(self.options)), [*map(len, windows)])
        self.row = numbers[self.option]
        self.gain = _safe(np.array(gains))[self.option]
        self.shift = np.array(shifts)[self.option]
        self.lo, self.hi = _flat(chain.from_iterable(windows)).reshape(-1, 2).T
        self.start, self.end, self.capacity = _flat(chain.from_iterable(gaps)).reshape(-1, 3).T


class _Reached(NamedTuple):
    """States that windows lead to: row and window, the time when ready, the silence owed, and the value.

    `until` is the place after the last suffix that is in time for each.
    """

    row: Array
    window: Array
    ready: Array
    owed: Array
    value: Array
    until: Array

    def only(self, some: Mask | Array) -> _Reached:
        return _Reached(*[column[some] for column in self])

    def sorted(self) -> _Reached:
        """By row and state; of the same one, by value and then by window."""
        return self.only(np.lexsort((self.window, -self.value, self.states, self.row)))

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
    search = _Search(rows, problem)
    # Of the same state twice, `capped.undominated` wants the greater value first, and `origin` takes the first option.
    reached = search.promising(search.reached()).sorted()
    suffixes = search.suffixes(reached)
    after = search.after
    columns = (
        *search.single_best(reached, suffixes),
        np.searchsorted(reached.row, np.arange(len(rows) + 1)),
        np.searchsorted(suffixes, after.starts),
        after.starts,
        reached.states,
        reached.value,
        search.ways.option[reached.window],
        suffixes,
        after.states[suffixes],
        after.values[suffixes],
    )
    lists: list[list[int]] = [column.tolist() for column in columns]
    best, ends, firsts, others, starts, states, values, options, places, mirrored, worths = lists
    for number, row in enumerate(rows):
        this, that = best[number], ends[number]
        if this == _SEVERAL:
            these, those = slice(firsts[number], firsts[number + 1]), slice(others[number], others[number + 1])
            prefix, gains, _ = capped.undominated(states[these], values[these])
            suffix = mirrored[those], worths[those]
            joint = capped.join((prefix, gains), row.floor, suffix, row.mirrored_floor, problem)
            this = _NONE if joint is None else states.index(prefix[joint[1]], these.start)
            that = 0 if joint is None else those.start + joint[2]
        if this == _NONE:
            yield None
            continue
        option = search.ways.options[options[this]]
        taken = Row(must=True, options=(option,), first=NEVER)
        way = capped.origin(*row.prefix, taken, row.floor, states[this], values[this])
        if way is None:
            raise AssertionError("no option leads to a state that one has led to")
        yield (values[this] + worths[that], way[1], places[that] - starts[number]), option


class _Search:
    """What the options of many rows lead to, without most of what cannot be on the best plan through its row.

    `best` is what the best plan through each row has at least, as far as is known.
    """

    def __init__(self, rows: Sequence[_Between], problem: Problem) -> None:
        self.ways = _Ways(rows)
        self.before, self.after = _Ends([row.prefix for row in rows]), _Ends([row.suffix for row in rows])
        self.best = np.full(len(rows), _LEAST)
        self._floors, self._mirrored_floors = np.array([(each.floor, each.mirrored_floor) for each in rows]).T
        self._problem, self._pause = problem, problem.min_pause
        self._length = self.ways.shift - self._pause
        self._full = self.ways.end - self.ways.capacity
        self._last = self.ways.end - self._length
        after = self.after
        self._most_after = after.so_far(after.values)
        # Where a suffix owes silence, the second clock of a state may be no further than this.
        self._clocks = np.where(after.owed > 0, after.ready + after.owed, -NEVER)
        order = np.lexsort((self._clocks, after.rows))
        self._by_clock = after.rows[order] * _APART + self._clocks[order]
        self._most_by_clock = after.so_far(after.values[order])
        self._most_after_owing_none = after.so_far(np.where(after.owed > 0, _LEAST, after.values))

    def reached(self) -> _Reached:
        """What the windows lead to, also where a state could have taken the option in an earlier one."""
        ways, before = self.ways, self.before
        usable = np.maximum(ways.lo, self._full) <= self._last
        inside = before.until(ways.row, ways.start - 1)
        until = np.where(usable, before.until(ways.row, ways.hi), inside)
        # Of the states that enter a gap together only the best matters.
        window = np.flatnonzero(usable & (inside > before.starts[ways.row]))
        clock = np.maximum(ways.lo, self._full)[window]
        entered = self._taken(window, ways.lo[window], clock, before.so_far(before.values)[inside[window] - 1])
        entered = entered.only(self._promising(entered, entered.value))
        # Those inside one are judged by the block first, by its earliest state and its greatest value.
        first = inside // _BLOCK
        window, part = _parts(np.where(until > inside, (until - 1) // _BLOCK - first + 1, 0))
        block = first[window] + part
        at = np.maximum(block * _BLOCK, inside[window])
        most = np.maximum.reduceat(before.values, np.arange(0, len(before.values), _BLOCK))
        heads = self._inside(window, at)
        self.promising(heads.only(self._promising(heads, heads.value)))  # which shows what is to be had at least
        left = self._promising(heads, most[block] + ways.gain[window])
        window, at = window[left], at[left]
        each, part = _parts(np.minimum((block[left] + 1) * _BLOCK, until[window]) - at)
        reached = self._inside(window[each], at[each] + part)
        reached = reached.only(self._promising(reached, reached.value))
        return _Reached(*map(np.concatenate, zip(entered, reached, strict=True)))

    def _inside(self, window: Array, at: Array) -> _Reached:
        """What the states at these places lead to in windows in whose gaps they are; no value where they do not fit."""
        ready = self.before.ready[at]
        begin = np.maximum(ready, self.ways.lo[window])
        clock = np.maximum(np.maximum(begin, self._full[window]), ready + self.before.owed[at])
        value = np.where(clock <= self._last[window], self.before.values[at], _LEAST)
        return self._taken(window, begin, clock, value)

    def _taken(self, window: Array, begin: Array, clock: Array, value: Array) -> _Reached:
        row = self.ways.row[window]
        # Silence that is kept before the floor is not owed any more.
        floor = self._floors[row]
        ready = np.maximum(begin + self.ways.shift[window], floor)
        owed = np.maximum(clock + self._length[window] - ready, 0)
        latest = np.where(ready <= floor, NEVER, np.maximum(self._pause - ready, self._mirrored_floors[row]))
        return _Reached(row, window, ready, owed, value + self.ways.gain[window], self.after.until(row, latest))

    def _promising(self, reached: _Reached, most: Array) -> Array:
        """Which may be on a best plan by the first clock, where their values are at most these."""
        row, until = reached.row, reached.until
        fits = until > self.after.starts[row]
        # At least: with a suffix that owes nothing. At most: with any that fits by the first clock.
        least = np.where(fits, reached.value + self._most_after_owing_none[until - 1], _LEAST)
        np.maximum.at(self.best, row, least)
        return np.flatnonzero(fits & (most + self._most_after[until - 1] >= self.best[row]))

    def promising(self, reached: _Reached) -> _Reached:
        """Those that may be on a best plan by both clocks."""
        row, until, after = reached.row, reached.until, self.after
        clocks, limit = self._clocks, self._limit(reached)
        within = self._by_clock.searchsorted(row * _APART + limit, "right")
        # At most: one suffix fits by the first clock, and another by the second.
        most = reached.value + np.minimum(self._most_after[until - 1], self._most_by_clock[within - 1])
        most[within <= after.starts[row]] = _LEAST
        np.maximum.at(self.best, row, np.where(reached.owed > 0, _LEAST, most))
        # The most promising state of each row shows what is really to be had.
        peaks = np.full(len(self.best), _LEAST)
        np.maximum.at(peaks, row, most)
        top = np.flatnonzero((most == peaks[row]) & (most > _NOTHING))
        numbers, first = np.unique(row[top], return_index=True)
        top = top[first]
        state, part = _parts(until[top] - after.starts[numbers])
        suffix = after.starts[numbers][state] + part
        fits = clocks[suffix] <= limit[top][state]
        np.maximum.at(self.best, numbers[state[fits]], (reached.value[top][state] + after.values[suffix])[fits])
        return reached.only((most >= self.best[row]) & (most > _NOTHING))

    def suffixes(self, reached: _Reached) -> Array:
        """The places of the suffixes that may be on a best plan through one of these states."""
        gained = np.full(len(self.best), _LEAST)
        np.maximum.at(gained, reached.row, reached.value)
        return np.flatnonzero(self.after.values >= np.repeat(self.best - gained, self.after.counts))

    def single_best(self, reached: _Reached, suffixes: Array) -> tuple[Array, Array]:
        """The best of these states for each row, and its suffix among these, where one pair is better than all others.

        The first is `_NONE` where no pair fits, and `_SEVERAL` where that is not so, or there are too many pairs.
        """
        after, count = self.after, len(self.best)
        ends = np.searchsorted(suffixes, after.starts)
        mine, theirs = np.bincount(reached.row, minlength=count), np.diff(ends)
        pairs = mine * theirs
        order = np.argsort(pairs, kind="stable")
        few = np.empty(count, dtype=bool)
        few[order] = np.cumsum(pairs[order]) <= _PAIRS
        state, part = _parts(np.where(few[reached.row], theirs[reached.row], 0))
        suffix = ends[reached.row[state]] + part
        place = suffixes[suffix]
        fits = np.flatnonzero((place < reached.until[state]) & (self._clocks[place] <= self._limit(reached)[state]))
        state, suffix = state[fits], suffix[fits]
        row, total = reached.row[state], reached.value[state] + after.values[suffixes[suffix]]
        most = np.full(count, _LEAST)
        np.maximum.at(most, row, total)
        top = np.flatnonzero(total == most[row])
        row, state, suffix = row[top], state[top], suffix[top]
        found, first, equals = np.unique(row, return_index=True, return_counts=True)
        # One state may be reached in several ways, of which the first is taken.
        leader = np.repeat(first, equals)
        same = (reached.states[state] == reached.states[state[leader]]) & (suffix == suffix[leader])
        single = np.logical_and.reduceat(same, first) if len(first) else np.empty(0, dtype=bool)
        best, end = np.where(few, _NONE, _SEVERAL), np.zeros(count, dtype=np.int64)
        best[found] = np.where(single, state[first], _SEVERAL)
        end[found] = suffix[first]
        return best, end

    def _limit(self, reached: _Reached) -> Array:
        """How far the second clock of a suffix may be for each state: both may owe silence in the same gap."""
        gaps = np.searchsorted(self._problem.gap_starts, reached.ready, "right") - 1
        silence = np.array(self._problem.gap_silences)[gaps] - reached.ready - reached.owed
        return np.where(reached.owed > 0, silence, NEVER)
