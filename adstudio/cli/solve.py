"""`adstudio solve`: plan one problem."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from adstudio.cli import options
from adstudio.cli.interrupt import interruptible
from adstudio.cli.output import hand_over, json_bytes
from adstudio.core.errors import BadInputError
from adstudio.core.plan import Plan
from adstudio.planning.problem import Problem

Backend = Literal["auto", "exact", "cpsat", "gurobi", "llm", "random"]


def solve(
    problem: Annotated[Path, typer.Argument(metavar="PROBLEM.json", help="An adstudio-problem/1.")],
    backend: Annotated[Backend, typer.Option(help="The engine; auto: exact, or cpsat where rules bind.")] = "auto",
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="The most that cpsat and gurobi may take.")
    ] = None,
    pool: Annotated[Path | None, typer.Option(help="For random: a JSON array of descriptions.")] = None,
    seed: Annotated[int, typer.Option(help="For random: the same seed gives the same plan.")] = 0,
    output: options.Output = None,
) -> None:
    """The proven-best plan of a problem, as adstudio-plan/1. Exit 1 where there is none."""
    from adstudio.planning.plan_file import has_plan, plan_json
    from adstudio.planning.problem_file import MAX_BYTES, parse_problem
    from adstudio.store.files import read_bounded

    if time_limit is not None and not time_limit > 0:
        raise BadInputError(f"--time-limit: {time_limit} s is no limit")
    read = parse_problem(read_bounded(problem, MAX_BYTES, "problem file"), str(problem))
    plan = interruptible(lambda: _planned(read, backend, time_limit, pool, seed))
    hand_over(json_bytes(plan_json(plan)), output)
    if not has_plan(plan):
        raise typer.Exit(1)


def _planned(problem: Problem, backend: Backend, time_limit: float | None, pool: Path | None, seed: int) -> Plan:
    if backend != "random":
        from adstudio.planning.solve import solve as plan_with

        return plan_with(problem, backend, time_limit)
    from adstudio.planning.baselines import MAX_POOL_BYTES, parse_pool, solve_random
    from adstudio.store.files import read_bounded

    if pool is None:
        raise BadInputError("the random backend draws from a pool: give --pool FILE, a JSON array of descriptions")
    texts = parse_pool(read_bounded(pool, MAX_POOL_BYTES, "pool of descriptions"), str(pool))
    return solve_random(problem, texts, seed)
