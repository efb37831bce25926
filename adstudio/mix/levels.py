"""The gains of film and narration: from measured powers to the loudness that the settings ask for."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.mix_settings import MixSettings
from adstudio.mix.loudness import Powers, integrated

SILENT_PROGRAMME = -230
"""Tenths of a LUFS that narration is set against where the programme is silent and has no target (EBU R 128)."""
MOST_GAIN = 40.0
"""Decibels by which anything is turned up or down at most: what is so soft is noise."""
_ROUNDS = 12


@dataclass(frozen=True)
class Levels:
    """Gains in decibels of the whole mix and of the narration before it, and what was measured (LUFS)."""

    mix: float = 0.0
    narration: float = 0.0
    programme_loudness: float | None = None
    narration_loudness: float | None = None
    """At these gains."""


@dataclass(frozen=True)
class Measured:
    """Weighted powers at a gain of 1: the programme, itself ducked, the narration, and the product of those two."""

    programme: Powers
    ducked: Powers
    narration: Powers
    product: Powers

    def levels(self, settings: MixSettings, mix: float = 0.0) -> Levels:
        """The gains for these settings; `mix` is a gain to begin from, in decibels.

        The gates are not linear in the gain, and a narration of its own loudness does not follow it: the gain is found
        in a few rounds.
        """
        programme, spoken = integrated(self.programme), integrated(self.narration)
        target = settings.target_loudness
        against = programme
        if against is None:
            against = (SILENT_PROGRAMME if target is None else target) / 10
        narration = 0.0
        for _ in range(_ROUNDS):
            if spoken is not None:
                own = settings.narration_loudness
                wanted = against + settings.narration_level / 10 if own is None else own / 10 - mix
                narration = min(wanted - spoken, MOST_GAIN)
            reached = self._at(mix, narration)
            if target is None or reached is None or abs(target / 10 - reached) < 0.001:
                break
            mix = max(min(mix + target / 10 - reached, MOST_GAIN), -MOST_GAIN)
        loud = None if spoken is None else spoken + narration + mix
        return Levels(mix, narration, programme, loud)

    def _at(self, mix: float, narration: float) -> float | None:
        factor, gain = 10 ** (narration / 20), 10 ** (mix / 10)
        return integrated(gain * (self.ducked + 2 * factor * self.product + factor**2 * self.narration))
