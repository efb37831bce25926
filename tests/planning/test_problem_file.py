"""`adstudio-problem/1` is read strictly: every fault is named with its place, and nothing is bent into shape."""

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import random_problem, some_joined

from adstudio.core.errors import BadInputError
from adstudio.core.settings import Near
from adstudio.core.timebase import Span
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.files.problem_file import parse_problem, problem_json
from adstudio.planning.problem import Problem

Json = dict[str, Any]

WHOLE: Json = {
    "format": "adstudio-problem/1",
    "scene": {"id": "s12", "start": 0.0, "end": 57.4},
    "gaps": [[0.0, 10.0], [14.0, 18.0]],
    "delta_max": 10.0,
    "min_pause": 0.0,
    "max_share": 0.85,
    "delta_early": 1.5,
    "delta_late": 4.0,
    "near": {"early": 0.5, "late": 2.0, "far_gain": 0.8},
    "reach": 1,
    "elements": [
        {
            "id": "e1",
            "occurrence": [0.0, 4.0],
            "salience": 0.8,
            "variants": [{"rate": 1.0, "text": "…", "duration": 4.2}, {"rate": 0.5, "text": "…", "duration": 2.1}],
            "within": [0.0, 18.0],
            "pin": {"selected": True, "variant": 0, "start": 1.5, "override": False},
        },
        {"id": "e2", "occurrence": None, "salience": None, "variants": [{"rate": 1, "text": "x", "duration": 1}]},
        {"id": "e3", "occurrence": [3, 3], "salience": -2, "variants": [{"rate": 1, "text": "x", "duration": 1}]},
    ],
    "rules": {
        "alternatives": [["e1", "e2"]],
        "requires": [["e3", "e1"]],
        "together": [["e2", "e3"]],
        "penalties": [["e1", "e3", 0.5]],
    },
    "previous": [{"element": "e1", "variant": 0}, {"element": "gone", "variant": 7}],
}


def parse(value: object) -> Problem:
    return parse_problem(json.dumps(value).encode(), "p.json")


def changed(edit: Callable[[Json], None]) -> Json:
    value = copy.deepcopy(WHOLE)
    edit(value)
    return value


def test_the_formats_own_example_is_read() -> None:
    problem = parse(WHOLE)
    assert problem.gaps == (Span(0, 10_000), Span(14_000, 18_000))
    assert (problem.max_share, problem.delta_early, problem.delta_late, problem.reach) == (850_000, 1500, 4000, 1)
    assert problem.near == Near(early=500, late=2000, far_gain=800_000)
    first, second, third = problem.elements
    assert (first.salience, first.durations, first.within) == (800_000, (4200, 2100), Span(0, 18_000))
    assert (first.pin.selected, first.pin.variant, first.pin.start, first.pin.override) == (True, 0, 1500, False)
    assert second.occurrence is None
    assert third.salience == -2_000_000
    assert problem.rules.penalties[0].cost == 500_000
    assert problem.previous_variants == {"e1": 0}


def test_optional_keys_may_be_left_out() -> None:
    bare = {key: WHOLE[key] for key in ("format", "scene", "gaps", "delta_max")} | {"elements": WHOLE["elements"][1:]}
    problem = parse(bare)
    assert (problem.min_pause, problem.max_share, bool(problem.rules), problem.previous) == (0, 1_000_000, False, ())
    assert (problem.delta_early, problem.delta_late, problem.near, problem.reach) == (None, None, None, None)
    written = problem_json(problem)
    assert not written.keys() & {"max_share", "delta_early", "delta_late", "near", "reach"}


def test_touching_gaps_are_joined() -> None:
    assert parse(changed(lambda p: p.update(gaps=[[0, 4], [4, 5], [6, 7]]))).gaps == (Span(0, 5000), Span(6000, 7000))


def test_salience_is_rounded_to_a_millionth() -> None:
    def edit(problem: Json) -> None:
        problem["elements"][0]["salience"] = 0.12345649

    assert parse(changed(edit)).elements[0].salience == 123_456


def set_at(*path: str | int, value: object) -> Callable[[Json], None]:
    def edit(problem: Any) -> None:
        for key in path[:-1]:
            problem = problem[key]
        problem[path[-1]] = value

    return edit


FAULTS: list[tuple[str, Callable[[Json], None], str]] = [
    ("another format", set_at("format", value="adstudio-problem/2"), "format"),
    ("unknown key", set_at("colour", value=1), "colour"),
    ("unknown scene key", set_at("scene", "colour", value=1), "colour"),
    ("unknown element key", set_at("elements", 0, "colour", value=1), "elements[0]"),
    ("unknown variant key", set_at("elements", 0, "variants", 1, "x", value=1), "variants[1]"),
    ("unknown pin key", set_at("elements", 0, "pin", "held", value=True), "pin"),
    ("unknown rules key", set_at("rules", "never", value=[]), "never"),
    ("scene without length", set_at("scene", "end", value=0), "scene"),
    ("gaps out of order", set_at("gaps", value=[[5, 6], [1, 2]]), "gaps[1]"),
    ("gaps overlap", set_at("gaps", value=[[1, 3], [2, 4]]), "gaps[1]"),
    ("gap reversed", set_at("gaps", value=[[3, 1]]), "gaps[0]"),
    ("gap negative", set_at("gaps", value=[[-1, 1]]), "gaps[0][0]"),
    ("gap of three", set_at("gaps", value=[[0, 1, 2]]), "gaps[0]"),
    ("fourth decimal in a gap", set_at("gaps", value=[[0.0001, 1]]), "three decimals"),
    ("fourth decimal in a start", set_at("elements", 0, "pin", "start", value=1.50001), "three decimals"),
    ("fourth decimal in a duration", set_at("elements", 0, "variants", 0, "duration", value=1.0001), "duration"),
    ("fourth decimal in a pause", set_at("min_pause", value=0.0001), "min_pause"),
    ("negative duration", set_at("elements", 0, "variants", 0, "duration", value=-1), "duration"),
    ("absurd duration", set_at("elements", 0, "variants", 0, "duration", value=1e9), "duration"),
    ("negative window", set_at("delta_max", value=-1), "delta_max"),
    ("absurd window", set_at("delta_max", value=1e30), "delta_max"),
    ("share above one", set_at("max_share", value=1.1), "max_share"),
    ("share below nothing", set_at("max_share", value=-0.1), "max_share"),
    ("share of nothing", set_at("max_share", value=0), "max_share: must be above 0"),
    ("share that rounds to nothing", set_at("max_share", value=4e-7), "max_share: must be above 0"),
    ("negative early", set_at("delta_early", value=-0.5), "delta_early"),
    ("fourth decimal in early", set_at("delta_early", value=1.5001), "delta_early"),
    ("null for late", set_at("delta_late", value=None), "delta_late"),
    ("absurd late", set_at("delta_late", value=1e30), "delta_late"),
    ("no place", lambda p: (p.pop("near"), p.update(delta_early=0, delta_late=0)), "delta_early: a line has no place"),
    (
        "no place on the side without a limit",
        lambda p: (p.pop("near"), p.pop("delta_early"), p.update(delta_max=0, delta_late=0)),
        "p.json: a line has no place",
    ),
    ("near not an object", set_at("near", value=0.5), "near"),
    ("near without its gain", set_at("near", value={"early": 0.5, "late": 2}), "far_gain"),
    ("unknown near key", set_at("near", "gain", value=1), "near: unknown key “gain”"),
    ("negative near", set_at("near", "early", value=-0.1), "near.early"),
    ("fourth decimal in near", set_at("near", "late", value=1.0001), "near.late"),
    ("near wider than early", set_at("near", "early", value=1.501), "near: early is wider than delta_early"),
    ("near wider than late", set_at("near", "late", value=4.001), "near: late is wider than delta_late"),
    (
        "near wider than the window",
        lambda p: (p.pop("delta_late"), p["near"].update(late=10.001)),
        "near: late is wider than delta_late",
    ),
    ("far worth nothing", set_at("near", "far_gain", value=0), "near: far_gain must be above 0"),
    ("far worth less than nothing", set_at("near", "far_gain", value=-0.5), "near.far_gain"),
    ("far worth more than near", set_at("near", "far_gain", value=1.000001), "near.far_gain"),
    ("negative reach", set_at("reach", value=-1), "reach"),
    ("half a reach", set_at("reach", value=0.5), "reach"),
    ("truth for reach", set_at("reach", value=True), "reach"),
    ("reach without gaps", set_at("gaps", value=[]), "reach: there are no gaps"),
    ("salience beyond", set_at("elements", 0, "salience", value=10_001), "salience"),
    ("salience beyond below", set_at("elements", 0, "salience", value=-1e300), "salience"),
    ("null salience", set_at("elements", 0, "salience", value=None), "salience"),
    ("text for salience", set_at("elements", 0, "salience", value="0.8"), "salience"),
    ("truth for salience", set_at("elements", 0, "salience", value=True), "salience"),
    ("occurrence reversed", set_at("elements", 0, "occurrence", value=[4, 3]), "occurrence"),
    ("no variants", set_at("elements", 0, "variants", value=[]), "variants"),
    ("variants not a list", set_at("elements", 0, "variants", value={}), "variants"),
    ("duplicate id", set_at("elements", 1, "id", value="e1"), "e1"),
    ("empty id", set_at("elements", 0, "id", value=" "), "id"),
    ("number for id", set_at("elements", 0, "id", value=3), "id"),
    ("out, yet given a start", set_at("elements", 0, "pin", value={"selected": False, "start": 1}), "pin"),
    ("override without start", set_at("elements", 0, "pin", value={"override": True}), "pin"),
    ("no such variant", set_at("elements", 0, "pin", value={"variant": 2}), "variant"),
    ("half a variant", set_at("elements", 0, "pin", value={"variant": 0.5}), "variant"),
    ("negative variant", set_at("elements", 0, "pin", value={"variant": -1}), "variant"),
    ("rule on nobody", set_at("rules", "requires", value=[["e1", "e9"]]), "e9"),
    ("rule on oneself", set_at("rules", "requires", value=[["e1", "e1"]]), "requires[0]"),
    ("rule of one", set_at("rules", "alternatives", value=[["e1"]]), "alternatives[0]"),
    ("negative penalty", set_at("rules", "penalties", value=[["e1", "e2", -1]]), "penalties"),
    ("penalty without cost", set_at("rules", "penalties", value=[["e1", "e2"]]), "penalties"),
    ("half a surrogate", set_at("elements", 0, "variants", 0, "text", value="\ud800"), "surrogate"),
]


@pytest.mark.parametrize(("edit", "names"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_every_fault_is_named(edit: Callable[[Json], None], names: str) -> None:
    with pytest.raises(BadInputError) as caught:
        parse(changed(edit))
    sentence = str(caught.value)
    assert sentence.startswith("p.json")
    assert names in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("key", ["format", "scene", "gaps", "delta_max", "elements"])
def test_required_keys_are_missed(key: str) -> None:
    with pytest.raises(BadInputError, match=key):
        parse(changed(lambda problem: problem.pop(key)))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe{}",
        b'{"format": NaN}',
        b'{"format": Infinity}',
        b'{"format": "a", "format": "b"}',
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"1" * 5000,
        b'{"delta_max": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_no_problem_is_refused(text: bytes) -> None:
    with pytest.raises(BadInputError):
        parse_problem(text, "p.json")


@pytest.mark.parametrize("number", [b"1e400", b"1e999999999", b"-1e400", b"1" + b"0" * 400])
def test_numbers_beyond_everything_are_refused(number: bytes) -> None:
    text = json.dumps(WHOLE).encode().replace(b'"delta_max": 10.0', b'"delta_max": ' + number)
    with pytest.raises(BadInputError, match="delta_max"):
        parse_problem(text, "p.json")


def test_a_million_elements_are_refused() -> None:
    with pytest.raises(BadInputError, match="elements"):
        parse(changed(lambda problem: problem.update(elements=[0] * 1_000_000)))


@pytest.mark.parametrize("seed", range(120))
def test_writing_and_reading_gives_the_same_problem(seed: int) -> None:
    problem = random_problem(seed, rules=seed % 2 == 0, share=seed % 3 == 0, house=seed % 4 < 2)
    written = problem_json(problem)
    again = parse(written)
    assert problem_json(again) == written
    assert (again.limits, again.gaps, again.rules) == (problem.limits, problem.gaps, problem.rules)
    assert [replace(e, texts=(), rates=()) for e in again.elements] == list(problem.elements)


def test_where_gaps_were_cut_the_file_has_what_is_in_reach_as_limits() -> None:
    """A file has no gaps from before: reach, counted on those, becomes limits that give the same plan."""
    otherwise = 0
    for seed in range(300):
        problem = replace(random_problem(seed, pins=0.1, house=True), reach=seed % 2)
        cut = replace(problem, uncut_gaps=some_joined(random.Random(seed), problem.gaps))
        read = parse(problem_json(cut))
        assert (read.reach, read.uncut_gaps) == (None, ())
        assert solve_exact(read).objective == solve_exact(cut).objective
        otherwise += solve_exact(problem).objective != solve_exact(cut).objective
    assert otherwise > 20


def test_each_house_key_is_written_only_where_it_is_set() -> None:
    problem = parse(WHOLE)
    cleared: dict[str, Any] = {
        "max_share": 1_000_000, "delta_early": None, "delta_late": None, "near": None, "reach": None,
    }  # fmt: skip
    for key, nothing in cleared.items():
        written = problem_json(replace(problem, **{key: nothing}))
        assert {name: written[name] for name in cleared if name in written} == {
            name: WHOLE[name] for name in cleared if name != key
        }


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_mangled_problem_is_read_or_refused_in_one_sentence(data: st.DataObject) -> None:
    """Any value in any place: either a problem or a BadInputError, nothing else."""
    value: Any = copy.deepcopy(WHOLE)
    spot: Any = value
    while True:
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(spot[key], dict | list) or not spot[key] or data.draw(st.booleans()):
            break
        spot = spot[key]
    junk = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=3),
        st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    )  # fmt: skip
    spot[key] = data.draw(junk)
    sentence = ""
    try:
        parse_problem(json.dumps(value).encode(errors="surrogatepass"), "p.json")
    except BadInputError as error:
        sentence = str(error)
    assert "\n" not in sentence
