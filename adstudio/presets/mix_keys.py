"""The values of a preset's section `mix`: their names, ranges and units, and the settings that they give."""

from __future__ import annotations

from collections.abc import Iterable

from adstudio.core.mix_settings import (
    GREATEST_DUCK,
    GREATEST_GUARD,
    GREATEST_LEVEL,
    GREATEST_LOUDNESS,
    GREATEST_PEAK,
    GREATEST_RAMP,
    GREATEST_RISE,
    LEAST_LOUDNESS,
    LEAST_PEAK,
    MixSettings,
)
from adstudio.presets.entry import Entry
from adstudio.presets.section_keys import NumberKey, with_entries

MIX_KEYS: tuple[NumberKey, ...] = (
    NumberKey("duck_depth", "Film under narration", "dB down", 10, 0, GREATEST_DUCK),
    NumberKey("ramp_down", "Film fades down in", "s", 1000, 0, GREATEST_RAMP),
    NumberKey("ramp_up", "Film fades up in", "s", 1000, 0, GREATEST_RAMP),
    NumberKey("least_rise", "Film stays down in pauses under", "s", 1000, 0, GREATEST_RISE),
    NumberKey("narration_level", "Narration against the programme", "LU", 10, -GREATEST_LEVEL, GREATEST_LEVEL),
    NumberKey(
        "narration_loudness",
        "Narration loudness",
        "LUFS",
        10,
        LEAST_LOUDNESS,
        GREATEST_LOUDNESS,
        "set against the programme",
    ),
    NumberKey(
        "target_loudness",
        "Loudness",
        "LUFS",
        10,
        LEAST_LOUDNESS,
        GREATEST_LOUDNESS,
        "as the programme has it",
    ),
    NumberKey("true_peak", "True peak, max.", "dBTP", 10, LEAST_PEAK, GREATEST_PEAK),
    NumberKey("click_guard", "Fade at both ends of a line", "s", 1000, 0, GREATEST_GUARD),
)
"""The values that the mix uses; each is optional, as are others of any name, which nothing uses."""


def mix_settings(entries: Iterable[Entry]) -> MixSettings:
    """The settings that a preset's section `mix` gives; what it does not have is as in `MixSettings`."""
    return with_entries(MixSettings(), MIX_KEYS, entries)
