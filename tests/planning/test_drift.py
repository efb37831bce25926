"""How far lines are from their actions: the drift, its shares in `plan/1`, and what `verify` says of them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from adstudio.core.json_reading import JsonError
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Pin
from adstudio.core.settings import Near, Settings
from adstudio.core.timebase import Span
from adstudio.planning.drift import drift, drifts, far_limits, is_far, shares_near
from adstudio.planning.files.plan_file import plan_json, read_plan
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.problem import Element, Problem
from adstudio.planning.solve import solve
from adstudio.planning.verify import verify

# Six lines of 1 s, each with an action of 1 s; how far the middle of each delivery is from the middle of its action.
AWAY = {"a": 500, "b": -1_000, "c": 1_001, "d": 3_000, "e": -4_500}
ELEMENTS = (
    *(Element(name, Span(20_500 * n, 20_500 * n + 1_000), 500_000, (1_000,)) for n, name in enumerate(AWAY, 1)),
    Element("nowhere", None, 0, (1_000,), pin=Pin(start=120_000, override=True)),
    Element("silent", Span(130_000, 131_000), 500_000, (1_000,), pin=Pin(selected=False)),
)
DELIVERIES = (
    *(Delivery(name, 0, 20_500 * n + by, 20_500 * n + 1_000 + by) for n, (name, by) in enumerate(AWAY.items(), 1)),
    Delivery("nowhere", 0, 120_000, 121_000),
)
PROBLEM = Problem("s", Span(0, 140_000), (Span(0, 140_000),), ELEMENTS)
# Five lines of 500 thousandths and 1 s each; the last has no action, and adds nothing. |away| is 10.001 s in all.
PLAN = Plan(Status.FEASIBLE, "exact", 2_500_000_000, 3_000_000_000, 2 * 10_001, deliveries=DELIVERIES)


def test_a_drift_is_the_delivery_s_middle_minus_the_action_s() -> None:
    assert drift(Span(3_000, 4_001), Span(1_000, 2_000)) == 7_001 - 3_000  # 2.0005 s late
    assert drift(Span(0, 1_000), Span(1_000, 2_000)) == -2_000
    assert drifts(PLAN, ELEMENTS) == {name: 2 * by for name, by in AWAY.items()}


def test_the_shares_are_of_the_lines_that_have_an_action() -> None:
    # Within 1 s are a and b, within 2 s c too, within 4 s d too; e never, and what has no action does not count.
    assert shares_near(drifts(PLAN, ELEMENTS).values()) == {1: 0.4, 2: 0.6, 4: 0.8}
    assert plan_json(PLAN, ELEMENTS)["near_event"] == {"1": 0.4, "2": 0.6, "4": 0.8}
    third = replace(PLAN, deliveries=DELIVERIES[:3])
    assert plan_json(third, ELEMENTS)["near_event"] == {"1": 0.6667, "2": 1.0, "4": 1.0}


def test_a_plan_without_such_lines_has_no_shares() -> None:
    only_the_override = replace(PLAN, deliveries=DELIVERIES[-1:])
    pool = replace(PLAN, deliveries=(Delivery("", 0, 0, 1_000, "Rain."),))
    for plan in (only_the_override, pool, Plan(Status.INFEASIBLE, "exact")):
        assert "near_event" not in plan_json(plan, ELEMENTS)
    assert "near_event" not in plan_json(PLAN)


@pytest.mark.parametrize(
    ("settings", "limits"),
    [
        (Settings(), (5_000, 5_000)),
        (Settings(delta_early=1_500, delta_late=4_000), (750, 2_000)),
        (Settings(delta_max=6_000, delta_late=4_000), (3_000, 2_000)),
        (Settings(delta_early=1_500, delta_late=4_000, near=Near(500, 2_500, 800_000)), (500, 2_500)),
    ],
)
def test_far_is_beyond_the_near_limits_or_half_of_what_is_allowed(settings: Settings, limits: tuple[int, int]) -> None:
    early, late = limits
    assert far_limits(settings) == limits
    assert [is_far(settings, by) for by in (-2 * early - 1, -2 * early, 0, 2 * late, 2 * late + 1)] == [
        True,
        False,
        False,
        False,
        True,
    ]


def faults(near: object) -> list[str]:
    plan: dict[str, Any] = {**plan_json(PLAN), "near_event": near}
    return [violation.kind for violation in verify(problem_json(PROBLEM), plan)]


def test_what_the_writer_says_is_verified() -> None:
    assert verify(problem_json(PROBLEM), plan_json(PLAN, ELEMENTS)) == []
    assert faults({"1": 0.4, "2": 0.6, "4": 0.8}) == []


@pytest.mark.parametrize(
    "near",
    [
        {"1": 0.4, "2": 0.6, "4": 0.9},
        {"1": 0.4, "2": 0.6},
        {"1": "all", "2": 0.6, "4": 0.8},
        [],
        None,
        {"1": 0.4001, "2": 0.6, "4": 0.8},
    ],
)
def test_wrong_shares_are_a_violation(near: object) -> None:
    assert faults(near) == ["near_event"]


def test_shares_of_no_plan_are_a_violation() -> None:
    plan: dict[str, Any] = {**plan_json(Plan(Status.TIMEOUT, "exact")), "near_event": {"1": 1, "2": 1, "4": 1}}
    assert [violation.kind for violation in verify(problem_json(PROBLEM), plan)] == ["near_event"]


def test_plans_are_read_with_and_without_shares() -> None:
    plan = plan_json(PLAN, ELEMENTS)
    assert "near_event" in read_plan(json.dumps(plan).encode(), "p.json")
    read_plan(json.dumps(plan_json(PLAN)).encode(), "p.json")
    for near in ({"1": 0.4, "2": 0.6}, {"1": 0.4, "2": 0.6, "4": 1.2}, {"1": 0, "2": 0, "4": 0, "8": 1}, 7, None):
        with pytest.raises(JsonError):
            read_plan(json.dumps({**plan, "near_event": near}).encode(), "p.json")


@pytest.mark.parametrize("backend", ["exact", "cpsat"])
def test_every_engine_s_plan_is_written_with_right_shares(backend: str) -> None:
    plan = solve(PROBLEM, backend, 10)
    written = plan_json(plan, PROBLEM.elements)
    # Nothing is in the way, so timing puts each line in the middle of its action.
    assert written["near_event"] == {"1": 1.0, "2": 1.0, "4": 1.0}
    assert verify(problem_json(PROBLEM), written) == []
