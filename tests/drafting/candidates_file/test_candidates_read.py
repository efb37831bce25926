from __future__ import annotations

import contextlib
import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.errors import BadInputError
from adstudio.core.script import Scene, Sequence
from adstudio.core.timebase import Span
from adstudio.drafting.candidates_file.reading import CandidatesError, parse_candidates, read_candidates

FULL = {
    "scene_description_extract": "She parks the motorbike.",
    "audio_description": "She parks her old motorbike by the gate.",
    "compressed_audio_descriptions": {
        "0.9": "She parks her motorbike by the gate.",
        "0.8": "She parks a motorbike by it.",
        "0.7": "She parks by the gate.",
        "0.6": "She parks the motorbike.",
        "0.5": "She parks there.",
    },
    "occurrence_start": "00:00:01.500",
    "occurrence_end": "00:00:04.000",
    "salience": 0.8,
}


def element(**changes):
    return {**FULL, **changes}


def without(*keys):
    return {key: value for key, value in FULL.items() if key not in keys}


def parse(value, *, film_end=60_000):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return parse_candidates(data, "c.json", film_end=film_end)


def said(value, **options):
    return [oddity.what for oddity in parse(value, **options).oddities]


def test_the_papers_array_becomes_one_scene_over_the_film():
    found = parse([FULL])
    assert found.scenes == (Scene("s1", Span(0, 60_000)),)
    (one,) = found.eventualities
    assert one.id == "s1-e01"
    assert one.scene == "s1"
    assert one.extract == "She parks the motorbike."
    assert one.occurrence == Span(1500, 4000)
    assert one.salience == 800_000
    assert [(v.rate, v.text) for v in one.variants] == [
        (Fraction(1), "She parks her old motorbike by the gate."),
        (Fraction(9, 10), "She parks her motorbike by the gate."),
        (Fraction(4, 5), "She parks a motorbike by it."),
        (Fraction(7, 10), "She parks by the gate."),
        (Fraction(3, 5), "She parks the motorbike."),
        (Fraction(1, 2), "She parks there."),
    ]
    assert found.oddities == ()


def test_scene_times_shift_element_times_and_sequences_come_along():
    found = parse(
        {
            "scenes": [
                {"id": "a", "start": 0, "end": "00:20", "elements": [element(id="e1")], "sequence": "Opening"},
                {"id": "b", "start": 20, "end": 45.5, "elements": [element(id="e2")], "title": "Night"},
            ]
        }
    )
    assert found.scenes == (
        Scene("a", Span(0, 20_000), sequence="Opening"),
        Scene("b", Span(20_000, 45_500), "Night"),
    )
    assert found.sequences == (Sequence("Opening", "Opening"),)
    assert [(e.id, e.scene, e.occurrence) for e in found.eventualities] == [
        ("e1", "a", Span(1500, 4000)),
        ("e2", "b", Span(21_500, 24_000)),
    ]
    assert found.oddities == ()


@pytest.mark.parametrize(
    ("written", "ms"),
    [
        ("00:00:02.500", 2500),
        ("0:00:02,5", 2500),
        ("00:02", 2000),
        ("00:02.250", 2250),
        ("1:02", 62_000),
        ("2.5", 2500),
        (" 7 ", 7000),
        (2.5, 2500),
        (3, 3000),
        (2.0004, 2000),
        (2.0006, 2001),
        ("00:00:02.00049", 2000),
        (0, 0),
    ],
)
def test_times(written, ms):
    (one,) = parse([element(occurrence_start=written, occurrence_end=90)], film_end=100_000).eventualities
    assert one.occurrence == Span(ms, 90_000)


def test_hours_count():
    (one,) = parse(
        [element(occurrence_start="01:02:03.004", occurrence_end="01:02:05")], film_end=9_000_000
    ).eventualities
    assert one.occurrence == Span(3_723_004, 3_725_000)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"occurrence_start": -1}, "occurrence_start -1 is negative"),
        ({"occurrence_start": "-00:01"}, "occurrence_start “-00:01” is negative or not a time"),
        ({"occurrence_start": "soon"}, "occurrence_start “soon” is not a time (HH:MM:SS.mmm, MM:SS or seconds)"),
        ({"occurrence_start": "00:75"}, "occurrence_start “00:75” is not a time: minutes and seconds go up to 59"),
        (
            {"occurrence_start": "00:61:00"},
            "occurrence_start “00:61:00” is not a time: minutes and seconds go up to 59",
        ),
        ({"occurrence_start": "٠٠:٠١"}, "occurrence_start “٠٠:٠١” is not a time (HH:MM:SS.mmm, MM:SS or seconds)"),
        ({"occurrence_end": float("inf")}, "occurrence_end Infinity is not a time in a film"),
        ({"occurrence_end": float("nan")}, "occurrence_end NaN is not a time in a film"),
        ({"occurrence_end": 1e30}, "occurrence_end 1E+30 is not a time in a film"),
        ({"occurrence_end": True}, "occurrence_end true is not a time"),
        ({"occurrence_end": [1]}, "occurrence_end a list is not a time"),
        (
            {"occurrence_end": "00:00:01.000"},
            "occurrence_end “00:00:01.000” is before occurrence_start “00:00:01.500”",
        ),
        ({"occurrence_start": 60, "occurrence_end": 61}, "the occurrence starts after its scene or the film has ended"),
        ({"salience": "high"}, "salience “high” is not a number from −10,000 to 10,000"),
        ({"salience": "0.8"}, "salience “0.8” is not a number from −10,000 to 10,000"),
        ({"salience": True}, "salience true is not a number from −10,000 to 10,000"),
        ({"salience": float("nan")}, "salience NaN is not a number from −10,000 to 10,000"),
        ({"salience": float("-inf")}, "salience -Infinity is not a number from −10,000 to 10,000"),
        ({"salience": 10_001}, "salience 10001 is not a number from −10,000 to 10,000"),
        ({"audio_description": None}, "audio_description is missing"),
        ({"audio_description": 5}, "audio_description is 5, not a text"),
        ({"audio_description": "  "}, "audio_description has no words"),
        ({"audio_description": "…"}, "audio_description has no words"),
        ({"audio_description": "a" * 2001}, "audio_description is longer than 2,000 characters"),
        ({"audio_description": "half \ud800 pair"}, "audio_description has control characters in it"),
        ({"audio_description": "bell \x07"}, "audio_description has control characters in it"),
    ],
)
def test_a_wrong_element_is_named_and_kept_out_and_the_rest_is_used(wrong, named):
    found = parse([element(id="good"), element(id="bad", **wrong), element(id="fine")])
    assert [e.id for e in found.eventualities] == ["good", "fine"]
    assert [o.what for o in found.oddities] == [f"elements[1] (“bad”): {named}: skipped"]


def test_what_is_no_object_is_named():
    assert said([FULL, 7]) == ["elements[1]: 7 is not an element: skipped"]


def test_an_element_without_id_is_named_by_its_extract_and_its_line():
    data = b'[\n{"audio_description": "She runs.",\n "scene_description_extract": "She runs.",\n "salience": "x"}\n]'
    (oddity,) = [o for o in parse(data + b"\n").oddities if "skipped" in o.what and "salience" in o.what]
    assert oddity.what.startswith("elements[0] (“She runs.”): salience “x”")
    assert oddity.line == 2


def test_nulls_mean_not_placeable():
    found = parse([element(occurrence_start=None, occurrence_end=None, salience=None)])
    (one,) = found.eventualities
    assert (one.occurrence, one.salience) == (None, None)
    assert len(one.variants) == 6
    assert found.oddities == ()


@pytest.mark.parametrize(
    ("odd", "named"),
    [
        (element(occurrence_end=None), "occurrence_end missing, so it cannot be placed"),
        (without("occurrence_start"), "occurrence_start missing, so it cannot be placed"),
        (element(salience=None), "an occurrence without a salience, so it cannot be placed"),
    ],
)
def test_a_half_null_is_not_placeable_and_listed(odd, named):
    found = parse([odd])
    (one,) = found.eventualities
    assert (one.occurrence, one.salience) == (None, None)
    assert [o.what for o in found.oddities] == [f"{named}: elements[0] (“She parks the motorbike.”)"]


def test_salience_outside_the_papers_range_is_used_and_listed_once():
    found = parse([element(id=f"e{n}", salience=value) for n, value in enumerate([0.5, 17.25, -2, 0, 1, 10_000])])
    assert [e.salience for e in found.eventualities] == [500_000, 17_250_000, -2_000_000, 0, 1_000_000, 10_000_000_000]
    assert [o.what for o in found.oddities] == [
        "salience outside 0…1, used as given: elements[1] (“e1”), elements[2] (“e2”), elements[5] (“e5”)"
    ]


@pytest.mark.parametrize(("value", "millionths"), [(0.1234567, 123_457), (0.1234564, 123_456), (1e-9, 0)])
def test_salience_is_rounded_to_millionths(value, millionths):
    (one,) = parse([element(salience=value)]).eventualities
    assert one.salience == millionths


@pytest.mark.parametrize(
    ("key", "text", "fault"),
    [
        ("0.9", None, "is missing"),
        ("0.9", "", "is empty"),
        ("0.9", 12, "is not a text"),
        ("0.9", FULL["audio_description"], "is the same as the full wording"),
        ("0.8", "She parks her motorbike by the gate.", "is the same as another"),
        ("0.7", "She parks her old red motorbike right by the rusty gate.", "has more words than the full wording"),
        ("0.6", "—", "has no words"),
    ],
)
def test_a_faulty_compression_is_left_out_and_listed(key, text, fault):
    found = parse(
        [element(id="e1", compressed_audio_descriptions={**FULL["compressed_audio_descriptions"], key: text})]
    )
    rates = {f"{float(v.rate)}" for v in found.eventualities[0].variants}
    assert rates == {"1.0", "0.9", "0.8", "0.7", "0.6", "0.5"} - {key}
    assert [o.what for o in found.oddities] == [f"the compression at {key} {fault}: skipped: elements[0] (“e1”)"]


def test_other_rates_are_passed_over_and_listed():
    found = parse(
        [element(id="e1", compressed_audio_descriptions={**FULL["compressed_audio_descriptions"], "0.4": "x"})]
    )
    assert len(found.eventualities[0].variants) == 6
    assert [o.what for o in found.oddities] == [
        "the compression “0.4” is not one of 0.9 … 0.5 and ignored: elements[0] (“e1”)"
    ]


def test_an_element_without_compressions_has_its_full_wording():
    found = parse([{**without("compressed_audio_descriptions"), "id": "e1"}])
    assert [v.text for v in found.eventualities[0].variants] == [FULL["audio_description"]]
    assert [o.what for o in found.oddities] == [
        "no compressed_audio_descriptions, so there is only the full wording: elements[0] (“e1”)"
    ]


def test_unknown_keys_are_listed_and_passed_over():
    assert said([element(id="a", colour="red"), element(id="b", colour="blue")]) == [
        "the key “colour” is unknown and ignored: elements[0], elements[1]"
    ]
    data = {"scenes": [{"id": "a", "start": 0, "end": 9, "mood": 1, "elements": [FULL]}], "model": {"name": ["x"]}}
    assert said(data) == [
        "the key “mood” is unknown or repeated and ignored: scenes[0]",
        "the key “model” is unknown or repeated and ignored: the file",
    ]


def test_a_key_that_stands_twice_is_listed():
    data = json.dumps([FULL])[:-2].encode() + b', "salience": 0.25}]'
    found = parse(data)
    assert found.eventualities[0].salience == 250_000
    assert [o.what for o in found.oddities] == ["the key “salience” is repeated, the last value counts: elements[0]"]


def test_ids_are_stable_and_duplicates_get_another():
    found = parse([element(id="x"), FULL, element(id="x"), element(id=12), element(id="s1-e02")])
    assert [e.id for e in found.eventualities] == ["x", "s1-e02-2", "s1-e03", "12", "s1-e02"]
    assert [o.what for o in found.oddities] == [
        "elements[2] (“x”): the id “x” is already used: this element becomes “s1-e03”"
    ]


def test_an_id_does_not_move_when_an_element_before_it_is_left_out():
    assert parse([7, FULL]).eventualities[0].id == "s1-e02"


@pytest.mark.parametrize("wrong", ["", " ", "x" * 101, 1.5, ["e"], "\ud800"])
def test_an_unusable_id_is_named_and_replaced(wrong):
    found = parse([element(id=wrong)])
    assert found.eventualities[0].id == "s1-e01"
    assert any("is invalid" in o.what for o in found.oddities)


def scene(identity="a", start=0, end=20, elements=(FULL,), **more):
    return {"id": identity, "start": start, "end": end, "elements": list(elements), **more}


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"start": None}, "start null is not a time: skipped with its 1 elements"),
        ({"end": "x"}, "end “x” is not a time (HH:MM:SS.mmm, MM:SS or seconds): skipped with its 1 elements"),
        ({"start": 30}, "the scene ends (20.0 s) before it starts (30.0 s): skipped with its 1 elements"),
        ({"start": 70, "end": 80}, "the scene starts past the film’s end: skipped with its 1 elements"),
    ],
)
def test_a_wrong_scene_is_named_and_kept_out_and_the_rest_is_used(wrong, named):
    found = parse({"scenes": [scene("bad") | wrong, scene("good")]})
    assert [s.id for s in found.scenes] == ["good"]
    assert [e.id for e in found.eventualities] == ["good-e01"]
    assert [o.what for o in found.oddities] == [f"scenes[0]: {named}"]


def test_scenes_without_the_needful_are_named():
    assert said({"scenes": [3, {"id": "a", "end": 5, "elements": []}, {"id": "b", "start": 0, "end": 5}]}) == [
        "there are no elements in the file",
        "scenes[0]: 3 is not a scene: skipped",
        "scenes[2]: there is no list of “elements”",
        "scenes[1]: start is missing: skipped with its 0 elements",
    ]


def test_scenes_out_of_order_are_put_in_order_with_their_elements():
    found = parse({"scenes": [scene("late", 30, 50), scene("early", 0, 30)]})
    assert [s.id for s in found.scenes] == ["early", "late"]
    assert [e.id for e in found.eventualities] == ["early-e01", "late-e01"]
    assert [o.what for o in found.oddities] == [
        "the scenes are not in chronological order: they and their elements are sorted"
    ]


def test_overlapping_scenes_duplicate_and_missing_names_are_listed():
    found = parse({"scenes": [scene("a", 0, 10), scene("a", 9, 20), {"start": 20, "end": 30, "elements": [FULL]}]})
    assert [s.id for s in found.scenes] == ["a", "a-2", "s3"]
    assert [o.what for o in found.oddities] == [
        "scenes[1]: the id “a” is already used: this scene becomes “a-2”",
        "the scene starts before the previous one ends: scenes[1]",
    ]


def test_a_scene_that_runs_past_the_film_is_cut():
    found = parse({"scenes": [scene(end=70)]})
    assert found.scenes[0].span == Span(0, 60_000)
    assert [o.what for o in found.oddities] == ["scenes[0]: the scene runs past the film’s end: cut there"]


def test_an_occurrence_that_runs_past_its_scene_is_cut_and_named():
    found = parse({"scenes": [scene("a", 10, 13, [element(id="e1")])]})
    assert found.eventualities[0].occurrence == Span(11_500, 13_000)
    assert [o.what for o in found.oddities] == [
        "scenes[0].elements[0] (“e1”): the occurrence runs past the end of its scene or the film: cut there"
    ]


def test_an_occurrence_without_length_is_used_and_listed():
    found = parse([element(id="e1", occurrence_end="00:00:01.500")])
    assert found.eventualities[0].occurrence == Span(1500, 1500)
    assert [o.what for o in found.oddities] == ["the occurrence has zero length: elements[0] (“e1”)"]


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("```json\n", "\n```\n", "the JSON is inside a Markdown code fence, which is ignored"),
        ("```\n", "\n```", "the JSON is inside a Markdown code fence, which is ignored"),
        (
            "Here is the array you [kindly] asked for:\n\n",
            "\n\nAnything else?",
            "there is other text around the JSON, which is ignored",
        ),
        ("Sure!\n```json\n", "\n```\nDone.", "there is other text around the JSON, which is ignored"),
    ],
)
def test_a_models_wrapping_is_passed_over_and_reported(before, after, named):
    found = parse((before + json.dumps([FULL]) + after).encode())
    assert len(found.eventualities) == 1
    assert [o.what for o in found.oddities] == [named]


def test_two_json_texts_are_refused():
    both = json.dumps([FULL])
    with pytest.raises(CandidatesError, match="second JSON text after line 1"):
        parse(f"Draft: {both}\nFinal: {both}".encode())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "c.json is empty"),
        (b" \n ", "c.json is empty"),
        (
            b"Sorry, but I cannot help",
            "c.json begins with “Sorry, but I cannot…”, so it is not valid JSON; fix it",
        ),
        (b"\n hello", "c.json begins with “hello”, so it is not valid JSON"),
        (b"[\n{]", "c.json, line 2, column 2: a key in double quotes is missing"),
        (b'[{"a": 1}', "c.json, line 1, column 10: a comma or ] is missing"),
        (b'[{"a": 1}\n,', "c.json, line 2, column 2: a value is missing"),
        (b'[{"a": "x', "c.json, line 1, column 8: a string has no closing"),
        (b'[{"a": "x\ny"}]', "c.json, line 1, column 10: a string has an unescaped line break"),
        (b"[" * 100_000, "c.json, line 1, column 2: .*nested more than 32 deep"),
        (b'{"scenes": ' + b"[" * 100_000, "nested more than 32 deep"),
        (b'[{"a":' * 5000, "nested more than 32 deep"),
        (b"42", "c.json has no elements"),
        (b"[1, 2]", "but not of elements"),
        (b'{"elements": []}', "no list of “scenes”"),
        (b'{"scenes": 5}', "no list of “scenes”"),
        (b"\x00\x01\x02", "c.json, line 1: this is a binary file"),
        (b"\x89PNG\r\n", "c.json, line 1: this is not text in UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "c.json, line 1: this is a binary file; candidates are a JSON array"),
        (b'[\n{"a": "caf\xe9"}]', "c.json, line 2: this is not text in UTF-8"),
        (b"[" + b"{}," * 100_000 + b"{}]", "more than 100,000 elements"),
        (b'{"scenes":[' + b"{}," * 100_000 + b"{}]}", "more than 100,000 scenes"),
        (b'[{"x": [' + b"1," * 200_000 + b"1]}]", "line 1, column 2: one value is longer than 262,144 characters"),
        (b'[{"x": "' + b'\\"' * 200_000, "one value is longer than 262,144 characters"),
    ],
)
def test_the_wholly_unusable_is_refused_in_one_sentence(data, message):
    with pytest.raises(CandidatesError, match=message) as caught:
        parse(data)
    assert "\n" not in str(caught.value)


def test_an_empty_array_is_read_and_said_to_be_empty():
    found = parse([])
    assert found.eventualities == ()
    assert [o.what for o in found.oddities] == ["there are no elements in the file"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_of_unicode(encoding):
    data = json.dumps([element(audio_description="Żółć, ועוד!")], ensure_ascii=False).encode(encoding)
    assert parse(data).eventualities[0].variants[0].text == "Żółć, ועוד!"


def test_line_breaks_become_spaces_and_other_spaces_stay():
    (one,) = parse([element(audio_description=" Elle\u00a0: «\u202fNon\u202f»\n puis\tsort. ")]).eventualities
    assert one.variants[0].text == "Elle\u00a0: «\u202fNon\u202f»  puis sort."


@pytest.mark.parametrize("number", ["1e999999999", "1e99999999999999999999999", "9" * 5000, "-1e-999999999999"])
def test_absurd_numbers_are_named(number):
    data = json.dumps([FULL]).replace("0.8}", f"{number}}}").encode()
    found = parse(data)
    assert len(found.eventualities) in (0, 1)
    assert any("salience" in o.what for o in found.oddities)


def test_remarks_beyond_twenty_thousand_are_counted():
    found = parse([7] * 25_000 + [FULL])
    assert len(found.oddities) == 20_001
    assert found.oddities[-1].what == "5,000 more oddities are not listed"
    assert len(found.eventualities) == 1


def test_files(tmp_path):
    path = tmp_path / "Gün ter – ä" / "c #1.json"
    path.parent.mkdir()
    path.write_text(json.dumps([FULL]))
    assert len(read_candidates(path, film_end=60_000).eventualities) == 1
    for wrong in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(BadInputError):
            read_candidates(wrong, film_end=60_000)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
clocks = st.one_of(
    st.none(), st.floats(-10, 80), st.integers(-2, 70), st.sampled_from(["00:05", "1:00:00", "9.5"]), anything
)
texts = st.one_of(st.sampled_from(["She runs.", "She runs fast.", "He sits.", ""]), anything)
elements = st.fixed_dictionaries(
    {},
    optional={
        "id": st.one_of(st.sampled_from(["a", "b", "s1-e01"]), anything),
        "audio_description": texts,
        "scene_description_extract": texts,
        "compressed_audio_descriptions": st.one_of(
            st.dictionaries(st.sampled_from(["0.9", "0.8", "0.7", "0.5", "0.3"]), texts), anything
        ),
        "occurrence_start": clocks,
        "occurrence_end": clocks,
        "salience": st.one_of(st.floats(), anything),
        "other": anything,
    },
)
scenes = st.fixed_dictionaries(
    {"elements": st.lists(elements | anything, max_size=4)},
    optional={"id": texts, "start": clocks, "end": clocks, "title": texts, "sequence": texts},
)
files = st.lists(elements | anything, max_size=6) | st.fixed_dictionaries({"scenes": st.lists(scenes, max_size=4)})


@settings(max_examples=300, deadline=None)
@given(files)
def test_whatever_comes_in_what_comes_out_is_sound(value):
    try:
        found = parse(value)
    except CandidatesError:
        return
    ids = [e.id for e in found.eventualities]
    assert len(ids) == len(set(ids))
    by_id = {s.id: s for s in found.scenes}
    assert len(by_id) == len(found.scenes)
    assert sorted(found.scenes, key=lambda s: s.span.start) == list(found.scenes)
    for one in found.eventualities:
        assert one.variants[0].rate == 1
        rates = [v.rate for v in one.variants]
        assert rates == sorted(set(rates), reverse=True)
        assert len({v.text for v in one.variants}) == len(one.variants)
        assert (one.occurrence is None) == (one.salience is None)
        if one.occurrence is not None:
            assert by_id[one.scene].span.contains(one.occurrence)
            assert abs(one.salience) <= 10_000_000_000
        for variant in one.variants:
            variant.text.encode()
    for oddity in found.oddities:
        assert "\n" not in oddity.what
        oddity.what.encode()
    read = len(found.eventualities) + sum("skipped" in o.what for o in found.oddities)
    given_elements = value if isinstance(value, list) else [e for s in value["scenes"] for e in s["elements"]]
    if isinstance(value, list):
        assert read >= len(given_elements)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60) | st.text(alphabet='[]{}",:01.e-nulltrue \n\\u', max_size=60).map(str.encode))
def test_no_bytes_do_harm(data):
    with contextlib.suppress(CandidatesError):
        parse(data)
