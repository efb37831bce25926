"""The paper's appendix A: objective 10.965, e1 in its first compression, e10, e11, e14, e15."""

from dataclasses import replace

import pytest

from adstudio.core.plan import Plan, Status
from adstudio.core.script import Pin
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.live.explain import Explanation, explain
from adstudio.planning.problem import Problem
from adstudio.planning.solve import solve
from adstudio.planning.verify import verify

STARTS_IN_THE_TABLE = {"e1": 0, "e10": 4000, "e11": 6100, "e14": 14_100, "e15": 16_200}


@pytest.mark.parametrize("backend", ["exact", "cpsat", pytest.param("gurobi", marks=pytest.mark.gurobi), "auto"])
def test_the_plan_is_the_papers(tailor: Problem, backend: str) -> None:
    if backend == "gurobi":
        pytest.importorskip("gurobipy")
    plan = solve(tailor, backend)
    assert plan.status is Status.OPTIMAL
    assert plan.objective == plan.bound == 10_965_000_000
    assert {d.element: d.variant for d in plan.deliveries} == {"e1": 1, "e10": 0, "e11": 0, "e14": 0, "e15": 0}
    for delivery in plan.deliveries:
        assert abs(delivery.start - STARTS_IN_THE_TABLE[delivery.element]) <= 100
    assert verify(problem_json(tailor), plan_json(plan)) == []


def test_timing_leaves_the_least_deviation(tailor: Problem) -> None:
    """e1 of 3.9 s is centred on 2.0 at 0.05; then e10 must start at 3.95, e11 at 6.1 to end with the gap at 10."""
    plan = solve(tailor)
    assert [(d.start, d.end) for d in plan.deliveries] == [
        (50, 3950),
        (3950, 6050),
        (6100, 10_000),
        (14_100, 16_200),
        (16_200, 18_000),
    ]
    # |2.0-2.0| + |5.0-5.0| + |8.05-9.0| + |15.15-17.5| + |17.1-17.5| = 3.7 s, in half-milliseconds
    assert plan.deviation == 7400


def test_why_the_slide_is_left_out(tailor: Problem) -> None:
    """By hand: e12 is 7 words, 2.1 s, worth 1.05, and comes after e11 and before e14.

    In the second gap of 4 s it leaves room for e15 (1.8 s) but not for e14 (2.1 s): 1.05 + 1.08 and not 1.47 + 1.08,
    0.42 less. In the first, e11 and e12 leave 4.0 s: e1 in 3.9 s and no e10 is 0.735 less. So e14 would go, for 0.42.
    """
    found = explain(tailor, solve, "e12")
    assert isinstance(found, Explanation)
    (reason,) = found.reasons
    assert not reason.spoken
    assert reason.loss == 420_000_000
    assert reason.displaces == ("e14",)


def test_what_is_lost_without_the_last_look(tailor: Problem) -> None:
    """By hand: without e15, e11 (3.51) moves into the second gap alone.

    The first then holds e1 in full (3.36), e8 (9 words, 1.08), e9 (3 words, 0.27) and e10 (1.785) in 9.9 s: 10.005 in
    all, 0.96 less, where keeping the rest as it was would lose the whole 1.08.
    """
    found = explain(tailor, solve, "e15")
    assert isinstance(found, Explanation)
    (reason,) = found.reasons
    assert reason.spoken
    assert reason.loss == 960_000_000


def test_an_unproven_problem_has_nothing_to_explain(tailor: Problem) -> None:
    impossible = tuple(replace(e, pin=Pin(selected=True)) for e in tailor.elements)
    assert isinstance(explain(replace(tailor, elements=impossible), solve), Plan)
