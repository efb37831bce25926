"""The section `mix` of presets: what ships, what is refused, and what else passes through."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from example_presets import example, written

from adstudio.core.json_reading import JsonError
from adstudio.core.mix_settings import MixSettings
from adstudio.presets.library import preset_named, shipped_presets
from adstudio.presets.mix_keys import MIX_KEYS
from adstudio.presets.preset import PROPOSAL
from adstudio.presets.preset_file import parse_preset, preset_bytes

PUBLICATIONS = ("Netflix Audio Description Style Guide v2.5", "W3C, DAPT", "EBU R 128", "ATSC A/85")


def with_mix(**values: Any) -> bytes:
    mix = {key: {"value": value, "source": "ours"} for key, value in values.items()}
    return written({**example(), "mix": mix})


def test_every_field_of_the_settings_has_its_key() -> None:
    assert [key.name for key in MIX_KEYS] == [field.name for field in fields(MixSettings)]


def test_every_shipped_preset_has_every_value_with_its_source() -> None:
    for preset in shipped_presets():
        assert [each.name for each in preset.mix] == [key.name for key in MIX_KEYS], preset.name
        assert all(each.source == PROPOSAL or each.source.startswith(PUBLICATIONS) for each in preset.mix)


@pytest.mark.parametrize(
    ("name", "loudness", "peak"),
    [
        *((name, -230, -10) for name in ("house", "uk", "german", "french", "childrens")),  # R 128: −23 LUFS, −1 dBTP
        ("us", -240, -20),  # A/85: −24 LKFS, −2 dBTP
    ],
)
def test_broadcasters_have_their_loudness_and_peak(name: str, loudness: int, peak: int) -> None:
    settings = preset_named(name).mix_settings
    assert (settings.target_loudness, settings.true_peak) == (loudness, peak)


def test_ducks_are_as_deep_as_netflix_allows() -> None:
    for preset in shipped_presets():
        assert 60 <= preset.mix_settings.duck_depth <= 120, preset.name


def test_values_become_integers_and_what_is_left_out_is_as_the_settings_have_it() -> None:
    preset = parse_preset(
        with_mix(duck_depth=7.5, ramp_down=0.25, target_loudness=None, true_peak=-2, narration_level=-1.5),
        "ours.json",
        "ours",
    )
    assert preset.mix_settings == MixSettings(
        duck_depth=75, ramp_down=250, target_loudness=None, true_peak=-20, narration_level=-15
    )
    assert parse_preset(preset_bytes(preset), "again.json", "ours") == preset


def test_other_names_pass_through_unused() -> None:
    preset = parse_preset(with_mix(duck=[-12, -6], duck_db="soft", fade=None), "ours.json", "ours")
    assert preset.mix_settings == MixSettings()
    assert [each.name for each in preset.mix] == ["duck", "duck_db", "fade"]


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("duck_depth", -9, "outside 0 to 60 dB"),
        ("duck_depth", 60.1, "outside 0 to 60 dB"),
        ("duck_depth", 9.05, "more decimals than 1"),
        ("duck_depth", "9", "expected a number"),
        ("duck_depth", None, "expected a number"),
        ("duck_depth", True, "expected a number"),
        ("duck_depth", [-12, -6], "expected a number"),
        ("ramp_down", 5.001, "outside 0 to 5 s"),
        ("ramp_up", 0.0005, "more decimals than 3"),
        ("target_loudness", 23, "outside -40 to -5 LUFS"),
        ("true_peak", 0.1, "outside -20 to 0 dBTP"),
        ("true_peak", None, "expected a number"),
        ("narration_level", 21, "outside -20 to 20 LU"),
        ("click_guard", 1e-30, "more decimals than 3"),
    ],
)
def test_values_that_no_mix_can_have_are_refused(key: str, value: Any, named: str) -> None:
    with pytest.raises(JsonError) as refused:
        parse_preset(with_mix(**{key: value}), "ours.json", "ours")
    assert f"mix.{key}.value" in str(refused.value)
    assert named in str(refused.value)


def test_the_command_shows_each_value_with_its_source(capfd: pytest.CaptureFixture[str]) -> None:
    from adstudio.cli.main import main

    with pytest.raises(SystemExit) as ended:
        main(["preset", "us"])
    assert ended.value.code == 0
    shown = capfd.readouterr().out.splitlines()
    assert "Loudness: −24 LUFS (ATSC A/85, as American networks require it)" in shown
    assert sum(line.startswith("Film under narration") for line in shown) == 1
