"""The film in time: each line of dialogue measured, so that its subtitle covers exactly what is heard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from adstudio.core.timebase import Span
from sample_film.source import FRAME_MS, FilmSource
from sample_film.speech import SAMPLE_RATE, Espeak, Samples

LINE_MARGIN_MS = 20
"""Room between a cue's edge and its speech, so that rounding and the sound's coding stay inside the cue."""


@dataclass(frozen=True)
class SpokenLine:
    """A line as it is heard: its cue (snapped outward to frames), and its speech from `starts` on (milliseconds)."""

    voice: str
    speaker: str
    text: str
    cue: Span
    starts: int
    speech: Samples


def speak_lines(source: FilmSource, espeak: Espeak, heed: Callable[[float], None]) -> tuple[SpokenLine, ...]:
    """Every line of the film, spoken and measured; `heed` hears the share that is done.

    Raises:
        OutsideFailureError: when speech fails.
    """
    wanted = [(shot, line) for shot in source.shots for line in shot.lines]
    spoken: list[SpokenLine] = []
    for done, (shot, line) in enumerate(wanted):
        heed(done / len(wanted))
        voice = source.voices[line.voice]
        speech = espeak.say(line.text, voice)
        start = shot.at(line.at) // FRAME_MS * FRAME_MS
        length = round(len(speech) * 1000 / SAMPLE_RATE) + 2 * LINE_MARGIN_MS
        cue = Span(start, start - (-length // FRAME_MS) * FRAME_MS)
        spoken.append(SpokenLine(line.voice, voice.name, line.text, cue, start + LINE_MARGIN_MS, speech))
    return tuple(spoken)
