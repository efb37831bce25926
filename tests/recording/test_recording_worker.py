"""The recording process: from listening to a take, and what is left of a recording when it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from ctypes.util import find_library
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from recording_inputs import silence, tone, until, wav

from adstudio.recording.messages import (
    PROTOCOL,
    Answer,
    Cut,
    Done,
    Finish,
    Inputs,
    Inspect,
    Level,
    Listen,
    Listening,
    ListInputs,
    Measure,
    Punch,
    Record,
    Recorded,
    Recording,
    Recover,
    Request,
    StopListening,
    Waveform,
)
from adstudio.recording.unfinished import remove_recording, unfinished_recordings
from adstudio.recording.worker import Worker
from adstudio.speech.sound import Sound
from adstudio.speech.takes import decoded_recording, encoded_recording
from adstudio.system.worker import Failed

A = TypeVar("A", bound=Answer)


class Process:
    """The process, asked one thing after the other."""

    def __init__(self, **environment: str) -> None:
        self.process = subprocess.Popen(
            PROTOCOL.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **environment}
        )

    def ask(self, request: Request, kind: type[A]) -> A:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(PROTOCOL.request_line(request))
        self.process.stdin.flush()
        answer = PROTOCOL.read_event(self.process.stdout.readline())
        assert isinstance(answer, kind), answer
        return answer

    def end(self) -> None:
        self.process.communicate(timeout=300)


@pytest.fixture
def start() -> Iterator[Callable[..., Process]]:
    """Starts processes, which end with the test however it ends."""
    started: list[Process] = []

    def begin(**environment: str) -> Process:
        started.append(Process(**environment))
        return started[-1]

    yield begin
    for each in started:
        with each.process:
            each.process.kill()


@pytest.fixture
def process(start: Callable[..., Process]) -> Process:
    return start()


@pytest.fixture
def worker() -> Iterator[Worker]:
    found = Worker()
    yield found
    found.close()


def record(folder: Path) -> Record:
    return Record(folder, "line-7", 1, "Tom waits.")


def until_recorded(process: Process, ms: int) -> None:
    until(lambda: process.ask(Measure(), Level).recorded >= ms)


def test_a_take_is_recorded_from_a_played_file_with_the_silence_around_it_as_trims(
    process: Process, spoken: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "recordings"
    assert process.ask(Listen(file=spoken, pace=400), Listening) == Listening("spoken.wav", 48_000)
    recording = process.ask(record(folder), Recording)
    until_recorded(process, 2600)
    found = process.ask(Finish(), Recorded)
    assert found.recording == recording.path
    sound = decoded_recording(found.take.read_bytes()).sound
    assert (found.take.read_bytes()[:4], sound.ms) == (b"fLaC", found.length)
    # Of the second of silence before it, as much as was over when it began is missing.
    audible = np.flatnonzero(np.abs(sound.samples) > 0.01)
    first, last = audible[0] / 48, audible[-1] / 48
    assert last - first == pytest.approx(1200, abs=2)
    assert 0 <= first - found.start <= 60
    assert 0 <= found.end - last <= 120
    assert found.peak == pytest.approx(-60, abs=1)
    assert process.ask(StopListening(), Done) == Done()
    remove_recording(recording.path)
    assert list(folder.iterdir()) == []


def test_what_is_before_the_cue_is_left_out(process: Process, spoken: Path, tmp_path: Path) -> None:
    process.ask(Listen(file=spoken, pace=1000), Listening)
    process.ask(record(tmp_path), Recording)
    until_recorded(process, 3000)
    recorded = process.ask(Measure(), Level).recorded
    assert process.ask(Finish(skip=900), Recorded).length >= recorded - 900


def test_a_recording_of_a_killed_process_is_offered_and_can_be_made_a_take(
    start: Callable[..., Process], spoken: Path, tmp_path: Path
) -> None:
    process, folder = start(), tmp_path / "recordings"
    process.ask(Listen(file=spoken, pace=200), Listening)
    process.ask(record(folder), Recording)
    until_recorded(process, 2000)
    os.kill(process.process.pid, signal.SIGKILL)
    process.process.wait()
    (left,) = unfinished_recordings(folder)
    assert (left.line, left.variant, left.text) == ("line-7", 1, "Tom waits.")
    assert left.length >= 2000
    found = start().ask(Recover(left.path), Recorded)
    assert found.length == pytest.approx(left.length, abs=1)
    assert decoded_recording(found.take.read_bytes()).sound.peak > 0.4
    remove_recording(left.path)
    assert unfinished_recordings(folder) == ()


def test_the_process_ends_with_its_input_and_leaves_the_recording(
    process: Process, spoken: Path, tmp_path: Path
) -> None:
    process.ask(Listen(file=spoken), Listening)
    process.ask(record(tmp_path), Recording)
    process.end()
    assert process.process.returncode == 0
    assert len(unfinished_recordings(tmp_path)) == 1


def test_a_device_that_is_pulled_out_leaves_what_it_gave(process: Process, spoken: Path, tmp_path: Path) -> None:
    process.ask(Listen(file=spoken, pace=300, ends=True), Listening)
    process.ask(record(tmp_path), Recording)
    until(lambda: process.ask(Measure(), Level).problem != "")
    assert "unplugged" in process.ask(Measure(), Level).problem
    found = process.ask(Finish(), Recorded)
    assert 300 <= found.length <= 2700


@pytest.mark.parametrize(
    ("samples", "why"), [(tone(5000), "shorter than 0.3 s"), (silence(500), "Nothing but silence was recorded")]
)
def test_what_is_no_take_is_refused_and_deleted(
    samples: np.ndarray, why: str, process: Process, tmp_path: Path
) -> None:
    source, folder = tmp_path / "source.wav", tmp_path / "recordings"
    source.write_bytes(wav(samples))
    process.ask(Listen(file=source, pace=200 if samples.any() else 1000), Listening)
    process.ask(record(folder), Recording)
    skip = 0
    if samples.any():
        skip = 10_000
    else:
        until_recorded(process, 1000)
    assert why in process.ask(Finish(skip=skip), Failed).message
    assert list(folder.iterdir()) == []
    assert process.ask(Measure(), Level).problem == ""


def test_there_is_a_sentence_where_no_device_is_open_and_where_a_file_is_gone(process: Process, tmp_path: Path) -> None:
    assert "no input device is open" in process.ask(record(tmp_path), Failed).message
    assert list(tmp_path.iterdir()) == []
    assert "there is no such sound file" in process.ask(Listen(file=tmp_path / "no.wav"), Failed).message
    assert "nothing is being recorded" in process.ask(Finish(), Failed).message


def test_a_punched_take_has_the_old_one_up_to_the_point_and_the_new_one_from_there(
    worker: Worker, tmp_path: Path
) -> None:
    old = tmp_path / "old.flac"
    old.write_bytes(encoded_recording(Sound(np.concatenate((tone(1000, 0.2), tone(1000, 0.9))), 48_000)))
    source = tmp_path / "source.wav"
    source.write_bytes(wav(tone(60_000, 0.4)))
    worker.answer(Listen(file=source, pace=2000))
    worker.answer(record(tmp_path / "recordings"))

    def recorded() -> bool:
        level = worker.answer(Measure())
        assert isinstance(level, Level)
        return level.recorded >= 1500

    until(recorded)
    found = worker.answer(Finish(skip=500, punch=Punch(old, 1000)))
    assert isinstance(found, Recorded)
    samples = decoded_recording(found.take.read_bytes()).sound.samples
    assert found.length >= 2000 - 4
    assert np.abs(samples[: 990 * 48]).max() == pytest.approx(0.2, abs=0.01)
    assert np.abs(samples[1010 * 48 :]).max() == pytest.approx(0.4, abs=0.01)


def test_a_waveform_has_the_peaks_of_its_parts(tmp_path: Path) -> None:
    recording = tmp_path / "take.flac"
    recording.write_bytes(encoded_recording(Sound(np.concatenate((silence(500), tone(500, 0.6))), 48_000)))
    found = Worker().answer(Inspect(recording))
    assert isinstance(found, Waveform)
    assert (found.length, len(found.peaks)) == (1000, 200)
    assert (max(found.peaks[:100]), max(found.peaks[100:])) == (0, 600)


def test_what_is_used_of_a_take_is_written_to_be_played(tmp_path: Path) -> None:
    recording, target = tmp_path / "take.flac", tmp_path / "heard.wav"
    recording.write_bytes(encoded_recording(Sound(tone(1000, 0.6), 48_000)))
    found = Worker().answer(Cut(recording, target, 200, 700, -60))
    assert isinstance(found, Waveform)
    assert found.length == 500
    sound = decoded_recording(target.read_bytes()).sound
    assert sound.ms == 800  # 0.3 s of silence follow
    assert sound.peak == pytest.approx(0.3007, abs=0.002)


def test_leftovers_without_a_note_that_can_be_read_are_cleaned_up(tmp_path: Path) -> None:
    for name, note in (("a", b"{"), ("b", None), ("c", b'{"line": "x", "variant": "no", "text": ""}')):
        (tmp_path / f"{name}.wav").write_bytes(b"RIFF")
        if note is not None:
            (tmp_path / f"{name}.json").write_bytes(note)
    assert unfinished_recordings(tmp_path) == ()
    assert list(tmp_path.iterdir()) == []
    assert unfinished_recordings(tmp_path / "no folder") == ()


@pytest.mark.skipif(sys.platform != "linux" or not find_library("portaudio"), reason="needs PortAudio with ALSA")
def test_portaudio_records_from_a_device_that_alsa_makes_of_a_file(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    config, raw = tmp_path / "asound.conf", tmp_path / "microphone.raw"
    raw.write_bytes((tone(8000, 0.5) * 32767).astype("<i2").tobytes())
    config.write_text(
        "pcm.null { type null }\nctl.!default { type null }\n"
        f'pcm.!default {{ type file slave.pcm null file /dev/null infile "{raw}" format raw }}\n'
    )
    process = start(ALSA_CONFIG_PATH=str(config))
    assert process.ask(ListInputs(), Inputs) == Inputs(("default",), "default")
    assert process.ask(Listen("default"), Listening).device == "default"
    process.ask(record(tmp_path / "recordings"), Recording)
    until_recorded(process, 500)
    assert process.ask(Finish(), Recorded).length >= 500
    assert "“desk” is not connected" in process.ask(Listen("desk"), Failed).message
