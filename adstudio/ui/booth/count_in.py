"""The count-in: a tone on each of the three beats before the cue, and none on the cue itself, where somebody speaks."""

from __future__ import annotations

import wave
from pathlib import Path

from adstudio.ui.hearing.cue_tones import LENGTH_MS, REST_MS, SOUND_RATE, tone

BEATS = 3
BEAT_MS = 1000
LENGTH = BEATS * BEAT_MS
"""From the first beat to the cue, in milliseconds."""
HERTZ = 784


def beats_left(ms_left: int) -> int:
    """How many beats are still to come before the cue; 0 once it is there, `BEATS` + 1 before the count."""
    return max(0, min(BEATS + 1, -(-ms_left // BEAT_MS)))


def write_count_in(path: Path) -> None:
    """Write it as a WAV file that starts with the first beat."""
    beat = tone(HERTZ)
    rest = bytes(2 * SOUND_RATE * (BEAT_MS - LENGTH_MS) // 1000)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SOUND_RATE)
        file.writeframes((beat + rest) * BEATS + bytes(2 * SOUND_RATE * REST_MS // 1000))
