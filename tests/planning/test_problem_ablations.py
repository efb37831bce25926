"""The paper's ablations of planning: what is left out, what stays, and what that does to plans worked out by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Approval, Eventuality, Pin, Scene, Script, Variant
from adstudio.core.settings import Near, Scope, Settings
from adstudio.core.timebase import Span
from adstudio.planning.ablations import (
    require_valid,
    script_without_compression,
    script_without_grounding,
    without_compression,
    without_grounding,
)
from adstudio.planning.files.problem_file import parse_problem, problem_json
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.film_problem import film_problem
from adstudio.planning.problem import Element, Problem
from adstudio.planning.solve import solve

# Two lines about the same moments. Their own gap holds 5 s, a gap a minute before 3 s.
GAPS = (Span(0, 3_000), Span(60_000, 65_000))
FIRST = Element("e1", Span(60_000, 62_000), 900_000, (4_000, 2_000))
SECOND = Element("e2", Span(61_000, 63_000), 800_000, (4_000, 1_000))
PROBLEM = Problem("s1", Span(0, 70_000), GAPS, (FIRST, SECOND))


def chosen(plan: Plan) -> dict[str, tuple[int, int]]:
    return {line.element: (line.variant, line.start) for line in plan.deliveries}


def solved(problem: Problem) -> Plan:
    plan = solve(problem)
    assert plan.status is Status.OPTIMAL
    require_valid(problem, plan)
    return plan


def test_the_plan_by_hand() -> None:
    # Only the second gap is near: 4 s of e1 and 1 s of e2 fill it, 0.9 · 4 + 0.8 · 1 = 4.4.
    plan = solved(PROBLEM)
    assert plan.objective == 4_400_000_000
    assert chosen(plan) == {"e1": (0, 60_000), "e2": (1, 64_000)}


def test_without_grounding_a_line_goes_a_minute_away() -> None:
    # e1 short in the first gap, as late as it can be, and e2 in full at its action: 0.9 · 2 + 0.8 · 4 = 5.0.
    plan = solved(without_grounding(PROBLEM))
    assert plan.objective == 5_000_000_000
    assert chosen(plan) == {"e1": (1, 1_000), "e2": (0, 60_000)}


def test_without_compression_only_one_line_fits() -> None:
    plan = solved(without_compression(PROBLEM))
    assert plan.objective == 3_600_000_000
    assert [line.element for line in plan.deliveries] == ["e1"]


def test_without_both_the_first_gap_is_of_no_use() -> None:
    plan = solved(without_compression(without_grounding(PROBLEM)))
    assert plan.objective == 3_600_000_000


def test_grounding_is_all_that_bounds_the_distance() -> None:
    house = replace(
        PROBLEM, delta_early=1_500, delta_late=4_000, near=Near(500, 2_000, 800_000), reach=0, uncut_gaps=GAPS
    )
    free = without_grounding(house)
    assert (free.near, free.reach, free.uncut_gaps) == (None, None, ())
    assert free.early == free.late >= 70_000
    assert (free.gaps, free.elements, free.min_pause, free.max_share) == (GAPS, PROBLEM.elements, 0, 1_000_000)
    assert solved(free).objective == 5_000_000_000


def test_an_ablated_problem_is_a_problem_file() -> None:
    import json

    ablated = without_compression(without_grounding(PROBLEM))
    again = parse_problem(json.dumps(problem_json(ablated)).encode(), "problem.json")
    assert replace(again, elements=()) == replace(ablated, elements=())
    assert [element.durations for element in again.elements] == [(4_000,), (4_000,)]


def test_bounds_and_pins_of_a_person_stay() -> None:
    bounded = replace(FIRST, within=Span(60_000, 65_000))
    locked = replace(SECOND, pin=Pin(selected=True, variant=1))
    problem = replace(PROBLEM, elements=(bounded, locked), previous=(("e1", 1), ("e2", 0)))
    assert without_grounding(problem).elements == problem.elements
    full = without_compression(problem)
    assert full.elements[1].pin == Pin(selected=True)
    assert full.previous == (("e2", 0),)
    # Locked in, in full, e2 has the gap for itself.
    assert chosen(solved(full)) == {"e2": (0, 60_000)}


def some_problem(seed: int) -> Problem:
    rng = random.Random(seed)
    gaps: list[Span] = []
    at = 0
    for _ in range(rng.randint(1, 5)):
        at += rng.randint(500, 9_000)
        gaps.append(Span(at, at + rng.randint(1_000, 6_000)))
        at = gaps[-1].end
    elements = []
    for number in range(rng.randint(1, 8)):
        full = rng.randint(4, 14) * 300
        starts = rng.randrange(0, at)
        durations = (full, *sorted({rng.randint(1, full) for _ in range(rng.randint(0, 3))}, reverse=True))
        elements.append(Element(f"e{number}", Span(starts, starts + 2_000), rng.randint(-9, 99) * 10_000, durations))
    return Problem("s", Span(0, at + 5_000), tuple(gaps), tuple(elements), delta_max=rng.randint(0, 10_000))


@pytest.mark.parametrize("seed", range(40))
def test_grounding_only_costs_and_compression_only_gains(seed: int) -> None:
    problem = some_problem(seed)
    plans = [solved(each).objective or 0 for each in (problem, without_grounding(problem))]
    full = [solved(without_compression(each)) for each in (problem, without_grounding(problem))]
    assert plans[0] <= plans[1]
    assert (full[0].objective or 0) <= (full[1].objective or 0)
    assert all((short.objective or 0) <= long for short, long in zip(full, plans, strict=True))
    assert all(line.variant == 0 for plan in full for line in plan.deliveries)


def test_a_plan_that_is_wrong_is_noticed() -> None:
    plan = solved(PROBLEM)
    wrong = replace(plan, deliveries=(*plan.deliveries[:1], Delivery("e2", 1, 66_000, 67_000)))
    with pytest.raises(AssertionError, match="not within one gap"):
        require_valid(PROBLEM, wrong)


def line(identity: str, start: int, words: str, shorter: str = "", **more: object) -> Eventuality:
    variants = (Variant(words), *((Variant(shorter, Fraction(1, 2)),) if shorter else ()))
    return Eventuality(identity, variants, Span(start, start + 1_000), 500_000, **more)  # type: ignore[arg-type]


SCENES = (Scene("s1", Span(0, 60_000)), Scene("s2", Span(60_000, 200_000)))
LINES = (line("a", 30_000, "A man walks in.", "He walks.", scene="s1"), line("b", 100_000, "It rains now.", scene="s2"))
SCRIPT = Script(Film("T", 200_000), Settings(delta_max=5_000, reach=1), scenes=SCENES, eventualities=LINES)


def test_lines_of_a_script_stay_in_their_scenes() -> None:
    free = script_without_grounding(SCRIPT)
    assert (free.settings.delta_max, free.settings.reach, free.settings.near) == (200_000, None, None)
    first, second = free.eventualities
    assert first.within is not None
    assert second.within is not None
    assert first.within.contains(SCENES[0].span)
    assert second.within.contains(SCENES[1].span)
    assert first.within.end <= 60_000
    assert second.within.start >= 60_000
    by_scene = replace(SCRIPT, settings=replace(SCRIPT.settings, scope=Scope.SCENE))
    assert script_without_grounding(by_scene).eventualities == LINES  # the scope bounds them
    # One gap at the very end of its scene, 28 s from its action.
    gaps = [Span(57_000, 60_000)]
    assert chosen(plan_film(SCRIPT, gaps)) == {}
    for script in (SCRIPT, by_scene):
        assert list(chosen(plan_film(script_without_grounding(script), gaps))) == ["a"]
    beyond = [Span(61_000, 64_000)]
    assert chosen(plan_film(script_without_grounding(SCRIPT), beyond)) == {"b": (0, 61_000 + 3_000 - 900)}


def test_a_line_may_still_leave_its_scene_as_far_as_before() -> None:
    near = line("a", 58_000, "A man walks in.", scene="s1")
    script = replace(SCRIPT, eventualities=(near,))
    gaps = [Span(61_000, 64_000)]
    plan = plan_film(script, gaps)
    assert list(plan.by_element) == ["a"]
    assert (plan_film(script_without_grounding(script), gaps).objective or 0) >= (plan.objective or 0)


def test_a_script_without_scenes_is_one_scene() -> None:
    bare = replace(SCRIPT, scenes=(), eventualities=tuple(replace(each, scene=None) for each in LINES))
    assert script_without_grounding(bare).eventualities == bare.eventualities
    assert list(chosen(plan_film(bare, [Span(190_000, 192_100)]))) == []
    assert list(chosen(plan_film(script_without_grounding(bare), [Span(190_000, 192_100)]))) == ["a", "b"]


def test_bounds_of_a_person_stay_and_overrides_are_left_alone() -> None:
    bounded = line("a", 30_000, "A man walks in.", scene="s1", within=Span(20_000, 90_000))
    override = line("b", 100_000, "It rains.", scene="s2", pin=Pin(start=10_000, override=True))
    free = script_without_grounding(replace(SCRIPT, eventualities=(bounded, override)))
    assert free.eventualities[0].within == Span(20_000, 60_000)
    assert free.eventualities[1] == override


def test_a_script_without_compression_has_full_wordings_only() -> None:
    approved = replace(LINES[0], pin=Pin(variant=1), approval=Approval(1, 30_000), accepted=True)
    full = script_without_compression(replace(SCRIPT, eventualities=(approved, LINES[1])))
    assert [len(each.variants) for each in full.eventualities] == [1, 1]
    assert full.eventualities[0].pin == Pin()
    assert full.eventualities[0].approval is None
    assert full.eventualities[1] == LINES[1]
    problem = film_problem(full, [Span(28_000, 33_000)])
    assert problem.elements == without_compression(film_problem(full, [Span(28_000, 33_000)])).elements
