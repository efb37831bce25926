"""The editor's one speech process: `python -m adstudio.speech.worker [--limit SECONDS]`.

Reads requests from its input and answers them in order (`adstudio.speech.messages`), one at a time. It ends with its
input; when it is ended or, on Linux, killed, the engine it waits for ends with it. It has no threads.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from typing import BinaryIO, NoReturn

from adstudio.core.errors import AdstudioError
from adstudio.speech.cache import SpeechCache, speech_cache, stretch_key
from adstudio.speech.engine_choice import choose_engine
from adstudio.speech.messages import (
    LONGEST_LINE,
    Answer,
    Failed,
    ListVoices,
    Rendered,
    Request,
    Said,
    Say,
    Stretch,
    VoiceList,
    answer_line,
    identity_in,
    read_request,
)
from adstudio.speech.rendering import SAMPLE_RATE, PlacedSound, render_ahead
from adstudio.speech.speakable import is_speakable
from adstudio.speech.speaker import LIMIT_S, Speaker
from adstudio.speech.wav import encoded
from adstudio.system.child_process import hush


class Worker:
    """What is kept between requests: the cache, and the engine from the first request that finds one."""

    def __init__(self, cache: SpeechCache, limit: float) -> None:
        self._cache = cache
        self._limit = limit
        self._speaker: Speaker | None = None

    def answer(self, line: bytes) -> Answer:
        """The answer to the request in a line; whatever goes wrong is an answer too."""
        try:
            request = read_request(line)
        except AdstudioError as error:
            return Failed(identity_in(line), str(error))
        try:
            return self._done(request)
        except AdstudioError as error:
            return Failed(request.id, str(error))
        except Exception as error:  # noqa: BLE001 - a fault in one line must not silence the lines after it
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            return Failed(request.id, "this line could not be spoken because of a fault in adstudio: see the log")

    def _done(self, request: Request) -> Answer:
        # Looked for again after a failure: the describer may have installed an engine meanwhile.
        speaker = self._speaker or Speaker(choose_engine(bound=True), self._cache, self._limit, bound=True)
        self._speaker = speaker
        match request:
            case ListVoices():
                return VoiceList(request.id, speaker.engine.name, speaker.voices(request.language))
            case Say():
                voice = request.voice or speaker.best_voice(request.language)
                spoken = speaker.say(request.text, voice, request.rate)
                return Said(request.id, spoken.path, spoken.ms)
            case Stretch():
                return self._rendered(speaker, request)

    def _rendered(self, speaker: Speaker, request: Stretch) -> Rendered:
        voice = request.voice or speaker.best_voice(request.language)
        stretch = request.stretch
        sounds: list[PlacedSound] = []
        keys: list[tuple[str, int]] = []
        numbers: list[int] = []
        for number, line in enumerate(request.lines):
            if not is_speakable(line.text):
                continue
            spoken = speaker.say(line.text, voice, request.rate)
            sounds.append(PlacedSound(spoken.sound, line.start))
            keys.append((spoken.key, line.start))
            numbers.append(number)
        ahead = render_ahead(stretch, sounds)
        path = self._cache.keep(
            stretch_key(stretch.start, stretch.end, tuple(keys)), encoded(ahead.samples, SAMPLE_RATE)
        )
        cut = tuple(numbers[place] for place in ahead.cut)
        unspoken = tuple(sorted(set(range(len(request.lines))) - set(numbers)))
        return Rendered(request.id, path, stretch.length, ahead.overlaps, cut, unspoken)


def requests(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; of one longer than a message may be only the start is given, and never kept whole."""
    while line := stream.readline(LONGEST_LINE + 1):
        start = line
        while not line.endswith(b"\n") and (line := stream.readline(LONGEST_LINE)):
            pass
        if start.strip():
            yield start


def main() -> int:
    """Answer requests until the input ends, and give the exit code."""
    parser = argparse.ArgumentParser(prog="adstudio.speech.worker")
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="seconds that one line may take")
    limit: float = parser.parse_args().limit
    # numpy's own threads would have nothing to do here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    signal.signal(signal.SIGTERM, _stopped)
    cache = speech_cache()
    worker = Worker(cache, limit)
    # A broken pipe or an interrupt is the editor going away: nothing is left to say.
    try:
        for line in requests(sys.stdin.buffer):
            sys.stdout.buffer.write(answer_line(worker.answer(line)))
            sys.stdout.buffer.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        hush()
    finally:
        cache.close()
    return 0


def _stopped(_number: int, _frame: object) -> NoReturn:
    raise SystemExit(0)


if __name__ == "__main__":
    sys.exit(main())
