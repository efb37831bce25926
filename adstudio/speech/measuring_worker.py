"""Measures how long texts are spoken: `python -m adstudio.speech.measuring_worker` (see `measuring`).

A voice that is not known yet first speaks the calibration sentences, so that there is a model of it at once; the model
is fitted again when more texts have been measured.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from adstudio.core.narration import LineVoice, Narrator
from adstudio.speech.cache import speech_cache
from adstudio.speech.engine import SpeechError, SpeechRequestError, Style, UnspeakableError
from adstudio.speech.engines import choose_engine
from adstudio.speech.length_model import calibration_sentences, fit
from adstudio.speech.measuring import (
    PROTOCOL,
    LengthsMeasured,
    MeasureLengths,
    MeasuringEvent,
    MeasuringFinished,
    ModelFitted,
    TextGroup,
)
from adstudio.speech.speaker import Speaker
from adstudio.speech.style import resolved_voice
from adstudio.speech.voice_lengths import spoken
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import run_job

BATCH_S = 0.3
"""How often lengths are sent."""
BATCH = 50
"""The most that are sent at once."""
FITTED_AT = (50, 200, 800)
"""After so many texts of a group its model is fitted anew."""
FIRST_SENTENCES = 120
"""Of the calibration: the film's own texts come before the others."""
MOST_FAILURES = 5
"""After so many failures in a row a voice is taken to be out of order, and the engine if a line did not choose it."""

Send = Callable[[MeasuringEvent], None]


@dataclass
class _Voice:
    """One voice at work: what it has spoken, by what it was given, and how many of those are texts of the film.

    `chosen`: lines have a voice of their own, which another engine may have had. `failures` are those in a row.
    """

    style: Style
    chosen: bool
    version: str = ""
    known: dict[str, int] = field(default_factory=dict[str, int])
    calibrated: bool = False
    count: int = 0
    fitted: int = 0
    failures: int = 0


class Measuring:
    """One request at work; `speaker` speaks for its engine."""

    def __init__(self, request: MeasureLengths, speaker: Speaker, send: Send) -> None:
        self._request, self._speaker, self._send = request, speaker, send
        self._voices: dict[LineVoice | None, _Voice] = {}
        self._sentences = calibration_sentences(request.narrator.language)
        self._failed, self._why = 0, ""

    def run(self) -> MeasuringFinished:
        """Measure all groups.

        Raises:
            SpeechError, SpeechRequestError: where the project's voice does not work at all.
        """
        for number, group in enumerate(self._request.groups):
            self._measure(number, group)
        last = {group.voice: number for number, group in enumerate(self._request.groups)}
        for voice, number in last.items():
            self._complete_calibration(number, self._voices[voice])
        return MeasuringFinished(self._failed, self._why)

    def _voice(self, voice: LineVoice | None) -> _Voice:
        if voice not in self._voices:
            narrator = self._request.narrator
            _, style = resolved_voice(narrator.voice, narrator.rate, voice)
            name = style.voice or self._speaker.best_voice(narrator.language)
            found = _Voice(style, chosen=voice is not None and voice.voice is not None)
            self._voices[voice] = found
            try:
                found.version = f"{name} {self._speaker.engine.fingerprint(name)}"
            except (SpeechError, SpeechRequestError) as error:
                if not found.chosen:
                    raise
                self._why = self._why or str(error)
                found.failures = MOST_FAILURES
        return self._voices[voice]

    def _measure(self, number: int, group: TextGroup) -> None:
        voice = self._voice(group.voice)
        if not voice.calibrated and (group.calibrate or len(group.texts) >= FITTED_AT[0]):
            voice.calibrated = True
            self._calibrate(voice, self._sentences[:FIRST_SENTENCES])
            if group.calibrate:
                self._fit(number, voice)
        batch: list[int] = []
        first, since = 0, time.monotonic()
        for place, text in enumerate(group.texts):
            batch.append(self._take(voice, text, cached=place < group.cached))
            voice.count += 1
            if len(batch) >= BATCH or time.monotonic() - since >= BATCH_S:
                self._send(LengthsMeasured(number, voice.version, first, tuple(batch)))
                batch, first, since = [], place + 1, time.monotonic()
            if voice.calibrated and voice.count in FITTED_AT:
                self._fit(number, voice)
        if batch or not group.texts:
            self._send(LengthsMeasured(number, voice.version, first, tuple(batch)))
        if voice.calibrated and voice.count - voice.fitted >= FITTED_AT[0]:
            self._fit(number, voice)

    def _complete_calibration(self, number: int, voice: _Voice) -> None:
        """Have the rest of the sentences spoken, unless the film's own texts have taught as much."""
        further = self._sentences[FIRST_SENTENCES:]
        if further and voice.calibrated and voice.count < len(self._sentences):
            self._calibrate(voice, further)
            self._fit(number, voice)

    def _calibrate(self, voice: _Voice, sentences: tuple[str, ...]) -> None:
        for text in sentences:
            if voice.failures < MOST_FAILURES:
                self._take(voice, text, cached=True)

    def _take(self, voice: _Voice, text: str, *, cached: bool) -> int:
        length = self._length(voice, text, cached=cached)
        said = spoken(text, self._request.narrator) if length else None
        if said is not None:
            voice.known[said] = length
        return length

    def _length(self, voice: _Voice, text: str, *, cached: bool) -> int:
        """The length of one text; 0 where it cannot be spoken."""
        narrator = self._request.narrator
        if voice.failures < MOST_FAILURES:
            try:
                length = self._speaker.length(text, voice.style, narrator.language, narrator.lexicon, cached=cached)
            except UnspeakableError:
                return 0
            except (SpeechError, SpeechRequestError) as error:
                voice.failures += 1
                self._why = self._why or str(error)
                if voice.failures >= MOST_FAILURES and not voice.chosen:
                    raise
            else:
                voice.failures = 0
                return length
        self._failed += 1
        return 0

    def _fit(self, number: int, voice: _Voice) -> None:
        voice.fitted = voice.count
        model = fit(voice.known)
        if model is not None:
            self._send(ModelFitted(number, voice.version, model.weights))


def measure(request: MeasureLengths, send: Send, speaker_for: Callable[[Narrator], Speaker] | None = None) -> None:
    """Do what is requested.

    Raises:
        SpeechError, SpeechRequestError: where the engine is missing, or does not work.
    """
    speaker = (speaker_for or _speaker_for)(request.narrator)
    try:
        send(Measuring(request, speaker, send).run())
    finally:
        speaker.close()
        speaker.cache.close()


def _speaker_for(narrator: Narrator) -> Speaker:
    return Speaker(choose_engine(narrator.voice.engine), speech_cache())


def main() -> int:
    """Do what the one request asks, and return the exit code."""
    # numpy's own threads would take the processor from whoever works with the window.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return run_job(PROTOCOL, measure, stop=StopRequest(), background=True)


if __name__ == "__main__":
    sys.exit(main())
