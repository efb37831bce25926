"""Engines against each other, against brute force, and by the independent verifier."""

import importlib.util
import json
import os
from dataclasses import replace
from itertools import pairwise

import pytest
from random_problems import brute_force, random_problem

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Conflict, Plan, Status
from adstudio.core.script import Pin, Rules
from adstudio.core.settings import Near
from adstudio.core.timebase import Span
from adstudio.planning.engines.conflicts import causes_of, restricted_to
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.gurobi import solve_gurobi
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import parse_problem, problem_json
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, Problem, choice_of
from adstudio.planning.solve import solve
from adstudio.planning.verify import verify

SEEDS = int(os.environ.get("ADSTUDIO_PROBLEMS", "150"))
"""How many random problems of each kind; 10,000 were run before the release (see the README)."""

HAS_GUROBI = importlib.util.find_spec("gurobipy") is not None


def require_sound(problem: Problem, plan: Plan, expected: int | None) -> None:
    assert plan.objective == expected
    assert plan.bound == expected
    assert plan.status is (Status.INFEASIBLE if expected is None else Status.OPTIMAL)
    assert bool(plan.conflict) == (expected is None)
    assert verify(problem_json(problem), plan_json(plan)) == []


def feasible(problem: Problem) -> bool:
    return brute_force(problem) is not None


def require_irreducible(problem: Problem, conflict: tuple[Conflict, ...]) -> None:
    assert not feasible(restricted_to(problem, conflict))
    for cause in conflict:
        assert feasible(restricted_to(problem, [other for other in conflict if other != cause]))


@pytest.mark.parametrize("block", range(10))
def test_engines_agree_with_brute_force(block: int) -> None:
    for seed in range(block * SEEDS // 10, (block + 1) * SEEDS // 10):
        problem = random_problem(seed, elements=6)
        expected = brute_force(problem)
        plan = solve_exact(problem)
        require_sound(problem, plan, expected)
        require_sound(problem, solve_cpsat(problem), expected)
        if HAS_GUROBI:
            require_sound(problem, solve_gurobi(problem), expected)
        if plan.conflict:
            require_irreducible(problem, plan.conflict)


@pytest.mark.parametrize("block", range(10))
@pytest.mark.parametrize("share", [False, True])
def test_rules_and_shares_agree_with_brute_force(block: int, share: bool) -> None:
    for seed in range(block * SEEDS // 10, (block + 1) * SEEDS // 10):
        problem = random_problem(100_000 + seed, elements=5, rules=True, share=share)
        expected = brute_force(problem)
        plan = solve_cpsat(problem)
        require_sound(problem, plan, expected)
        if HAS_GUROBI:
            require_sound(problem, solve_gurobi(problem), expected)
        if plan.conflict:
            require_irreducible(problem, plan.conflict)


def require_same_timing(problem: Problem, plan: Plan, other: Plan) -> None:
    """Equal choices are timed equally, whichever engine chose them."""
    chosen, others = ([choice_of(problem, d) for d in each.deliveries] for each in (plan, other))
    if chosen == others:
        assert (plan.deviation, plan.deliveries) == (other.deviation, other.deliveries)


@pytest.mark.parametrize("block", range(10))
@pytest.mark.parametrize("rules", [False, True])
def test_house_rules_agree_with_brute_force(block: int, rules: bool) -> None:
    """All five house rules together, with pins, pauses and overrides, and with rules between lines.

    `ADSTUDIO_PROBLEMS=10000` tries 10,000 of each (see CONTRIBUTING).
    """
    for seed in range(block * SEEDS // 10, (block + 1) * SEEDS // 10):
        problem = house_problem(300_000 + seed, rules=rules)
        expected = brute_force(problem)
        plan = solve(problem)  # by frontiers, with rules by branch and bound over them
        require_sound(problem, plan, expected)
        if plan.conflict:
            require_irreducible(problem, plan.conflict)
        for other in [solve_cpsat(problem), *([solve_gurobi(problem)] if HAS_GUROBI else [])]:
            require_sound(problem, other, expected)
            require_same_timing(problem, plan, other)


def house_problem(seed: int, *, rules: bool = False) -> Problem:
    return random_problem(seed, elements=5 if rules else 6, pins=0.12, rules=rules, house=True)


@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize("house", [False, True])
def test_larger_problems_agree(block: int, house: bool) -> None:
    for seed in range(block * SEEDS // 10, (block + 1) * SEEDS // 10):
        pins = 0.03 if house else 0.1
        problem = random_problem(200_000 + seed, elements=40, pins=pins, grid=seed % 2 * 299 + 1, house=house)
        plan = solve_exact(problem)
        require_sound(problem, plan, plan.objective)
        other = solve_cpsat(problem)
        require_sound(problem, other, plan.objective)
        require_same_timing(problem, plan, other)


def test_the_random_problems_are_not_all_alike() -> None:
    """The tests above mean something: many problems are infeasible, bound by pauses, pins, limits and rules."""
    plain = [random_problem(seed, elements=6) for seed in range(150)]
    ruled = [random_problem(100_000 + seed, elements=5, rules=True) for seed in range(150)]
    assert 10 < sum(brute_force(problem) is None for problem in plain) < 100
    assert sum(bool(problem.rules) for problem in ruled) > 50
    assert sum(problem.min_pause > 0 for problem in plain) > 30
    assert sum(any(e.within is not None for e in problem.elements) for problem in plain) > 50
    assert sum(any(e.pin.override for e in problem.elements) for problem in plain) > 15
    assert sum(any(e.occurrence is None for e in problem.elements) for problem in plain) > 10


def test_the_random_house_problems_are_not_all_alike() -> None:
    """Every house rule changes the best plan of many problems, and many plans speak lines far from their action."""
    problems = [house_problem(300_000 + seed) for seed in range(300)]
    best = [(problem, plan) for problem in problems if (plan := solve_exact(problem)).objective is not None]
    assert 200 < len(best) < 290
    assert sum((plan.objective or 0) > 0 for _, plan in best) > 180
    assert sum(any(choice_of(problem, d).far for d in plan.deliveries) for problem, plan in best) > 60
    for key, free, least in (
        ("max_share", NO_SHARE_LIMIT, 80),
        ("near", None, 60),
        ("reach", None, 25),
        ("delta_early", None, 15),
        ("delta_late", None, 40),
    ):
        lifted = [(plan, solve_exact(replace(problem, **{key: free}))) for problem, plan in best]
        assert sum(plan.objective != other.objective for plan, other in lifted) > least


def test_the_same_problem_gives_the_same_plan() -> None:
    for seed in range(30):
        problem = random_problem(seed, elements=30, pins=0)
        first, second = (
            solve_exact(problem),
            solve_exact(parse_problem(json.dumps(problem_json(problem)).encode(), "p")),
        )
        assert first.deliveries == second.deliveries


def tie() -> Problem:
    """Two eventualities of equal worth, room for one: 3 s each in a gap of 4 s."""
    elements = tuple(Element(name, Span(0, 4000), 500_000, (3000, 1500)) for name in ("a", "b"))
    return Problem("s", Span(0, 4000), (Span(0, 4000),), elements)


def test_among_equals_the_previous_choices_win() -> None:
    """3.0 s of one or 1.5 s of both are worth 1.5 either way: what was chosen before decides, count first."""
    problem = tie()
    for previous in ((("a", 0),), (("b", 0),), (("a", 1), ("b", 1))):
        plan = solve_exact(replace(problem, previous=previous))
        assert plan.objective == 1_500_000_000
        assert tuple((d.element, d.variant) for d in plan.deliveries) == previous


def test_value_goes_before_previous_choices() -> None:
    problem = tie()
    dearer = (problem.elements[0], replace(problem.elements[1], salience=500_001))
    plan = solve_exact(replace(problem, elements=dearer, previous=(("a", 0), ("unknown", 3))))
    assert [(d.element, d.variant) for d in plan.deliveries] == [("b", 0)]


def test_exact_refuses_what_it_cannot_hold() -> None:
    with pytest.raises(BadInputError, match="cpsat"):
        solve_exact(replace(tie(), rules=Rules(alternatives=(("a", "b"),))))


def test_no_start_is_near_a_midpoint_between_two() -> None:
    """By hand: 1.2 s around 11.4005 s is half a millisecond off at best, so with a near of nothing it is always far."""
    element = Element("a", Span(10_800, 12_001), 800_000, (1200,))
    for share in (NO_SHARE_LIMIT, 600_000):
        problem = Problem("s", Span(0, 15_000), (Span(9_000, 12_600),), (element,), max_share=share)
        problem = replace(problem, near=Near(0, 0, 500_000))
        for engine in (solve_exact, solve_cpsat):
            plan = engine(problem)
            assert (plan.objective, plan.deviation) == (480_000_000, 1)
            assert [d.start for d in plan.deliveries] == [10_800]


def test_a_long_pinned_film_finds_its_conflict() -> None:
    """Two thousand pins, two of which collide: just those two are named."""
    elements = [
        Element(f"e{n}", Span(n * 3000, n * 3000 + 1000), 500_000, (1500,), pin=Pin(start=n * 3000))
        for n in range(2000)
    ]
    elements[1500] = replace(elements[1500], pin=Pin(start=1499 * 3000 + 1000, override=True))
    problem = Problem("f", Span(0, 6_000_000), (Span(0, 6_000_000),), tuple(elements))
    plan = solve_exact(problem)
    assert plan.status is Status.INFEASIBLE
    assert {(c.element, c.hold) for c in plan.conflict} == {("e1499", "start"), ("e1500", "start")}


def test_causes_name_every_hold_once() -> None:
    element = Element("a", Span(0, 1), 1, (1, 1), pin=Pin(selected=True, variant=1, start=0))
    problem = Problem("s", Span(0, 10), (), (element,))
    assert [(c.element, c.hold) for c in causes_of(problem)] == [("a", "start"), ("a", "variant")]


def test_cpsat_tells_a_limit_from_a_proof() -> None:
    """At a hopeless limit a problem with rules still gives its sound repaired plan, called feasible."""
    problem = random_problem(7, elements=60, pins=0)
    ids = [element.id for element in problem.elements]
    rules = Rules(alternatives=tuple(pairwise(ids)))
    ruled = replace(problem, rules=rules)
    plan = solve_cpsat(ruled, time_limit=1e-9)
    assert plan.status in (Status.FEASIBLE, Status.OPTIMAL)
    assert plan.objective is not None
    assert plan.bound is not None
    assert plan.bound >= plan.objective
    assert verify(problem_json(ruled), plan_json(plan)) == []


def test_exact_gives_up_at_its_limit_and_says_so() -> None:
    problem = random_problem(5, elements=40, pins=0)
    plan = solve_exact(problem, time_limit=0)
    assert (plan.status, plan.objective, plan.deliveries) == (Status.TIMEOUT, None, ())
    assert verify(problem_json(problem), plan_json(plan)) == []
    assert solve_exact(problem, time_limit=60).status is Status.OPTIMAL


def test_cpsat_without_its_seed_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where even the ruleless optimum takes too long, the search starts from nothing and finds the same."""
    asked: list[float | None] = []

    def too_long(problem: Problem, time_limit: float | None = None) -> Plan:
        asked.append(time_limit)
        return Plan(Status.TIMEOUT, "exact")

    monkeypatch.setattr("adstudio.planning.engines.cpsat.solve_exact", too_long)
    for seed in range(100_000, 100_030):
        problem = random_problem(seed, elements=5, rules=True)
        require_sound(problem, solve_cpsat(problem, time_limit=20), brute_force(problem))
    assert set(asked) == {20}
