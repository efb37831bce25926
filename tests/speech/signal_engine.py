"""An engine whose sound is a function of all that it is given: whoever gets another line's sound can tell.

As a program it plays piper's process in that way: `python -m signal_engine`, which must be on the path.
"""

from __future__ import annotations

import hashlib
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from adstudio.speech.cache import SpeechCache
from adstudio.speech.engine import Capabilities, SpeechError, Style, Voice
from adstudio.speech.piper_engine import PROTOCOL, Synthesise, Synthesised
from adstudio.speech.sound import encoded, read_sound
from adstudio.speech.speaker import Speaker
from adstudio.system.worker import answer_requests

RATE = 8_000


def signal_of(text: str, voice: str, rate: int) -> np.ndarray:
    """0.1 s of noise, as loud at its ends as it gets, so that nothing is trimmed."""
    seed = hashlib.sha256(repr((text, voice, rate)).encode()).digest()
    whole = np.frombuffer(random.Random(seed).randbytes(1600), "<i2") // 2
    return np.concatenate(([16_384], whole, [16_384])) / 32_768


class SignalEngine:
    """It takes a moment, and fails now and then."""

    name = "signals"
    capabilities = Capabilities()

    def __init__(self, failing: float = 0.0) -> None:
        self._failing = failing
        self._random = random.Random(7)
        self._lock = threading.Lock()
        self.spoken = 0

    def fingerprint(self, voice: str) -> str:
        return "1"

    def voices(self, language: str) -> tuple[Voice, ...]:
        return (Voice("v", "V", "en"),)

    def synthesise(self, text: str, style: Style, target: Path, limit: float) -> None:
        with self._lock:
            self.spoken += 1
            fails = self._random.random() < self._failing
        time.sleep(0.001)
        if fails:
            # what is left behind by an engine that died in the middle
            target.write_bytes(encoded(signal_of("half", "", 0), RATE)[:900])
            raise SpeechError("the engine died")
        target.write_bytes(encoded(signal_of(text, style.voice, style.rate), RATE))

    def close(self) -> None:
        pass


def lines(count: int, seed: int, kinds: int) -> list[tuple[str, Style]]:
    """Lines to ask for, many of them more than once: few texts, in few voices and rates."""
    source = random.Random(seed)
    return [
        (f"Line {source.randrange(kinds)}.", Style(source.choice("ab"), source.choice((160, 200))))
        for _ in range(count)
    ]


def wrong_answers(speaker: Speaker, asked: list[tuple[str, Style]], threads: int, patience: int = 20) -> list[str]:
    """What is wrong with the answers to lines that so many threads ask for; a failure is asked for again."""

    def answer(line: tuple[str, Style]) -> str:
        text, style = line
        for _ in range(patience):
            try:
                spoken = speaker.say(text, style)
                break
            except SpeechError:
                continue
        else:
            return f"{text} was not answered"
        expected = signal_of(text, style.voice, style.rate)
        if not np.array_equal(spoken.sound.samples, expected.astype(np.float32)):
            return f"{text} has another sound"
        try:
            found = read_sound(spoken.path).samples
        except SpeechError as error:
            # The cache is smaller than what is asked of it: a file may be gone again, but not damaged.
            return "" if not spoken.path.exists() else f"{text}: {error}"
        return "" if np.array_equal(found, expected.astype(np.float32)) else f"the file of {text} has another sound"

    with ThreadPoolExecutor(threads) as pool:
        return [problem for problem in pool.map(answer, asked) if problem]


def ask_from_here(folder: Path, seed: int) -> int:
    """A process among several: prints what is wrong with its answers."""
    engine = SignalEngine(failing=0.05)
    speaker = Speaker(engine, SpeechCache(folder, largest=60 * 1_650))
    for problem in wrong_answers(speaker, lines(250, seed, 40), threads=8):
        print(problem)
    print("done", engine.spoken)
    return 0


def play_piper() -> int:
    def answer(request: Synthesise) -> Synthesised:
        voice = request.model.name.removesuffix(".onnx")
        data = encoded(signal_of(request.text, voice, request.rate), RATE)
        # slowly, so that it is also killed in the middle of a file
        with request.target.open("wb") as file:
            for start in range(0, len(data), 500):
                file.write(data[start : start + 500])
                file.flush()
        return Synthesised()

    return answer_requests(PROTOCOL, answer)


if __name__ == "__main__":
    sys.exit(play_piper() if len(sys.argv) == 1 else ask_from_here(Path(sys.argv[1]), int(sys.argv[2])))
