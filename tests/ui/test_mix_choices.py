"""How narration is mixed: the preset of the project, the one chosen, what was changed, and what cannot be read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.presets.library import preset_named
from adstudio.ui.session.mix_choices import MixChoices, project_preset, store_mix, stored_mix
from adstudio.ui.session.preferences import Preferences

SCRIPT = Script(Film("Film", 10_000))


@pytest.fixture
def preferences(qapp) -> Preferences:
    return Preferences()


def test_the_project_names_its_preset_by_its_settings():
    for name in ("uk", "us", "house"):
        script = replace(SCRIPT, settings=preset_named(name).settings)
        assert project_preset(script).mix_settings == preset_named(name).mix_settings
    odd = replace(SCRIPT, settings=replace(preset_named("uk").settings, words_per_minute=123))
    assert project_preset(odd).name == "house"


def test_what_was_chosen_is_remembered(preferences: Preferences):
    chosen = MixChoices("us", (("duck_depth", 60), ("target_loudness", None)), "stem", 16)
    store_mix(preferences, chosen)
    assert stored_mix(preferences) == chosen
    settings = chosen.settings(SCRIPT)
    us = preset_named("us").mix_settings
    assert settings == replace(us, duck_depth=60, target_loudness=None)


def test_a_preset_that_has_gone_is_that_of_the_project():
    assert MixChoices("my own").settings(SCRIPT) == project_preset(SCRIPT).mix_settings


@pytest.mark.parametrize(
    "stored",
    [
        "no json",
        "[]",
        "7",
        "null",
        json.dumps({"preset": 7, "changes": [], "kind": None, "bits": 8}),
        json.dumps({"changes": {"duck_depth": "deep", "ramp_up": None, "true_peak": 5, "of_tomorrow": 3}}),
        json.dumps({"changes": {"duck_depth": True, "ramp_down": -1, "ramp_up": 10**9}, "bits": True}),
    ],
)
def test_what_cannot_be_read_is_as_by_default(preferences: Preferences, stored: str):
    preferences.store("mix", stored)
    assert stored_mix(preferences) == MixChoices()
