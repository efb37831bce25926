"""Pareto frontiers of (ready time, value): the exact engine's one idea (DESIGN section 4).

After the first i eventualities only two things matter: when the voice is ready again, and what has been gained. A
state that is ready later and has gained no more can go. Since the earliest feasible start is monotone in the ready
time, that loses no optimum; and all states that are ready before the earliest start of any later eventuality are
equally ready, so they are clamped to it.

A frontier is a pair of sequences, ready times ascending and values ascending, values relative to the first. Short
ones are lists, long ones numpy arrays; the two give the same states.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from copy import copy
from time import perf_counter
from typing import TYPE_CHECKING, Any

from adstudio.planning.engines.options import NEVER, Option, Row
from adstudio.planning.problem import Window

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.int64]]

NUMPY_THRESHOLD = 40
"""From this many states on, numpy is faster than lists."""

_INT64_SAFE = 1 << 62

_LEAST = -(1 << 100)
"""Less than any value."""

Times = list[int]
Frontier = tuple[Times, list[int]]
"""Ready times and values, both ascending; empty when the pins cannot hold."""

Joint = tuple[int, int, int]
"""A prefix and a suffix put together: the value, and the place of the state in each."""


def advance(ready: Times, value: list[int], row: Row, floor: int) -> tuple[Times, list[int], int]:
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
    out_ready: Times = []
    out_value: list[int] = []
    for then in sorted(best):
        gained = best[then]
        if not out_value or gained > out_value[-1]:
            out_ready.append(then)
            out_value.append(gained)
    if not out_value:
        return out_ready, out_value, 0
    base = out_value[0]
    return out_ready, [gained - base for gained in out_value] if base else out_value, base


def _take(best: dict[int, int], ready: Times, value: list[int], option: Option, floor: int) -> None:
    """Enter every state that one option leads to: the best that waits for a window's start, and all within it."""
    shift, gain = option.shift, option.gain
    get = best.get
    before = -NEVER
    for lo, hi in option.windows:
        first = bisect_right(ready, lo)
        last = bisect_right(ready, hi, first)
        if first and ready[first - 1] > before:
            then = lo + shift
            if then < floor:
                then = floor
            gained = value[first - 1] + gain
            if get(then, _LEAST) < gained:
                best[then] = gained
        for at, gained in zip(ready[first:last], value[first:last], strict=True):
            then = at + shift
            if then < floor:
                then = floor
            gained += gain  # noqa: PLW2901 - the innermost loop of the program
            if get(then, _LEAST) < gained:
                best[then] = gained
        before = hi


def _advance_long(ready: Times, value: list[int], row: Row, floor: int) -> tuple[Times, list[int], int]:
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
    last_of_time = np.append(then[1:] != then[:-1], True)
    then, gained = then[last_of_time], gained[last_of_time]
    more = np.insert(gained[1:] > gained[:-1], 0, True)
    then, gained = then[more], gained[more]
    base = int(gained[0])
    return then.tolist(), (gained - base).tolist(), base


def join(prefix: Frontier, floor: int, suffix: Frontier, mirrored_floor: int, pause: int) -> Joint | None:
    """The best way to put a prefix and a mirrored suffix together; None where nothing fits.

    A prefix ready at r and a suffix whose mirrored ready time is s fit when r + s ≤ pause. A prefix state clamped to
    its floor is ready for any suffix, and a suffix state clamped to its own for any prefix.
    """
    ready, value = prefix
    mirrored, worth = suffix
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
    prefix: Frontier, row: Row, floor: int, suffix: Frontier, mirrored_floor: int, pause: int
) -> Joint | None:
    """As `join`, with one of the row's options taken in between; `floor` is that of what comes after the row."""
    ready, value = prefix
    mirrored, worth = suffix
    if not mirrored:
        return None
    final = len(mirrored) - 1
    always = 0 if mirrored[0] <= mirrored_floor else -1
    best: Joint | None = None
    for option in row.options:
        shift, gain = option.shift, option.gain
        for lo, hi in option.windows:
            first = bisect_right(ready, lo)
            last = bisect_right(ready, hi, first)
            if last and best is not None and value[last - 1] + gain + worth[final] <= best[0]:
                continue
            fit = final
            # Of states that are ready before any later start, the last has gained the most.
            for here in range(max(first - 1, bisect_right(ready, floor - shift, first, last) - 1, 0), last):
                then = (ready[here] if here >= first else lo) + shift
                if then > floor:
                    limit = pause - then
                    while fit > always and mirrored[fit] > limit:
                        fit -= 1
                    if fit < 0:
                        break
                total = value[here] + gain + worth[fit]
                if best is None or total > best[0]:
                    best = (total, here, fit)
    return best


class Chain:
    """The frontiers after each prefix of the rows, kept valid while rows change.

    `frontiers[i]` is what stands after the first i rows; `bases[i]` is its first value less that of the frontier
    before, so a change of value early in the film moves no number after it.
    """

    def __init__(self, rows: Sequence[Row], until: float | None = None) -> None:
        """Make all frontiers; `until` is when to give up, on the clock of `time.perf_counter`.

        Raises:
            TimeoutError: when that time comes first.
        """
        self.rows = list(rows)
        self._best: int | None = None
        self.floors = [NEVER] * (len(self.rows) + 1)
        for place in range(len(self.rows) - 1, -1, -1):
            self.floors[place] = min(self.rows[place].first, self.floors[place + 1])
        self.frontiers: list[Frontier] = [([self.floors[0]], [0])]
        self.bases = [0]
        for place, row in enumerate(self.rows):
            if until is not None and perf_counter() > until:
                raise TimeoutError(f"{place} of {len(self.rows)} eventualities were planned when time was up")
            ready, value, base = advance(*self.frontiers[place], row, self.floors[place + 1])
            self.frontiers.append((ready, value))
            self.bases.append(base)

    def fork(self) -> Chain:
        """An independent copy; copying the lists suffices, since frontiers are never changed in place."""
        other = copy(self)
        other.rows, other.floors = self.rows.copy(), self.floors.copy()
        other.frontiers, other.bases = self.frontiers.copy(), self.bases.copy()
        return other

    @property
    def feasible(self) -> bool:
        """Whether all pins can hold."""
        return bool(self.frontiers[-1][0])

    @property
    def best(self) -> int:
        """The greatest value of all rows together (in 1/GAIN_SCALE); meaningful where `feasible`."""
        if self._best is None:
            self._best = sum(self.bases) + self.frontiers[-1][1][-1]
        return self._best

    def splice(self, first: int, last: int, rows: Sequence[Row]) -> tuple[int, int]:
        """Put `rows` in the place of rows first…last−1; work spreads only as far as something changes.

        Returns:
            The first and one past the last place in `frontiers` that may differ from before.
        """
        self._best = None
        self.rows[first:last] = rows
        moved = first + len(rows)
        self.floors[first:last] = [NEVER] * len(rows)
        self.frontiers[first + 1 : last + 1] = [([], [])] * len(rows)
        self.bases[first + 1 : last + 1] = [0] * len(rows)
        start = first
        for place in range(moved - 1, -1, -1):
            floor = min(self.rows[place].first, self.floors[place + 1])
            if place < first and floor == self.floors[place]:
                break
            self.floors[place] = floor
            start = place
        if start == 0:
            self.frontiers[0] = ([self.floors[0]], [0])
            at = 0
        else:
            at = start - 1
        while at < len(self.rows):
            ready, value, base = advance(*self.frontiers[at], self.rows[at], self.floors[at + 1])
            settled = at + 1 > moved and (ready, value) == self.frontiers[at + 1]
            self.frontiers[at + 1] = (ready, value)
            self.bases[at + 1] = base
            at += 1
            if settled:
                break
        return start, at

    @contextmanager
    def temporarily(self) -> Generator[None]:
        """A context in which rows may be spliced to see the effect; everything is restored afterwards."""
        saved = (self.rows, self.floors, self.frontiers, self.bases, self._best)
        self.rows, self.floors = self.rows.copy(), self.floors.copy()
        self.frontiers, self.bases = self.frontiers.copy(), self.bases.copy()
        try:
            yield
        finally:
            self.rows, self.floors, self.frontiers, self.bases, self._best = saved

    def path(self) -> list[tuple[int, int]]:
        """The ready time and the taken variant (or −1) at each row of the best plan.

        Always the same for the same rows: skipping is preferred to taking, then earlier variants.
        """
        found: list[tuple[int, int]] = [(0, -1)] * len(self.rows)
        place = len(self.frontiers[-1][0]) - 1
        for at in range(len(self.rows) - 1, -1, -1):
            ready, value = self.frontiers[at + 1]
            variant, place = self.step_back(at, ready[place], value[place])
            found[at] = (self.frontiers[at][0][place], variant)
        return found

    def step_back(self, at: int, by: int, value: int) -> tuple[int, int]:
        """How a value of `frontiers[at + 1]`, ready by `by`, came about.

        Returns:
            The variant taken at row `at` (−1 for none), and the place in `frontiers[at]` that it came from.
        """
        ready, values = self.frontiers[at]
        wanted = value + self.bases[at + 1]
        if not self.rows[at].must:
            place = bisect_right(ready, by) - 1
            if place >= 0 and values[place] == wanted:
                return -1, place
        for option in self.rows[at].options:
            place = source(ready, option.windows, by - option.shift)
            if place >= 0 and values[place] + option.gain == wanted:
                return option.variant, place
        raise AssertionError(f"no way leads to state ({by}, {value}) after row {at}")


def source(ready: Times, windows: Sequence[Window], latest: int) -> int:
    """The best state that can start in a window and not after `latest`, −1 if none: the last that is ready by then."""
    for lo, hi in reversed(windows):
        if lo <= latest:
            return bisect_right(ready, min(hi, latest)) - 1
    return -1
