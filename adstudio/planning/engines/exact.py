"""The exact engine: frontiers forward, the best path back, timing. It proves the optimum of the base problem."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from time import perf_counter

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Plan, Status
from adstudio.planning.engines.assemble import line_of, timed_plan
from adstudio.planning.engines.conflicts import pin_conflict
from adstudio.planning.engines.frontier import Chain, PathStep, merged_ranges, states_of
from adstudio.planning.engines.lifted_caps import Lifted, exceeded, long_gaps, rows_reaching
from adstudio.planning.engines.options import GAIN_SCALE, row_at, rows
from adstudio.planning.problem import Choice, Problem

BACKEND = "exact"


def solve_exact(problem: Problem, time_limit: float | None = None) -> Plan:
    """The proven optimum of a problem without rules; deterministic.

    With `previous`, plans are compared by (value, number of previous choices). A limit (seconds) is for windows of
    hours, where frontiers grow long; reaching it gives a timeout, since half a proof proves nothing. Where a gap of
    many minutes is filled up to its share, the plan may be feasible, with what it may lack (`capped.thinned`).

    Raises:
        BadInputError: for rules, which frontiers cannot represent.
    """
    if not problem.plain:
        raise BadInputError("the exact backend does not support rules, which this problem has: use cpsat or auto")
    began = perf_counter()
    until = None if time_limit is None else began + time_limit
    lifted = long_gaps(problem)
    chain = Chain(rows(problem, lifted), states=states_of(problem))
    try:
        chain.build(until=until)
        while chain.feasible:
            choices = choices_of(chain.path())
            plan = timed_plan(problem, choices, backend=BACKEND)
            if plan is not None:
                return with_seconds(with_bound(plan, chain), perf_counter() - began)
            if not lifted:
                raise AssertionError("the frontiers' best plan cannot be timed")
            full = exceeded([line_of(problem, choice) for choice in choices], lifted)
            lifted -= full
            _put_back(chain, problem, full, lifted, until)
    except TimeoutError:
        return Plan(Status.TIMEOUT, BACKEND, seconds=perf_counter() - began)
    return Plan(Status.INFEASIBLE, BACKEND, seconds=perf_counter() - began, conflict=pin_conflict(problem))


def _put_back(chain: Chain, problem: Problem, caps: Lifted, lifted: Lifted, until: float | None) -> None:
    """Put these gaps' caps back; `lifted` are those that are still left out.

    Raises:
        TimeoutError: if it is later than `until`.
    """
    if until is not None and perf_counter() > until:
        raise TimeoutError("time was up before all caps were kept")
    previous = problem.previous_variants
    places = rows_reaching(chain.rows, caps)
    for first, last in merged_ranges(places):
        fresh = [row_at(problem, place, previous, lifted) for place in range(first, last)]
        chain.splice(first, last, fresh)


def with_bound(plan: Plan, chain: Chain) -> Plan:
    """The best plan of a chain with the chain's bound: optimal unless frontiers were thinned."""
    bound = chain.bound // GAIN_SCALE
    return plan if bound == plan.objective else replace(plan, status=Status.FEASIBLE, bound=bound)


def choices_of(path: Iterable[PathStep]) -> list[Choice]:
    """The choices of a path through a chain."""
    return [Choice(place, *step[1:]) for place, step in enumerate(path) if step.variant >= 0]


def with_seconds(plan: Plan, seconds: float) -> Plan:
    """The same plan with its planning time."""
    return replace(plan, seconds=round(seconds, 6))
