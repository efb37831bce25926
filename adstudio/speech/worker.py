"""The editor's one speech process: `python -m adstudio.speech.worker` (see `messages`).

When it is stopped or, on Linux, killed, the engine it waits for ends with it. It has no threads.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.script import Variant
from adstudio.speech.cache import SpeechCache, louder_key, segment_key, speech_cache, take_key
from adstudio.speech.engine import UnspeakableError
from adstudio.speech.engines import choose_engine, engine_voices
from adstudio.speech.ignored import Ignored
from adstudio.speech.messages import (
    MOST_PEAKS,
    PEAK_RATE,
    PROTOCOL,
    Answer,
    FindPeaks,
    ListVoices,
    PeaksFound,
    Placed,
    Render,
    Rendered,
    Request,
    Said,
    Say,
    VoiceList,
)
from adstudio.speech.rendering import SAMPLE_RATE, render_segment
from adstudio.speech.sound import LARGEST, Sound, encoded
from adstudio.speech.speaker import LIMIT_S, Speaker, Spoken
from adstudio.speech.takes import RecordingError, line_sound
from adstudio.system.files import read_bounded
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import answer_requests


class Worker:
    """What stays between requests: the cache, and the engines that were found, by the name they were asked for."""

    def __init__(self, cache: SpeechCache, limit: float) -> None:
        self._cache = cache
        self._limit = limit
        self._speakers: dict[str, Speaker] = {}

    def answer(self, request: Request) -> Answer:
        """The answer to a request.

        Raises:
            SpeechError, SpeechRequestError: where it cannot be had.
        """
        match request:
            case ListVoices():
                return VoiceList(engine_voices(request.language, request.engine))
            case Say():
                return self._said(request)
            case Render():
                return self._rendered(request)
            case FindPeaks():
                return PeaksFound(tuple(self._peaks(line, request) for line in request.lines))

    def close(self) -> None:
        """End the engines' processes, and remove a temporary cache."""
        for speaker in self._speakers.values():
            speaker.close()
        self._cache.close()

    def _speaker(self, engine: str) -> Speaker:
        # Looked for again after a failure: the user may have installed an engine meanwhile.
        if engine not in self._speakers:
            self._speakers[engine] = Speaker(choose_engine(engine), self._cache, self._limit)
        return self._speakers[engine]

    def _said(self, request: Say) -> Said:
        line = self._line(request, request)
        path = line.path
        if path is None:
            path = self._cache.store(line.key, encoded(line.sound.samples, line.sound.rate))
        return Said(path, line.sound.ms, line.engine, line.ignored)

    def _rendered(self, request: Render) -> Rendered:
        span = request.span
        lines: list[tuple[_LineSound, int]] = []
        numbers: list[int] = []
        unspoken: list[int] = []
        for number, line in enumerate(request.lines):
            try:
                lines.append((self._line(line, request), line.start))
                numbers.append(number)
            except UnspeakableError:
                unspoken.append(number)
        rendered = render_segment(span, [(line.sound, start) for line, start in lines])
        key = segment_key(span.start, span.end, tuple((line.key, start) for line, start in lines))
        path = self._cache.store(key, encoded(rendered.samples, SAMPLE_RATE))
        cut = tuple(numbers[place] for place in rendered.cut)
        ignored = tuple(dict.fromkeys(each for line, _ in lines for each in line.ignored))
        engine = next((line.engine for line, _ in lines if line.engine), "")
        return Rendered(path, span.length, rendered.overlaps, cut, tuple(unspoken), engine, ignored)

    def _peaks(self, line: Placed, request: FindPeaks) -> str:
        """The peaks of a line as it has been recorded or spoken; empty where it has not, or cannot be."""
        try:
            if line.take is not None:
                sound = self._line(line, request).sound
            else:
                speaker = self._speaker(request.engine)
                sound = speaker.find(line.text, line.style, request.language, request.lexicon)
        except BadInputError:
            return ""
        if sound is None or sound.ms > MOST_PEAKS // 2 * 10:
            return ""
        return sound.with_gain(0 if line.take else line.style.volume).peaks(PEAK_RATE).tobytes().hex()

    def _line(self, line: Say | Placed, request: Say | Render | FindPeaks) -> _LineSound:
        """What is heard of a line: its take, else the voice at its volume."""
        take, volume = line.take, line.style.volume
        variant = Variant(line.text) if take is None else Variant(take.text, takes=(take,), take=take.id)
        spoken: Spoken | None = None

        def speak(text: str) -> Sound:
            nonlocal spoken
            speaker = self._speaker(request.engine)
            spoken = speaker.say(text, line.style, request.language, request.lexicon)
            return spoken.sound.with_gain(volume)

        def recording(key: str) -> bytes:
            if request.recordings is None:
                raise RecordingError("the recording of a take is missing")
            return read_bounded(request.recordings / key, LARGEST, "recording")

        sound = line_sound(variant, recording, speak)
        if take is not None:
            return _LineSound(sound, take_key(take.sound, take.start, take.end, take.level))
        if spoken is None:
            raise AssertionError("a line without a take is spoken")
        engine = self._speaker(request.engine).engine.name
        key = louder_key(spoken.key, volume) if volume else spoken.key
        return _LineSound(sound, key, None if volume else spoken.path, engine, spoken.ignored)


@dataclass(frozen=True)
class _LineSound:
    """A line's sound, its key in the cache, its file there if it is known, who spoke it, and what is not heard."""

    sound: Sound
    key: str
    path: Path | None = None
    engine: str = ""
    ignored: tuple[Ignored, ...] = ()


def main(limit: float = LIMIT_S) -> int:
    """Answer requests until the input ends, and return the exit code; one line may take `limit` seconds."""
    # numpy's own threads would have nothing to do here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    worker = Worker(speech_cache(), limit)
    try:
        return answer_requests(PROTOCOL, worker.answer, stop=StopRequest())
    finally:
        worker.close()


if __name__ == "__main__":
    sys.exit(main())
