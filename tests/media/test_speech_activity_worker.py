from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys

import pytest
from media_clips import even, make_clip, tone

from adstudio.media.cache import Kind, cached, place, source_of
from adstudio.media.messages import MODULE, Done, Failed, Progress, arguments, read_message
from adstudio.media.speech_activity import parse_activity, read_activity
from adstudio.media.worker import STOPPED

pytest.importorskip("onnxruntime")

PATIENCE = 60  # seconds: only for what hangs


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def started(film):
    command = [sys.executable, "-I", "-m", MODULE, *arguments("activity", film)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_speech_is_found_in_a_process_of_its_own_and_kept(tmp_path):
    film = make_clip(tmp_path / "a.mp4", even(25, 12), sound=tone(12, [(2, 3)]))
    with started(film) as process:
        assert process.stdout is not None
        messages = [read_message(line) for line in process.stdout]
        assert process.wait(PATIENCE) == 0
    assert messages[0] == Progress(0.0, "listening to the film for speech")
    done = messages[-1]
    assert done == Done(place(Kind.ACTIVITY, source_of(film)))
    assert isinstance(done, Done)
    assert done.path is not None
    assert cached(Kind.ACTIVITY, source_of(film)) == done.path
    assert read_activity(done.path).duration == pytest.approx(12_000, abs=50)
    assert parse_activity(done.content()).spans == ()


def test_what_is_no_film_is_told_in_one_sentence(tmp_path):
    film = tmp_path / "a.mp4"
    film.write_bytes(b"hello" * 1000)
    with started(film) as process:
        assert process.stdout is not None
        *_, failed = (read_message(line) for line in process.stdout)
        assert process.wait(PATIENCE) == 2
    assert isinstance(failed, Failed)
    assert str(film) in failed.sentence


@pytest.mark.parametrize("terminated", [True, False], ids=["terminated", "input closed"])
def test_it_ends_in_the_middle(tmp_path, terminated):
    film, size = tmp_path / "a.wav", 12 * 3600 * 8000
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8) + b"data" + struct.pack("<I", size)
    film.write_bytes(b"RIFF" + struct.pack("<I", size + len(head)) + head)
    os.truncate(film, size + len(head) + 8)  # twelve hours that take no room on the disk
    with started(film) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        while True:
            message = read_message(process.stdout.readline())
            assert isinstance(message, Progress)
            if message.fraction > 0:
                break
        if terminated:
            process.terminate()
        else:
            process.stdin.close()
        assert process.wait(PATIENCE) == (-signal.SIGTERM if terminated else STOPPED)
    assert cached(Kind.ACTIVITY, source_of(film)) is None
