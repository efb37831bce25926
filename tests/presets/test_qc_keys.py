"""The section `qc` of presets: what ships, what is refused, what is left out, and what else passes through."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from example_presets import example, written

from adstudio.core.json_reading import JsonError
from adstudio.core.quality_settings import QualitySettings
from adstudio.presets.entry import Entry
from adstudio.presets.library import preset_named, shipped_presets
from adstudio.presets.preset import PROPOSAL, preset_of
from adstudio.presets.preset_file import parse_preset, preset_bytes
from adstudio.presets.qc_keys import OF_PLAN, QC_KEYS

PUBLICATIONS = ("Netflix Audio Description Style Guide v2.5", "W3C, WCAG 3", "ACB", "Vorgaben für Audiodeskription")


def with_qc(**values: Any) -> bytes:
    qc = {key: {"value": value, "source": "ours"} for key, value in values.items()}
    return written({**example(), "qc": qc})


def settings(**values: Any) -> QualitySettings:
    return parse_preset(with_qc(**values), "ours.json", "ours").quality_settings


def test_every_field_of_the_settings_has_its_key() -> None:
    assert [key.name for key in QC_KEYS] == [field.name for field in fields(QualitySettings)]


def test_every_shipped_preset_has_every_value_that_the_plan_does_not_give_with_its_source() -> None:
    for preset in shipped_presets():
        assert [each.name for each in preset.qc] == [key.name for key in QC_KEYS if key.name not in OF_PLAN]
        assert all(each.source == PROPOSAL or each.source.startswith(PUBLICATIONS) for each in preset.qc)


def test_no_house_plans_what_it_would_find() -> None:
    for preset in shipped_presets():
        assert preset.settings.words_per_minute <= preset.quality_settings.most_words_per_minute, preset.name


def test_the_german_house_names_people_early() -> None:
    assert not preset_named("german").quality_settings.names_after_introduction
    assert preset_named("us").quality_settings.names_after_introduction


def test_what_is_left_out_is_as_the_plan_or_the_settings_have_it() -> None:
    """The example plans with 0.25 s before dialogue, 0.4 s after it and gaps of 1.2 s."""
    assert settings() == QualitySettings(collar_before=250, collar_after=400, least_gap=1200)
    assert settings(collar_before=0.1, least_gap=0, most_words_per_minute=150, names_after_introduction=False) == (
        QualitySettings(
            most_words_per_minute=150,
            collar_before=100,
            collar_after=400,
            least_gap=0,
            names_after_introduction=False,
        )
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("length_tolerance", -0.001),
        ("length_tolerance", 5.001),
        ("length_tolerance", 0.0001),
        ("most_words_per_minute", 39),
        ("most_words_per_minute", 601),
        ("most_words_per_minute", 180.5),
        ("least_rated_words", 0),
        ("collar_before", 60.001),
        ("least_gap", None),
        ("names_after_introduction", 1),
        ("names_after_introduction", "yes"),
    ],
)
def test_what_no_rule_can_use_is_refused_with_its_place(name: str, value: object) -> None:
    with pytest.raises(JsonError, match=f"qc.{name}.value"):
        parse_preset(with_qc(**{name: value}), "ours.json", "ours")


def test_a_number_without_decimals_is_said_to_be_whole() -> None:
    with pytest.raises(JsonError, match=r"180\.5 is not whole"):
        parse_preset(with_qc(most_words_per_minute=180.5), "ours.json", "ours")


def test_other_values_pass_through_and_all_reads_back_equal() -> None:
    preset = parse_preset(with_qc(collar_after=0.25, tense="present", words=["we", "see"]), "ours.json", "ours")
    assert Entry("words", ("we", "see"), "ours") in preset.qc
    assert parse_preset(preset_bytes(preset), "ours.json", "ours") == preset
    assert preset_of("mine", preset.settings, "en", preset).quality_settings == preset.quality_settings
