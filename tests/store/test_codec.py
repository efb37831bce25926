"""The domain to JSON and back: equal, strict, and refused with the place and the reason."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from fractions import Fraction

import pytest
from example_scripts import E1, E2, EVERY_EXAMPLE, LISBETH, MEDIA, SCRIPT, STEP_CLASSES, fitting_steps
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.cast import Person
from adstudio.core.film import Film
from adstudio.core.plan import Delivery, HoldConflict, Plan, RuleConflict, Status, Violation
from adstudio.core.script import Script
from adstudio.core.steps import Insert, Move, SetPeople, SetRules, Several, Step, StepOrigin
from adstudio.core.timebase import Span
from adstudio.store import codec
from adstudio.store.codec import CodecError, decode, decode_step, encode, encode_step
from adstudio.store.encoder import ScriptEncoder

PLAN = Plan(
    Status.INFEASIBLE,
    "cpsat",
    objective=10_965_000_000,
    bound=-1,
    deviation=7,
    seconds=0.0031,
    deliveries=(Delivery("e1", 1, 50, 3950), Delivery("", 0, 4000, 5000, "from a pool")),
    conflict=(HoldConflict("e3", "start"), RuleConflict("requires", ("e3", "e1"))),
    violations=(Violation("overlap", ("e1", "e2"), "They overlap."),),
)


@pytest.mark.parametrize("script", [SCRIPT, Script(Film("", 0))])
def test_scripts_come_back_equal(script: Script) -> None:
    assert decode(encode(script), Script) == script


@pytest.mark.parametrize("plan", [PLAN, Plan(Status.TIMEOUT, "exact")])
def test_plans_come_back_equal(plan: Plan) -> None:
    assert decode(encode(plan), Plan) == plan


@pytest.mark.parametrize("step", EVERY_EXAMPLE, ids=lambda step: type(step).__name__)
def test_steps_and_their_inverses_come_back_equal(step: Step) -> None:
    for each in (step, step.inverse()):
        assert decode_step(encode_step(each)) == each


PERSON = json.loads(encode(Person("a", "A")))
PORTRAIT = {"image": "/9gA", "picture": None, "time": None}
OTHERS = {"aliases": [f"a{number}" for number in range(30)]}
WORD = {"text": "a", "start": 0, "end": 1, "confidence": None}


def test_every_step_class_has_a_name_in_files() -> None:
    assert set(STEP_CLASSES) <= set(codec._TAGS)
    assert len(set(codec._TAGS.values())) == len(codec._TAGS)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_random_steps_come_back_equal(data: st.DataObject) -> None:
    step = data.draw(fitting_steps(SCRIPT, new_id=1))
    assert decode_step(encode_step(step)) == step


def test_the_form_is_plain_json() -> None:
    found = json.loads(encode(SCRIPT))
    assert found["film"]["frame_rate"] == {"rate": "30000/1001", "drop": True}
    assert found["eventualities"][0]["occurrence"] == [0, 4000]
    shorter = {"text": "She parks.", "rate": "1/2", "duration": 600, "stale": False, "takes": [], "take": None}
    assert found["eventualities"][0]["variants"][1] == shorter
    assert found["cues"][1]["kind"] == "sung"
    assert json.loads(encode_step(SetRules(SCRIPT.rules, SCRIPT.rules)))["type"] == "set rules"
    assert "日本".encode() in encode(SCRIPT)
    assert found["people"][2]["sources"] == ["cast_list", "describer", "diarisation", "screenplay", "subtitles"]
    assert found["people"][0] == {
        "id": LISBETH.id,
        "name": "Lisbeth Salander",
        "aliases": [],
        "described_as": "",
        "pronouns": "unknown",
        "portraits": [
            {
                "image": "/9gAZmFjZQ==",
                "picture": {
                    "path": "/lisbeth.jpg",
                    "relative_path": "../lisbeth.jpg",
                    "size": 9,
                    "fingerprint": "blake2b:03",
                },
                "time": None,
            }
        ],
        "colour": "",
        "sources": [],
        "first_seen": None,
        "first_speech": None,
        "first_named": None,
        "merged": [],
    }
    assert found["named_faces"][0]["box"] == {"left": 0, "top": 2000, "width": 5000, "height": 8000}
    assert found["word_times"][0]["words"][0] == {"text": "It's", "start": 10_010, "end": 10_300, "confidence": 900}
    assert found["prompts"] == [["describe", "Tell what is seen.\nNothing else."]]


def test_a_path_that_is_no_text_survives() -> None:
    film = replace(SCRIPT.film, media=replace(MEDIA, path=b"/films/\xff.mp4".decode(errors="surrogateescape")))
    script = replace(SCRIPT, film=film)
    assert decode(encode(script), Script) == script


def edited(path: str, value: object) -> bytes:
    """The example script as JSON with one place changed; DELETE takes it away."""
    tree = json.loads(encode(SCRIPT))
    place = tree
    *way, last = (int(part) if part.isdigit() else part for part in path.split("."))
    for part in way:
        place = place[part]
    if value is DELETE:
        del place[last]
    else:
        place[last] = value
    return json.dumps(tree).encode()


DELETE = object()


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("colour", 1, "unknown “colour”"),
        ("film.colour", 1, "film: unknown “colour”"),
        ("eventualities.0.pin.locked", True, "eventualities / 1 / pin: unknown “locked”"),
        ("film", DELETE, "missing “film”"),
        ("cues.1.kind", DELETE, "cues / 2: missing “kind”"),
        ("film.end", "60000", "film / end: expected an integer"),
        ("film.end", 60000.0, "an integer"),
        ("film.end", True, "an integer"),
        ("film.end", None, "an integer"),
        ("film.end", 360_000_001, "outside ±360,000,000"),
        ("film.end", -(10**400), "far too large"),
        ("film.media.size", 10**31, "film / media / size: 1e\\+31 is outside"),
        ("film.title", 3, "film / title: expected a string"),
        ("film.title", "x" * 100_001, "longer than 100,000 characters"),
        ("film.frame_rate.rate", "48000/2002", "film / frame_rate / rate: .* lowest terms"),
        ("film.frame_rate.rate", "1/0", "lowest terms"),
        ("film.frame_rate.rate", 25, "a fraction"),
        ("film.frame_rate.rate", "0", "not a valid frame rate"),
        ("film.frame_rate.drop", 1, "true or false"),
        ("cues.0.kind", "noise", "expected one of speech, sound, music, sung"),
        ("cues.0.kind", [], "one of speech"),
        ("cues.0.id", "x" * 201, "longer than 200 characters"),
        ("cues.0.id", "c2", "cues: “c2” is there twice"),
        ("cues", {}, "cues: expected a list"),
        ("cues.0", [], "cues / 1: expected an object"),
        ("silences.0.span", [5, 4], "silences / 1 / span: .* before it starts"),
        ("silences.0.span", [5], "a span"),
        ("silences.0.span", [5, 6.5], "an integer"),
        ("eventualities.0.variants", [], "has no wording"),
        ("rules.requires.0", ["a"], "rules / requires / 1: expected a list of 2"),
        ("settings.rate_by_language.0", ["ja", "fast"], "settings / rate_by_language / 1 / 2: expected an integer"),
        ("settings.scope", "world", "one of film, scene"),
        ("people", DELETE, "missing “people”"),
        ("people.0.portraits.0.image", None, "people / 1 / portraits / 1 / image: expected bytes in base64"),
        ("people.0.portraits.0.image", "/9g", "people / 1 / portraits / 1 / image: not valid base64"),
        ("people.0.portraits.0.image", "/9gA\n", "not valid base64"),
        ("people.0.portraits.0.image", "_9gA", "not valid base64"),
        ("people.0.portraits.0.image", "AB==", "not valid base64"),
        ("people.0.portraits.0.image", "é", "not valid base64"),
        ("people.0.portraits.0.image", "A" * 2_666_672, "larger than 2,000,000 bytes"),
        ("people.0.portraits.0.image", "A" * 2_666_668, "not valid base64"),
        ("people.0.name", "", "people / 1: a person’s name is"),
        ("people.0.name", "An\nna", "people / 1: a person’s name is"),
        ("people.1.name", " lisbeth salander", "people: two people are called"),
        ("people.0.age", 24, "people / 1: unknown “age”"),
        ("people.1.id", LISBETH.id, "people: two people have the same id"),
        ("people.0.colour", "red", "people / 1: a colour is written #rrggbb"),
        ("people.0.colour", "#A03020", "a colour is written #rrggbb"),
        ("people.0.aliases", [""], "people / 1: a person’s name is"),
        ("people.0.aliases", ["x"] * 31, "at most 30 further names"),
        ("people.0.described_as", "x" * 121, "at most 120 characters on one line"),
        ("people.0.described_as", "the\nclerk", "at most 120 characters on one line"),
        ("people.0.pronouns", "it", "expected one of unknown, she, he, they"),
        ("people.0.sources", ["hearsay"], "expected one of screenplay"),
        ("people.0.first_seen", -1, "people / 1: a time of a person is outside"),
        ("people.0.portraits.0.image", "", "the picture of a face is empty"),
        ("people.0.portraits.0.time", -5, "a time of a person is outside"),
        ("people.2.portraits", [PORTRAIT] * 21, "at most 20 pictures"),
        ("people.2.merged.0.entry.merged", [], "unknown “merged”"),
        ("people.2.merged.0.gave", ["name"], "an entry of the cast cannot give that"),
        ("people.2.merged.0.rule", "luck", "expected one of written_alike"),
        ("people.2.merged.0.entry.aliases", [f"a{n}" for n in range(31)], "at most 30 further names"),
        ("people", [PERSON | {"id": f"p{n}", "name": f"P{n}"} for n in range(401)], "the cast can have at most 400"),
        ("people", [PERSON | {"id": f"p{n}", "name": f"P{n}"} | OTHERS for n in range(200)], "more than 4,000 further"),
        ("cues.1.speaker_source", "guess", "expected one of label"),
        ("named_faces.0.id", "n2", "named_faces: “n2” is there twice"),
        ("named_faces.0.box.width", 10_001, "a face lies outside of its picture"),
        ("named_faces.0.box.height", 0, "a face lies outside of its picture"),
        ("named_faces.0.time", -1, "a time of a person is outside"),
        ("word_times.0.id", "c2", "word_times: “c2” is there twice"),
        ("word_times.0.words.0.end", 10_000, "impossible times"),
        ("word_times.0.words", [WORD] * 401, "more than 400 words"),
        ("prompts.0", ["describe"], "prompts / 1: expected a list of 2"),
        ("prompts.0.1", 3, "prompts / 1 / 2: expected a string"),
        ("eventualities.1.provenance.drafted", {"line": 1}, "provenance / drafted: expected one of screenplay, descr"),
        ("eventualities.1.provenance.drafted.line", "12", "provenance / drafted / line: expected a"),
        ("eventualities.1.provenance.weighed", {"type": "screenplay", "line": 1, "page": 0}, "one of models, text"),
        (
            "eventualities.1.provenance.weighed",
            {"type": "models", "contributions": [], "at": -1},
            "weighed: the time of a model's work",
        ),
        ("prompts.0.1", "x" * 20_001, "prompts: a prompt is longer than 20,000"),
        ("prompts", [["describe", "a"], ["describe", "b"]], "prompts: a prompt appears twice"),
    ],
)
def test_anything_odd_is_refused_with_its_place(path: str, value: object, reason: str) -> None:
    with pytest.raises(CodecError, match=reason):
        decode(edited(path, value), Script)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"null", b"[]", b"NaN", b"\xff\xfe", b'{"a": NaN}', b"[" * 100_000, b"1" * 5000, b'"\\ud800"', b"{}"],
)
def test_what_is_no_script_at_all(data: bytes) -> None:
    for read in (lambda: decode(data, Script), lambda: decode(data, Plan), lambda: decode_step(data)):
        with pytest.raises(CodecError):
            read()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"type": "explode"}', "one of insert, remove"),
        (b'{"type": ["insert"]}', "one of insert, remove"),
        (b'{"item": {}, "before": null}', "named by “type”"),
        (b'{"type": "insert", "item": {"type": "several"}, "before": null}', "item: expected one of cue"),
        (encode_step(Move(E1, None, None)).replace(b'"old_before":null', b'"old_before":"e1"'),
         "before itself"),
        (encode_step(SetPeople((), (Person.named("A"), Person.named("b")))).replace(b'"b"', b'"a"'),
         "two people are called"),
        (b'{"type":"set prompts","old":[["a",""],["a",""]],"new":[]}', "a prompt appears twice"),
        (b'{"type": "several", "label": "", "steps": [{"type": "insert"}], "origin": {}}',
         "steps / 1: missing “before”, “item”"),
    ],
)  # fmt: skip
def test_steps_that_are_none(data: bytes, reason: str) -> None:
    with pytest.raises(CodecError, match=reason):
        decode_step(data)


def test_faces_at_the_limit_come_back_equal() -> None:
    largest = replace(
        SCRIPT, people=(Person.named("Anna", b"\xff" * 2_000_000), Person.named("Tom", b"\x00" * 1_999_999))
    )
    assert decode(encode(largest), Script) == largest


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60))
def test_any_face_comes_back_equal(face: bytes) -> None:
    person = Person.named("Anna", face)
    assert decode(encode(person), Person) == person


def test_people_that_cannot_be_are_not_written() -> None:
    for script in (
        replace(SCRIPT, people=(Person.named("A"), Person.named("a"))),
        replace(SCRIPT, people=(Person.named("A", bytearray(b"x")),)),  # type: ignore[arg-type]
        replace(SCRIPT, prompts=(("a", ""), ("a", ""))),
    ):
        with pytest.raises(CodecError):
            encode(script)
        with pytest.raises(CodecError):
            ScriptEncoder(SCRIPT).script(script)


def nested(depth: int) -> Step:
    step: Step = Insert(E2)
    for _ in range(depth):
        step = Several("", (step,))
    return step


def test_steps_in_steps_are_bounded_both_ways() -> None:
    assert decode_step(encode_step(nested(19))) == nested(19)
    with pytest.raises(CodecError, match="too deep"):
        encode_step(nested(20))
    for depth in (20, 300, 50_000):
        data = (
            b'{"type":"several","label":"","steps":[' * depth
            + encode_step(Insert(E2))
            + (b'],"origin":%b}' % encode(StepOrigin())) * depth
        )
        with pytest.raises(CodecError):
            decode_step(data)


@pytest.mark.parametrize(
    "step",
    [
        Insert(replace(E1, note="x" * 100_001)),
        Insert(replace(E1, id="x" * 201)),
        Insert(replace(E1, occurrence=Span(0, 360_000_001))),
        Insert(replace(E1, salience=10**31)),
        Insert(replace(E1, salience=0.5)),
        Insert(replace(E1, variants=(replace(E1.variants[0], rate=Fraction(1, 10**13)),))),
        Insert(replace(E1, variants=[E1.variants[0]])),
    ],
)
def test_nothing_is_written_that_could_not_be_read(step: Step) -> None:
    with pytest.raises(CodecError):
        encode_step(step)


@settings(max_examples=300, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    ),
    st.sampled_from(
        [
            "film",
            "settings",
            "people",
            "people.0",
            "people.0.portraits.0.image",
            "prompts",
            "prompts.0",
            "cues",
            "eventualities",
            "eventualities.0",
            "rules.penalties.0",
            "film.media",
        ]
    ),
)
def test_any_json_in_any_place_is_refused_with_a_sentence_or_read(value: object, path: str) -> None:  # fmt: skip
    with contextlib.suppress(CodecError):
        script = decode(edited(path, value), Script)
        assert decode(encode(script), Script) == script
