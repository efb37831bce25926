"""The exact engine: frontiers forward, the best path back, timing. It proves the optimum of the base problem."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from time import perf_counter

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Plan, Status
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.engines.conflicts import pin_conflict
from adstudio.planning.engines.frontier import Chain, PathStep, states_of
from adstudio.planning.engines.options import rows
from adstudio.planning.problem import Choice, Problem

BACKEND = "exact"


def solve_exact(problem: Problem, time_limit: float | None = None) -> Plan:
    """The proven optimum of a problem without rules; deterministic.

    With `previous`, plans are compared by (value, number of previous choices). A limit (seconds) is for windows of
    hours, where frontiers grow long; reaching it gives a timeout, since half a proof proves nothing.

    Raises:
        BadInputError: for rules, which frontiers cannot represent.
    """
    if not problem.plain:
        raise BadInputError("the exact backend does not support rules, which this problem has: use cpsat or auto")
    began = perf_counter()
    try:
        chain = Chain(rows(problem), states=states_of(problem))
        chain.build(until=None if time_limit is None else began + time_limit)
    except TimeoutError:
        return Plan(Status.TIMEOUT, BACKEND, seconds=perf_counter() - began)
    if not chain.feasible:
        conflict = pin_conflict(problem)
        return Plan(Status.INFEASIBLE, BACKEND, seconds=perf_counter() - began, conflict=conflict)
    plan = timed_plan(problem, choices_of(chain.path()), backend=BACKEND)
    if plan is None:
        raise AssertionError("the frontiers' best plan cannot be timed")
    return with_seconds(plan, perf_counter() - began)


def choices_of(path: Iterable[PathStep]) -> list[Choice]:
    """The choices of a path through a chain."""
    return [Choice(place, step.variant, step.far) for place, step in enumerate(path) if step.variant >= 0]


def with_seconds(plan: Plan, seconds: float) -> Plan:
    """The same plan with its planning time."""
    return replace(plan, seconds=round(seconds, 6))
