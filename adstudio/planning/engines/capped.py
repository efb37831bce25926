"""Frontiers of (ready time, silence owed, value), where gaps may only be filled in part: two clocks.

A gap of length l that may be narrated for c must stay silent for l − c. The second clock is the time at which the voice
would be ready if it first kept all the silence that is still owed in the present gap: it stands at `end − c` when the
gap is entered, and narration moves it as it moves the first. A delivery of length L fits if it ends before the gap does
on both clocks. Silence that is kept anyway brings the first clock nearer to the second, and when they meet nothing is
owed. So one state dominates another if it is behind on neither clock and has gained no less; which gap it is in needs
no record, since a clock in an earlier gap is always behind one in a later gap.

A state is one integer, the ready time above `OWED_BITS` bits of what the second clock is ahead, so states sort by both.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from adstudio.planning.engines.options import NEVER, Option, Row
from adstudio.planning.problem import Problem

OWED_BITS = 29
"""Enough for the longest time there is, `MAX_TIME_MS`."""

_OWED = (1 << OWED_BITS) - 1

_LEAST = -(1 << 100)
"""Less than any value."""

Frontier = tuple[list[int], list[int]]
"""States in ascending order and their values; empty when the pins cannot hold."""

Joint = tuple[int, int, int]
"""A prefix and a suffix put together: the value, and the place of the state in each."""

Move = tuple[int, int, int]
"""The place of a state that takes an option, the state it leads to, and the value then."""


def first_state(floor: int) -> int:
    """The state before the first eventuality, which waits for the earliest start of any and owes nothing."""
    return floor << OWED_BITS


def advance(states: list[int], values: list[int], row: Row, floor: int) -> tuple[list[int], list[int], int]:
    """The frontier after one more eventuality, its values relative to its first, and that first value.

    Args:
        states: the frontier before, ascending.
        values: their values.
        row: the eventuality's options.
        floor: the earliest start of any later eventuality; earlier ready times are clamped to it.
    """
    best: dict[int, int] = {}
    if not row.must:
        best = _waiting(states, values, floor)
    get = best.get
    for option in row.options:
        for _, state, value in moves(states, values, option, floor):
            if get(state, _LEAST) < value:
                best[state] = value
    return _undominated(best)


def _waiting(states: list[int], values: list[int], floor: int) -> dict[int, int]:
    """The states of a frontier with their values, those that are ready before `floor` clamped to it."""
    early = bisect_left(states, floor << OWED_BITS)
    best: dict[int, int] = {}
    for state, value in zip(states[:early], values[:early], strict=True):
        clamped = _clamped(state, floor)
        if best.get(clamped, _LEAST) < value:
            best[clamped] = value
    for state, value in zip(states[early:], values[early:], strict=True):
        if best.get(state, _LEAST) < value:
            best[state] = value
    return best


def _clamped(state: int, floor: int) -> int:
    return _packed(state >> OWED_BITS, state & _OWED, floor)


def _undominated(best: dict[int, int]) -> tuple[list[int], list[int], int]:
    states: list[int] = []
    values: list[int] = []
    top = _LEAST  # the most gained by a state that owes nothing at the present ready time
    owing: list[tuple[int, int]] = []
    for state in sorted(best):
        value, ready, owed = best[state], state >> OWED_BITS, state & _OWED
        if owing:
            top = max(top, *[gained for clear, gained in owing if clear <= ready], _LEAST)
            owing = [each for each in owing if each[0] > ready]
        if value <= top:
            continue
        if owing and any(value <= gained and clear <= ready + owed for clear, gained in owing):
            continue
        states.append(state)
        values.append(value)
        if owed:
            owing.append((ready + owed, value))
        else:
            top = value
    if not values:
        return [], [], 0
    base = values[0]
    return states, [value - base for value in values], base


def moves(states: list[int], values: list[int], option: Option, floor: int) -> list[Move]:
    """Every state that one option leads to, clamped to `floor`.

    Each state takes the earliest window for which it is ready on both clocks: a delivery in an earlier gap leaves both
    clocks behind those of a delivery in a later one. Of the states that enter a gap together only the best matters.
    """
    if option.gaps is None:
        return _override(states, values, option, floor)
    found: list[Move] = []
    length, shift, gain = option.length, option.shift, option.gain
    pause = shift - length
    handled, here = 0, None
    refused = refused_here = -1  # the best state that earlier gaps have no room for, and the best that this one has not
    for (lo, hi), (start, end, capacity) in zip(option.windows, option.gaps, strict=True):
        last, full = end - length, end - capacity
        if start != here:
            refused, refused_here, here = _better(values, refused, refused_here), -1, start
        inside = bisect_left(states, start << OWED_BITS)
        if handled < inside:
            refused = _better(values, refused, values.index(max(values[handled:inside]), handled))
            handled = inside
        clear = max(lo, full)
        if refused >= 0 and clear <= last:
            found.append((refused, _packed(lo + shift, clear - lo - pause, floor), values[refused] + gain))
            refused = -1
        until = bisect_left(states, (hi + 1) << OWED_BITS, handled)
        for at in range(handled, until):
            state = states[at]
            ready = state >> OWED_BITS
            begin = max(ready, lo)
            clear = max(ready + (state & _OWED), begin, full)
            if clear <= last:
                found.append((at, _packed(begin + shift, clear - begin - pause, floor), values[at] + gain))
            else:
                refused_here = _better(values, refused_here, at)
        handled = until
    return found


def _better(values: list[int], one: int, other: int) -> int:
    """The place with the greater value; −1 is no place."""
    if one < 0 or other < 0:
        return max(one, other)
    return one if values[one] >= values[other] else other


def _packed(ready: int, owed: int, floor: int) -> int:
    """A state, clamped to `floor`; silence that is kept by then is not owed any more."""
    if ready < floor:
        owed -= floor - ready
        ready = floor
    return (ready << OWED_BITS) | owed if owed > 0 else ready << OWED_BITS


def _override(states: list[int], values: list[int], option: Option, floor: int) -> list[Move]:
    """The moves of an overridden line, which uses no gap's share: for the second clock it is silence."""
    ((start, _),) = option.windows
    then = start + option.shift
    ready = bisect_left(states, (start + 1) << OWED_BITS)
    return [(at, _clamped(_clamped(states[at], then), floor), values[at] + option.gain) for at in range(ready)]


def follow(state: int, option: Option) -> int | None:
    """The state after taking an option as early as possible; None where there is no room for it."""
    found = moves([state], [0], option, -NEVER)
    return found[0][1] if found else None


def origin(
    states: list[int], values: list[int], row: Row, floor: int, state: int, value: int
) -> tuple[Option | None, int]:
    """The option that leads to a state of this value, None for none, and the place of the state it came from."""
    if not row.must:
        for place, gained in enumerate(values):
            if gained == value and _clamped(states[place], floor) == state:
                return None, place
    for option in row.options:
        if value - option.gain not in values:
            continue
        for place, after, gained in moves(states, values, option, floor):
            if after == state and gained == value:
                return option, place
    raise AssertionError(f"no way leads to state ({state}, {value}) before {floor}")


def join(prefix: Frontier, floor: int, suffix: Frontier, mirrored_floor: int, problem: Problem) -> Joint | None:
    """The best way to put a prefix and a mirrored suffix together; None where nothing fits.

    A prefix ready at r and a suffix whose mirrored ready time is s fit when r + s ≤ pause, and a state clamped to its
    floor fits any; if both still owe silence in the same gap, what they have narrated must also fit its share.
    """
    partners = _Partners(suffix, mirrored_floor, problem)
    best: Joint | None = None
    for here, (state, value) in enumerate(zip(*prefix, strict=True)):
        best = partners.better(best, here, state, value, floor)
    return best


def join_through(
    prefix: Frontier, row: Row, floor: int, suffix: Frontier, mirrored_floor: int, problem: Problem
) -> Joint | None:
    """As `join`, with one of the row's options taken in between; `floor` is that of what comes after the row."""
    partners = _Partners(suffix, mirrored_floor, problem)
    best: Joint | None = None
    for option in row.options:
        for here, state, value in moves(*prefix, option, floor):
            best = partners.better(best, here, state, value, floor)
    return best


class _Partners:
    """The mirrored suffixes that states of a prefix can be joined to."""

    def __init__(self, suffix: Frontier, mirrored_floor: int, problem: Problem) -> None:
        self._states, self._values = suffix
        self._floor, self._problem = mirrored_floor, problem
        self._peaks: list[int] = []  # the place of the most valuable state up to each place
        peak = 0
        for place, value in enumerate(self._values):
            if value > self._values[peak]:
                peak = place
            self._peaks.append(peak)

    def better(self, best: Joint | None, here: int, state: int, value: int, floor: int) -> Joint | None:
        """The better of the best joint so far and that of a prefix's state with its best partner."""
        ready, owed = state >> OWED_BITS, state & _OWED
        fit = len(self._peaks) - 1
        if ready > floor:
            latest = max(self._problem.min_pause - ready, self._floor)
            fit = bisect_right(self._states, (latest << OWED_BITS) | _OWED) - 1
        if fit < 0:
            return best
        place = self._peaks[fit]
        if best is not None and value + self._values[place] <= best[0]:
            return best
        if owed:
            place = self._partner(fit, ready, ready + owed)
            if place < 0 or (best is not None and value + self._values[place] <= best[0]):
                return best
        return (value + self._values[place], here, place)

    def _partner(self, fit: int, ready: int, clear: int) -> int:
        """The best of the first suffixes up to `fit` with which a gap's share is not exceeded, −1 if none."""
        problem = self._problem
        gap = bisect_right(problem.gap_starts, ready) - 1
        silence = problem.gaps[gap].length - problem.capacities[gap]
        found = -1
        for place in range(fit + 1):
            state = self._states[place]
            mirrored = state & _OWED
            fits = not mirrored or clear + (state >> OWED_BITS) + mirrored <= silence
            if fits and (found < 0 or self._values[place] > self._values[found]):
                found = place
        return found
