"""The recorder: levels, a file that grows as it goes on, and inputs that end, with inputs that need no device."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from recording_inputs import FakeInput, until

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.recording import inputs, recorder
from adstudio.recording.inputs import NO_DEVICE, NO_LIBRARY, DeviceInput, FileInput, NoInputError, list_inputs
from adstudio.recording.messages import SILENT
from adstudio.recording.recorder import Recorder, in_tenths
from adstudio.speech.takes import decoded_recording

RATE = 48_000


@pytest.fixture
def found() -> Iterator[Recorder]:
    recorder = Recorder()
    yield recorder
    recorder.close()


def started(found: Recorder, source: FakeInput, path: Path) -> int:
    """Start recording while blocks come from the input."""
    over = threading.Event()
    thread = threading.Thread(target=source.feed_until, args=(over,))
    thread.start()
    try:
        return found.start(path)
    finally:
        over.set()
        thread.join()


def test_levels_are_those_since_the_last_question_and_clipping_is_held(found: Recorder) -> None:
    source = FakeInput()
    found.listen(source.open)
    source.give(np.full(480, 0.5, np.float32))
    source.give(np.full(480, -0.25, np.float32))
    assert found.level().peak == -60  # 20 log10 0.5 = -6.02 dB
    assert found.level().peak == SILENT
    source.give(np.full(480, 1.0, np.float32))
    source.give(np.full(480, 0.1, np.float32))
    assert found.level().clipped
    assert found.level(reset_clip=True).clipped
    assert not found.level().clipped
    assert [in_tenths(level) for level in (1.0, 0.1, 0.0)] == [0, -200, SILENT]


def test_a_recording_is_on_the_disk_as_it_goes_on_and_whole_when_it_is_stopped(found: Recorder, tmp_path: Path) -> None:
    path = tmp_path / "take.wav"
    source = FakeInput()
    found.listen(source.open)
    started(found, source, path)
    before = decoded_recording(path.read_bytes()).sound
    samples = np.linspace(-0.9, 0.9, 480, dtype=np.float32)
    source.give(samples)
    growing = decoded_recording(path.read_bytes())
    assert not growing.cut_off
    assert len(growing.sound.samples) == len(before.samples) + 480
    assert found.level().recorded == growing.sound.ms
    found.stop()
    whole = decoded_recording(path.read_bytes()).sound.samples
    assert len(whole) == len(growing.sound.samples)
    assert np.abs(whole[-480:] - samples).max() <= 2**-24
    source.give(samples)
    assert len(decoded_recording(path.read_bytes()).sound.samples) == len(whole)


def test_the_start_is_that_of_the_first_sample(found: Recorder, tmp_path: Path) -> None:
    source = FakeInput()
    found.listen(source.open)
    assert started(found, source, tmp_path / "take.wav") == 1_234_500


def test_an_input_that_falls_silent_altogether_is_lost_and_what_came_is_kept(found: Recorder, tmp_path: Path) -> None:
    now = [10.0]
    path = tmp_path / "take.wav"
    found._clock, source = lambda: now[0], FakeInput()
    found.listen(source.open)
    started(found, source, path)
    now[0] += recorder.LOST_S / 2
    assert found.level().problem == ""
    now[0] += recorder.LOST_S
    assert "unplugged" in found.level().problem
    found.stop()
    assert decoded_recording(path.read_bytes()).sound.ms >= 10


def test_an_input_that_says_that_it_ended_is_lost_at_once(found: Recorder) -> None:
    source = FakeInput()
    found.listen(source.open)
    source.is_open = False
    assert "“fake”" in found.level().problem


def test_nothing_can_be_recorded_without_an_input_or_where_nothing_comes(
    found: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "LOST_S", 0.01)
    with pytest.raises(BadInputError, match="no input device is open"):
        found.start(tmp_path / "take.wav")
    with pytest.raises(BadInputError, match="nothing is being recorded"):
        found.stop()
    found.listen(FakeInput().open)
    with pytest.raises(OutsideFailureError, match="Nothing comes from “fake”"):
        found.start(tmp_path / "take.wav")
    with pytest.raises(OutsideFailureError, match="cannot record to"):
        found.start(tmp_path / "no folder" / "take.wav")


def test_a_full_disk_ends_a_recording_and_what_came_is_kept(found: Recorder, tmp_path: Path) -> None:
    class Full:
        def write(self, data: bytes) -> int:
            raise OSError(28, "No space left on device")

    path = tmp_path / "take.wav"
    source = FakeInput()
    found.listen(source.open)
    started(found, source, path)
    file, found._file = found._file, Full()
    source.give(np.zeros(480, np.float32))
    assert "the disk is full" in found.level().problem
    found._file = file
    found.stop()
    assert decoded_recording(path.read_bytes()).sound.ms >= 10


def test_a_disk_that_is_full_at_once_is_why_nothing_is_recorded(
    found: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_block: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recorder, "_raw", full)
    source = FakeInput()
    found.listen(source.open)
    with pytest.raises(OutsideFailureError, match="Recording stopped: the disk is full") as caught:
        started(found, source, tmp_path / "take.wav")
    assert "kept" not in str(caught.value)


@pytest.mark.parametrize("end", [Recorder.stop, Recorder.discard, Recorder.close])
def test_a_recording_on_a_full_disk_can_be_ended(found: Recorder, tmp_path: Path, end: Callable) -> None:
    class FullDisk(io.FileIO):
        def write(self, _data: object) -> int:
            raise OSError(28, "No space left on device")

    path, source = tmp_path / "take.wav", FakeInput()
    found.listen(source.open)
    started(found, source, path)
    assert found._file is not None
    found._file.close()
    found._file = io.BufferedWriter(FullDisk(path, "r+"))
    file = found._file
    source.give(np.zeros(480, np.float32))
    assert "the disk is full" in found.level().problem
    end(found)
    assert file.closed
    assert decoded_recording(path.read_bytes()).sound.ms >= 10


def test_the_longest_take_can_be_read_whatever_the_blocks_are(
    found: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "MAX_TAKE_MS", 1000)
    path, source = tmp_path / "take.wav", FakeInput()
    found.listen(source.open)
    started(found, source, path)
    for _ in range(70):
        source.give(np.full(719, 0.25, np.float32))
    assert "at most" in found.level().problem
    found.stop()
    assert len(decoded_recording(path.read_bytes()).sound.samples) == RATE


def test_a_file_is_played_as_if_it_were_a_microphone(spoken: Path) -> None:
    blocks: list[np.ndarray] = []
    source = FileInput(spoken, 100.0, lambda block, _: blocks.append(block))
    until(lambda: len(blocks) > 300)
    source.close()
    assert not source.is_open
    found = np.concatenate(blocks)
    assert not found[: RATE - 10].any()
    assert found[RATE : RATE + RATE].std() > 0.3
    assert not found[RATE * 27 // 10 :].any()


def test_a_file_that_ends_ends_the_input(found: Recorder, spoken: Path) -> None:
    source = found.listen(lambda on_block: FileInput(spoken, 1000.0, on_block, ends=True))
    until(lambda: not source.is_open)
    assert "unplugged" in found.level().problem
    found.close()


class PortAudioError(Exception):
    """As sounddevice raises it."""


def sounddevice(*names: str, refused: tuple[int, ...] = (), own_rate: float = 44_100.0) -> SimpleNamespace:
    """A stand-in for the library, whose devices refuse some rates."""

    class Stream:
        active, latency = True, 0.01

        def __init__(self, samplerate: int, **_settings: object) -> None:
            if samplerate in refused:
                raise PortAudioError("Invalid sample rate [PaErrorCode -9997]", -9997)

        def start(self) -> None:
            return

        def abort(self) -> None:
            self.active = False

        def close(self) -> None:
            raise PortAudioError("gone")

    devices = [
        {
            "name": name,
            "hostapi": 0,
            "max_input_channels": 0 if name == "speaker" else 2,
            "default_samplerate": own_rate,
        }
        for name in names
    ]

    def query_devices(index: int | None = None) -> object:
        return devices if index is None else devices[index]

    return SimpleNamespace(
        PortAudioError=PortAudioError,
        InputStream=Stream,
        query_devices=query_devices,
        query_hostapis=lambda: [{"name": "ALSA"}],
        default=SimpleNamespace(device=[len(names) - 1, 0]),
    )


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Callable[[SimpleNamespace], None]:
    def use(found: SimpleNamespace) -> None:
        monkeypatch.setattr(inputs, "_sounddevice", lambda: found)

    return use


def ignore(_block: object, _first: float) -> None:
    return


def test_inputs_are_listed_by_name_the_systems_own_is_known_and_outputs_are_not_among_them(library) -> None:
    library(sounddevice("speaker", "USB", "USB", "desk"))
    found = list_inputs()
    assert (found.devices, found.default) == (("USB", "USB (ALSA)", "desk"), "desk")
    library(sounddevice("speaker"))
    assert list_inputs().devices == ()


def test_a_device_is_opened_at_its_own_rate_where_it_cannot_do_48_khz(library) -> None:
    library(sounddevice("USB"))
    source = DeviceInput("", ignore)
    assert (source.name, source.rate, source.is_open) == ("USB", 48_000, True)
    source.close()  # which fails with the device, and must not with us
    library(sounddevice("USB", refused=(48_000,)))
    assert DeviceInput("USB", ignore).rate == 44_100


def test_a_device_that_is_not_there_or_cannot_be_opened_is_refused_in_a_sentence(library) -> None:
    library(sounddevice())
    with pytest.raises(NoInputError, match=NO_DEVICE):
        DeviceInput("", ignore)
    library(sounddevice("USB"))
    with pytest.raises(NoInputError, match="“desk” is not connected"):
        DeviceInput("desk", ignore)
    library(sounddevice("USB", refused=(48_000, 44_100)))
    with pytest.raises(NoInputError, match="not permitted to use it"):
        DeviceInput("", ignore)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError("PortAudio library not found"), NO_LIBRARY),
        (
            PortAudioError("Error initializing: Unanticipated", -9999),
            "No microphone can be used because PortAudio cannot be started (Error initializing: Unanticipated)",
        ),
    ],
)
def test_without_portaudio_that_is_said(error: Exception, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Finder:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "sounddevice":
                raise error

    import sys

    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    with pytest.raises(NoInputError) as caught:
        list_inputs()
    assert str(caught.value) == said
