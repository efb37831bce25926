"""A model's plan: what it is told, the form it is bound to, and its answer read, verified and its faults counted."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import random_problem

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Status
from adstudio.core.script import Penalty, Pin, Rules
from adstudio.core.settings import Near
from adstudio.core.timebase import Span
from adstudio.planning.engines.llm_scheduler import (
    answer_schema,
    comparison_text,
    material_for,
    plan_of,
    violation_counts,
)
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.problem import Element, Problem
from adstudio.planning.solve import solve
from adstudio.planning.verify import verify

EXEMPT = "; it counts in full, and not towards what is spoken of a gap."


def three(**changes) -> Problem:
    """The scene is 100 to 130 s. Gaps 100–110 and 120–124; a, b, c are seen about 102, 106 and 122 s.

    Best: all three in full, worth 0.5 × 2 + 0.6 × 2 + 0.7 × 1 = 2.9.
    """
    elements = (
        Element("a", Span(101_000, 103_000), 500_000, (2000, 1000), texts=("Ann opens a door.", "A door.")),
        Element("b", Span(105_000, 107_000), 600_000, (2000,), texts=("Ben sits.",)),
        Element("c", Span(121_000, 123_000), 700_000, (1000,), texts=("It rains.",)),
        Element("d", None, 0, (1000,), texts=("Nobody sees this.",)),
    )
    problem = Problem(
        "s", Span(100_000, 130_000), (Span(100_000, 110_000), Span(120_000, 124_000)), elements, min_pause=500
    )
    return replace(problem, **changes)


def answered(*rows, problem=None):
    """The plan of an answer; a row is a candidate and a start, or whatever is given."""
    problem = problem or three()
    said = [{"id": row[0], "start": row[1]} if isinstance(row, tuple) else row for row in rows]
    return plan_of(problem, json.dumps({"deliveries": said}), solve(problem))


def kinds(plan):
    return dict(Counter(violation.kind for violation in plan.violations))


def test_the_material_is_the_papers_in_whole_milliseconds_from_the_scenes_start():
    material = material_for(three())
    assert material.origin == 100_000
    assert [row["id"] for row in material.candidates] == ["e01v0", "e01v1", "e02v0", "e03v0"]  # d cannot be said
    assert material.candidates[1] == {
        "id": "e01v1",
        "description": "A door.",
        "occurrence_start": 1_000,
        "occurrence_end": 3_000,
        "salience": 0.5,
        "duration": 1_000,
    }
    assert material.gaps == ({"start": 0, "end": 10_000}, {"start": 20_000, "end": 24_000})
    assert material.conditions == (
        "The middle of a delivery lies at most 10000 from the middle of its occurrence.",
        "At least 500 lies between the end of a delivery and the start of the next.",
    )


def test_pins_and_rules_are_in_the_material():
    problem = three(
        max_share=800_000,
        rules=Rules(
            alternatives=(("a", "b"),),
            requires=(("b", "a"),),
            together=(("a", "c"),),
            penalties=(Penalty("a", "c", 500_000),),
        ),
    )
    a, b, c, d = problem.elements
    pinned = (
        replace(a, pin=Pin(selected=True, variant=1)),
        replace(b, pin=Pin(selected=False), within=Span(104_000, 108_000)),
        replace(c, pin=Pin(start=121_000)),
        replace(d, pin=Pin(start=99_000, override=True)),
    )
    material = material_for(replace(problem, elements=pinned))
    assert material.origin == 99_000  # the first time at which anything may be said
    assert material.conditions[2:] == (
        "At most 80 per cent of each gap is spoken in.",
        "e01 is spoken.",
        "e01 is worded as e01v1, if it is spoken.",
        "e02 is spoken between 5000 and 9000, if at all.",
        "e02 is not spoken.",
        "e03 is spoken, and starts at 22000.",
        "e04 is spoken, and starts at 0, whatever gaps and occurrences say" + EXEMPT,
        "At most one of e01, e02 is spoken.",
        "e02 is spoken only if e01 is spoken too.",
        "Of e01, e03 either all are spoken or none.",
        "If both e01 and e03 are spoken, 500 is taken off the worth.",
    )
    assert material.candidates[-1]["occurrence_start"] is None


def test_the_house_rules_are_in_the_material_in_words():
    near = Near(early=500, late=2_000, far_gain=800_000)
    house = three(min_pause=0, max_share=850_000, delta_early=1_500, delta_late=4_000, near=near, reach=1)
    distance, tiers, reach, share = material_for(house).conditions
    assert distance == "The middle of a delivery lies at most 1500 before and 4000 after the middle of its occurrence."
    assert tiers.startswith("A delivery whose middle lies more than 500 before or 2000 after the middle of its occur")
    assert tiers.endswith("counts 80 per cent of its worth, if its salience is above 0.")
    assert reach.startswith("A delivery lies at most 1 gap away from a gap that its occurrence overlaps; where it over")
    assert reach.endswith("laps none, from the last one before it or the first one after it.")
    assert share == "At most 85 per cent of each gap is spoken in."
    distance, reach = material_for(three(min_pause=0, reach=0, delta_late=10_000)).conditions
    assert distance == "The middle of a delivery lies at most 10000 from the middle of its occurrence."
    assert reach.startswith(
        "A delivery lies in a gap that its occurrence overlaps; where it overlaps none, in the last"
    )
    assert "at most 2 gaps away" in material_for(three(reach=2)).conditions[1]


def test_a_plan_is_scored_and_checked_by_the_houses_rules():
    """By hand: 0.8 of 0.5 · 2 s for `a`, 1.5 s late; `b` in full. `c`, 14 s early, is out of reach and beyond early."""
    near = Near(early=0, late=1_000, far_gain=800_000)
    house = three(near=near, delta_early=10_000, reach=0)
    plan = answered(("e01v0", 2_500), ("e02v0", 5_000), problem=house)
    assert (plan.status, plan.objective, plan.violations) == (Status.FEASIBLE, 2_000_000_000, ())
    plan = answered(("e01v0", 1_000), ("e02v0", 5_000), ("e03v0", 7_500), problem=house)
    assert kinds(plan) == {"window": 1, "reach": 1}
    # An override counts in full, however far it is: 0.6 · 2 s.
    a, b, c, d = house.elements
    freed = replace(house, elements=(a, replace(b, pin=Pin(start=115_000, override=True)), c, d))
    plan = answered(("e02v0", 15_000), problem=freed)
    assert (plan.objective, plan.violations) == (1_200_000_000, ())


def test_the_form_pins_ids_and_bounds_starts():
    problem = three()
    listed = answer_schema(problem, material_for(problem))["properties"]["deliveries"]
    assert listed["maxItems"] == 4
    assert listed["items"]["properties"] == {
        "id": {"type": "string", "enum": ["e01v0", "e01v1", "e02v0", "e03v0"]},
        "start": {"type": "integer", "minimum": 0, "maximum": 24_000},
    }


def test_as_good_as_the_best_is_optimal():
    plan = answered(("e03v0", 21_500), ("e01v0", 1_000), ("e02v0", 5_000))
    assert (plan.status, plan.violations) == (Status.OPTIMAL, ())
    assert plan.objective == plan.bound == 2_900_000_000
    assert [(each.element, each.variant, each.start, each.end) for each in plan.deliveries] == [
        ("a", 0, 101_000, 103_000),
        ("b", 0, 105_000, 107_000),
        ("c", 0, 121_500, 122_500),
    ]
    assert plan.deviation == 0
    assert comparison_text(plan, solve(three())) == "it scores 2.900, as much as the proven optimum"


def test_a_sound_plan_below_the_best_is_feasible_and_says_how_far_it_is():
    plan = answered(("e01v1", 1_000), ("e03v0", 21_000))
    # 0.5 × 1 + 0.7 × 1; the middles are 0.5 s away each, told in half-milliseconds.
    assert (plan.status, plan.objective, plan.bound, plan.deviation) == (
        Status.FEASIBLE,
        1_200_000_000,
        2_900_000_000,
        2_000,
    )
    # 1.7 of 2.9 are missing.
    assert comparison_text(plan, solve(three())) == "it scores 1.200, and the proven optimum 2.900, 58.6 % less"


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([("e01v0", 1_000), ("e02v0", 2_500)], {"overlap": 1}),
        ([("e01v0", 1_000), ("e02v0", 3_200)], {"pause": 1}),
        ([("e01v0", 1_000), ("e01v1", 6_000)], {"twice": 1}),
        ([("e01v0", 1_000), ("e01v0", 1_000)], {"twice": 1}),
        ([("e02v0", 9_000)], {"gap": 1}),
        ([("e03v0", 23_500)], {"gap": 1}),
        ([("e02v0", 1_000), ("e01v0", 5_000)], {"order": 1}),
        ([("e01v0", 20_000)], {"window": 1}),
        ([("e03v0", 5_000)], {"window": 1}),
        ([("e09v0", 1_000)], {"unknown": 1}),
        ([("e01v7", 1_000)], {"unknown": 1}),
        ([("a", 1_000)], {"unknown": 1}),
        ([{"start": 3}], {"unknown": 1}),
        ([("e04v0", 1_000)], {"occurrence": 1}),
        ([("e01v0", "1000")], {"format": 1}),
        ([("e01v0", 1_000.5)], {"format": 1}),
        ([("e01v0", True)], {"format": 1}),
        ([("e01v0", None), 7], {"format": 2}),
        ([("e01v0", -200_000)], {"gap": 1}),
        ([("e01v0", 10**11)], {"gap": 1}),
        # All at once: b before a against the order, overlapping it, a in two wordings, c too far, and one of nothing.
        (
            [("e02v0", 1_000), ("e01v0", 2_000), ("e01v1", 6_000), ("e03v0", 4_000), ("e99v0", 0)],
            {"twice": 1, "unknown": 1, "order": 1, "overlap": 1, "pause": 1, "window": 1},
        ),
    ],
)
def test_faults_are_counted_by_their_kind(rows, found):
    plan = answered(*rows)
    assert plan.status is Status.INVALID
    assert kinds(plan) == found
    assert all(violation.what for violation in plan.violations)


def test_faults_in_words():
    plan = answered(("e01v0", 1_000), ("e01v1", 6_000), ("e01v0", 7_000), ("e09v0", 0))
    assert violation_counts(plan) == "2 twice, 1 unknown"
    assert plan.violations[0].what == "a is chosen more than once (in wording 0 and in wording 1) but counts once"
    assert len(plan.deliveries) == 1


def test_pins_and_rules_are_verified():
    a, b, c, d = three().elements
    held = three(
        elements=(replace(a, pin=Pin(variant=1)), replace(b, pin=Pin(selected=True)), c, d),
        rules=Rules(requires=(("c", "b"),)),
    )
    assert kinds(answered(("e01v0", 1_000), ("e03v0", 21_000), problem=held)) == {"pin": 2, "requires": 1}


def test_an_invalid_plan_that_is_written_is_verified_with_the_same_faults():
    plan = answered(("e01v0", 1_000), ("e02v0", 2_500), ("e03v0", 23_500))
    again = verify(problem_json(three()), plan_json(plan))
    assert Counter(each.kind for each in again) == {"overlap": 1, "gap": 1}
    assert tuple(again) == plan.violations


@pytest.mark.parametrize(
    "answer",
    [
        '```json\n{"deliveries": [{"id": "e02v0", "start": 5000}]}\n```',
        'The best is [1] clear. {"deliveries": [{"id": "e02v0", "start": 5000}]} Done.',
        '[{"id": "e02v0", "start": 5000.0}]',
        '{"plan": [{"id": "e02v0", "start": 5000, "why": "he sits"}]}',
        '{{"deliveries": [{"id": "e02v0", "start": 5000}]}',
    ],
)
def test_whatever_stands_around_the_list(answer):
    plan = plan_of(three(), answer, solve(three()))
    assert plan is not None
    assert [(each.element, each.start) for each in plan.deliveries] == [("b", 105_000)]
    assert plan.status is Status.FEASIBLE


@pytest.mark.parametrize(
    "answer",
    ["", "no", '{"deliveries": [{"id": "e02v0", "start": 50', "[" * 100_000, '{"a": ' * 5_000, "[1, 2]", '{"x": 1}'],
)
def test_what_holds_no_whole_list_is_no_plan(answer):
    assert plan_of(three(), answer, solve(three())) is None


def test_an_empty_list_is_a_plan():
    plan = plan_of(three(), '{"deliveries": []}', solve(three()))
    assert plan is not None
    assert (plan.status, plan.objective, plan.deliveries) == (Status.FEASIBLE, 0, ())


def test_digits_without_end_are_no_start():
    plan = plan_of(three(), '[{"id": "e01v0", "start": ' + "9" * 5_000 + "}]", solve(three()))
    assert plan is not None
    assert kinds(plan) == {"format": 1}


def test_too_much_for_a_model_is_said():
    elements = tuple(Element(f"x{n}", Span(0, 1000), 1, (1000,) * 5) for n in range(401))
    with pytest.raises(BadInputError, match="more than 2,000 wordings"):
        material_for(three(elements=elements))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["id", "start", "deliveries", "x"]), inner, max_size=4)
    ),
    max_leaves=20,
)
IDS = st.sampled_from(["e01v0", "e01v1", "e02v0", "e03v0", "e04v0", "e05v0", ""])
ROWS = st.lists(st.fixed_dictionaries({"id": IDS | JSON, "start": st.integers(-(10**13), 10**13) | JSON}), max_size=12)


@settings(deadline=None)
@given(st.text(max_size=200) | JSON.map(json.dumps) | ROWS.map(json.dumps))
def test_any_answer_is_a_plan_or_none(answer):
    problem = three()
    plan = plan_of(problem, answer, BEST)
    if plan is None:
        return
    assert (plan.status is Status.INVALID) is bool(plan.violations)
    if plan.status is not Status.INVALID:
        assert not verify(problem_json(problem), plan_json(plan))
        assert (plan.objective or 0) <= 2_900_000_000
    json.dumps(plan_json(plan))


BEST = solve(three())


@pytest.mark.parametrize("seed", range(60))
def test_the_solvers_own_plan_given_as_an_answer_is_sound(seed):
    problem = random_problem(seed, rules=seed % 3 == 0, share=seed % 4 == 0)
    best = solve(problem)
    if best.status is not Status.OPTIMAL:
        return
    material = material_for(problem)
    rows = [
        {
            "id": f"e{problem.index[each.element] + 1:02d}v{each.variant}",
            "start": each.start - material.origin,
        }
        for each in best.deliveries
    ]
    known = {row["id"] for row in material.candidates}
    assert {row["id"] for row in rows} <= known
    if material.choice and rows:
        bounds = answer_schema(problem, material)["properties"]["deliveries"]["items"]["properties"]["start"]
        assert all(bounds["minimum"] <= row["start"] <= bounds["maximum"] for row in rows)
    plan = plan_of(problem, json.dumps(rows), best)
    assert plan is not None
    assert (plan.status, plan.objective, plan.deliveries) == (Status.OPTIMAL, best.objective, best.deliveries)
