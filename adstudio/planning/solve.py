"""Choosing and running an engine."""

from __future__ import annotations

from adstudio.core.plan import Plan
from adstudio.planning.problem import Problem


def solve(problem: Problem, backend: str = "auto", time_limit: float | None = None) -> Plan:
    """Plan a problem; `auto` is the exact engine if it applies, else CP-SAT. `time_limit` is in seconds.

    Raises:
        BadInputError: if the backend cannot represent the problem.
        OutsideFailureError: if the backend is not installed or licensed.
        ValueError: for an unknown backend (for `random` and `llm` see `baselines` and `drafting.llm_scheduler`).
    """
    if backend == "auto":
        backend = "exact" if problem.plain else "cpsat"
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
