"""Live re-planning equals planning from cold, whatever is edited; and explanations equal planning with the pin."""

import random
from dataclasses import replace
from typing import Any

import pytest
from random_problems import random_gaps, random_house, random_pin, random_problem, some_joined

from adstudio.core.house_rules import house_fault
from adstudio.core.plan import Plan
from adstudio.core.script import Pin, Rules
from adstudio.core.timebase import Span
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.options import GAIN_SCALE, row
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.live.alternatives import LivePlanner
from adstudio.planning.live.explain import (
    Explanation,
    Reason,
    explain,
    explanation_json,
    gap_value,
    planner_for,
    reason,
)
from adstudio.planning.problem import Element, Problem
from adstudio.planning.verify import verify

FILMS = 30
EDITS = 25


def edited(rng: random.Random, problem: Problem, number: int, *, house: bool = False) -> Problem:
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
    elif kind < (0.9 if house else 0.95):
        gaps = one_gap_changed(rng, gaps) if gaps and rng.random() < 0.6 else random_gaps(rng, problem.span.end, 300)
    elif house and kind < 0.98:
        setting = rng.choice(("delta_early", "delta_late", "near", "reach", "max_share"))
        changed = replace(problem, **{setting: random_house(rng, problem.delta_max)[setting]})
        # An early or late that is narrower than near is refused before anything is planned.
        problem = problem if house_fault(changed) else changed
    else:
        pause = rng.choice((0, 150, 600))
    if rng.random() < 0.2 and elements:
        other = rng.randrange(len(elements))
        elements[other] = reweighted(rng, elements[other])
    return replace(problem, elements=tuple(elements), gaps=gaps, min_pause=pause)


def one_gap_changed(rng: random.Random, gaps: tuple[Span, ...]) -> tuple[Span, ...]:
    """A gap gone, cut in two, or joined to the next; the others as they were, under another number."""
    at = rng.randrange(len(gaps))
    gap = gaps[at]
    if rng.random() < 0.4 and gap.length > 2:
        cut = rng.randrange(gap.start + 1, gap.end)
        parts = [Span(gap.start, cut), Span(min(cut + 100, gap.end), gap.end)]
    elif rng.random() < 0.5 and at + 1 < len(gaps):
        parts = [Span(gap.start, gaps[at + 1].end)]
        return (*gaps[:at], *parts, *gaps[at + 2 :])
    else:
        parts = []
    return (*gaps[:at], *[part for part in parts if part.length], *gaps[at + 1 :])


def reweighted(rng: random.Random, element: Element) -> Element:
    return element if element.occurrence is None else replace(element, salience=rng.randint(0, 1_000_000))


def pinned(problem: Problem, place: int, pin: Pin) -> Problem:
    elements = list(problem.elements)
    elements[place] = replace(elements[place], pin=pin)
    return replace(problem, elements=tuple(elements))


@pytest.mark.parametrize("seed", range(FILMS))
@pytest.mark.parametrize("house", [False, True])
def test_every_edit_gives_what_planning_from_cold_gives(seed: int, house: bool) -> None:
    rng = random.Random(seed)
    problem = random_problem(seed, elements=25, pins=0.1, house=house)
    planner = LivePlanner(problem)
    for number in range(EDITS):
        problem = edited(rng, problem, number, house=house)
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
@pytest.mark.parametrize("house", [False, True])
def test_updated_frontiers_equal_fresh_ones(seed: int, house: bool) -> None:
    rng = random.Random(1000 + seed)
    problem = random_problem(1000 + seed, elements=30, pins=0.05, house=house)
    planner = LivePlanner(problem)
    for number in range(EDITS):
        problem = edited(rng, problem, number, house=house)
        plan = planner.replan(problem)
        planner.settle()
        if plan.objective is None or not problem.elements:
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
@pytest.mark.parametrize("house", [False, True])
def test_frontiers_are_the_same_whenever_the_next_edit_comes(seed: int, house: bool) -> None:
    """A rest is spent in bites, and an edit may come after any of them."""
    rng = random.Random(2000 + seed)
    problem = random_problem(2000 + seed, elements=30, pins=0.05, house=house)
    planner, rested = LivePlanner(problem), LivePlanner(problem)
    for number in range(EDITS):
        problem = edited(rng, problem, number, house=house)
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
@pytest.mark.parametrize("house", [False, True])
def test_a_fork_goes_its_own_way(seed: int, house: bool) -> None:
    """What is looked at ahead is planned as if it were there, and what is there stays as it is."""
    rng = random.Random(5000 + seed)
    problem = random_problem(5000 + seed, elements=30, pins=0.05, house=house)
    planner, alone = LivePlanner(problem), LivePlanner(problem)
    for number in range(EDITS):
        fork = planner.fork()
        ahead = edited(rng, problem, 1000 + number, house=house)
        looked_at = fork.replan(ahead)
        fork.settle()
        if rng.random() < 0.5:
            planner, problem = fork, ahead
            assert looked_at.deliveries == alone.replan(ahead).deliveries
        else:
            problem = edited(rng, problem, number, house=house)
            assert planner.replan(problem).deliveries == alone.replan(problem).deliveries
        planner.settle()
        alone.settle()
        assert planner.path == alone.path
        if planner.path:
            assert planner.forward.frontiers == alone.forward.frontiers
            assert planner.backward.frontiers == alone.backward.frontiers


@pytest.mark.parametrize("block", range(5))
@pytest.mark.parametrize("house", [False, True])
def test_losses_equal_planning_with_the_pin(block: int, house: bool) -> None:
    for seed in range(block * 40, block * 40 + 40):
        problem = random_problem(seed, elements=14, pins=0.15, house=house)
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
                require_consequences(problem, plan, place, explained)


def require_consequences(problem: Problem, plan: Plan, place: int, found: Reason) -> None:
    """Forcing the line in costs the loss, and just the lines named go or are shortened.

    With the line held in, those displaced held out, those shortened held to their shorter wording, and all the others
    of the plan held to wordings that are no shorter, the value is the forced optimum. With all of the plan's choices
    preferred, planning from cold changes no fewer lines.
    """
    assert plan.objective is not None
    assert found.loss is not None
    forced = pinned(problem, place, replace(problem.elements[place].pin, selected=True))
    was = {d.element: d.variant for d in plan.deliveries}
    now = {each.element: each.after for each in found.shortens}
    assert set(found.displaces) <= was.keys()
    assert not now.keys() & set(found.displaces)
    elements: list[Element] = []
    for element in forced.elements:
        if element.id not in was:
            elements.append(element)
        elif element.id in found.displaces:
            elements.append(replace(element, pin=replace(element.pin, selected=False, start=None, override=False)))
            assert not element.must
        else:
            full = element.durations[was[element.id]]
            wordings = [d for d in element.durations if d >= full]
            if element.id in now:
                wordings = [element.durations[now[element.id]]]
                assert wordings[0] < full
            pin = replace(element.pin, selected=True, variant=None)
            if element.pin.variant is not None:
                wordings = [full]
            elements.append(replace(element, durations=tuple(wordings), pin=pin))
    assert all(each.before == was[each.element] for each in found.shortens)
    held = solve_exact(replace(forced, elements=tuple(elements)))
    assert held.objective == plan.objective - found.loss
    cold = solve_exact(replace(forced, previous=tuple(was.items()))).by_element
    changed = sum(name not in cold or cold[name].variant != variant for name, variant in was.items())
    assert len(found.displaces) + len(now) <= changed


def crowded(**house: Any) -> Problem:
    """`a`, of 3 s or of 2 s, and `b`, of 2 s, where 4 s can be narrated.

    By hand: `a` in full gains 1.5; cut to 2 s it gains 1.0, and `b` beside it 0.4. So `b` is left out, and having it
    costs 0.1 and a second of `a`. `c` needs all 4 s for its 1.2: having it costs 0.3 and all of `a`.
    """
    elements = (
        Element("a", Span(0, 4000), 500_000, (3000, 2000)),
        Element("b", Span(0, 4000), 200_000, (2000,)),
        Element("c", Span(0, 4000), 300_000, (4000,)),
    )
    return replace(Problem("s", Span(0, 10_000), (Span(0, 4000),), elements), **house)


def parts(entries: Any, *keys: str) -> list[dict[str, Any]]:
    """Only these keys of each entry."""
    return [{key: each[key] for key in keys} for each in entries]


@pytest.mark.parametrize(
    "house",
    [
        {},
        {"gaps": (Span(0, 10_000),), "max_share": 400_000},
        {"gaps": (Span(0, 10_000),), "max_share": 400_000, "delta_early": 5_000, "delta_late": 7_000, "reach": 0},
        {"rules": Rules(requires=(("b", "a"),))},
        {"rules": Rules(requires=(("b", "a"),)), "gaps": (Span(0, 10_000),), "max_share": 400_000},
    ],
)
def test_what_would_be_shortened_is_named(house: dict[str, Any]) -> None:
    found = explain(crowded(**house), solve_cpsat)
    assert isinstance(found, Explanation)
    assert found.objective == 1_500_000_000
    assert parts(explanation_json(found, str)["elements"], "element", "in", "loss", "displaces", "shortens") == [
        {"element": "a", "in": True, "loss": 0.3, "displaces": [], "shortens": []},
        {"element": "b", "in": False, "loss": 0.1, "displaces": [], "shortens": [{"element": "a", "from": 0, "to": 1}]},
        {"element": "c", "in": False, "loss": 0.3, "displaces": ["a"], "shortens": []},
    ]


@pytest.mark.parametrize("house", [False, True])
def test_one_more_second_is_worth_what_a_longer_gap_brings(house: bool) -> None:
    asked, worse = 0, 0
    for seed in range(200 if house else 60):
        problem = random_problem(seed, elements=14, pins=0.05, house=house)
        found = explain(problem, solve_exact)
        if not isinstance(found, Explanation):
            continue
        for place, worth in enumerate(found.gaps):
            gaps = [[gap.start, gap.end] for gap in problem.gaps]
            gaps[place][1] += 1000
            while place + 1 < len(gaps) and gaps[place + 1][0] <= gaps[place][1]:
                gaps[place][1] = max(gaps[place][1], gaps.pop(place + 1)[1])
            longer = solve_exact(replace(problem, gaps=tuple(Span(a, b) for a, b in gaps)))
            assert longer.objective is not None or problem.reach is not None
            expected = None if longer.objective is None else longer.objective - found.objective
            assert worth.value == expected
            asked += 1
            worse += expected is None or expected < 0
    assert asked > 60
    assert (worse > 3) == house


@pytest.mark.parametrize("rules", [Rules(), Rules(alternatives=(("a", "b"),))])
def test_one_more_second_can_take_a_gap_out_of_reach(rules: Rules) -> None:
    """By hand: the action of 5–6 s is between two gaps, and both are in reach.

    If the first lasts until 5.5 s, only that one is: a line of 4.5 s has no place, and one of 3 s gains nothing more.
    """
    elements = (Element("a", Span(5000, 6000), 500_000, (4500, 3000)), Element("b", Span(5000, 6000), 0, (1000,)))
    problem = Problem("s", Span(0, 20_000), (Span(2000, 5000), Span(8000, 14_000)), elements, rules=rules, reach=0)
    found = explain(problem, solve_cpsat)
    assert isinstance(found, Explanation)
    assert found.objective == 2_250_000_000
    # 2.0–6.0 s holds no more than 4 s of it.
    assert [gap.value for gap in found.gaps] == [-750_000_000, 0]
    pinned_in = replace(elements[0], pin=Pin(selected=True, variant=0))
    found = explain(replace(problem, elements=(pinned_in, elements[1])), solve_cpsat)
    assert isinstance(found, Explanation)
    assert [gap.value for gap in found.gaps] == [None, 0]
    assert parts(explanation_json(found, str)["gaps"], "gap", "value_per_second") == [
        {"gap": [2.0, 5.0], "value_per_second": None},
        {"gap": [8.0, 14.0], "value_per_second": 0.0},
    ]


@pytest.mark.parametrize("house", [False, True])
def test_joints_answer_without_planning(house: bool) -> None:
    for seed in range(40):
        problem = random_problem(3000 + seed, elements=20, pins=0.1, house=house)
        planner = LivePlanner(problem)
        planner.settle()
        if planner.plan.objective is None:
            continue
        for place, element in enumerate(problem.elements):
            left_out = solve_exact(pinned(problem, place, Pin(selected=False))).objective
            joint = planner.without(place)
            assert (None if joint is None else joint.objective // GAIN_SCALE) == left_out
            if element.pin.selected is None and not element.must:
                forced = planner.forced(place, planner.forward.rows[place])
                held_in = solve_exact(pinned(problem, place, replace(element.pin, selected=True))).objective
                assert (None if forced is None else forced.objective // GAIN_SCALE) == held_in


@pytest.mark.parametrize("house", [False, True])
def test_an_edits_objective_is_known_before_anything_is_redone(house: bool) -> None:
    rng = random.Random(9)
    for seed in range(40):
        problem = random_problem(4000 + seed, elements=20, pins=0.1, house=house)
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


def test_reach_counted_on_other_gaps_is_an_edit() -> None:
    """What was cut out of gaps can change while what is left of them does not."""
    rng = random.Random(3)
    changes = 0
    for seed in range(60):
        problem = replace(random_problem(seed, elements=12, pins=0.03, house=True), reach=seed % 2)
        planner = LivePlanner(problem)
        for _ in range(5):
            before = planner.plan.objective
            problem = replace(problem, uncut_gaps=some_joined(rng, problem.gaps))
            plan = planner.replan(problem)
            assert plan.objective == solve_exact(problem).objective
            changes += plan.objective != before
    assert changes > 30


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


@pytest.mark.parametrize("house", [False, True])
@pytest.mark.parametrize("seed", range(FILMS))
def test_reasons_between_edits_are_those_of_a_fresh_planner(seed: int, house: bool) -> None:
    """Reasons never tell of an older state, nor does asking for them change a plan."""
    rng = random.Random(seed)
    problem = random_problem(seed, elements=12, pins=0.1, house=house)
    planner = LivePlanner(problem)
    for number in range(EDITS):
        problem = edited(rng, problem, number, house=house)
        plan = planner.replan(problem)
        if plan.objective is None:
            continue
        planner.settle()
        rows = tuple(planner.forward.rows)
        afresh = planner_for(problem, plan)
        for place in range(len(problem.elements)):
            found = reason(planner, place)
            assert (found.spoken, found.loss) == (reason(afresh, place).spoken, reason(afresh, place).loss)
            if not found.spoken and found.loss is not None:
                require_consequences(problem, plan, place, found)
        for place in range(len(problem.gaps)):
            assert gap_value(planner, place) == gap_value(afresh, place)
        assert tuple(planner.forward.rows) == rows
        assert planner.plan is plan
