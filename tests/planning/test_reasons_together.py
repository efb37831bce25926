"""Reasons of many lines at once are those of each line by itself, to the last of the other lines that would change."""

from dataclasses import replace

import pytest
from random_problems import random_problem

from adstudio.planning.engines.capped_joints import joints_through
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.live.explain import planner_for, reason, reasons
from adstudio.planning.problem import Problem


def problems(block: int, *, house: bool) -> list[Problem]:
    """Films with pins, half of them with fusions, some of them with one gap long enough to be planned without a cap."""
    seeds = range(40 * block, 40 * block + 40)
    return [
        random_problem(seed, elements=12 + seed % 20, pins=0.1, house=house, fusions=seed % 2 == 0) for seed in seeds
    ]


@pytest.mark.parametrize("block", range(5))
@pytest.mark.parametrize("house", [False, True])
def test_reasons_together_are_those_one_by_one(block: int, house: bool) -> None:
    asked = 0
    for problem in problems(block, house=house):
        plan = solve_exact(problem)
        if plan.objective is None:
            continue
        planner = planner_for(problem, plan)
        places = range(len(problem.elements))
        assert reasons(planner, places) == [reason(planner, place) for place in places]
        asked += len(places)
    assert asked > 100


@pytest.mark.parametrize("block", range(5))
@pytest.mark.parametrize("pairs", [20, 30_000])
def test_joints_together_are_those_one_by_one_even_among_equals(
    block: int, pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few pairs are compared at once: rows with more are joined by themselves."""
    monkeypatch.setattr("adstudio.planning.engines.capped_joints._PAIRS", pairs)
    found = 0
    for uncapped in problems(block, house=True):
        problem = replace(uncapped, max_share=min(uncapped.max_share, 700_000))
        plan = solve_exact(problem)
        if plan.objective is None:
            continue
        planner = planner_for(problem, plan)
        forward, backward = planner.forward, planner.backward
        together = joints_through(forward, backward, range(len(problem.elements)), problem)
        for place, joint in enumerate(together):
            after = len(forward.rows) - place - 1
            assert joint == forward.states.join_through(
                forward.frontiers[place],
                forward.rows[place],
                forward.floors[place + 1],
                backward.frontiers[after],
                backward.floors[after],
                problem,
            )
            found += joint is not None
    assert found > 100


def test_values_that_do_not_fit_64_bits_are_joined_as_well() -> None:
    """Importance may be any number: one of 10²⁰ for a line of a second is 10²⁰ · 10⁶ · 10³ billionths."""
    asked = 0
    for problem in problems(0, house=True):
        elements = tuple(replace(each, salience=each.salience * 10**20) for each in problem.elements)
        huge = replace(problem, elements=elements, fusions=())
        plan = solve_exact(huge)
        if plan.objective is None:
            continue
        planner = planner_for(huge, plan)
        places = range(len(elements))
        assert reasons(planner, places) == [reason(planner, place) for place in places]
        asked += len(places)
    assert asked > 50
