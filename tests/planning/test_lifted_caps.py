"""Caps that are left out at first, and frontiers that are thinned: neither changes what a plan is worth unsaid."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from random_problems import brute_force, random_problem
from test_incremental import edited

from adstudio.core.film import Film
from adstudio.core.plan import Status
from adstudio.core.script import NO_PIN, Eventuality, Script, Variant
from adstudio.core.settings import Settings
from adstudio.core.timebase import Span
from adstudio.planning.engines import capped, lifted_caps
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.lifted_caps import exceeded, long_gaps
from adstudio.planning.engines.options import GAIN_SCALE, row
from adstudio.planning.engines.timing import Line
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film.live_plan import FilmPlanner, ProofState
from adstudio.planning.live.alternatives import LivePlanner
from adstudio.planning.live.explain import (
    Explanation,
    explain,
    explanation_json,
    gap_value,
    longer_gap,
    planner_for,
    reason,
)
from adstudio.planning.problem import Element, Problem
from adstudio.planning.verify import verify


@pytest.fixture
def all_lifted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifted_caps, "LONG_MS", 1)


def unlifted(problem: Problem) -> int | None:
    """The optimum with all caps from the start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lifted_caps, "LONG_MS", 1 << 40)
        return solve_exact(problem).objective


@pytest.mark.usefixtures("all_lifted")
@pytest.mark.parametrize("block", range(4))
def test_the_best_plan_keeps_the_caps_that_were_lifted(block: int) -> None:
    put_back = 0
    for seed in range(block * 100, block * 100 + 100):
        problem = random_problem(seed, elements=6, house=True)
        plan = solve_exact(problem)
        assert plan.objective == brute_force(problem)
        assert verify(problem_json(problem), plan_json(plan)) == []
        free = solve_exact(replace(problem, max_share=1_000_000)).objective
        put_back += bool(long_gaps(problem)) and free != plan.objective
    assert put_back > 10, "in some problems the caps bind"


@pytest.mark.usefixtures("all_lifted")
@pytest.mark.parametrize("seed", range(25))
def test_every_edit_gives_what_planning_with_all_caps_gives(seed: int) -> None:
    rng = random.Random(seed)
    problem = random_problem(seed, elements=16, pins=0.1, house=True)
    planner = LivePlanner(problem)
    for number in range(15):
        problem = edited(rng, problem, number, house=True)
        plan = planner.replan(problem)
        assert plan.objective == unlifted(problem)
        assert verify(problem_json(problem), plan_json(plan)) == []
        if not problem.elements or plan.objective is None:
            continue
        place = rng.randrange(len(problem.elements))
        other = replace(problem.elements[place], salience=rng.randint(0, 1_000_000))
        elements = list(problem.elements)
        elements[place] = other
        expected = unlifted(replace(problem, elements=tuple(elements)))
        known = planner.objective_with(place, row(problem, other))
        assert (None if known is None else known // GAIN_SCALE) == expected


@pytest.mark.usefixtures("all_lifted")
@pytest.mark.parametrize("block", range(4))
def test_reasons_and_seconds_are_those_of_planning_with_all_caps(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        problem = random_problem(seed, elements=8, pins=0.15, house=True)
        plan = solve_exact(problem)
        if plan.objective is None:
            continue
        planner = planner_for(problem, plan)
        shown, rows = planner.plan, tuple(planner.forward.rows)
        for place, element in enumerate(problem.elements):
            spoken = element.id in plan.by_element
            pin = replace(NO_PIN if spoken else element.pin, selected=not spoken)
            elements = list(problem.elements)
            elements[place] = replace(element, pin=pin)
            forced = unlifted(replace(problem, elements=tuple(elements)))
            assert reason(planner, place).loss == (None if forced is None else plan.objective - forced)
        for place in range(len(problem.gaps)):
            longer = unlifted(longer_gap(problem, place))
            assert gap_value(planner, place).value == (None if longer is None else longer - plan.objective)
        assert planner.plan is shown, "asking changes no plan"
        assert tuple(planner.forward.rows) == rows


def test_only_what_must_be_overfull_is_put_back() -> None:
    """4 s and 3 s that only fit into the gap from 0, of which 6 s may be narrated; the gap from 20 s has room."""
    here, there = (0, 10_000, 6_000), (20_000, 30_000, 9_000)
    first = Line(4_000, ((0, 6_000),), (here,), 0)
    second = Line(3_000, ((0, 7_000),), (here,), 0)
    either = Line(2_000, ((5_000, 8_000), (20_000, 28_000)), (here, there), 0)
    assert exceeded([first, second, either], frozenset({0, 20_000})) == {0}
    assert exceeded([first, either], frozenset({0, 20_000})) == {0, 20_000}, "no one knows which"
    assert exceeded([first, second], frozenset({20_000})) == set()


def long_gap(seed: int) -> Problem:
    """Forty lines in one gap of two minutes that may be narrated for less than half."""
    rng = random.Random(seed)
    starts = sorted(rng.randrange(0, 115_000) for _ in range(40))
    elements = tuple(
        Element(
            f"e{number}",
            Span(start, start + 2_000),
            rng.randint(1, 99) * 10_000,
            tuple(sorted((rng.randint(3, 13) * 300 for _ in range(3)), reverse=True)),
        )
        for number, start in enumerate(starts)
    )
    return Problem("s", Span(0, 120_000), (Span(0, 120_000),), elements, min_pause=300, max_share=450_000)


@pytest.mark.parametrize("seed", range(3))
def test_a_thinned_frontier_says_what_it_may_have_cost(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = long_gap(seed)
    monkeypatch.setattr(capped, "STATES_TIMES_GAP", 1 << 50)
    best = solve_exact(problem)
    assert best.status is Status.OPTIMAL
    monkeypatch.setattr(capped, "FEWEST", 20)
    monkeypatch.setattr(capped, "STATES_TIMES_GAP", 20 * 120_000)
    plan = solve_exact(problem)
    assert plan.status is Status.FEASIBLE
    assert (plan.objective or 0) <= (best.objective or 0) <= (plan.bound or 0)
    assert (plan.objective or 0) > 0.9 * (best.objective or 0)
    assert verify(problem_json(problem), plan_json(plan)) == []
    live = LivePlanner(problem).plan
    assert (live.status, live.objective, live.bound) == (Status.FEASIBLE, plan.objective, plan.bound)


@pytest.mark.parametrize("seed", range(3))
def test_lines_of_a_thinned_plan_have_reasons_too(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No loss is further from the true one than what thinning may have cost, in the film and in the film reversed."""
    problem = long_gap(seed)
    monkeypatch.setattr(capped, "STATES_TIMES_GAP", 1 << 50)
    exact = explain(problem, solve_exact)
    assert isinstance(exact, Explanation)
    monkeypatch.setattr(capped, "FEWEST", 20)
    monkeypatch.setattr(capped, "STATES_TIMES_GAP", 20 * 120_000)
    thinned = explain(problem, solve_exact)
    assert isinstance(thinned, Explanation)
    assert (exact.plan.status, thinned.plan.status) == (Status.OPTIMAL, Status.FEASIBLE)
    planner = planner_for(problem, thinned.plan)
    chains = (planner.forward, planner.backward)
    uncertain = sum(chain.bound - chain.best for chain in chains) // GAIN_SCALE + 1
    assert len(thinned.reasons) == len(problem.elements)
    for found, true in zip(thinned.reasons, exact.reasons, strict=True):
        if found.spoken == true.spoken and true.loss is not None:
            assert found.loss is not None
            assert abs(found.loss - true.loss) <= uncertain
    written = explanation_json(thinned, str)
    assert written["status"] == "feasible"
    assert written["bound"] == (thinned.plan.bound or 0) / 10**9 > thinned.objective / 10**9


def test_the_editor_says_how_far_a_thinned_plan_may_be_from_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """No second opinion is asked on what is not claimed."""
    monkeypatch.setattr(capped, "FEWEST", 20)
    monkeypatch.setattr(capped, "STATES_TIMES_GAP", 20 * 120_000)
    problem = long_gap(0)
    lines = tuple(
        Eventuality(
            element.id,
            tuple(Variant(f"{element.id} {k}", Fraction(10 - k, 10), ms) for k, ms in enumerate(element.durations)),
            element.occurrence,
            salience=element.salience,
        )
        for element in problem.elements
    )
    settings = Settings(min_pause=300, max_share=450_000)
    script = Script(Film("f", 120_000), eventualities=lines, settings=settings)
    planner = FilmPlanner(script, problem.gaps)
    changed = (replace(lines[0], salience=1), *lines[1:])
    outcome = planner.replan(replace(script, eventualities=changed), problem.gaps)
    assert outcome.proof.state is ProofState.OPEN
    assert outcome.proof.gap == (outcome.plan.bound or 0) - (outcome.plan.objective or 0) > 0
    assert outcome.open == ()
