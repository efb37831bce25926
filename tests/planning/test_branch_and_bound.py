"""Branch and bound under rules: against brute force and CP-SAT, at its limits, and in `auto`."""

import os
import random
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

import pytest
from random_problems import brute_force, random_problem, random_rules

from adstudio.core.plan import Plan, Status
from adstudio.core.script import Penalty, Pin, Rules
from adstudio.core.timebase import Span
from adstudio.planning import solve as solving
from adstudio.planning.engines import branch_and_bound
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.engines.branch_and_bound import Ruleless, solve_by_branching
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.engines.exact import choices_of, solve_exact
from adstudio.planning.engines.frontier import Chain, states_of
from adstudio.planning.engines.lifted_caps import long_gaps
from adstudio.planning.engines.options import rows
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.problem import Element, Problem
from adstudio.planning.verify import verify

SEEDS = int(os.environ.get("ADSTUDIO_PROBLEMS", "200"))
"""How many random problems of each kind."""


def require_valid(problem: Problem, plan: Plan) -> None:
    assert verify(problem_json(problem), plan_json(plan)) == []


def many_rules(seed: int) -> Problem:
    """A problem of some thirty elements and, on average, some ten rules."""
    rng = random.Random(seed)
    problem = random_problem(seed, elements=30, pins=0.1, house=seed % 2 == 0, grid=300 if seed % 3 else 1)
    some = [random_rules(rng, [element.id for element in problem.elements]) for _ in range(3)]
    groups = {
        kind: tuple(rule for rules in some for rule in attrgetter(kind)(rules))
        for kind in ("alternatives", "requires", "together", "penalties")
    }
    return replace(problem, rules=Rules(**groups))


@pytest.mark.parametrize("block", range(5))
def test_branching_agrees_with_brute_force(block: int) -> None:
    for seed in range(block * SEEDS // 5, (block + 1) * SEEDS // 5):
        problem = random_problem(seed, elements=5, rules=True, house=seed % 2 == 0, share=seed % 4 == 1)
        expected = brute_force(problem)
        plan = solve_by_branching(problem)
        assert (plan.objective, plan.bound) == (expected, expected)
        assert plan.status is (Status.INFEASIBLE if expected is None else Status.OPTIMAL)
        require_valid(problem, plan)


@pytest.mark.parametrize("block", range(4))
def test_branching_agrees_with_cpsat_under_many_rules(block: int) -> None:
    proven = 0
    for seed in range(block * SEEDS // 4, (block + 1) * SEEDS // 4):
        problem = many_rules(seed)
        plan, other = solve_by_branching(problem), solve_cpsat(problem, 20.0)
        assert (plan.status, plan.objective) == (other.status, other.objective)
        require_valid(problem, plan)
        proven += bool(problem.rules) and plan.status is Status.OPTIMAL
    assert proven > SEEDS // 20


@pytest.mark.parametrize("effort", [0, 30, 300])
def test_at_a_limit_the_plan_is_valid_and_its_bound_holds(effort: int) -> None:
    found = dict.fromkeys(Status, 0)
    for seed in range(SEEDS):
        problem = random_problem(seed, elements=5, rules=True, house=seed % 2 == 0)
        expected, plan = brute_force(problem), solve_by_branching(problem, effort)
        found[plan.status] += 1
        if plan.status is Status.INFEASIBLE:
            assert expected is None
        elif plan.objective is not None:
            require_valid(problem, plan)
            assert expected is not None
            assert plan.bound is not None
            assert plan.objective <= expected <= plan.bound
            assert (plan.status is Status.OPTIMAL) == (plan.objective == plan.bound)
        elif expected is not None and plan.bound is not None:
            assert plan.bound >= expected
    assert found[Status.OPTIMAL]
    assert effort or found[Status.FEASIBLE]


def test_without_any_time_there_is_a_repaired_plan_and_without_frontiers_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = random_problem(7, elements=60, pins=0)
    ids = [element.id for element in problem.elements]
    ruled = replace(problem, rules=Rules(alternatives=tuple(pairwise(ids))))
    plan = solve_by_branching(ruled, time_limit=0)
    require_valid(ruled, plan)
    assert plan.objective is not None
    assert plan.bound == solve_exact(problem).objective
    assert (plan.bound or 0) > plan.objective
    monkeypatch.setattr(branch_and_bound, "RULELESS_SECONDS", -1.0)
    plan = solve_by_branching(ruled, time_limit=-1.0)
    assert (plan.status, plan.objective, plan.bound) == (Status.TIMEOUT, None, None)


def scene(*saliences: int, rules: Rules, previous: tuple[tuple[str, int], ...] = ()) -> Problem:
    """Lines of 2 s that happen at the same time, with room for all."""
    elements = tuple(
        Element(f"e{number}", Span(0, 20_000), salience, (2_000,)) for number, salience in enumerate(saliences, start=1)
    )
    return Problem("s", Span(0, 20_000), (Span(0, 20_000),), elements, rules=rules, previous=previous)


def spoken(problem: Problem) -> list[str]:
    plan = solve_by_branching(problem)
    require_valid(problem, plan)
    return [delivery.element for delivery in plan.deliveries]


def test_each_rule_by_hand() -> None:
    """Saliences of 0.5, 0.3 and 0.4, by 2 s: 1.0, 0.6 and 0.8."""
    saliences = (500_000, 300_000, 400_000)
    assert spoken(scene(*saliences, rules=Rules(alternatives=(("e1", "e2", "e3"),)))) == ["e1"]
    out = scene(*saliences, rules=Rules(requires=(("e1", "e2"),)))
    out = replace(out, elements=(out.elements[0], replace(out.elements[1], pin=Pin(selected=False)), out.elements[2]))
    assert spoken(out) == ["e3"]
    # Together e2 and e4 lose 0.2; both left out, nothing.
    assert spoken(scene(*saliences, -400_000, rules=Rules(together=(("e2", "e4"),)))) == ["e1", "e3"]
    assert spoken(scene(*saliences, -200_000, rules=Rules(together=(("e2", "e4"),)))) == ["e1", "e2", "e3", "e4"]
    # Both of e2 and e3 gain 0.6 more than e3 alone: worth a penalty of 0.59, not one of 0.61.
    paid = scene(*saliences, rules=Rules(penalties=(Penalty("e2", "e3", 590_000),)))
    assert spoken(paid) == ["e1", "e2", "e3"]
    assert solve_by_branching(paid).objective == 2_400_000_000 - 590_000_000
    assert spoken(scene(*saliences, rules=Rules(penalties=(Penalty("e2", "e3", 610_000),)))) == ["e1", "e3"]


def test_among_equals_the_previous_choices_win() -> None:
    rules = Rules(alternatives=(("e1", "e2", "e3"),))
    for name in ("e1", "e2", "e3"):
        assert spoken(scene(400_000, 400_000, 400_000, rules=rules, previous=((name, 0),))) == [name]


def test_the_same_problem_gives_the_same_plan_and_known_frontiers_change_nothing() -> None:
    for seed in range(30):
        problem = many_rules(seed)
        first, second = solve_by_branching(problem), solve_by_branching(problem)
        known = Chain(rows(problem), states=states_of(problem))
        known.build()
        before = known.frontiers.copy()
        third = solve_by_branching(problem, ruleless=Ruleless(known, known.path() if known.feasible else []))
        assert first.deliveries == second.deliveries == third.deliveries
        assert known.frontiers == before


def long_gap(seed: int) -> Problem:
    """Twenty lines of 2 to 5 s about one gap of 50 s, of which 42.5 s may be narrated, and some rules."""
    rng = random.Random(seed)
    starts = sorted(rng.randrange(0, 48_000, 100) for _ in range(rng.choice((10, 20))))
    elements = tuple(
        Element(f"e{number}", Span(start, start + 2_000), rng.randint(1, 9) * 100_000, (length, length // 2))
        for number, start in enumerate(starts)
        for length in (rng.randint(20, 50) * 100,)
    )
    rules = random_rules(rng, [element.id for element in elements])
    return Problem("s", Span(0, 50_000), (Span(0, 50_000),), elements, max_share=850_000, rules=rules)


def test_frontiers_that_leave_out_a_cap_lead_to_the_same_optimum() -> None:
    kept = dict.fromkeys((True, False), 0)
    for seed in range(40):
        problem = long_gap(seed)
        lifted = long_gaps(problem)
        chain = Chain(rows(problem, lifted), states=states_of(problem))
        chain.build()
        kept[timed_plan(problem, choices_of(chain.path()), backend="exact") is not None] += 1
        plan = solve_by_branching(problem, ruleless=Ruleless(chain, chain.path(), lifted))
        require_valid(problem, plan)
        assert plan.status is Status.OPTIMAL
        assert plan.objective == solve_cpsat(problem, 20.0).objective
    assert min(kept.values()) > 0


def test_auto_proves_rules_without_cpsat_and_has_it_finish_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    backends = set[str]()
    for effort in (branch_and_bound.EFFORT, 0):
        monkeypatch.setattr(branch_and_bound, "EFFORT", effort)
        for seed in range(60):
            problem = random_problem(seed, elements=5, rules=True, house=seed % 2 == 0)
            expected, plan = brute_force(problem), solving.solve(problem)
            assert (plan.objective, plan.bound) == (expected, expected)
            assert bool(plan.conflict) == (expected is None)
            require_valid(problem, plan)
            backends.add(plan.backend)
        assert backends == ({"exact"} if effort else {"exact", "cpsat"})


def test_cpsat_when_named_is_cpsat() -> None:
    for seed in range(20):
        problem = random_problem(seed, elements=5, rules=True)
        assert solving.solve(problem, "cpsat").backend == "cpsat"
