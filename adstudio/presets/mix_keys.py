"""The values of a preset's section `mix`: their names, ranges and units, and the settings that they give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from adstudio.core.json_reading import Node
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


@dataclass(frozen=True)
class MixKey:
    """A value of the section `mix`, called as the field of `MixSettings` that it gives, which holds integers.

    In a file it is a number in `unit`, `scale` times smaller, from `least` to `greatest` (of the field). What null
    means is `without`; where that is empty, null is not permitted.
    """

    name: str
    label: str
    unit: str
    scale: int
    least: int
    greatest: int
    without: str = ""

    def read(self, node: Node) -> int | None:
        """The field's value.

        Raises:
            JsonError: for what is no number, has too many decimals or is out of range.
        """
        if self.without and node.is_null:
            return None
        number = node.number()
        # Compared before multiplying: a number with many digits would be rounded.
        if not self.least <= number * self.scale <= self.greatest:
            least, greatest = self.least / self.scale, self.greatest / self.scale
            node.fail(f"{number:.9g} {self.unit} is outside {least:g} to {greatest:g} {self.unit}")
        whole = round(number * self.scale)
        if whole != number * self.scale:
            node.fail(f"{number!s:.20} has more decimals than {len(str(self.scale)) - 1}")
        return whole

    def text(self, value: int | None) -> str:
        """A field's value for people."""
        return self.without if value is None else f"{value / self.scale:g} {self.unit}".replace("-", "−")


MIX_KEYS: tuple[MixKey, ...] = (
    MixKey("duck_depth", "Film under narration", "dB down", 10, 0, GREATEST_DUCK),
    MixKey("ramp_down", "Film goes down in", "s", 1000, 0, GREATEST_RAMP),
    MixKey("ramp_up", "Film comes up in", "s", 1000, 0, GREATEST_RAMP),
    MixKey("least_rise", "Film stays down for less than", "s", 1000, 0, GREATEST_RISE),
    MixKey("narration_level", "Narration against the programme", "LU", 10, -GREATEST_LEVEL, GREATEST_LEVEL),
    MixKey(
        "narration_loudness",
        "Narration loudness",
        "LUFS",
        10,
        LEAST_LOUDNESS,
        GREATEST_LOUDNESS,
        "set against the programme",
    ),
    MixKey(
        "target_loudness",
        "Loudness",
        "LUFS",
        10,
        LEAST_LOUDNESS,
        GREATEST_LOUDNESS,
        "as the programme has it",
    ),
    MixKey("true_peak", "True peak, max.", "dBTP", 10, LEAST_PEAK, GREATEST_PEAK),
    MixKey("click_guard", "Fade at both ends of a line", "s", 1000, 0, GREATEST_GUARD),
)
"""The values that the mix uses; each is optional, as are others of any name, which nothing uses."""


def mix_settings(entries: Iterable[Entry]) -> MixSettings:
    """The settings that a preset's section `mix` gives; what it does not have is as in `MixSettings`."""
    values = {each.name: each.value for each in entries}
    found = MixSettings()
    for key in MIX_KEYS:
        if key.name in values:
            value = values[key.name]
            number = None if value is None or not isinstance(value, int | float) else round(value * key.scale)
            found = replace(found, **{key.name: number})
    return found
