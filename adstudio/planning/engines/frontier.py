"""Pareto frontiers: the exact engine's one idea (DESIGN section 4).

After the first i eventualities only two things matter: when the voice is ready again, and what has been gained. A
state that is ready later and has gained no more can go. Since the earliest feasible start is monotone in the ready
time, that loses no optimum; and all states that are ready before the earliest start of any later eventuality are
equally ready, so they are clamped to it. Where gaps may only be filled in part, a state has a second clock (`capped`).

A frontier is a pair of lists: states, by ready time, and their values, relative to the first.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from copy import copy
from time import perf_counter
from typing import NamedTuple, Protocol

from adstudio.core.script import FUSED_LINES
from adstudio.planning.engines import capped, uncapped
from adstudio.planning.engines.options import NEVER, OWED_BITS, Option, Row
from adstudio.planning.problem import Problem

Frontier = tuple[list[int], list[int]]
"""States and values; empty when the pins cannot hold."""

Joint = tuple[int, int, int]
"""A prefix and a suffix put together: the value, and the place of the state in each."""


MERGE_DISTANCE = 32
"""Changed rows up to this far apart are spliced together: frontiers need about as many rows to settle."""


class PathStep(NamedTuple):
    """The state before a row on the best path, and what is taken there: a variant, near its action or far, or −1.

    Where it is that of a fusion, the steps of the fusion's other members are `STEPPED_OVER`.
    """

    state: int
    variant: int
    far: bool = False
    fusion: str = ""

    @property
    def said(self) -> bool:
        """Whether the row's eventuality is said, by itself or by a fusion."""
        return self.variant >= 0 or self.state == STEPPED_OVER.state

    def takes(self, option: Option | None) -> bool:
        """Whether it takes this option, or none where that is None."""
        return self.variant < 0 if option is None else self[1:] == (option.variant, option.far, option.fusion)


STEPPED_OVER = PathStep(-NEVER << OWED_BITS, -1)
"""The step at a row that a fusion steps over: no state is there."""


class States(Protocol):
    """The functions of `capped` and `uncapped`, which know what a state is."""

    def first_state(self, floor: int) -> int:
        """The state before the first eventuality."""
        ...

    def advance(
        self, states: list[int], values: list[int], row: Row, floor: int, /
    ) -> tuple[list[int], list[int], int]:
        """The frontier after one more eventuality, relative to its first value, and that value."""
        ...

    def merged(self, frontiers: Sequence[tuple[list[int], list[int], int]], /) -> tuple[list[int], list[int], int]:
        """Frontiers that are reached in different ways as one, each with its first value."""
        ...

    def thinned(self, states: list[int], values: list[int], row: Row, /) -> tuple[list[int], list[int], int]:
        """A frontier that a row led to, thinned where it is too long, and what that may cost."""
        ...

    def follow(self, state: int, option: Option, /) -> int | None:
        """The state after taking an option as early as possible; None where there is no room for it."""
        ...

    def origin(
        self, states: list[int], values: list[int], row: Row, floor: int, state: int, value: int, /
    ) -> tuple[Option | None, int] | None:
        """The option that leads to a state of this value, None for none, and the place of the state it came from.

        None where no way leads there.
        """
        ...

    def join(
        self, prefix: Frontier, floor: int, suffix: Frontier, mirrored_floor: int, problem: Problem, /
    ) -> Joint | None:
        """The best way to put a prefix and a mirrored suffix together; None where nothing fits."""
        ...

    def join_through(
        self, prefix: Frontier, row: Row, floor: int, suffix: Frontier, mirrored_floor: int, problem: Problem, /
    ) -> tuple[Joint, Option] | None:
        """As `join`, with one of the row's options taken in between; `floor` is that of what comes after the row."""
        ...


def states_of(problem: Problem) -> States:
    """The states of a problem: with one clock, or with two where gaps may only be filled in part."""
    return capped if problem.capped else uncapped


class Chain:
    """The frontiers after each prefix of the rows, kept valid while rows change.

    `frontiers[i]` is what stands after the first i rows; `bases[i]` is its first value less that of the frontier
    before, so a change of value early in the film moves no number after it; `costs[i]` is what thinning it may cost.
    A fusion leads from the frontier before its first member to that after its last, past those between.
    """

    def __init__(self, rows: Sequence[Row], *, states: States) -> None:
        """A chain whose frontiers are still to be built.

        Args:
            rows: the eventualities' options, in textual order.
            states: what a state is, see `states_of`.
        """
        self.states = states
        self.rows = list(rows)
        self._best: int | None = None
        self._cost: int | None = None
        self.floors = [NEVER] * (len(self.rows) + 1)
        for place in range(len(self.rows) - 1, -1, -1):
            self.floors[place] = min(self.rows[place].first, self.floors[place + 1])
        self.frontiers: list[Frontier] = [([self.states.first_state(self.floors[0])], [0])]
        self.bases = [0]
        self.costs: list[int] = [0]

    def build(self, count: int | None = None, until: float | None = None) -> bool:
        """Make all frontiers that are missing, or the next `count`; returns whether there were any.

        `until` is when to give up, on the clock of `time.perf_counter`.

        Raises:
            TimeoutError: when that time comes first.
        """
        first = len(self.frontiers) - 1
        last = len(self.rows) if count is None else min(len(self.rows), first + count)
        for place in range(first, last):
            if until is not None and perf_counter() > until:
                raise TimeoutError(f"{place} of {len(self.rows)} eventualities were planned when time was up")
            frontier, base, cost = self._after(place)
            self.frontiers.append(frontier)
            self.bases.append(base)
            self.costs.append(cost)
        return first < last

    def _after(self, place: int) -> tuple[Frontier, int, int]:
        """The frontier after a row, its first value less that of the one before, and what thinning it may cost."""
        row = self.rows[place]
        states, values, base = self.states.advance(*self.frontiers[place], row, self.floors[place + 1])
        if row.fused_to:
            ways = [(states, values, base), *self._fused_ways(place)]
            states, values, base = self.states.merged(ways)
        states, values, cost = self.states.thinned(states, values, row)
        return (states, values), base, cost

    def _fused_ways(self, place: int) -> Generator[tuple[list[int], list[int], int]]:
        """What the fusions that end with a row lead to, relative to the frontier before that row."""
        floor = self.floors[place + 1]
        for start, row in _by_start(self.rows[place], place):
            states, values, base = self.states.advance(*self.frontiers[start], row, floor)
            yield states, values, base - sum(self.bases[start + 1 : place + 1])

    def _since(self, at: int) -> int:
        """The earliest frontier from which a fusion steps past `frontiers[at]`, or `at`."""
        ending = enumerate(self.rows[at : at + FUSED_LINES[-1] - 1], start=at + 1)
        return min([at, *[end - option.over for end, row in ending for option in row.fused_to]])

    def fork(self) -> Chain:
        """An independent copy; copying the lists suffices, since frontiers are never changed in place."""
        other = copy(self)
        other.rows, other.floors = self.rows.copy(), self.floors.copy()
        other.frontiers, other.bases, other.costs = self.frontiers.copy(), self.bases.copy(), self.costs.copy()
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

    @property
    def bound(self) -> int:
        """What no plan exceeds: the greatest value, and where frontiers were thinned what that may have cost."""
        if self._cost is None:
            self._cost = sum(self.costs)
        return self.best + self._cost

    def splice(self, first: int, last: int, rows: Sequence[Row]) -> tuple[int, int]:
        """Put `rows` in the place of rows first…last−1; work spreads only as far as something changes.

        Returns:
            The first and one past the last place in `frontiers` that may differ from before.
        """
        self._best = self._cost = None
        self.rows[first:last] = rows
        moved = first + len(rows)
        self.floors[first:last] = [NEVER] * len(rows)
        self.frontiers[first + 1 : last + 1] = [([], [])] * len(rows)
        self.bases[first + 1 : last + 1] = [0] * len(rows)
        self.costs[first + 1 : last + 1] = [0] * len(rows)
        start = first
        for place in range(moved - 1, -1, -1):
            floor = min(self.rows[place].first, self.floors[place + 1])
            if place < first and floor == self.floors[place]:
                break
            self.floors[place] = floor
            start = place
        if start == 0:
            self.frontiers[0] = ([self.states.first_state(self.floors[0])], [0])
            at = 0
        else:
            at = start - 1
        same_since = at + 1  # from here on the frontiers that were made again are as before, and so are their values
        while at < len(self.rows):
            frontier, base, cost = self._after(at)
            same = at + 1 > moved and frontier == self.frontiers[at + 1]
            if not same:
                same_since = at + 2
            elif base != self.bases[at + 1]:
                same_since = at + 1
            settled = same and self._since(at + 1) >= same_since
            self.frontiers[at + 1], self.bases[at + 1], self.costs[at + 1] = frontier, base, cost
            at += 1
            if settled:
                break
        return start, at

    @contextmanager
    def temporarily(self) -> Generator[None]:
        """A context in which rows may be spliced to see the effect; everything is restored afterwards."""
        saved = (self.rows, self.floors, self.frontiers, self.bases, self.costs, self._best, self._cost)
        self.rows, self.floors = self.rows.copy(), self.floors.copy()
        self.frontiers, self.bases, self.costs = self.frontiers.copy(), self.bases.copy(), self.costs.copy()
        try:
            yield
        finally:
            self.rows, self.floors, self.frontiers, self.bases, self.costs, self._best, self._cost = saved

    def path(self) -> list[PathStep]:
        """The best plan's state before each row, and what it takes there.

        Always the same for the same rows: skipping is preferred to taking, then earlier variants, near before far.
        """
        found: list[PathStep] = []
        at, place = len(self.rows), len(self.frontiers[-1][0]) - 1
        while at > 0:
            option, place = self.step_back(at - 1, place)
            over = 1 if option is None else option.over
            at -= over
            found += [STEPPED_OVER] * (over - 1)
            found.append(self.step(at, place, option))
        found.reverse()
        return found

    def step(self, at: int, place: int, option: Option | None) -> PathStep:
        """The step of a path that is at `place` of `frontiers[at]` and takes an option of row `at`, None for none."""
        state = self.frontiers[at][0][place]
        return PathStep(state, -1) if option is None else PathStep(state, option.variant, option.far, option.fusion)

    def step_back(self, at: int, place: int) -> tuple[Option | None, int]:
        """How the state at `place` of `frontiers[at + 1]` came about.

        Returns:
            The option taken at row `at`, None for none, or of a fusion that ends with it, and the place of the state it
            came from, in the frontier before all the rows that it is taken in place of.
        """
        states, values = self.frontiers[at + 1]
        state, floor, row = states[place], self.floors[at + 1], self.rows[at]
        wanted = values[place] + self.bases[at + 1]
        found = self.states.origin(*self.frontiers[at], row, floor, state, wanted)
        for start, fused in _by_start(row, at) if found is None else ():
            value = wanted + sum(self.bases[start + 1 : at + 1])
            found = found or self.states.origin(*self.frontiers[start], fused, floor, state, value)
        if found is None:
            raise AssertionError(f"no way leads to state ({state}, {wanted}) before {floor}")
        return found


def _by_start(row: Row, place: int) -> list[tuple[int, Row]]:
    """The fusions that end with the row at a place, as rows, with the number of the frontier that they start from."""
    overs = sorted({option.over for option in row.fused_to})
    each = [(over, tuple([option for option in row.fused_to if option.over == over])) for over in overs]
    return [(place + 1 - over, Row(must=True, options=options, first=row.first)) for over, options in each]


def merged_ranges(places: Iterable[int]) -> list[tuple[int, int]]:
    """Places grouped where close together, each range as first and one past the last, in descending order."""
    found: list[tuple[int, int]] = []
    for place in sorted(places, reverse=True):
        if found and found[-1][0] - place <= MERGE_DISTANCE:
            found[-1] = (place, found[-1][1])
        else:
            found.append((place, place + 1))
    return found
