"""A line to a file: from the cache where it can be, and with a sentence where the engine does not do its work."""

from __future__ import annotations

import os
import signal
import wave
from pathlib import Path

import pytest
from process_end import gone
from script_engines import WRITE_SOUND, ScriptEngine

from adstudio.speech.cache import SpeechCache, line_key
from adstudio.speech.engine import SpeechError, Style
from adstudio.speech.engine_process import Command, run
from adstudio.speech.speaker import Speaker


def test_the_same_line_starts_no_second_process(tmp_path: Path):
    engine = ScriptEngine(WRITE_SOUND)
    first = Speaker(engine, SpeechCache(tmp_path)).say("One.", Style("v", 200))
    assert first.sound.ms == 500
    with wave.open(str(first.path)) as file:
        assert (file.getnframes(), file.getframerate()) == (4000, 8000)
    again = Speaker(engine, SpeechCache(tmp_path)).say(" One. ", Style("v", 200))
    assert again.path == first.path
    assert engine.asked == ["One."]


def test_whatever_shapes_the_sound_is_another_line(tmp_path: Path):
    keys = {
        line_key(*parts)
        for parts in [
            ("e", "1", Style("v", 200), "a"),
            ("f", "1", Style("v", 200), "a"),
            ("e", "2", Style("v", 200), "a"),
            ("e", "1", Style("w", 200), "a"),
            ("e", "1", Style("v", 201), "a"),
            ("e", "1", Style("v", 200, 1), "a"),
            ("e", "1", Style("v", 200), "b"),
            ("e1", "", Style("v", 200), "a"),
        ]
    }
    assert len(keys) == 8
    # a level is applied where the line is used
    assert line_key("e", "1", Style("v", 200, 0, 30), "a") in keys


@pytest.mark.parametrize("damage", [b"", b"RIFF", None], ids=["empty", "four bytes", "cut short"])
def test_a_damaged_file_in_the_cache_is_spoken_anew(tmp_path: Path, damage: bytes | None):
    engine = ScriptEngine(WRITE_SOUND)
    speaker = Speaker(engine, SpeechCache(tmp_path))
    path = speaker.say("One.", Style("v", 200)).path
    path.write_bytes(path.read_bytes()[:-100] if damage is None else damage)
    assert speaker.say("One.", Style("v", 200)).sound.ms == 500
    assert engine.asked == ["One.", "One."]
    assert len(list(tmp_path.iterdir())) == 1


LONG = "f = wave.open(target, 'wb'); f.setparams((1, 1, 8000, 0, 'NONE', '')); f.writeframes(b'\\0\\xff' * 2640000)"
FAILURES = {
    "nothing written": ("pass", "produced no sound"),
    "an empty file": ("open(target, 'w')", "an empty file"),
    "no WAV": ("open(target, 'w').write('x' * 99)", "a file that is not WAV"),
    "silence": (
        "f = wave.open(target, 'wb'); f.setparams((1, 2, 8000, 0, 'NONE', '')); f.writeframes(bytes(8000)); f.close()",
        "produced silence",
    ),
    "cut off": (WRITE_SOUND + "\nos.truncate(target, 3000)", "before its sound was complete"),
    "a code": ("sys.exit(5)", "exit code 5"),
    "a complaint": ("sys.exit('no voice\\nat all')", "at all"),
    "killed": ("os.kill(os.getpid(), 9)", "failed"),
    "eleven minutes": (f"{LONG}; f.close()", "more than 10 minutes"),
}


@pytest.mark.parametrize(("script", "what"), FAILURES.values(), ids=FAILURES.keys())
def test_an_engine_that_fails_is_told_in_one_sentence_and_nothing_is_kept(tmp_path: Path, script: str, what: str):
    with pytest.raises(SpeechError, match=what) as caught:
        Speaker(ScriptEngine(script), SpeechCache(tmp_path)).say("One.", Style("v", 200))
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_engine_that_hangs_is_ended_with_all_it_started(tmp_path: Path):
    pids = tmp_path / "pids"
    script = (
        "import subprocess\n"
        "child = subprocess.Popen([sys.executable, '-I', '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "time.sleep(600)"
    )
    with pytest.raises(SpeechError, match=r"did not finish a line within 1\.5 s and was stopped"):
        Speaker(ScriptEngine(script), SpeechCache(tmp_path / "cache"), limit=1.5).say("One.", Style("v", 200))
    for pid in pids.read_text().split():
        assert gone(int(pid))


def test_an_interrupt_ends_the_engine(tmp_path: Path):
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    held = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            run(Command("sleep", ("600",)), 60, "sleep")
    finally:
        signal.signal(signal.SIGALRM, held)


def test_a_program_that_is_not_there_is_told():
    with pytest.raises(SpeechError, match="the engine could not be started"):
        run(Command("/nonexistent/program", ()), 1, "the engine")


def test_an_engine_that_does_not_read_its_text_is_no_fault():
    assert run(Command("true", (), b"x" * 1_000_000), 20, "true") == b""


def test_a_cache_that_cannot_be_written_gives_way_to_a_temporary_folder(tmp_path: Path):
    (tmp_path / "file").touch()
    engine = ScriptEngine(WRITE_SOUND)
    cache = SpeechCache(tmp_path / "file" / "cache")
    speaker = Speaker(engine, cache)
    first = speaker.say("One.", Style("v", 200))
    assert first.path.is_file()
    assert speaker.say("One.", Style("v", 200)).path == first.path
    assert engine.asked == ["One."]
    cache.close()
    assert not first.path.parent.exists()


def test_no_place_to_write_at_all_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    with pytest.raises(SpeechError, match="could not be stored: part of its path is a file"):
        SpeechCache(tmp_path / "file").store("k", b"x")


def test_what_was_not_heard_for_longest_goes_when_the_cache_is_full(tmp_path: Path):
    for number, name in enumerate("abcd"):
        path = SpeechCache(tmp_path).store(name, b"x" * 100)
        os.utime(path, (1000 + number, 1000 + number))
    abandoned = tmp_path / ".adstudio-0123456789ab.tmp"
    abandoned.touch()
    os.utime(abandoned, (0, 0))
    cache = SpeechCache(tmp_path, largest=450)
    assert cache.find("a") is not None  # heard again just now
    newest = cache.store("e", b"x" * 100)
    # 500 bytes are over 450: down to 360 go the two oldest, b and c
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["a", "d", "e"]
    assert newest.is_file()
    cache.store("f", b"x" * 100)
    cache.store("g", b"x" * 100)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 450


def test_a_file_that_is_there_already_is_left_alone(tmp_path: Path):
    cache = SpeechCache(tmp_path)
    path = cache.store("a", b"x" * 100)
    before = path.stat().st_ino
    assert cache.store("a", b"x" * 100) == path
    assert path.stat().st_ino == before
