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
from collections.abc import Sequence

from adstudio.planning.engines.options import NEVER, OWED, OWED_BITS, Option, Row
from adstudio.planning.problem import GapCap, Problem

NUMPY_THRESHOLD = 500
"""From this many pairs of states and options on, numpy is faster than lists."""

_INT64_SAFE = 1 << 62

FEWEST = 200
"""Frontiers up to this many states are never thinned."""

STATES_TIMES_GAP = 400_000_000
"""Longer ones are, to this over the length of the longest gap in milliseconds: in one minute some 6,700 states."""

_LEAST = -(1 << 100)
"""Less than any value."""

Frontier = tuple[list[int], list[int]]
"""States in ascending order and their values; empty when the pins cannot hold."""

Joint = tuple[int, int, int]
"""A prefix and a suffix put together: the value, and the place of the state in each."""


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
    if len(states) * len(row.options) >= NUMPY_THRESHOLD:
        top = max(map(abs, values)) + max(abs(option.gain) for option in row.options)
        if top < _INT64_SAFE:
            from adstudio.planning.engines.capped_arrays import candidates

            return undominated(*candidates(states, values, row, floor))
    best: dict[int, int] = {}
    if not row.must:
        best = _waiting(states, values, floor)
    for option in row.options:
        _take(best, states, values, option, floor)
    reached = sorted(best)
    return undominated(reached, [best[state] for state in reached])


def merged(frontiers: Sequence[tuple[list[int], list[int], int]]) -> tuple[list[int], list[int], int]:
    """Frontiers that are reached in different ways as one, each with its first value."""
    best: dict[int, int] = {}
    for states, values, base in frontiers:
        for state, value in zip(states, values, strict=True):
            best[state] = max(best.get(state, _LEAST), value + base)
    reached = sorted(best)
    return undominated(reached, [best[state] for state in reached])


def thinned(states: list[int], values: list[int], row: Row) -> tuple[list[int], list[int], int]:
    """A frontier without states that others nearly dominate, where it has grown too long, and what that may cost.

    In gaps of many minutes there are hundreds of thousands of ways to divide the silence. Of a state that is left out,
    one remains that is behind on neither clock and has gained at most the returned cost less.
    """
    if len(states) <= FEWEST:
        return states, values, 0
    caps = [cap for option in (*row.options, *row.fused_to) for cap in option.gaps or ()]
    longest = max((end - start for start, end, capacity in caps if capacity < end - start), default=0)
    most = max(FEWEST, STATES_TIMES_GAP // longest) if longest else len(states)
    cost, total = (max(values) - min(values)) >> 16, 0
    while len(states) > most:
        cost = 2 * cost + 1
        states, values, _ = undominated(states, values, cost)
        total += cost
    return states, values, total


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
    return _packed(state >> OWED_BITS, state & OWED, floor)


def undominated(states: list[int], values: list[int], cost: int = 0) -> tuple[list[int], list[int], int]:
    """Of states in ascending order, those that none betters on both clocks and in value; values relative to the first.

    Of the same state twice, the first has the greater value. With a `cost`, a value must be greater by more than that.
    """
    left: list[int] = []
    worth: list[int] = []
    # The most that states so far have gained whose second clock is at most at each of these times.
    clocks: list[int] = []
    gained: list[int] = []
    for state, value in zip(states, values, strict=True):
        clock = (state >> OWED_BITS) + (state & OWED)
        place = bisect_right(clocks, clock)
        if place and gained[place - 1] + cost >= value:
            continue
        left.append(state)
        worth.append(value)
        last = bisect_right(gained, value, place)
        clocks[place:last] = [clock]
        gained[place:last] = [value]
    if not worth:
        return [], [], 0
    base = worth[0]
    return left, [value - base for value in worth], base


def _take(best: dict[int, int], states: list[int], values: list[int], option: Option, floor: int) -> None:
    """Enter every state that one option leads to.

    Each state takes the earliest window for which it is ready on both clocks: a delivery in an earlier gap leaves both
    clocks behind those of a delivery in a later one. Of the states that enter a gap together only the best matters.
    """
    if option.gaps is None:
        for state, value in zip(states, values, strict=True):
            then = after(state, option, floor)
            if then is not None and best.get(then, _LEAST) < value + option.gain:
                best[then] = value + option.gain
        return
    handled, here = 0, None
    refused = refused_here = _LEAST  # the most gained by a state that earlier gaps, or this one, have no room for
    for window, gap in zip(option.windows, option.gaps, strict=True):
        start, end, capacity = gap
        if start != here:
            refused, refused_here, here = max(refused, refused_here), _LEAST, start
        inside = bisect_left(states, start << OWED_BITS, handled)
        if handled < inside:
            refused = max(refused, *values[handled:inside], _LEAST)
        clock = max(window[0], end - capacity)
        if refused > _LEAST and clock + option.length <= end:
            then = window[0] + option.shift
            then = _packed(then, clock + option.length - then, floor)
            if best.get(then, _LEAST) < refused + option.gain:
                best[then] = refused + option.gain
            refused = _LEAST
        handled = bisect_left(states, (window[1] + 1) << OWED_BITS, inside)
        if inside < handled:
            most = _take_inside(best, states[inside:handled], values[inside:handled], window[0], gap, option, floor)
            refused_here = max(refused_here, most)


def _take_inside(
    best: dict[int, int], states: list[int], values: list[int], lo: int, gap: GapCap, option: Option, floor: int
) -> int:
    """Enter where states inside a gap get to in it; returns the most gained by one for which there is no room."""
    _, end, capacity = gap
    shift, gain, pause = option.shift, option.gain, option.shift - option.length
    last, full = end - option.length, end - capacity
    get = best.get
    refused = _LEAST
    # The innermost loop of the program: `max` would take half as long again.
    for state, value in zip(states, values, strict=True):
        begin = state >> OWED_BITS
        clock = begin + (state & OWED)
        if begin < lo:
            begin = lo
            clock = clock if clock > lo else lo  # noqa: FURB136
        clock = max(clock, full)
        if clock > last:
            refused = value if value > refused else refused  # noqa: FURB136
            continue
        then, owed = begin + shift, clock - begin - pause
        if then < floor:
            owed -= floor - then
            then = floor
        then <<= OWED_BITS
        if owed > 0:
            then += owed
        gained = value + gain
        if get(then, _LEAST) < gained:
            best[then] = gained
    return refused


def after(state: int, option: Option, floor: int) -> int | None:
    """The state that taking an option as early as possible leads to, clamped to `floor`; None where it has no room."""
    ready = state >> OWED_BITS
    clock = ready + (state & OWED)
    if option.gaps is None:
        ((start, _),) = option.windows
        then = start + option.shift
        # An overridden line uses no gap's share: for the second clock it is silence.
        return _packed(then, clock - then, floor) if ready <= start else None
    for (lo, hi), (start, end, capacity) in zip(option.windows, option.gaps, strict=True):
        if ready <= hi:
            begin = max(ready, lo)
            spent = max(begin, end - capacity, clock if start <= ready else begin) + option.length
            if spent <= end:
                then = begin + option.shift
                return _packed(then, spent - then, floor)
    return None


def follow(state: int, option: Option) -> int | None:
    """The state after taking an option as early as possible; None where there is no room for it."""
    return after(state, option, -NEVER)


def _packed(ready: int, owed: int, floor: int) -> int:
    """A state, clamped to `floor`; silence that is kept by then is not owed any more."""
    if ready < floor:
        owed -= floor - ready
        ready = floor
    return (ready << OWED_BITS) | owed if owed > 0 else ready << OWED_BITS


def origin(
    states: list[int], values: list[int], row: Row, floor: int, state: int, value: int
) -> tuple[Option | None, int] | None:
    """The option that leads to a state of this value, None for none, and the place of the state it came from.

    None where no way leads there.
    """
    if not row.must:
        for place in _places(values, value):
            if _clamped(states[place], floor) == state:
                return None, place
    for option in row.options:
        for place in _places(values, value - option.gain):
            if after(states[place], option, floor) == state:
                return option, place
    return None


def _places(values: list[int], value: int) -> Sequence[int]:
    """Where a value is; values need not ascend."""
    count = values.count(value)
    if not count:
        return ()
    found = [values.index(value)]
    while len(found) < count:
        found.append(values.index(value, found[-1] + 1))
    return found


def join(prefix: Frontier, floor: int, suffix: Frontier, mirrored_floor: int, problem: Problem) -> Joint | None:
    """The best way to put a prefix and a mirrored suffix together; None where nothing fits.

    A prefix ready at r and a suffix whose mirrored ready time is s fit when r + s ≤ pause, and a state clamped to its
    floor fits any; if both still owe silence in the same gap, what they have narrated must also fit its share.
    """
    states, values = suffix
    if not states or not prefix[0]:
        return None
    most, pause = max(values), problem.min_pause
    best: Joint | None = None
    # Of the suffixes that fit in time, the most that those with a second clock up to each time have gained, and where.
    clocks: list[int] = []
    gained: list[int] = []
    places: list[int] = []
    added = 0
    for here in range(len(prefix[0]) - 1, -1, -1):
        state, value = prefix[0][here], prefix[1][here]
        if best is not None and value + most <= best[0]:
            continue
        ready, owed = state >> OWED_BITS, state & OWED
        latest = NEVER if ready <= floor else max(pause - ready, mirrored_floor)
        until = bisect_right(states, (latest << OWED_BITS) | OWED, added)
        for place in range(added, until):
            other, worth = states[place], values[place]
            clock = (other >> OWED_BITS) + (other & OWED) if other & OWED else -NEVER
            at = bisect_right(clocks, clock)
            if at and gained[at - 1] >= worth:
                continue
            last = bisect_right(gained, worth, at)
            clocks[at:last], gained[at:last], places[at:last] = [clock], [worth], [place]
        added = until
        at = len(clocks)
        if owed and at and clocks[-1] > -NEVER:
            at = bisect_right(clocks, _silence(problem, ready) - ready - owed)
        if at and (best is None or value + gained[at - 1] > best[0]):
            best = (value + gained[at - 1], here, places[at - 1])
    return best


def _silence(problem: Problem, time: int) -> int:
    """How long the gap that is open at a time must stay silent."""
    return problem.gap_silences[bisect_right(problem.gap_starts, time) - 1]


def join_through(
    prefix: Frontier, row: Row, floor: int, suffix: Frontier, mirrored_floor: int, problem: Problem
) -> tuple[Joint, Option] | None:
    """As `join`, with one of the row's options taken in between; `floor` is that of what comes after the row."""
    taken = Row(must=True, options=row.options, first=row.first)
    states, values, base = advance(*prefix, taken, floor)
    joint = join((states, values), floor, suffix, mirrored_floor, problem)
    if joint is None:
        return None
    total, here, place = joint
    found = origin(*prefix, taken, floor, states[here], values[here] + base)
    if found is None or found[0] is None:
        raise AssertionError("no option leads to a state that one has led to")
    return (total + base, found[1], place), found[0]
