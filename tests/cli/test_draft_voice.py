"""`adstudio draft --voice`: the project has the voice, and its plan the lengths that the voice needs."""

from __future__ import annotations

import io
import os
import shutil
import sys
import wave
from contextlib import closing
from pathlib import Path

import pytest
from cli_running import Run

from adstudio.core.narration import LengthSource, VoiceSettings
from adstudio.store.project import ProjectFile

needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


@pytest.fixture
def words(srt: Path, candidates: Path, tmp_path: Path) -> tuple[object, ...]:
    return ("draft", "--subtitles", srt, "--end", "60", "--candidates", candidates, "-o", tmp_path / "p.adproj")


@needs_espeak
def test_each_line_is_planned_as_long_as_it_is_spoken(run: Run, words: tuple[object, ...], tmp_path: Path) -> None:
    project = tmp_path / "p.adproj"
    done = run(*words, "--voice", "espeak-ng:gmw/en-US", "--words-per-minute", "140")
    assert done.code == 0, done.err
    with closing(ProjectFile.open(project, read_only=True)) as opened:
        script, plan = opened.saved_script, opened.saved_plan
    assert script.voice == VoiceSettings("espeak-ng", "gmw/en-US")
    assert plan is not None
    assert plan.deliveries
    for line in script.eventualities:
        assert {script.planned_length(line, each)[1] for each in range(len(line.variants))} == {LengthSource.MEASURED}
    for spoken in plan.deliveries:
        with wave.open(io.BytesIO(run("speak", project, "--line", spoken.element).out)) as sound:
            assert spoken.end - spoken.start == -(-sound.getnframes() * 1000 // sound.getframerate())


@needs_espeak
@pytest.mark.parametrize(
    ("voice", "code", "named"),
    [
        ("festival", 2, "choose espeak-ng, pyttsx3 or piper"),
        ("", 2, "choose espeak-ng, pyttsx3 or piper"),
        ("espeak-ng:nosuch", 2, "espeak-ng has no voice “nosuch”"),
    ],
)
def test_a_voice_that_is_not_here_is_refused_before_anything_is_drafted(
    run: Run, words: tuple[object, ...], tmp_path: Path, voice: str, code: int, named: str
) -> None:
    run(*words, "--voice", voice).refused(code, named)
    assert not (tmp_path / "p.adproj").exists()


@needs_espeak
@pytest.mark.skipif(sys.platform == "win32", reason="a shell script is in the place of the engine")
def test_a_voice_that_cannot_speak_costs_no_draft(
    run: Run, words: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bin" / "espeak-ng"
    fake.parent.mkdir()
    real = shutil.which("espeak-ng")
    fake.write_text(f'#!/bin/sh\ncase "$*" in *--voices*|*--version*) exec {real} "$@";; esac\nexit 1\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(fake.parent), prepend=os.pathsep)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    done = run(*words, "--voice", "espeak-ng")
    assert done.code == 0, done.err
    assert "lines are timed by the speaking rate, since the voice could not speak: " in done.err
    with closing(ProjectFile.open(tmp_path / "p.adproj", read_only=True)) as opened:
        script, plan = opened.saved_script, opened.saved_plan
    assert script.voice == VoiceSettings("espeak-ng")
    assert plan is not None
    assert plan.deliveries
    assert script.planned_length(script.eventualities[0], 0)[1] is LengthSource.RATE


@needs_espeak
def test_without_the_option_lines_are_timed_by_the_speaking_rate(
    run: Run, words: tuple[object, ...], tmp_path: Path
) -> None:
    assert run(*words).code == 0
    with closing(ProjectFile.open(tmp_path / "p.adproj", read_only=True)) as opened:
        script = opened.saved_script
        assert (script.voice, opened.lengths) == (VoiceSettings(), b"")
    assert script.planned_length(script.eventualities[0], 0)[1] is LengthSource.RATE
