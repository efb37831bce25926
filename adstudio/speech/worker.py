"""The editor's one speech process: `python -m adstudio.speech.worker` (see `messages`).

When it is stopped or, on Linux, killed, the engine it waits for ends with it. It has no threads.
"""

from __future__ import annotations

import os
import sys

from adstudio.speech.cache import SpeechCache, louder_key, segment_key, speech_cache
from adstudio.speech.engines import choose_engine, engine_voices
from adstudio.speech.messages import (
    PROTOCOL,
    Answer,
    ListVoices,
    Render,
    Rendered,
    Request,
    Said,
    Say,
    VoiceList,
)
from adstudio.speech.rendering import SAMPLE_RATE, render_segment
from adstudio.speech.sound import encoded
from adstudio.speech.speaker import LIMIT_S, Speaker
from adstudio.speech.spoken_text import is_speakable
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
        speaker = self._speaker(request.engine)
        spoken = speaker.say(request.text, request.style, request.language, request.lexicon)
        path, volume = spoken.path, request.style.volume
        if volume:
            louder = spoken.sound.with_gain(volume)
            path = self._cache.store(louder_key(spoken.key, volume), encoded(louder.samples, louder.rate))
        return Said(path, spoken.sound.ms, speaker.engine.name, spoken.ignored)

    def _rendered(self, request: Render) -> Rendered:
        speaker = self._speaker(request.engine)
        span = request.span
        numbers = [number for number, line in enumerate(request.lines) if is_speakable(line.text)]
        lines = [request.lines[number] for number in numbers]
        spoken = [speaker.say(line.text, line.style, request.language, request.lexicon) for line in lines]
        placed = [
            (said.sound.with_gain(line.style.volume), line.start) for said, line in zip(spoken, lines, strict=True)
        ]
        rendered = render_segment(span, placed)
        parts = tuple((said.key, line.start, line.style.volume) for said, line in zip(spoken, lines, strict=True))
        key = segment_key(span.start, span.end, parts)
        path = self._cache.store(key, encoded(rendered.samples, SAMPLE_RATE))
        cut = tuple(numbers[place] for place in rendered.cut)
        unspoken = tuple(sorted(set(range(len(request.lines))) - set(numbers)))
        ignored = tuple(dict.fromkeys(each for said in spoken for each in said.ignored))
        return Rendered(path, span.length, rendered.overlaps, cut, unspoken, speaker.engine.name, ignored)


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
