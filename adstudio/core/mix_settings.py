"""How narration is mixed with the film's sound, in whole numbers, and the permitted ranges."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MixSettings:
    """How far and how fast the film goes down under narration, how loud both are, and what no sample may exceed."""

    duck_depth: int = 90
    """How far the film goes down under a line, in tenths of a dB."""
    ramp_down: int = 300
    """Milliseconds in which the film goes down before a line, if the gap has room for them."""
    ramp_up: int = 300
    """Milliseconds in which the film comes up after a line, if the gap has room for them."""
    least_rise: int = 700
    """The film stays down between two lines of a gap if it would be up for less than this, in milliseconds."""
    narration_level: int = 0
    """How much louder the narration is than the programme, in tenths of an LU (both integrated, BS.1770)."""
    narration_loudness: int | None = None
    """The narration's own loudness in tenths of a LUFS, instead of `narration_level`; None: as the programme has it."""
    target_loudness: int | None = -230
    """The integrated loudness of the result in tenths of a LUFS; None keeps the programme at its level."""
    true_peak: int = -10
    """What the true peak of the result does not exceed, in tenths of a dBTP."""
    click_guard: int = 10
    """Milliseconds of the fade at both ends of each line."""


SHORTEST_RAMP = 20
"""Milliseconds of a ramp for which a gap leaves no room before or after the line: it then lies within the line."""
GREATEST_DUCK = 600
"""Tenths of a dB: this far down, a film is not audible."""
GREATEST_RAMP = 5_000
"""Milliseconds (Netflix Audio Description Style Guide 2.5: a transition of at most five seconds)."""
GREATEST_RISE = 60_000
"""Milliseconds."""
GREATEST_LEVEL = 200
"""Tenths of an LU by which narration may be above or below the programme."""
LEAST_LOUDNESS, GREATEST_LOUDNESS = -400, -50
"""Tenths of a LUFS of a programme, or of narration."""
LEAST_PEAK, GREATEST_PEAK = -200, 0
"""Tenths of a dBTP."""
GREATEST_GUARD = 200
"""Milliseconds."""
