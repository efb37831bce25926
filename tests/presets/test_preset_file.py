"""`adstudio-preset/1` is read strictly, and what is written reads back equal."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from example_presets import VALUES, example, written
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.json_reading import JsonError
from adstudio.core.settings import GapSettings, Near, Scope, Settings
from adstudio.presets.entry import Entry
from adstudio.presets.preset import PLAN_KEYS, PROPOSAL, Preset, is_equivalent, preset_of, with_distances
from adstudio.presets.preset_file import MAX_BYTES, parse_preset, preset_bytes

SETTINGS = Settings(
    words_per_minute=165,
    gaps=GapSettings(250, 400, 1200, keep_music=True),
    delta_max=4000,
    min_pause=190,
    max_share=875_000,
    scope=Scope.SCENE,
    delta_early=1500,
    delta_late=4000,
    near=Near(500, 2000, 800_000),
    reach=1,
)


def read(value: Any) -> Preset:
    return parse_preset(written(value), "ours.json", "ours")


def refusal(value: Any) -> str:
    with pytest.raises(JsonError) as refused:
        read(value)
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert sentence.startswith("ours.json: ")
    return sentence


def test_every_value_is_read_with_its_source() -> None:
    found = read(example())
    assert found.settings == SETTINGS
    assert (found.name, found.title, found.about, found.mix, found.qc) == ("ours", "Ours", "", (), ())
    assert found.sources == {key: f"the guide, on {key}" for key in VALUES}


def test_no_limit_is_null_and_equal_distances_are_one() -> None:
    found = read(example(near=None, reach=None, delta_early=10, delta_late=10)).settings
    assert (found.near, found.reach) == (None, None)
    assert (found.delta_max, found.delta_early, found.delta_late) == (10_000, None, None)


def test_every_value_of_the_form_is_one_of_the_settings() -> None:
    assert [key.name for key in PLAN_KEYS] == list(VALUES)
    unchanged = {key.name for key in PLAN_KEYS if key.value(SETTINGS) == key.value(Settings())}
    assert unchanged == {"keep_sound", "keep_sung"}


@pytest.mark.parametrize("version", ["adstudio-preset/2", "adstudio-problem/1", ""])
def test_another_version_is_named_before_its_unknown_keys(version: str) -> None:
    sentence = refusal({**example(), "format": version, "voice": {}})
    assert "adstudio-preset/1" in sentence
    assert f"“{version}”" in sentence
    assert "voice" not in sentence


def without(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda preset: preset["plan"].pop(key)


def with_key(*path: str) -> Callable[[dict[str, Any]], None]:
    def change(preset: dict[str, Any]) -> None:
        for key in path[:-1]:
            preset = preset[key]
        preset[path[-1]] = 1

    return change


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (with_key("voice"), ["unknown key “voice”"]),
        (with_key("plan", "volume"), ["plan: unknown key “volume”"]),
        (with_key("plan", "near", "note"), ["plan.near: unknown key “note”"]),
        (with_key("plan", "near", "value", "outer"), ["plan.near.value: unknown key “outer”"]),
        (with_key("format"), ["format", "a string"]),
        *((without(key), [f"plan: missing key “{key}”"]) for key in VALUES),
        (lambda preset: preset.pop("plan"), ["missing key “plan”"]),
        (lambda preset: preset.pop("title"), ["missing key “title”"]),
        (lambda preset: preset.pop("format"), ["missing key “format”"]),
        (lambda preset: preset["plan"]["reach"].pop("source"), ["plan.reach: missing key “source”"]),
        (lambda preset: preset["plan"]["reach"].update(source=" "), ["plan.reach.source: empty"]),
        (lambda preset: preset["plan"]["reach"].update(source="a\nb"), ["plan.reach.source", "one line"]),
        (lambda preset: preset["plan"]["reach"].update(source="x" * 301), ["plan.reach.source", "301 characters"]),
        (lambda preset: preset.update(title="x" * 61), ["title", "61 characters"]),
        (lambda preset: preset.update(about="\x1b[2J"), ["about", "control characters"]),
        (lambda preset: preset.update(mix=[]), ["mix", "an array"]),
        (lambda preset: preset.update(mix={"duck": -9}), ["mix.duck", "expected an object"]),
        (lambda preset: preset.update(qc={"a": {"value": 1}}), ["qc.a: missing key “source”"]),
        (lambda preset: preset.update(qc={"a": {"value": {}, "source": "s"}}), ["qc.a.value"]),
        (lambda preset: preset.update(qc={"a": {"value": 1e99, "source": "s"}}), ["qc.a.value", "beyond"]),
        (lambda preset: preset.update(qc={"A b": {"value": 1, "source": "s"}}), ["qc: “A b” is not the name"]),
        (
            lambda preset: preset.update(qc={f"a{n}": {"value": 1, "source": "s"} for n in range(101)}),
            ["qc: 101 values"],
        ),
    ],
)
def test_what_is_not_in_the_form_is_named(change: Callable[[dict[str, Any]], None], named: list[str]) -> None:
    preset = example()
    change(preset)
    sentence = refusal(preset)
    assert [words for words in named if words not in sentence] == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("margin_before", -0.1),
        ("margin_before", 60.001),
        ("margin_after", "0.3"),
        ("margin_after", 0.0001),
        ("least_gap", 600.001),
        ("keep_sound", 1),
        ("keep_music", None),
        ("words_per_minute", 39),
        ("words_per_minute", 601),
        ("words_per_minute", 170.5),
        ("min_pause", True),
        ("max_share", 1.01),
        ("max_share", -0.1),
        ("delta_early", 3600.001),
        ("delta_late", None),
        ("near", {"early": 0.5, "late": 2.0}),
        ("near", {"early": 0.5, "late": 2.0, "far_gain": 1.1}),
        ("reach", -1),
        ("reach", 1001),
        ("reach", 0.5),
        ("scope", "act"),
        ("scope", []),
    ],
)
def test_a_value_out_of_range_is_named_by_its_place(key: str, value: object) -> None:
    assert f"plan.{key}.value" in refusal(example(**{key: value}))


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"max_share": 0}, ["plan.max_share"]),
        ({"delta_early": 0, "delta_late": 0, "near": None}, ["plan.delta_early", "no place"]),
        ({"near": {"early": 0.5, "late": 2.0, "far_gain": 0}}, ["plan.near", "far_gain"]),
        ({"near": {"early": 1.501, "late": 2.0, "far_gain": 0.8}}, ["plan.near", "early"]),
        ({"near": {"early": 1.5, "late": 4.001, "far_gain": 0.8}}, ["plan.near", "late"]),
    ],
)
def test_rules_that_contradict_each_other_are_named(values: dict[str, Any], named: list[str]) -> None:
    sentence = refusal(example(**values))
    assert [words for words in named if words not in sentence] == []


def test_sections_that_nothing_uses_yet_pass_through() -> None:
    later = {
        "mix": {"duck_db": {"value": [-12, -6.5], "source": "a guide"}, "fade": {"value": 0.3, "source": PROPOSAL}},
        "qc": {"names_early": {"value": True, "source": "a guide"}, "tense": {"value": "present", "source": "another"}},
    }
    found = read({**example(), **later})
    assert found.mix == (Entry("duck_db", (-12, -6.5), "a guide"), Entry("fade", 0.3, PROPOSAL))
    assert found.qc == (Entry("names_early", True, "a guide"), Entry("tense", "present", "another"))
    again = json.loads(preset_bytes(found))
    assert {key: again[key] for key in later} == later


def test_what_is_no_json_or_too_deep_is_one_sentence() -> None:
    for data in (b"", b"\x00", b"[" * 100_000, b'{"format": NaN}', b"[]", b'"adstudio-preset/1"', b"\xff\xfe"):
        with pytest.raises(JsonError) as refused:
            parse_preset(data, "ours.json", "ours")
        assert "\n" not in str(refused.value)


_TIMES = st.integers(0, 60_000)
_LINES = st.text(st.characters(categories=("L", "N", "P", "Zs"), max_codepoint=0x2FFF), min_size=1, max_size=40).filter(
    lambda text: bool(text.strip()) and text.isprintable()
)


@st.composite
def presets(draw: st.DrawFn) -> Preset:
    early, late = draw(_TIMES), draw(st.integers(1, 60_000))
    near = st.builds(Near, st.integers(0, early), st.integers(0, late), st.integers(1, 1_000_000))
    settings = Settings(
        words_per_minute=draw(st.integers(40, 600)),
        gaps=draw(st.builds(GapSettings, _TIMES, _TIMES, _TIMES, st.booleans(), st.booleans(), st.booleans())),
        min_pause=draw(_TIMES),
        max_share=draw(st.integers(1, 1_000_000)),
        scope=draw(st.sampled_from(Scope)),
        near=draw(st.none() | near),
        reach=draw(st.none() | st.integers(0, 1000)),
    )
    sources = {key.name: draw(_LINES) for key in PLAN_KEYS}
    return Preset(draw(_LINES), draw(_LINES), with_distances(settings, early, late), sources, draw(_LINES))


@given(presets())
def test_what_is_written_reads_back_equal(preset: Preset) -> None:
    data = preset_bytes(preset)
    assert parse_preset(data, "again.json", preset.name) == preset
    assert len(data) < MAX_BYTES


def test_the_largest_preset_can_be_read_again() -> None:
    line = "\U0001d54f" * 300
    entries = tuple(Entry(f"{'a' * 57}{number}", "", "s") for number in range(100))
    preset = Preset("x", "y" * 60, SETTINGS, {key.name: line for key in PLAN_KEYS}, line, entries, entries)
    data = preset_bytes(preset)
    assert parse_preset(data, "again.json", "x") == preset
    assert len(data) < MAX_BYTES


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=20))
def test_any_value_in_a_place_is_read_or_refused(value: object) -> None:
    for key in VALUES:
        data = json.dumps(example(**{key: value})).encode("utf-8", "replace")
        with contextlib.suppress(JsonError):
            parse_preset(preset_bytes(parse_preset(data, "p.json", "p")), "again.json", "p")


def test_own_settings_keep_the_sources_of_what_they_leave_as_it_was() -> None:
    base = read({**example(), "qc": {"tense": {"value": "present", "source": "a guide"}}})
    changed = replace(base.settings, min_pause=500, near=None, rate_by_language=(("de", 150),))
    mine = preset_of("Mine", changed, "de-AT", base)
    own = {"min_pause", "near", "words_per_minute"}
    assert {key for key, source in mine.sources.items() if source == PROPOSAL} == own
    assert {key: mine.sources[key] for key in VALUES if key not in own} == {
        key: f"the guide, on {key}" for key in VALUES if key not in own
    }
    assert (mine.title, mine.qc) == ("Mine", base.qc)
    assert mine.settings == replace(changed, words_per_minute=150, rate_by_language=())
    assert set(preset_of("Mine", changed, "en").sources.values()) == {PROPOSAL}


def test_settings_that_ask_the_same_are_equivalent() -> None:
    one = Settings(delta_max=sys.maxsize, delta_early=3000, delta_late=3000)
    assert is_equivalent(one, Settings(delta_max=3000))
    assert is_equivalent(Settings(delta_max=3000, delta_late=4000), Settings(delta_early=3000, delta_late=4000))
    assert not is_equivalent(one, Settings(delta_max=3000, reach=1))
    assert not is_equivalent(one, Settings(delta_max=3000, delta_late=3001))
