"""What a model writes, read: whole elements out of whatever comes; and the form that it is bound to."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.drafting.model.answers import LARGEST, Reading, read_answer
from adstudio.drafting.model.response_schema import LONGEST, elements_schema, repair_schema

ONE = {"id": "e01", "start": 3, "end": 10, "salience": 500, "full": "She waits."}
TWO = {"id": "e02", "start": None, "end": None, "salience": None, "full": "He leaves."}


@pytest.mark.parametrize(
    "form",
    [
        '{"elements": [%s, %s]}',
        "[%s, %s]",
        '```json\n{"elements": [%s, %s]}\n```',
        'Here is the answer [as asked]:\n{"elements":\n[ %s ,\n %s ]} I hope it helps! {"id": "e09"}',
        '{{"elements": [%s, %s]}',
        '{"elements": [{%s, %s]}',
        "<think>an array [ of elements ]</think>[%s, %s]",
        '{"elements": [%s, %s',
        '{"elements": [%s, %s, {"id": "e03", "full": "Half a',
        '{"elements": [%s, %s, {"id": "e03", "start": 111111',
        '{"elements": [%s, {"id": "bad" "x"}, %s]}',
        '{"elements": [%s, {"id": oops}, garbage %s]}',
        '{"elements": [%s,' + " \n" * 50_000 + "%s]}",
    ],
)
def test_whole_elements_come_out_of_whatever_stands_around_them(form):
    assert read_answer(form % (json.dumps(ONE), json.dumps(TWO))) == [ONE, TWO]


def test_control_characters_in_texts_are_read():
    assert read_answer('[{"id": "e01", "full": "a\tb\nc\x01"}]') == [{"id": "e01", "full": "a\tb\nc\x01"}]


@pytest.mark.parametrize(
    "text", ["", "[", "{", "[[[[", "null", "no JSON", "[]", '{"elements": []}', "[" * 100_000, "[{" * 100_000]
)
def test_nothing_comes_out_of_nothing(text):
    assert read_answer(text) == []


def test_numbers_that_are_none():
    answer = '[{"id": "e01", "start": ' + "1" * 5000 + ', "end": 1.5, "salience": NaN, "x": -Infinity, "y": 1e999}]'
    # As they are written, so that they can be quoted and are not taken for values that are left out.
    found = {"start": "1" * 20, "end": "1.5", "salience": "NaN", "x": "-Infinity", "y": "1e999"}
    assert read_answer(answer) == [{"id": "e01", **found}]


def test_live_each_element_comes_once_as_soon_as_it_is_whole():
    text = json.dumps({"elements": [ONE, TWO]})
    reading, seen = Reading(), []
    for place, letter in enumerate(text):
        seen += [(place, each["id"]) for each in reading.feed(letter)]
    ends = [place for place, letter in enumerate(text) if letter == "}"]
    assert seen == [(ends[0], "e01"), (ends[1], "e02")]
    assert reading.ended
    assert reading.finish() == []


def test_what_runs_on_without_end_is_bounded():
    reading = Reading()
    reading.feed('[{"id": "e01", "full": "')
    for _ in range(100):
        assert reading.feed("a" * 10_000) == []
    assert len(reading._text) <= 3 * LARGEST
    assert reading.finish() == []


elements = st.lists(
    st.dictionaries(
        st.sampled_from(["id", "start", "full", "r90"]),
        st.none() | st.integers(-999_999, 999_999) | st.text(max_size=30) | st.booleans(),
        max_size=4,
    ),
    max_size=5,
)


@given(elements, st.lists(st.integers(0, 400), max_size=6), st.booleans())
def test_in_whatever_pieces_it_comes_it_reads_the_same(made, cuts, escaped):
    text = json.dumps({"elements": made}, ensure_ascii=escaped)
    bounds = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    reading = Reading()
    for start, end in itertools.pairwise(bounds):
        reading.feed(text[start:end])
    reading.finish()
    assert reading.elements == made == read_answer(text)


@given(elements.filter(bool), st.data())
def test_cut_off_anywhere_a_beginning_of_the_elements_is_left(made, data):
    made = [{"id": f"e{place}", **each} for place, each in enumerate(made)]
    text = json.dumps({"elements": made})
    found = read_answer(text[: data.draw(st.integers(0, len(text)))])
    assert found == made[: len(found)]


@given(st.text(alphabet='[]{}",:\\eid019 \n\tnulax`', max_size=200))
def test_any_text_at_all_is_survived(text):
    assert all(isinstance(each, dict) for each in read_answer(text))


def test_the_form_pins_ids_in_order_and_bounds_everything():
    schema = elements_schema(["e01", "e02"], 12_345)
    items = schema["properties"]["elements"]
    assert (items["minItems"], items["maxItems"]) == (2, 2)
    assert [item["properties"]["id"]["enum"] for item in items["prefixItems"]] == [["e01"], ["e02"]]
    first = items["prefixItems"][0]
    assert list(first["properties"]) == ["id", "start", "end", "salience", "full", "r90", "r80", "r70", "r60", "r50"]
    assert first["required"] == list(first["properties"])
    assert first["additionalProperties"] is False
    # 12.345 s are 124 tenths at most.
    assert first["properties"]["end"]["anyOf"] == [{"type": "integer", "minimum": 0, "maximum": 124}, {"type": "null"}]
    assert first["properties"]["salience"]["anyOf"][0] == {"type": "integer", "minimum": 1, "maximum": 999}
    for bounded in (
        first["properties"]["r50"],
        repair_schema(["e01-r50"])["properties"]["lines"]["prefixItems"][0]["properties"]["text"],
    ):
        assert bounded == {"type": "string", "minLength": 1, "maxLength": LONGEST}


def test_the_form_uses_nothing_that_servers_refuse():
    text = json.dumps(elements_schema(["e01"], 1000))
    for word in (
        "multipleOf",
        "uniqueItems",
        "contains",
        "patternProperties",
        "allOf",
        "const",
        "exclusive",
        "format",
        "pattern",
    ):
        assert f'"{word}' not in text
