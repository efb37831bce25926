"""Fusions: one delivery in place of neighbouring elements. By hand, by brute force, and by the verifier."""

import importlib.util
import json
import os
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import brute_force, random_problem
from test_engines import require_irreducible, require_sound

from adstudio.core.json_reading import JsonError
from adstudio.core.plan import HoldConflict, Status
from adstudio.core.script import Pin, Rules
from adstudio.core.settings import Near
from adstudio.core.timebase import Span
from adstudio.planning.engines.baselines import solve_random
from adstudio.planning.engines.branch_and_bound import solve_by_branching
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.gurobi import solve_gurobi
from adstudio.planning.engines.llm_scheduler import material_for
from adstudio.planning.engines.llm_scheduler import plan_of as llm_plan
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import parse_problem, problem_json
from adstudio.planning.film.reason_messages import ReasonWriter
from adstudio.planning.live.explain import Explanation, explain
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, FusedElement, Problem
from adstudio.planning.solve import solve
from adstudio.planning.verify import verify

HAS_GUROBI = importlib.util.find_spec("gurobipy") is not None

SEEDS = int(os.environ.get("ADSTUDIO_PROBLEMS", "150"))


def fused_problem(seed: int, *, rules: bool = False) -> Problem:
    """Small problems with fusions; two of three with a cap, half with all that a house may ask."""
    return random_problem(
        700_000 + seed, elements=6, pins=0.15, rules=rules, share=seed % 3 > 0, house=seed % 2 == 0, fusions=True
    )


@pytest.mark.parametrize("block", range(10))
def test_engines_agree_with_brute_force(block: int) -> None:
    for seed in range(block * SEEDS // 10, (block + 1) * SEEDS // 10):
        problem = fused_problem(seed)
        expected = brute_force(problem)
        plan = solve_exact(problem)
        require_sound(problem, plan, expected)
        require_sound(problem, solve_cpsat(problem), expected)
        if HAS_GUROBI:
            require_sound(problem, solve_gurobi(problem), expected)
        if plan.conflict:
            require_irreducible(problem, plan.conflict)


@pytest.mark.parametrize("block", range(10))
def test_engines_agree_under_rules(block: int) -> None:
    for seed in range(block * SEEDS // 10, (block + 1) * SEEDS // 10):
        problem = fused_problem(50_000 + seed, rules=True)
        expected = brute_force(problem)
        plan = solve(problem)
        require_sound(problem, plan, expected)
        require_sound(problem, replace(solve_by_branching(problem), conflict=plan.conflict), expected)
        require_sound(problem, solve_cpsat(problem), expected)
        if HAS_GUROBI:
            require_sound(problem, solve_gurobi(problem), expected)
        if plan.conflict:
            require_irreducible(problem, plan.conflict)


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_any_fusions_any_pins_any_house(data: st.DataObject) -> None:
    """Engines, brute force and verifier agree on what hypothesis draws, down to single milliseconds."""
    problem = data.draw(problems())
    expected = brute_force(problem)
    plan = solve(problem)
    require_sound(problem, plan, expected)
    require_sound(problem, solve_cpsat(problem), expected)
    if problem.plain:
        require_sound(problem, solve_exact(problem), expected)
    written = problem_json(problem)
    assert problem_json(parse_problem(json.dumps(written).encode(), "p")) == written


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    times = st.integers(0, 12_000)
    count = draw(st.integers(2, 4))
    elements: list[Element] = []
    at = 0
    for number in range(count):
        at += draw(st.integers(0, 3_000))
        lengths = tuple(sorted(draw(st.lists(st.integers(1, 4_000), min_size=1, max_size=2)), reverse=True))
        pin = draw(
            st.sampled_from((Pin(), Pin(), Pin(), Pin(selected=True), Pin(selected=False), Pin(variant=0)))
            | st.builds(lambda start: Pin(start=start), times)
            | st.builds(lambda start: Pin(start=start, override=True), times)
        )
        within = draw(st.none() | st.builds(lambda a, b: Span(a, a + b), times, times))
        span = Span(at, at + draw(st.integers(0, 3_000)))
        elements.append(Element(f"e{number}", span, draw(st.integers(-50_000, 900_000)), lengths, within, pin))
    fusions: list[FusedElement] = []
    for number in range(draw(st.integers(1, 3))):
        first = draw(st.integers(0, count - 2))
        of = tuple(element.id for element in elements[first : first + draw(st.integers(2, 3))])
        start = draw(times)
        lengths = tuple(draw(st.lists(st.integers(1, 6_000), min_size=1, max_size=2)))
        span = Span(start, start + draw(st.integers(0, 5_000)))
        fusions.append(FusedElement(f"f{number}", of, span, draw(st.integers(-50_000, 2_000_000)), lengths))
    gaps: list[Span] = []
    at = 0
    for _ in range(draw(st.integers(1, 4))):
        start = at + draw(st.integers(1, 2_000))
        at = start + draw(st.integers(1, 6_000))
        gaps.append(Span(start, at))
    tied = (Rules(alternatives=(("e0", "e1"),)), Rules(requires=(("e0", "e1"),)))
    rules = draw(st.sampled_from((Rules(), Rules(), *tied)))
    return Problem(
        "s",
        Span(0, 40_000),
        tuple(gaps),
        tuple(elements),
        delta_max=draw(st.sampled_from((1_000, 5_000, 20_000))),
        min_pause=draw(st.sampled_from((0, 1, 333))),
        max_share=draw(st.sampled_from((NO_SHARE_LIMIT, 850_000, 500_001))),
        rules=rules,
        near=draw(st.sampled_from((None, Near(300, 700, 500_000)))),
        reach=draw(st.sampled_from((None, 0, 1))),
        fusions=tuple(fusions),
    )


BREATH: dict[str, Any] = {
    "format": "adstudio-problem/1",
    "scene": {"id": "s", "start": 0, "end": 10},
    "gaps": [[0, 4], [6, 10]],
    "delta_max": 10,
    "elements": [
        {"id": name, "occurrence": [at, at + 1], "salience": 0.5, "variants": [{"rate": 1, "text": "", "duration": 2}]}
        for at, name in enumerate("abcd")
    ],
    "fusions": [
        {
            "id": "ab",
            "of": ["a", "b"],
            "occurrence": [0, 2],
            "salience": 0.6,
            "variants": [{"rate": 1, "text": "A and b.", "duration": 3}, {"rate": 0.7, "text": "Ab.", "duration": 2}],
        }
    ],
}


TIGHT = {**BREATH, "gaps": [[0, 3], [6, 10]]}


def with_keys(**keys: Any) -> dict[str, Any]:
    """The problem with other keys of its fusion."""
    return {**BREATH, "fusions": [{**BREATH["fusions"][0], **keys}]}


def with_element(place: int, **keys: Any) -> dict[str, Any]:
    elements = [{**each, **(keys if at == place else {})} for at, each in enumerate(BREATH["elements"])]
    return {**BREATH, "elements": elements}


def test_a_file_is_read_and_written_with_its_fusions() -> None:
    problem = parse_problem(json.dumps(BREATH).encode(), "p")
    assert problem.fusions == (
        FusedElement(
            "ab", ("a", "b"), Span(0, 2000), 600_000, (3000, 2000), texts=("A and b.", "Ab."), rates=(1.0, 0.7)
        ),
    )
    written = problem_json(problem)
    assert written["fusions"] == BREATH["fusions"]
    assert parse_problem(json.dumps(written).encode(), "p") == problem
    bounded = parse_problem(json.dumps(with_keys(within=[1, 9])).encode(), "p")
    assert bounded.fusions[0].within == Span(1000, 9000)
    assert parse_problem(json.dumps(problem_json(bounded)).encode(), "p") == bounded


@pytest.mark.parametrize(
    ("keys", "what"),
    [
        ({"id": "c"}, "duplicate id “c”"),
        ({"of": ["a", "c"]}, "neighbouring items, in their order"),
        ({"of": ["b", "a"]}, "neighbouring items, in their order"),
        ({"of": ["d", "a"]}, "neighbouring items, in their order"),
        ({"of": ["a", "a"]}, "named twice"),
        ({"of": ["a"]}, "2 to 3 are allowed"),
        ({"of": ["a", "b", "c", "d"]}, "2 to 3 are allowed"),
        ({"of": ["a", "x"]}, "there is no item “x”"),
        ({"occurrence": None}, "occurrence"),
        ({"salience": None}, "salience"),
        ({"variants": []}, "1 to 100 are allowed"),
        ({"pin": {"selected": True}}, "unknown key “pin”"),
        ({"id": ""}, "id"),
    ],
)
def test_what_is_no_fusion_is_refused(keys: dict[str, Any], what: str) -> None:
    with pytest.raises(JsonError, match=re.escape(what)):
        parse_problem(json.dumps(with_keys(**keys)).encode(), "p")


def test_two_fusions_of_one_id_are_refused() -> None:
    twice = {**BREATH, "fusions": BREATH["fusions"] * 2}
    with pytest.raises(JsonError, match="duplicate id “ab”"):
        parse_problem(json.dumps(twice).encode(), "p")


def plan_of(*lines: tuple[str, int, float, float]) -> dict[str, Any]:
    """A plan, its sums left out."""
    deliveries = [{"element": name, "variant": k, "start": a, "end": b} for name, k, a, b in lines]
    return {"format": "adstudio-plan/1", "status": "feasible", "deliveries": deliveries}


@pytest.mark.parametrize(
    ("problem", "plan", "kinds"),
    [
        (BREATH, plan_of(("ab", 0, 0, 3), ("c", 0, 6, 8)), set()),
        (BREATH, plan_of(("ab", 0, 0, 3), ("b", 0, 6, 8)), {"fusion"}),
        (BREATH, plan_of(("a", 0, 0, 2), ("ab", 1, 2, 4)), {"fusion"}),
        (BREATH, plan_of(("c", 0, 0, 2), ("ab", 1, 2, 4)), {"order"}),
        (BREATH, plan_of(("ab", 2, 0, 3)), {"variant"}),
        (BREATH, plan_of(("ab", 1, 0, 3)), {"duration"}),
        (BREATH, plan_of(("ab", 0, 2, 5)), {"gap"}),
        ({**BREATH, "delta_max": 1}, plan_of(("ab", 0, 6, 9)), {"window"}),
        ({**BREATH, "reach": 0}, plan_of(("ab", 0, 6, 9)), {"reach"}),
        ({**BREATH, "max_share": 0.5}, plan_of(("ab", 0, 0, 3)), {"share"}),
        ({**BREATH, "min_pause": 1}, plan_of(("ab", 1, 0, 2), ("c", 0, 2, 4)), {"pause"}),
        (with_element(1, within=[0, 2]), plan_of(("ab", 0, 0, 3)), {"within"}),
        (with_element(1, pin={"selected": False}), plan_of(("ab", 0, 0, 3)), {"pin"}),
        (with_element(1, pin={"variant": 0}), plan_of(("ab", 0, 0, 3)), {"fusion"}),
        (with_element(1, pin={"start": 0}), plan_of(("ab", 0, 0, 3)), {"fusion"}),
        (with_element(1, pin={"selected": True}), plan_of(("ab", 0, 0, 3)), set()),
        ({**BREATH, "rules": {"alternatives": [["a", "b"]]}}, plan_of(("ab", 0, 0, 3)), {"alternatives"}),
        ({**BREATH, "rules": {"requires": [["b", "c"]]}}, plan_of(("ab", 0, 0, 3)), {"requires"}),
        ({**BREATH, "rules": {"together": [["b", "c"]]}}, plan_of(("ab", 0, 0, 3)), {"together"}),
    ],
)
def test_the_verifier_tells_each_fault_of_a_fusion(problem: Any, plan: Any, kinds: set[str]) -> None:
    parse_problem(json.dumps(problem).encode(), "p")
    found = {each.kind for each in verify(problem, plan)}
    assert found - {"objective", "deviation", "bound"} == kinds


def test_a_model_is_told_of_fusions_and_may_choose_them() -> None:
    """By hand: in 3 s and 4 s `ab` at 0.6 gains 1.8, `c` and `d` at 0.5 gain 1.0 each; only three fit by themselves."""
    problem = parse_problem(json.dumps(TIGHT).encode(), "p")
    best = solve(problem)
    assert best.objective == 3_800_000_000
    material = material_for(problem)
    ids = [row["id"] for row in material.candidates]
    assert ids == ["e01v0", "e02v0", "f01v0", "f01v1", "e03v0", "e04v0"]
    assert any(each.startswith("f01 says e01, e02 in one") for each in material.conditions)
    rows = [("f01v0", 0), ("e03v0", 6000), ("e04v0", 8000)]
    answer = json.dumps({"deliveries": [{"id": name, "start": start} for name, start in rows]})
    plan = llm_plan(problem, answer, best)
    assert plan is not None
    assert (plan.status, plan.objective, plan.violations) == (Status.OPTIMAL, 3_800_000_000, ())
    assert [(d.element, d.members) for d in plan.deliveries] == [("ab", ("a", "b")), ("c", ()), ("d", ())]
    both = json.dumps({"deliveries": [{"id": "f01v1", "start": 0}, {"id": "e02v0", "start": 2000}]})
    broken = llm_plan(problem, both, best)
    assert broken is not None
    assert broken.status is Status.INVALID
    assert "fusion" in {each.kind for each in broken.violations}


def test_random_lines_are_of_no_fusion() -> None:
    problem = parse_problem(json.dumps(BREATH).encode(), "p")
    plan = solve_random(problem, ["One two three."], seed=1)
    assert plan.deliveries == solve_random(replace(problem, fusions=()), ["One two three."], seed=1).deliveries
    assert verify(problem_json(problem), plan_json(plan)) == []


def test_locked_lines_that_fit_only_in_one_breath_are_no_conflict() -> None:
    """By hand: there are 3 s. `a` and `b`, locked in, take 4 s by themselves and 3 s in one."""
    pinned = [{**each, "pin": {"selected": True}} for each in BREATH["elements"][:2]]
    problem = parse_problem(json.dumps({**BREATH, "gaps": [[0, 3]], "elements": pinned}).encode(), "p")
    for engine in (solve_exact, solve_cpsat, solve):
        assert [d.element for d in engine(problem).deliveries] == ["ab"]
        apart = engine(replace(problem, fusions=()))
        assert {cause.element for cause in apart.conflict if isinstance(cause, HoldConflict)} == {"a", "b"}


def test_every_fusion_has_a_reason_in_words() -> None:
    problem = parse_problem(json.dumps(with_element(1, pin={"variant": 0})).encode(), "p")
    found = explain(problem, solve)
    assert isinstance(found, Explanation)
    words = ReasonWriter(problem, found.plan, str, str)
    kept_out = found.reasons[-1]
    assert (kept_out.element, kept_out.spoken, kept_out.loss) == ("ab", False, None)
    assert words.why(kept_out) == "Locks of its items keep it out."
    free = parse_problem(json.dumps(TIGHT).encode(), "p")
    told = explain(free, solve, only="ab")
    assert isinstance(told, Explanation)
    assert [(each.element, each.spoken) for each in told.reasons] == [("ab", True)]
    assert "“A and b”" not in ReasonWriter(free, told.plan, str, str).why(told.reasons[0])
