"""Fusions: one delivery in place of neighbouring elements. By hand, by brute force, and by the verifier."""

import importlib.util
import os
from dataclasses import replace

import pytest
from random_problems import brute_force, random_problem
from test_engines import require_irreducible, require_sound

from adstudio.planning.engines.branch_and_bound import solve_by_branching
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.gurobi import solve_gurobi
from adstudio.planning.problem import Problem
from adstudio.planning.solve import solve

HAS_GUROBI = importlib.util.find_spec("gurobipy") is not None

SEEDS = int(os.environ.get("ADSTUDIO_PROBLEMS", "150"))


def fused_problem(seed: int, *, rules: bool = False) -> Problem:
    """Small problems with fusions; two of three with a cap, half with all that a house may ask."""
    return random_problem(
        700_000 + seed, elements=6, pins=0.15, rules=rules, share=seed % 3 > 0, house=seed % 2 == 0, fusions=True
    )


@pytest.mark.parametrize("block", range(10))
def test_engines_agree_with_brute_force(block: int) -> None:
    for seed in range(block * SEEDS // 10, (block + 1) * SEEDS // 10):
        problem = fused_problem(seed)
        expected = brute_force(problem)
        plan = solve_exact(problem)
        require_sound(problem, plan, expected)
        require_sound(problem, solve_cpsat(problem), expected)
        if HAS_GUROBI:
            require_sound(problem, solve_gurobi(problem), expected)
        if plan.conflict:
            require_irreducible(problem, plan.conflict)


@pytest.mark.parametrize("block", range(10))
def test_engines_agree_under_rules(block: int) -> None:
    for seed in range(block * SEEDS // 10, (block + 1) * SEEDS // 10):
        problem = fused_problem(50_000 + seed, rules=True)
        expected = brute_force(problem)
        plan = solve(problem)
        require_sound(problem, plan, expected)
        require_sound(problem, replace(solve_by_branching(problem), conflict=plan.conflict), expected)
        require_sound(problem, solve_cpsat(problem), expected)
        if HAS_GUROBI:
            require_sound(problem, solve_gurobi(problem), expected)
        if plan.conflict:
            require_irreducible(problem, plan.conflict)
