"""The verifier sees every kind of fault in a plan, and none in a sound one."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from adstudio.core.script import Penalty, Pin, Rules
from adstudio.core.timebase import Span
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.problem import Element, Problem
from adstudio.planning.solve import solve
from adstudio.planning.verify import verify

Json = dict[str, Any]


def three() -> Problem:
    """Three lines of 2 s, 2 s and 1 s around 2, 6 and 22 s; gaps 0–10 and 20–24; half a second of pause."""
    elements = (
        Element("a", Span(1000, 3000), 500_000, (2000, 1000)),
        Element("b", Span(5000, 7000), 600_000, (2000,)),
        Element("c", Span(21_000, 23_000), 700_000, (1000,), within=Span(20_500, 24_000)),
        Element("d", None, 0, (1000,)),
    )
    return Problem("s", Span(0, 30_000), (Span(0, 10_000), Span(20_000, 24_000)), elements, min_pause=500)


def kinds(problem: Problem, edit: Callable[[Json], None]) -> set[str]:
    plan = plan_json(solve(problem))
    edit(plan)
    return {violation.kind for violation in verify(problem_json(problem), plan)}


def move(place: int, seconds: float) -> Callable[[Json], None]:
    def edit(plan: Json) -> None:
        plan["deliveries"][place]["start"] += seconds
        plan["deliveries"][place]["end"] += seconds

    return edit


def put(key: str, value: object, place: int | None = None) -> Callable[[Json], None]:
    def edit(plan: Json) -> None:
        (plan if place is None else plan["deliveries"][place])[key] = value

    return edit


def swap(plan: Json) -> None:
    first, second = plan["deliveries"][:2]
    for key in ("start", "end"):
        first[key], second[key] = second[key], first[key]
    plan["deliveries"][:2] = [second, first]


def test_the_plan_is_as_worked_out() -> None:
    plan = solve(three())
    assert [(d.element, d.start, d.end) for d in plan.deliveries] == [
        ("a", 1000, 3000),
        ("b", 5000, 7000),
        ("c", 21_500, 22_500),
    ]
    assert plan.objective == 1_000_000_000 + 1_200_000_000 + 700_000_000
    assert verify(problem_json(three()), plan_json(plan)) == []


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (put("end", 3.5, 0), {"duration"}),
        (move(1, 4), {"gap"}),
        (move(2, -1.1), {"within"}),
        (move(1, -2.5), {"overlap"}),
        (move(1, -1.6), {"pause"}),
        (move(0, 0.0001), {"format"}),
        (swap, {"order"}),
        (put("element", "z", 0), {"unknown", "objective"}),
        (put("element", "b", 0), {"twice", "objective"}),
        (put("variant", 5, 0), {"variant", "objective"}),
        (put("variant", 1, 0), {"duration", "objective"}),
        (put("variant", value=True, place=0), {"variant", "objective"}),
        (put("start", None, 0), {"format", "objective"}),
        (put("start", "1", 0), {"format", "objective"}),
        (put("objective", 3.0), {"objective", "bound"}),
        (put("objective", None), {"objective", "bound"}),
        (put("bound", 2.0), {"bound"}),
        (put("bound", 9.0), {"bound"}),
        (put("deviation", 1.0), {"deviation"}),
        (put("status", "superb"), {"format"}),
        (put("format", "adstudio-plan/2"), {"format"}),
        (put("deliveries", {}), {"format"}),
        (put("deliveries", [1]), {"format"}),
        (put("status", "infeasible"), {"format"}),
    ],
)
def test_each_fault_has_its_name(edit: Callable[[Json], None], expected: set[str]) -> None:
    found = kinds(three(), edit)
    assert expected <= found
    assert found <= expected | {"objective", "deviation", "bound"}


def test_a_line_too_far_from_its_event_is_seen() -> None:
    problem = replace(three(), delta_max=1000)
    plan = plan_json(solve(problem))
    move(0, 1.5)(plan)
    assert "window" in {violation.kind for violation in verify(problem_json(problem), plan)}


def leave_out(plan: Json) -> None:
    plan["deliveries"].pop(0)


def say_in_full(plan: Json) -> None:
    first = plan["deliveries"][0]
    first.update(variant=0, end=first["start"] + 2)


def say_all_the_same(plan: Json) -> None:
    plan["deliveries"].insert(0, {"element": "a", "variant": 0, "start": 1.0, "end": 3.0})


@pytest.mark.parametrize(
    ("pin", "edit"),
    [
        (Pin(selected=True), leave_out),
        (Pin(start=1000), leave_out),
        (Pin(start=1000), move(0, 0.5)),
        (Pin(variant=1), say_in_full),
        (Pin(selected=False), say_all_the_same),
    ],
)
def test_a_broken_pin_is_seen(pin: Pin, edit: Callable[[Json], None]) -> None:
    problem = three()
    held = replace(problem, elements=(replace(problem.elements[0], pin=pin), *problem.elements[1:]))
    assert kinds(held, lambda plan: None) == set()
    assert "pin" in kinds(held, edit)


def test_an_override_is_free_of_gap_and_window_but_not_of_order() -> None:
    problem = three()
    pinned = replace(problem.elements[1], pin=Pin(start=12_000, override=True))
    held = replace(problem, elements=(problem.elements[0], pinned, *problem.elements[2:]))
    assert kinds(held, lambda plan: None) == set()
    assert "order" in kinds(held, swap)


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        (Rules(alternatives=(("a", "b"),)), "alternatives"),
        (Rules(requires=(("a", "d"),)), "requires"),
        (Rules(together=(("a", "b", "d"),)), "together"),
        (Rules(penalties=(Penalty("a", "b", 300_000),)), "objective"),
    ],
)
def test_a_broken_rule_is_seen(rules: Rules, kind: str) -> None:
    ruled = problem_json(replace(three(), rules=rules))
    assert kind in {violation.kind for violation in verify(ruled, plan_json(solve(three())))}


def test_a_gap_narrated_beyond_its_share_is_seen() -> None:
    """4 of 10 s are narrated: more than 0.399 of the gap, not more than 0.4."""
    plan = plan_json(solve(three()))
    for share, expected in ((399_000, {"share"}), (400_000, set())):
        found = verify(problem_json(replace(three(), max_share=share)), plan)
        assert {violation.kind for violation in found} == expected


def test_a_pool_plan_is_checked_for_gaps_and_overlap_only() -> None:
    problem = problem_json(three())
    plan: Json = {
        "format": "adstudio-plan/1",
        "status": "feasible",
        "backend": "random",
        "deliveries": [{"text": "x", "start": 0.0, "end": 5.0}, {"text": "y", "start": 5.0, "end": 9.0}],
    }
    assert verify(problem, plan) == []
    broken = copy.deepcopy(plan)
    broken["deliveries"][1].update(start=4.0, end=11.0)
    assert {violation.kind for violation in verify(problem, broken)} == {"gap", "overlap"}
