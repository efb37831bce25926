"""Live re-planning equals planning from cold, whatever is edited; and explanations equal planning with the pin."""

import random
from dataclasses import replace

import pytest
from random_problems import random_gaps, random_pin, random_problem

from adstudio.core.script import Pin
from adstudio.core.timebase import Span
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.options import GAIN_SCALE, row
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.live.explain import Explanation, explain, gap_value, planner_for, reason
from adstudio.planning.live.incremental import LivePlanner
from adstudio.planning.problem import Element, Problem
from adstudio.planning.verify import verify

FILMS = 30
EDITS = 25


def edited(rng: random.Random, problem: Problem, number: int) -> Problem:
    """The problem after one edit of a kind that the describer can make, now and then of two at once."""
    elements, gaps, pause = list(problem.elements), problem.gaps, problem.min_pause
    at = rng.randrange(len(elements)) if elements else 0
    kind = rng.random()
    if kind < 0.1 and len(elements) > 1:
        del elements[at]
    elif kind < 0.2 and elements:
        fresh = random_problem(rng.randrange(10**9), elements=6, pins=0.05).elements[: rng.randint(0, 6)]
        last = min(at + rng.randint(1, 8), len(elements))
        elements[at:last] = [replace(element, id=f"n{number}-{element.id}") for element in fresh]
    elif kind < 0.3:
        for element in random_problem(rng.randrange(10**9), elements=3, pins=0.1).elements[: rng.randint(1, 3)]:
            elements.insert(rng.randint(0, len(elements)), replace(element, id=f"n{number}-{element.id}"))
    elif kind < 0.55 and elements:
        elements[at] = reweighted(rng, elements[at])
    elif kind < 0.7 and elements:
        pin = random_pin(rng, len(elements[at].durations), problem.span.end, 300) if rng.random() < 0.5 else Pin()
        elements[at] = replace(elements[at], pin=pin)
    elif kind < 0.8 and elements:
        lengths = tuple(max(300, length + rng.randint(-3, 3) * 300) for length in elements[at].durations)
        elements[at] = replace(elements[at], durations=lengths)
    elif kind < 0.95:
        gaps = random_gaps(rng, problem.span.end, 300)
    else:
        pause = rng.choice((0, 150, 600))
    if rng.random() < 0.2 and elements:
        other = rng.randrange(len(elements))
        elements[other] = reweighted(rng, elements[other])
    return replace(problem, elements=tuple(elements), gaps=gaps, min_pause=pause)


def reweighted(rng: random.Random, element: Element) -> Element:
    return element if element.occurrence is None else replace(element, salience=rng.randint(0, 1_000_000))


def pinned(problem: Problem, place: int, pin: Pin) -> Problem:
    elements = list(problem.elements)
    elements[place] = replace(elements[place], pin=pin)
    return replace(problem, elements=tuple(elements))


@pytest.mark.parametrize("seed", range(FILMS))
def test_every_edit_gives_what_planning_from_cold_gives(seed: int) -> None:
    rng = random.Random(seed)
    problem = random_problem(seed, elements=25, pins=0.1)
    planner = LivePlanner(problem)
    for number in range(EDITS):
        problem = edited(rng, problem, number)
        before = planner.choices
        plan = planner.replan(problem)
        cold = solve_exact(replace(problem, previous=before))
        assert (plan.status, plan.objective) == (cold.status, cold.objective)
        assert plan.conflict == cold.conflict
        assert verify(problem_json(problem), plan_json(plan)) == []
        if before and plan.objective is not None:
            expected = set(before)
            assert len(expected & set(planner.choices)) == len(
                expected & {(d.element, d.variant) for d in cold.deliveries}
            )


@pytest.mark.parametrize("seed", range(10))
def test_updated_frontiers_equal_fresh_ones(seed: int) -> None:
    rng = random.Random(1000 + seed)
    problem = random_problem(1000 + seed, elements=30, pins=0.05)
    planner = LivePlanner(problem)
    for number in range(EDITS):
        problem = edited(rng, problem, number)
        plan = planner.replan(problem)
        planner.settle()
        if plan.objective is None:
            continue
        anew = LivePlanner(replace(problem, previous=planner.choices))
        anew.settle()
        assert anew.plan.deliveries == plan.deliveries
        assert anew.plan.deviation == plan.deviation
        for mine, theirs in ((planner.forward, anew.forward), (planner.backward, anew.backward)):
            assert mine.frontiers == theirs.frontiers
            assert mine.bases == theirs.bases
            assert mine.floors == theirs.floors


@pytest.mark.parametrize("seed", range(10))
def test_frontiers_are_the_same_whenever_the_next_edit_comes(seed: int) -> None:
    """A rest is spent in bites, and an edit may come after any of them."""
    rng = random.Random(2000 + seed)
    problem = random_problem(2000 + seed, elements=30, pins=0.05)
    planner, rested = LivePlanner(problem), LivePlanner(problem)
    for number in range(EDITS):
        problem = edited(rng, problem, number)
        plan = planner.replan(problem)
        assert plan.deliveries == rested.replan(problem).deliveries
        while rested.settle_some():
            pass
        for _ in range(rng.randint(0, 3)):
            planner.settle_some()
    planner.settle()
    assert planner.path == rested.path
    if planner.path:
        assert planner.forward.frontiers == rested.forward.frontiers
        assert planner.backward.frontiers == rested.backward.frontiers


@pytest.mark.parametrize("seed", range(10))
def test_a_fork_goes_its_own_way(seed: int) -> None:
    """What is looked at ahead is planned as if it were there, and what is there stays as it is."""
    rng = random.Random(5000 + seed)
    problem = random_problem(5000 + seed, elements=30, pins=0.05)
    planner, alone = LivePlanner(problem), LivePlanner(problem)
    for number in range(EDITS):
        fork = planner.fork()
        ahead = edited(rng, problem, 1000 + number)
        looked_at = fork.replan(ahead)
        fork.settle()
        if rng.random() < 0.5:
            planner, problem = fork, ahead
            assert looked_at.deliveries == alone.replan(ahead).deliveries
        else:
            problem = edited(rng, problem, number)
            assert planner.replan(problem).deliveries == alone.replan(problem).deliveries
        planner.settle()
        alone.settle()
        assert planner.path == alone.path
        if planner.path:
            assert planner.forward.frontiers == alone.forward.frontiers
            assert planner.backward.frontiers == alone.backward.frontiers


@pytest.mark.parametrize("block", range(5))
def test_losses_equal_planning_with_the_pin(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        problem = random_problem(seed, elements=14, pins=0.15)
        plan = solve_exact(problem)
        found = explain(problem, solve_exact)
        if plan.objective is None:
            assert found == replace(plan, seconds=found.seconds)
            continue
        assert isinstance(found, Explanation)
        for place, (explained, element) in enumerate(zip(found.reasons, problem.elements, strict=True)):
            assert explained.spoken == (element.id in plan.by_element)
            pin = Pin(selected=False) if explained.spoken else replace(element.pin, selected=True)
            forced = solve_exact(pinned(problem, place, pin))
            expected = None if forced.objective is None else plan.objective - forced.objective
            assert explained.loss == expected
            if not explained.spoken and explained.loss is not None:
                require_displaced(problem, plan.by_element, place, set(explained.displaces), forced.objective)


def require_displaced(problem: Problem, spoken, place: int, displaced: set[str], objective: int | None) -> None:
    """With the one forced in, those named out and the rest of the plan held in, the value is the forced optimum."""
    elements = []
    for at, element in enumerate(problem.elements):
        if at == place or (element.id in spoken and element.id not in displaced and element.pin.selected is None):
            elements.append(replace(element, pin=replace(element.pin, selected=True)))
        elif element.id in displaced:
            elements.append(replace(element, pin=Pin(selected=False)))
        else:
            elements.append(element)
    assert solve_exact(replace(problem, elements=tuple(elements))).objective == objective


def test_one_more_second_is_worth_what_a_longer_gap_brings() -> None:
    asked = 0
    for seed in range(60):
        problem = random_problem(seed, elements=14, pins=0.05)
        found = explain(problem, solve_exact)
        if not isinstance(found, Explanation):
            continue
        for place, worth in enumerate(found.gaps):
            gaps = [[gap.start, gap.end] for gap in problem.gaps]
            gaps[place][1] += 1000
            while place + 1 < len(gaps) and gaps[place + 1][0] <= gaps[place][1]:
                gaps[place][1] = max(gaps[place][1], gaps.pop(place + 1)[1])
            longer = solve_exact(replace(problem, gaps=tuple(Span(a, b) for a, b in gaps)))
            assert longer.objective is not None
            assert worth.value == longer.objective - found.objective
            asked += 1
    assert asked > 60


def test_joints_answer_without_planning() -> None:
    for seed in range(40):
        problem = random_problem(3000 + seed, elements=20, pins=0.1)
        planner = LivePlanner(problem)
        planner.settle()
        if planner.plan.objective is None:
            continue
        for place, element in enumerate(problem.elements):
            left_out = solve_exact(pinned(problem, place, Pin(selected=False))).objective
            joint = planner.joint(place)
            assert (None if joint is None else joint // GAIN_SCALE) == left_out
            if element.pin.selected is None and not element.must:
                forced = planner.forced(place, planner.forward.rows[place])[0]
                held_in = solve_exact(pinned(problem, place, replace(element.pin, selected=True))).objective
                assert (None if forced is None else forced // GAIN_SCALE) == held_in


def test_an_edits_objective_is_known_before_anything_is_redone() -> None:
    rng = random.Random(9)
    for seed in range(40):
        problem = random_problem(4000 + seed, elements=20, pins=0.1)
        planner = LivePlanner(problem)
        planner.settle()
        if planner.plan.objective is None:
            continue
        place = rng.randrange(len(problem.elements))
        elements = list(problem.elements)
        elements[place] = reweighted(rng, elements[place])
        changed = replace(problem, elements=tuple(elements))
        known = planner.objective_with(place, row(changed, elements[place]))
        planned = planner.replan(changed).objective
        assert (None if known is None else known // GAIN_SCALE) == planned


def test_an_occurrence_that_moves_within_its_windows_times_its_line_anew():
    """By hand: the gap of four seconds is all window either way, so the choice stands; the line follows its event."""
    before = Element("a", Span(1_000, 2_000), 500_000, (1_000,))
    after = replace(before, occurrence=Span(2_000, 3_000))
    problem = Problem("film", Span(0, 4_000), (Span(0, 4_000),), (before,))
    planner = LivePlanner(problem)
    assert [d.start for d in planner.plan.deliveries] == [1_000]
    plan = planner.replan(replace(problem, elements=(after,)))
    assert [(d.start, d.end) for d in plan.deliveries] == [(2_000, 3_000)]
    assert plan.deviation == 0


@pytest.mark.parametrize("seed", range(FILMS))
def test_reasons_between_edits_are_those_of_a_fresh_planner(seed: int) -> None:
    """Reasons never tell of an older state, nor does asking for them change a plan."""
    rng = random.Random(seed)
    problem = random_problem(seed, elements=12, pins=0.1)
    planner = LivePlanner(problem)
    for number in range(EDITS):
        problem = edited(rng, problem, number)
        plan = planner.replan(problem)
        if plan.objective is None:
            continue
        planner.settle()
        rows = tuple(planner.forward.rows)
        afresh = planner_for(problem, plan)
        for place in range(len(problem.elements)):
            found = reason(planner, place)
            assert (found.spoken, found.loss) == (reason(afresh, place).spoken, reason(afresh, place).loss)
            if not found.spoken and found.loss is not None and problem.elements[place].pin.selected is None:
                forced = planner.forward.best // GAIN_SCALE - found.loss
                require_displaced(problem, plan.by_element, place, set(found.displaces), forced)
        for place in range(len(problem.gaps)):
            assert gap_value(planner, place) == gap_value(afresh, place)
        assert tuple(planner.forward.rows) == rows
        assert planner.plan is plan
