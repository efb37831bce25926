"""The verifier sees every kind of fault in a plan, and none in a sound one."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from adstudio.core.script import Penalty, Pin, Rules
from adstudio.core.settings import Near
from adstudio.core.timebase import Span
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.problem import Element, Problem
from adstudio.planning.solve import solve
from adstudio.planning.verify import verify
from adstudio.planning.windows import start_windows

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


def house(occurrence: Span, start: int, length: int = 1000, **rules: Any) -> set[str]:
    """What is wrong with one line of salience 0.7 about an occurrence, said at `start` as if it counted in full.

    The gaps are 0–4, 6–10, 12–16 and 18–24 s; the last two are given as two that touch each.
    """
    gaps = [[0, 4], [6, 10], [12, 14], [14, 16], [18, 20.5], [20.5, 24]]
    gap_spans = (Span(0, 4000), Span(6000, 10_000), Span(12_000, 16_000), Span(18_000, 24_000))
    pin = rules.pop("pin", Pin())
    problem = Problem(
        "s", Span(0, 24_000), gap_spans, (Element("a", occurrence, 700_000, (length,), pin=pin),), **rules
    )
    off = abs(2 * start + length - occurrence.start - occurrence.end) / 2
    plan: Json = {
        "format": "adstudio-plan/1",
        "status": "optimal",
        "objective": 0.7 * length / 1000,
        "bound": 0.7 * length / 1000,
        "deviation": off / 1000,
        "deliveries": [{"element": "a", "variant": 0, "start": start / 1000, "end": (start + length) / 1000}],
    }
    found = verify({**problem_json(problem), "gaps": gaps}, plan)
    return {violation.kind for violation in found}


@pytest.mark.parametrize(
    ("start", "rules", "expected"),
    [
        # The occurrence's midpoint is 8.0 s, the delivery's start + 0.5 s.
        (6_000, {"delta_early": 1_500}, set()),
        (6_000, {"delta_early": 1_499}, {"window"}),
        (6_000, {"delta_early": 1_500, "delta_max": 100}, set()),  # replaces delta_max even where it is larger
        (6_000, {"delta_late": 0}, set()),
        (6_000, {"delta_late": 0, "delta_max": 1_499}, {"window"}),
        (9_000, {"delta_late": 1_500, "delta_early": 0}, set()),
        (9_000, {"delta_late": 1_499, "delta_early": 9_000}, {"window"}),
        (9_000, {"delta_early": 0, "delta_max": 1_499}, {"window"}),
        (7_500, {"delta_early": 0, "delta_late": 1}, set()),
    ],
)
def test_the_distance_is_limited_by_side(start: int, rules: Json, expected: set[str]) -> None:
    assert house(Span(7_500, 8_500), start, **rules) == expected


@pytest.mark.parametrize(
    ("start", "rules", "expected"),
    [
        # Midpoints on half-milliseconds: 8.0005 s against 8.0 s.
        (7_500, {"delta_late": 1, "delta_early": 0}, set()),
        (7_500, {"delta_late": 0, "delta_early": 1}, {"window"}),
        (7_499, {"delta_late": 1, "delta_early": 0}, {"window"}),
        (7_499, {"delta_late": 0, "delta_early": 1}, set()),
    ],
)
def test_half_milliseconds_count(start: int, rules: Json, expected: set[str]) -> None:
    assert house(Span(7_500, 8_500), start, length=1001, **rules) == expected


def test_the_distance_is_said_to_the_half_millisecond() -> None:
    problem = replace(three(), delta_late=0)
    plan: Json = plan_json(solve(problem))
    plan["deliveries"][0].update(start=1.0, end=3.001)
    said = next(v.what for v in verify(problem_json(problem), plan) if v.kind == "window")
    assert "0.0005 s after its action" in said
    assert "at most 0.000 s" in said


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        # Midpoints differ by start − 7.5 s; near is from −0.5 to +1.0 s. Beyond, the full worth is claimed in vain.
        (6_999, {"objective"}),
        (7_000, set()),
        (8_500, set()),
        (8_501, {"objective"}),
    ],
)
def test_a_line_far_from_its_action_counts_less(start: int, expected: set[str]) -> None:
    assert house(Span(7_500, 8_500), start, near=Near(500, 1000, 800_000)) == expected


def test_near_has_half_milliseconds_too() -> None:
    """Half a millisecond beyond 1.0 s is far."""
    assert house(Span(7_500, 8_500), 8_499, length=1001, near=Near(500, 1000, 1)) == set()
    assert house(Span(7_500, 8_500), 8_500, length=1001, near=Near(500, 1000, 1)) == {"objective"}


def test_an_override_counts_in_full_and_reaches_anywhere() -> None:
    rules: Json = {"near": Near(0, 0, 500_000), "reach": 0, "delta_early": 0, "max_share": 1}
    assert house(Span(7_500, 8_500), 20_000, pin=Pin(start=20_000, override=True), **rules) == set()
    # A start alone lifts nothing.
    limits = {"window", "reach", "share", "objective"}
    assert house(Span(7_500, 8_500), 20_000, pin=Pin(start=20_000), delta_late=9_000, **rules) == limits


@pytest.mark.parametrize(
    ("salience", "far_gain", "far"),
    [
        # σ · far_gain in millionths, half to even: 3 · 0.5 = 1.5 → 2, 5 · 0.5 = 2.5 → 2, 1 · 0.5 = 0.5 → 0.
        (3, 500_000, 2),
        (5, 500_000, 2),
        (1, 500_000, 0),
        (700_000, 333_333, 233_333),
        (-700_000, 500_000, -700_000),
    ],
)
def test_what_far_counts_is_rounded_like_salience(salience: int, far_gain: int, far: int) -> None:
    element = Element("a", Span(7_500, 8_500), salience, (1000,), pin=Pin(selected=True, start=9_000))
    near = Near(0, 0, far_gain)
    problem = Problem("s", Span(0, 24_000), (Span(6_000, 10_000),), (element,), near=near)
    plan = solve(problem)
    assert plan.objective == far * 1000
    assert verify(problem_json(problem), plan_json(plan)) == []
    assert verify(problem_json(problem), plan_json(replace(plan, objective=far * 1000 + 1000))) != []


@pytest.mark.parametrize(
    ("occurrence", "start", "least"),
    [
        # Gaps 0–4, 6–10, 12–16, 18–24: the place of the delivery's gap less that of the nearest of the occurrence's.
        (Span(7_000, 8_000), 7_000, 0),
        (Span(7_000, 8_000), 0, 1),
        (Span(7_000, 8_000), 18_000, 2),
        (Span(9_999, 12_001), 18_000, 1),  # overlaps the second and the third
        (Span(9_999, 12_000), 18_000, 2),  # touches the third only
        (Span(10_000, 12_000), 8_000, 0),  # overlaps none: the nearest before …
        (Span(10_000, 12_000), 13_000, 0),  # … and the nearest after
        (Span(10_000, 12_000), 18_000, 1),
        (Span(10_500, 10_500), 0, 1),
        (Span(8_000, 8_000), 18_000, 2),  # a moment inside a gap overlaps it
        (Span(10_000, 10_000), 13_000, 0),  # a moment at its end does not
        (Span(6_000, 6_000), 1_000, 0),  # nor one at its start
        (Span(14_000, 14_000), 8_000, 1),  # two gaps touch here, and are one: the moment is inside it
        (Span(14_000, 14_000), 18_000, 1),
        (Span(20_500, 20_500), 13_000, 1),
        (Span(24_000, 30_000), 18_000, 0),  # after all gaps: only one before
        (Span(24_000, 30_000), 7_000, 2),
    ],
)
def test_reach_is_counted_in_gaps(occurrence: Span, start: int, least: int) -> None:
    """The verifier, and the engines' windows, allow `least` and no less."""
    limits: Json = {"delta_early": 30_000, "delta_late": 30_000}
    assert house(occurrence, start, reach=least, **limits) == set()
    if least:
        assert house(occurrence, start, reach=least - 1, **limits) == {"reach"}
    gap_spans = (Span(0, 4000), Span(6000, 10_000), Span(12_000, 16_000), Span(18_000, 24_000))
    for reach in range(5):
        assert (start in starts_within(gap_spans, occurrence, reach)) == (reach >= least)


def starts_within(gaps: tuple[Span, ...], occurrence: Span, reach: int, length: int = 1000) -> set[int]:
    """Every start that the engines permit, at any distance from the action."""
    element = Element("a", occurrence, 700_000, (length,))
    problem = Problem("s", Span(0, 24_000), gaps, (element,), delta_max=30_000, reach=reach)
    return {start for lo, hi in start_windows(problem, element, 0) for start in range(lo, hi + 1)}


def test_before_all_gaps_only_one_is_nearest() -> None:
    spans = (Span(6_000, 10_000), Span(12_000, 16_000), Span(18_000, 24_000))
    assert starts_within(spans, Span(0, 6_000), 0) == {*range(6_000, 9_001)}
    assert starts_within(spans, Span(0, 6_000), 1) == {*range(6_000, 9_001), *range(12_000, 15_001)}


def test_a_moment_at_a_gap_without_length_has_that_as_its_nearest() -> None:
    spans = (Span(0, 1000), Span(5000, 5000), Span(8000, 9000))
    assert starts_within(spans, Span(5000, 5000), 0, length=0) == {5000}
    assert starts_within(spans, Span(5000, 5001), 0, length=0) == {5000, *range(8000, 9001)}


@pytest.mark.parametrize(
    ("share", "length", "expected"),
    [
        # ⌊0.333333 · 6 s⌋ = ⌊1999.998 ms⌋ in the fourth gap, which is given as two that touch.
        (333_333, 1_999, set()),
        (333_333, 2_000, {"share"}),
        (333_334, 2_000, set()),
        (1_000_000, 6_000, set()),
    ],
)
def test_shares_are_of_joined_gaps_and_rounded_down(share: int, length: int, expected: set[str]) -> None:
    assert house(Span(20_000, 21_000), 18_000, length=length, max_share=share) == expected


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
    assert verify(problem, {**plan, "objective": 0}) == verify(problem, {**plan, "objective": None}) == []
    assert [violation.kind for violation in verify(problem, {**plan, "objective": 0.5})] == ["objective"]
