"""The editor's one speech process: `python -m adstudio.speech.worker` (see `messages`).

When it is stopped or, on Linux, killed, the engine it waits for ends with it. It has no threads.
"""

from __future__ import annotations

import os
import sys

from adstudio.speech.cache import SpeechCache, segment_key, speech_cache
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
from adstudio.speech.speaker import LIMIT_S, Speaker, choose_engine, is_speakable
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import answer_requests


class Worker:
    """What stays between requests: the cache, and the engine from the first request that finds one."""

    def __init__(self, cache: SpeechCache, limit: float) -> None:
        self._cache = cache
        self._limit = limit
        self._speaker: Speaker | None = None

    def answer(self, request: Request) -> Answer:
        """The answer to a request.

        Raises:
            SpeechError, SpeechRequestError: where it cannot be had.
        """
        # Looked for again after a failure: the user may have installed an engine meanwhile.
        speaker = self._speaker or Speaker(choose_engine(), self._cache, self._limit)
        self._speaker = speaker
        match request:
            case ListVoices():
                return VoiceList(speaker.engine.name, speaker.engine.voices(request.language))
            case Say():
                voice = request.voice or speaker.best_voice(request.language)
                spoken = speaker.say(request.text, voice, request.rate, request.language)
                return Said(spoken.path, spoken.sound.ms)
            case Render():
                return self._rendered(speaker, request)

    def _rendered(self, speaker: Speaker, request: Render) -> Rendered:
        voice = request.voice or speaker.best_voice(request.language)
        span = request.span
        numbers = [number for number, line in enumerate(request.lines) if is_speakable(line.text)]
        lines = [request.lines[number] for number in numbers]
        spoken = [(speaker.say(line.text, voice, request.rate, request.language), line.start) for line in lines]
        rendered = render_segment(span, [(said.sound, start) for said, start in spoken])
        key = segment_key(span.start, span.end, tuple((said.key, start) for said, start in spoken))
        path = self._cache.store(key, encoded(rendered.samples, SAMPLE_RATE))
        cut = tuple(numbers[place] for place in rendered.cut)
        unspoken = tuple(sorted(set(range(len(request.lines))) - set(numbers)))
        return Rendered(path, span.length, rendered.overlaps, cut, unspoken)


def main(limit: float = LIMIT_S) -> int:
    """Answer requests until the input ends, and return the exit code; one line may take `limit` seconds."""
    # numpy's own threads would have nothing to do here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    cache = speech_cache()
    try:
        return answer_requests(PROTOCOL, Worker(cache, limit).answer, stop=StopRequest())
    finally:
        cache.close()


if __name__ == "__main__":
    sys.exit(main())
