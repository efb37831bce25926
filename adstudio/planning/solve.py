"""Choosing and running an engine."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

from adstudio.core.plan import Plan, Status
from adstudio.planning.problem import Problem


def solve(problem: Problem, backend: str = "auto", time_limit: float | None = None) -> Plan:
    """Plan a problem; `time_limit` is in seconds.

    `auto` is the exact engine, with rules by branch and bound; CP-SAT goes on from what that leaves unproven.

    Raises:
        BadInputError: if the backend cannot represent the problem.
        OutsideFailureError: if the backend is not installed or licensed.
        ValueError: for an unknown backend (for `random` and `llm` see `baselines` and `drafting.llm_scheduler`).
    """
    if backend == "auto":
        if not problem.plain:
            return _solve_with_rules(problem, time_limit)
        backend = "exact"
    if backend == "exact":
        from adstudio.planning.engines.exact import solve_exact

        return solve_exact(problem, time_limit)
    if backend == "cpsat":
        from adstudio.planning.engines.cpsat import solve_cpsat

        return solve_cpsat(problem, time_limit)
    if backend == "gurobi":
        from adstudio.planning.engines.gurobi import solve_gurobi

        return solve_gurobi(problem, time_limit)
    raise ValueError(f"unknown backend “{backend}”")


def _solve_with_rules(problem: Problem, time_limit: float | None) -> Plan:
    from adstudio.planning.engines.branch_and_bound import EFFORT, solve_by_branching
    from adstudio.planning.engines.cpsat import conflict_of, solve_cpsat

    began = perf_counter()
    plan = solve_by_branching(problem, EFFORT, time_limit)
    if plan.status is Status.OPTIMAL:
        return plan
    if plan.status is Status.INFEASIBLE:
        return replace(plan, conflict=conflict_of(problem))
    left = None if time_limit is None else max(0.0, time_limit - (perf_counter() - began))
    return solve_cpsat(problem, left, known=plan)
