"""Branch and bound over frontiers: the exact optimum where rules tie eventualities (DESIGN section 4).

The best plan without rules usually breaks few of them, and its value bounds that of every plan. Where it breaks one, an
eventuality that the rule is about is fixed in, and in a second branch out, with all that follows; either branch is
planned by changing a few rows of the frontiers. A plan that keeps the rules, and is worth as much as the highest bound
that is left, is proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from time import perf_counter
from typing import NamedTuple

from adstudio.core.plan import Plan, Status
from adstudio.planning.engines import capped
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.engines.exact import BACKEND, choices_of, with_seconds
from adstudio.planning.engines.fixings import Fixings, RulesByPlace
from adstudio.planning.engines.frontier import Chain, states_of
from adstudio.planning.engines.lifted_caps import NONE_LIFTED, Lifted
from adstudio.planning.engines.options import GAIN_SCALE, rows
from adstudio.planning.engines.repair import repaired
from adstudio.planning.engines.traceback import Path, repair_path
from adstudio.planning.problem import Problem

RULELESS_SECONDS = 1.0
"""The minimum time for the plan without rules, which every other is based on (a scene takes some milliseconds)."""

EFFORT = 1_000_000
"""How many states of frontiers are made until CP-SAT takes over: the work of about a second."""

TWO_CLOCKS = 3
"""How many states with one clock take as long as one with two."""


class Ruleless(NamedTuple):
    """The frontiers of a problem without its rules, and without the caps of `lifted` gaps, and their best path."""

    chain: Chain
    path: Path
    lifted: Lifted = NONE_LIFTED


class _CapsNeededError(Exception):
    """A plan that keeps the rules does not keep the caps that were lifted."""


def solve_by_branching(
    problem: Problem, effort: int = EFFORT, time_limit: float | None = None, ruleless: Ruleless | None = None
) -> Plan:
    """The proven optimum of a problem with rules, or what is known of it when a limit is reached; deterministic.

    Plans are compared as by `solve_exact`.

    Args:
        problem: the problem.
        effort: how many states of frontiers to make at most.
        time_limit: how many seconds to search at most, which depends on the machine.
        ruleless: the problem's frontiers without rules and their best path, where they have been made already.

    Returns:
        A plan with its bound, optimal unless a limit was reached. Where none was found by then, a timeout, with a bound
        if there is one. Infeasible plans name no conflict.
    """
    began = perf_counter()
    if ruleless is None:
        chain = Chain(rows(problem), states=states_of(problem))
        try:
            chain.build(until=None if time_limit is None else began + max(RULELESS_SECONDS, time_limit))
        except TimeoutError:
            return with_seconds(Plan(Status.TIMEOUT, BACKEND), perf_counter() - began)
        effort -= _work(chain, 0, len(chain.rows))
        ruleless = Ruleless(chain, chain.path() if chain.feasible else [])
    if not ruleless.chain.feasible:
        return with_seconds(Plan(Status.INFEASIBLE, BACKEND), perf_counter() - began)
    search = _Search(problem, ruleless, effort, None if time_limit is None else began + time_limit)
    try:
        search.run()
        plan = search.best_plan()
    except TimeoutError:
        plan = search.unproven_plan()
    except _CapsNeededError:
        return solve_by_branching(problem, effort, time_limit)
    return with_seconds(plan, perf_counter() - began)


def _work(chain: Chain, first: int, last: int) -> int:
    """What it takes to make these frontiers."""
    states = sum(len(found) for found, _ in chain.frontiers[first : last + 1])
    return states * (TWO_CLOCKS if chain.states is capped else 1)


@dataclass(frozen=True)
class _Branch:
    """What is fixed, and the frontiers of the rows that follow from it.

    `path` is the best one before frontiers first…last changed, which are `touched`; None where none has.
    """

    fixings: Fixings
    chain: Chain
    path: Path
    touched: tuple[int, int] | None


class _Search:
    """`_best` is what the best plan found gains, in 1/GAIN_SCALE, and `_highest` what any plan may still gain."""

    def __init__(self, problem: Problem, ruleless: Ruleless, effort: int, until: float | None) -> None:
        self._problem, self._effort, self._until = problem, effort, until
        self._root, self._root_path, self._lifted = ruleless
        self._rules = RulesByPlace(problem, self._root.rows)
        self._open: list[tuple[int, int, _Branch]] = []
        self._number = count()
        self._best: int | None = None
        self._plan: Plan | None = None
        self._highest = self._root.bound

    def run(self) -> None:
        """Search until the optimum is proven.

        Raises:
            TimeoutError: when a limit is reached first.
        """
        fixings = self._rules.initial()
        halves = [] if fixings is None else self._branches(self._root, self._root_path, [fixings])
        while halves or self._open:
            # Until there is any plan, go on with the better half of the last branch.
            branch = halves.pop() if halves and self._best is None else None
            for half in halves:
                heappush(self._open, (-half.chain.bound, next(self._number), half))
            branch = branch or heappop(self._open)[2]
            self._highest = max(branch.chain.bound, -self._open[0][0] if self._open else branch.chain.bound)
            if self._best is not None and self._highest <= self._best:
                return
            halves = sorted(self._halves(branch), key=lambda half: half.chain.best)

    def best_plan(self) -> Plan:
        """The proven optimum."""
        return Plan(Status.INFEASIBLE, BACKEND) if self._plan is None else self._plan

    def unproven_plan(self) -> Plan:
        """The best plan found so far, else the best one without rules, repaired."""
        bound = self._highest // GAIN_SCALE
        plan = self._plan
        if plan is None:
            free = timed_plan(self._problem, choices_of(self._root_path), backend=BACKEND)
            plan = None if free is None else repaired(self._problem, free)
        if plan is None or plan.objective is None:
            return Plan(Status.TIMEOUT, BACKEND, bound=bound)
        status = Status.OPTIMAL if bound <= plan.objective else Status.FEASIBLE
        return replace(plan, status=status, bound=max(bound, plan.objective))

    def _halves(self, branch: _Branch) -> list[_Branch]:
        """The branches that a branch is divided into; none where its plan keeps the rules, and is then remembered."""
        path = branch.path
        if branch.touched is not None:
            path = path.copy()
            met, _ = repair_path(branch.chain, path, *branch.touched)
            self._spend(branch.touched[1] - met)
        said = {place for place in self._rules.tied if path[place].said}
        place = self._rules.in_question(said, branch.fixings)
        if place is None:
            if self._best is None or branch.chain.best > self._best:
                self._best, self._plan = branch.chain.best, self._timed(path)
            if branch.chain.bound > self._best:
                raise TimeoutError("a gap is so long that the best plan in it cannot be proven")
            return []
        self._spend(self._rules.count)
        both = [self._rules.extended(branch.fixings, place, inside=inside) for inside in (False, True)]
        return self._branches(branch.chain, path, [fixings for fixings in both if fixings is not None])

    def _timed(self, path: Path) -> Plan:
        plan = timed_plan(self._problem, choices_of(path), backend=BACKEND)
        if plan is None and self._lifted:
            raise _CapsNeededError
        if plan is None:
            raise AssertionError("the frontiers' best plan cannot be timed")
        return plan

    def _branches(self, chain: Chain, path: Path, each: Sequence[Fixings]) -> list[_Branch]:
        """Branches of a chain, with its best path, that may have a better plan than the best one found."""
        found: list[_Branch] = []
        for fixings in each:
            changed, touched = chain.fork(), None
            fresh = self._rules.changed_rows(fixings)
            places = [place for place, row in fresh.items() if row != chain.rows[place]]
            if places:
                first, last = min(places), max(places) + 1
                between = [fresh.get(place, chain.rows[place]) for place in range(first, last)]
                touched = changed.splice(first, last, between)
                self._spend(_work(changed, *touched))
            if changed.feasible and (self._best is None or changed.bound > self._best):
                found.append(_Branch(fixings, changed, path, touched))
        return found

    def _spend(self, work: int) -> None:
        self._effort -= work
        if self._effort < 0 or (self._until is not None and perf_counter() > self._until):
            raise TimeoutError("the search for the best plan that keeps the rules was ended")
