"""A thousand requests from many callers, killed processes, and callers that go away: no line is lost or mixed up."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from process_end import gone
from signal_engine import SignalEngine, lines, wrong_answers

from adstudio.speech.cache import SpeechCache
from adstudio.speech.engine import Style
from adstudio.speech.engine_server import EngineServer
from adstudio.speech.espeak import Espeak
from adstudio.speech.messages import PROTOCOL, Said, Say
from adstudio.speech.piper_engine import Piper
from adstudio.speech.sound import read_sound
from adstudio.speech.speaker import Speaker
from adstudio.system.child_process import LineProcess

HERE = Path(__file__).parent


def test_four_processes_of_eight_threads_share_one_small_cache(tmp_path: Path):
    """1,000 requests for 160 different lines; the cache holds 60, engines fail at one request in twenty."""
    arguments = [sys.executable, str(HERE / "signal_engine.py"), str(tmp_path / "cache")]
    running = [
        subprocess.Popen([*arguments, str(seed)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for seed in range(4)
    ]
    spoken = 0
    for process in running:
        out, complaints = process.communicate(timeout=120)
        assert complaints == ""
        *problems, done = out.splitlines()
        assert problems == []
        spoken += int(done.split()[1])
    # the cache was of use, and was trimmed
    assert spoken < 1_000
    files = list((tmp_path / "cache").iterdir())
    assert 0 < sum(path.stat().st_size for path in files) <= 60 * 1_650 * 4
    assert {path.suffix for path in files} == {".wav"}


def test_a_thousand_requests_while_the_engines_process_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in "ab":
        (tmp_path / f"{name}.onnx").touch()
        (tmp_path / f"{name}.onnx.json").write_text('{"espeak": {"voice": "en"}}')
    server = EngineServer((sys.executable, str(HERE / "signal_engine.py")), "piper", 60.0)
    piper = Piper((tmp_path,), server)
    speaker = Speaker(piper, SpeechCache(tmp_path / "cache"))
    killed: list[int] = []
    exchange, moments = LineProcess._exchange, random.Random(1)

    def exchanged(process: subprocess.Popen[bytes], request: bytes, lines: int) -> list[bytes]:
        # one request in fifty finds it dead, dies with it, or has its answer just before it dies
        when = moments.choice(("before", "during", "after")) if moments.random() < 0.02 else ""
        if when:
            killed.append(process.pid)
        if when == "before":
            os.kill(process.pid, signal.SIGKILL)
        timer = threading.Timer(0.002, os.kill, (process.pid, signal.SIGKILL))
        if when == "during":
            timer.start()
        answer = exchange(process, request, lines)
        if when == "during":
            timer.join()
        if when == "after":
            os.kill(process.pid, signal.SIGKILL)
        return answer

    monkeypatch.setattr(LineProcess, "_exchange", staticmethod(exchanged))
    try:
        assert wrong_answers(speaker, lines(1_000, 3, 230), threads=12) == []
    finally:
        piper.close()
    assert len(killed) > 5
    assert all(gone(pid) for pid in killed)


def test_threads_that_ask_for_one_line_all_get_it(tmp_path: Path):
    engine = SignalEngine()
    assert wrong_answers(Speaker(engine, SpeechCache(tmp_path)), [("One.", Style("a", 200))] * 200, threads=16) == []
    assert len(list(tmp_path.iterdir())) == 1


TEXTS = [f"Number {number} waits at the {place}." for number in range(15) for place in ("door", "station")]


def test_callers_that_go_away_leave_only_whole_lines(espeak: Espeak, tmp_path: Path):
    """The editor's speech process is killed at any moment, as when hearing is cancelled; the next one goes on."""
    surroundings = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)}
    moments = random.Random(5)
    style = Style("gmw/en", 200)
    answered: dict[str, Said] = {}
    for _ in range(12):
        asked = moments.sample(TEXTS, 10)
        with subprocess.Popen(
            PROTOCOL.command(), env=surroundings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(b"".join(PROTOCOL.request_line(Say(text, style)) for text in asked))
            process.stdin.flush()
            for text in asked[: moments.randrange(1, 10)]:
                answer = PROTOCOL.read_event(process.stdout.readline())
                assert isinstance(answer, Said)
                answered[text] = answer
            process.send_signal(moments.choice((signal.SIGKILL, signal.SIGTERM)))
    # each line that was answered, and each that is in the cache, is whole and its own
    own = Speaker(espeak, SpeechCache(tmp_path / "own"))
    wholes = {spoken.key: (text, spoken.sound) for text in TEXTS for spoken in [own.say(text, style)]}
    for text, answer in answered.items():
        key = answer.wav.stem
        assert wholes[key][0] == text
        assert answer.ms == wholes[key][1].ms
    found = [path for path in (tmp_path / "cache" / "adstudio" / "speech").iterdir() if path.suffix == ".wav"]
    assert len(found) >= len(answered)
    for path in found:
        assert np.array_equal(read_sound(path).samples, wholes[path.stem][1].samples)


def test_espeak_asked_by_many_threads_says_to_each_its_own(espeak: Espeak, tmp_path: Path):
    style = Style("gmw/en", 220)
    alone = Speaker(espeak, SpeechCache(tmp_path / "alone"))
    expected = {text: alone.say(text, style).sound.samples for text in TEXTS}
    together = Speaker(espeak, SpeechCache(tmp_path / "together"))
    asked = random.Random(2).choices(TEXTS, k=200)
    with ThreadPoolExecutor(8) as threads:
        said = list(threads.map(lambda text: together.say(text, style), asked))
    for text, spoken in zip(asked, said, strict=True):
        assert np.array_equal(spoken.sound.samples, expected[text])
        assert np.array_equal(read_sound(spoken.path).samples, expected[text])
