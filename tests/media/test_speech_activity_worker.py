from __future__ import annotations

import os
import signal
import struct

import pytest
from media_clips import even, make_clip, tone
from worker_process import running

from adstudio.media.cache import Kind, cached, place, source_of
from adstudio.media.messages import PROTOCOL, FilmProgress, Processed, ProcessFilm
from adstudio.media.speech_activity import ACTIVITY, parse_activity
from adstudio.system.worker import STOPPED, Failed

pytest.importorskip("onnxruntime")


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def started(film):
    return running(PROTOCOL, ProcessFilm(Kind.ACTIVITY, film))


def test_speech_is_found_in_a_process_of_its_own_and_kept(tmp_path):
    film = make_clip(tmp_path / "a.mp4", even(25, 12), sound=tone(12, [(2, 3)]))
    with started(film) as process:
        messages = list(process.events())
        assert process.wait() == 0
    assert messages[0] == FilmProgress(0.0)
    done = messages[-1]
    assert done == Processed(place(Kind.ACTIVITY, source_of(film)))
    assert isinstance(done, Processed)
    assert done.path is not None
    assert cached(Kind.ACTIVITY, source_of(film)) == done.path
    assert ACTIVITY.read(done.path).duration == pytest.approx(12_000, abs=50)
    assert parse_activity(done.content()).spans == ()


def test_what_is_no_film_is_told_in_one_sentence(tmp_path):
    film = tmp_path / "a.mp4"
    film.write_bytes(b"hello" * 1000)
    with started(film) as process:
        *_, failed = process.events()
        assert process.wait() == 2
    assert isinstance(failed, Failed)
    assert str(film) in failed.message


@pytest.mark.parametrize("terminated", [True, False], ids=["terminated", "input closed"])
def test_it_ends_in_the_middle(tmp_path, terminated):
    film, size = tmp_path / "a.wav", 12 * 3600 * 8000
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8) + b"data" + struct.pack("<I", size)
    film.write_bytes(b"RIFF" + struct.pack("<I", size + len(head)) + head)
    os.truncate(film, size + len(head) + 8)  # twelve hours that take no room on the disk
    with started(film) as process:
        while True:
            message = process.event()
            assert isinstance(message, FilmProgress)
            if message.fraction:
                break
        if terminated:
            process.process.terminate()
        else:
            process.close_input()
        assert process.wait() == (-signal.SIGTERM if terminated else STOPPED)
    assert cached(Kind.ACTIVITY, source_of(film)) is None
