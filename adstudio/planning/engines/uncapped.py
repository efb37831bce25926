"""Frontiers of (ready time, value), where gaps may be filled: one clock.

A state that is ready later and has gained no more can go, so values ascend with ready times. Short frontiers are lists,
long ones numpy arrays; the two give the same states.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adstudio.planning.engines.options import NEVER, Option, Row
from adstudio.planning.problem import Problem

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.int64]]

NUMPY_THRESHOLD = 40
"""From this many states on, numpy is faster than lists."""

_INT64_SAFE = 1 << 62

_LEAST = -(1 << 100)
"""Less than any value."""

Frontier = tuple[list[int], list[int]]
"""Ready times and values, both ascending; empty when the pins cannot hold."""

Joint = tuple[int, int, int]
"""A prefix and a suffix put together: the value, and the place of the state in each."""


def advance(ready: list[int], value: list[int], row: Row, floor: int) -> tuple[list[int], list[int], int]:
    """The frontier after one more eventuality, its values relative to its first, and that first value.

    Args:
        ready: ready times of the frontier before, ascending.
        value: its values, ascending.
        row: the eventuality's options.
        floor: the earliest start of any later eventuality; earlier ready times are clamped to it.
    """
    if len(ready) >= NUMPY_THRESHOLD and row.options:
        top = max(abs(value[0]), abs(value[-1])) + max(abs(option.gain) for option in row.options)
        if top < _INT64_SAFE:
            return _advance_long(ready, value, row, floor)
    best: dict[int, int] = {}
    if not row.must:
        clamped = bisect_right(ready, floor)
        best = dict(zip(ready[clamped:], value[clamped:], strict=True))
        if clamped:
            best[floor] = value[clamped - 1]
    for option in row.options:
        _take(best, ready, value, option, floor)
    out_ready: list[int] = []
    out_value: list[int] = []
    for then in sorted(best):
        gained = best[then]
        if not out_value or gained > out_value[-1]:
            out_ready.append(then)
            out_value.append(gained)
    return _relative(out_ready, out_value)


def merged(frontiers: Sequence[tuple[list[int], list[int], int]]) -> tuple[list[int], list[int], int]:
    """Frontiers that are reached in different ways as one, each with its first value."""
    best: dict[int, int] = {}
    for ready, values, base in frontiers:
        for then, value in zip(ready, values, strict=True):
            best[then] = max(best.get(then, _LEAST), value + base)
    out_ready: list[int] = []
    out_value: list[int] = []
    for then in sorted(best):
        if not out_value or best[then] > out_value[-1]:
            out_ready.append(then)
            out_value.append(best[then])
    return _relative(out_ready, out_value)


def _relative(ready: list[int], value: list[int]) -> tuple[list[int], list[int], int]:
    """A frontier with its values relative to the first, and that."""
    if not value or value[0] == 0:
        return ready, value, 0
    base = value[0]
    return ready, [gained - base for gained in value], base


def thinned(ready: list[int], values: list[int], row: Row) -> tuple[list[int], list[int], int]:
    """The frontier as it is: with one clock frontiers stay short."""
    del row
    return ready, values, 0


def _take(best: dict[int, int], ready: list[int], value: list[int], option: Option, floor: int) -> None:
    """Enter every state that one option leads to: the best that waits for a window's start, and all within it."""
    shift, gain = option.shift, option.gain
    get = best.get
    before = -NEVER
    for lo, hi in option.windows:
        first = bisect_right(ready, lo)
        last = bisect_right(ready, hi, first)
        if first and ready[first - 1] > before:
            then = lo + shift
            then = max(then, floor)
            gained = value[first - 1] + gain
            if get(then, _LEAST) < gained:
                best[then] = gained
        for at, gained in zip(ready[first:last], value[first:last], strict=True):
            then = at + shift
            then = max(then, floor)
            gained += gain  # noqa: PLW2901 - the innermost loop of the program
            if get(then, _LEAST) < gained:
                best[then] = gained
        before = hi


def _advance_long(ready: list[int], value: list[int], row: Row, floor: int) -> tuple[list[int], list[int], int]:
    import numpy as np

    times = np.array(ready, dtype=np.int64)
    values = np.array(value, dtype=np.int64)
    pieces: list[tuple[Array, Array]] = [] if row.must else [(times, values)]
    for option in row.options:
        before = -NEVER
        for lo, hi in option.windows:
            wait = bisect_right(ready, lo)
            last = bisect_right(ready, hi, wait)
            first = wait - 1 if wait and ready[wait - 1] > before else wait
            if first < last:
                piece = times[first:last] + option.shift
                if first < wait:
                    piece[0] = lo + option.shift
                pieces.append((piece, values[first:last] + option.gain))
            before = hi
    if not pieces:
        return [], [], 0
    then = np.maximum(np.concatenate([piece for piece, _ in pieces]), floor)
    gained = np.concatenate([piece for _, piece in pieces])
    order = np.argsort(then, kind="stable")
    then, gained = then[order], np.maximum.accumulate(gained[order])
    # Of states ready at the same time the last holds the most; of states worth the same the first is ready soonest.
    last_of_time = np.ones(len(then), dtype=bool)
    np.not_equal(then[1:], then[:-1], out=last_of_time[:-1])
    then, gained = then[last_of_time], gained[last_of_time]
    more = np.ones(len(then), dtype=bool)
    np.greater(gained[1:], gained[:-1], out=more[1:])
    then, gained = then[more], gained[more]
    base = int(gained[0])
    return then.tolist(), (gained - base).tolist(), base


def join(prefix: Frontier, floor: int, suffix: Frontier, mirrored_floor: int, problem: Problem) -> Joint | None:
    """The best way to put a prefix and a mirrored suffix together; None where nothing fits.

    A prefix ready at r and a suffix whose mirrored ready time is s fit when r + s ≤ pause. A prefix state clamped to
    its floor is ready for any suffix, and a suffix state clamped to its own for any prefix.
    """
    ready, value = prefix
    mirrored, worth = suffix
    pause = problem.min_pause
    if not ready or not mirrored:
        return None
    best: Joint | None = None
    if ready[0] <= floor:
        best = (value[0] + worth[-1], 0, len(worth) - 1)
    if mirrored[0] <= mirrored_floor and (best is None or value[-1] + worth[0] > best[0]):
        best = (value[-1] + worth[0], len(value) - 1, 0)
    place = len(mirrored) - 1
    for here, then in enumerate(ready):
        while place >= 0 and mirrored[place] > pause - then:
            place -= 1
        if place < 0:
            break
        total = value[here] + worth[place]
        if best is None or total > best[0]:
            best = (total, here, place)
    return best


def join_through(
    prefix: Frontier, row: Row, floor: int, suffix: Frontier, mirrored_floor: int, problem: Problem
) -> tuple[Joint, Option] | None:
    """As `join`, with one of the row's options taken in between; `floor` is that of what comes after the row."""
    ready, value = prefix
    mirrored, worth = suffix
    if not ready or not mirrored:
        return None
    pause = problem.min_pause
    final = len(mirrored) - 1
    always = 0 if mirrored[0] <= mirrored_floor else -1
    total = _LEAST
    place = suffix_place = -1
    taken: Option | None = None
    for option in row.options:
        shift, gain = option.shift, option.gain
        for lo, hi in option.windows:
            waiting = bisect_right(ready, lo)
            last = bisect_right(ready, hi, waiting)
            # Of states that are ready before any later start, the last has gained the most.
            here = max(waiting - 1, bisect_right(ready, floor - shift, waiting, last) - 1, 0)
            while here < last:
                then = (ready[here] if here >= waiting else lo) + shift
                fit = final if then <= floor else bisect_right(mirrored, pause - then) - 1
                if fit < 0:
                    if always < 0:
                        break
                    fit = 0
                gained = value[here] + gain + worth[fit]
                if gained > total:
                    total, place, suffix_place, taken = gained, here, fit, option
                # Later states leave room for no more than this one: the next worth a look has gained more than enough.
                here = bisect_right(value, total - gain - worth[fit], here + 1, last)
    return None if taken is None else ((total, place, suffix_place), taken)


def origin(
    ready: list[int], values: list[int], row: Row, floor: int, state: int, value: int
) -> tuple[Option | None, int] | None:
    """The option that leads to a state of this value, None for none, and the place of the state it came from.

    None where no way leads there.
    """
    if not row.must:
        place = bisect_right(ready, state) - 1
        if place >= 0 and values[place] == value:
            return None, place
    for option in row.options:
        wanted = value - option.gain
        place = bisect_left(values, wanted)
        if place < len(values) and values[place] == wanted:
            then = follow(ready[place], option)
            if then is not None and max(then, floor) == state:
                return option, place
    return None


def follow(ready: int, option: Option) -> int | None:
    """The ready time after taking an option as early as possible; None where it is too late for it."""
    for lo, hi in option.windows:
        if hi >= ready:
            return max(lo, ready) + option.shift
    return None


def first_state(floor: int) -> int:
    """The state before the first eventuality, which waits for the earliest start of any."""
    return floor
