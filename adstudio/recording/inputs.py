"""Where sound comes from: an input device by way of PortAudio (sounddevice), or a file played as if it were one.

PyAV could open devices too, but lists none, and on Linux its own ALSA finds neither the system's configuration nor its
sound server; PortAudio has been made for this, and wheels for Windows and macOS bring it along.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from adstudio.core.errors import OutsideFailureError
from adstudio.recording.messages import LARGEST_RECORDING, Inputs
from adstudio.speech.sound import Samples
from adstudio.speech.takes import SAMPLE_RATE, decoded_recording
from adstudio.system.files import read_bounded

OnBlock = Callable[[Samples, float], None]
"""Is given samples, and when the first of them was in seconds of the monotonic clock; on a thread of the input."""
BLOCK_MS = 10
NO_DEVICE = "There is no microphone or other input device: connect one, then choose it in the booth"
NO_LIBRARY = "No microphone can be used because PortAudio is not installed (apt-get install libportaudio2)"
_PREFERRED = "Windows WASAPI"
"""Windows lists each device once for each of its interfaces; this is the one with whole names."""


class Input(Protocol):
    """An open source of sound, one channel."""

    name: str
    rate: int

    @property
    def is_open(self) -> bool:
        """Whether more is to come, as far as it knows."""
        ...

    def close(self) -> None:
        """End it."""
        ...


class NoInputError(OutsideFailureError):
    """No sound can be had from a device."""


def list_inputs() -> Inputs:
    """The input devices that there are.

    Raises:
        NoInputError: if there can be none on this machine.
    """
    sounddevice = _sounddevice()
    devices = _devices(sounddevice)
    default = sounddevice.default.device[0]
    name = next((name for name, index in devices.items() if index == default), next(iter(devices), ""))
    return Inputs(tuple(devices), name)


class DeviceInput:
    """A microphone, its first channel."""

    def __init__(self, name: str, on_block: OnBlock) -> None:
        """Open it.

        Raises:
            NoInputError: if it is not there, or cannot be opened.
        """
        sounddevice = _sounddevice()
        devices = _devices(sounddevice)
        if not devices:
            raise NoInputError(NO_DEVICE)
        if name and name not in devices:
            raise NoInputError(f"The input device “{name}” is not connected: connect it, or choose another one")
        self.name = name or list_inputs().default
        index = devices[self.name]
        self._on_block = on_block
        errors = sounddevice.PortAudioError
        try:
            self._start(sounddevice, index, SAMPLE_RATE)
        except errors:
            # Hardware that cannot do 48 kHz is recorded at its own rate, and converted in the end.
            own_rate = int(sounddevice.query_devices(index)["default_samplerate"]) or SAMPLE_RATE
            try:
                self._start(sounddevice, index, own_rate)
            except errors as error:
                raise NoInputError(
                    f"The input device “{self.name}” cannot be opened ({error.args[0]}): is another program using "
                    "it, or are programs not permitted to use it?"
                ) from error

    def _start(self, sounddevice: Any, index: int, rate: int) -> None:  # noqa: ANN401 - it has no types
        # Blocks may arrive before the stream says that it has started.
        self.rate = rate
        self._stream = sounddevice.InputStream(
            samplerate=rate,
            blocksize=rate * BLOCK_MS // 1000,
            device=index,
            channels=1,
            dtype="float32",
            callback=self._arrived,
        )
        try:
            self._stream.start()
        except sounddevice.PortAudioError:
            self._stream.close()
            raise

    @property
    def is_open(self) -> bool:
        """Whether PortAudio still runs it; of some devices it does not notice that they are gone."""
        return bool(self._stream.active)

    def close(self) -> None:
        """End it."""
        with contextlib.suppress(Exception):  # a device that is gone
            self._stream.abort()
            self._stream.close()

    def _arrived(self, block: Samples, count: int, _time: object, _status: object) -> None:
        first = time.monotonic() - count / self.rate - float(self._stream.latency)
        self._on_block(block[:, 0].copy(), first)


class FileInput:
    """A sound file that is played as if it came from a microphone, then silence, or with `ends` nothing."""

    rate = SAMPLE_RATE

    def __init__(self, path: Path, pace: float, on_block: OnBlock, *, ends: bool = False) -> None:
        """Start it; raises as `decoded_recording` and `read_bounded` do."""
        self.name = path.name
        self._samples = decoded_recording(read_bounded(path, LARGEST_RECORDING, "sound file")).sound.samples
        self._pace, self._on_block, self._ends = pace, on_block, ends
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    @property
    def is_open(self) -> bool:
        """Whether it goes on."""
        return self._thread.is_alive()

    def close(self) -> None:
        """End it."""
        self._over.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _play(self) -> None:
        count = self.rate * BLOCK_MS // 1000
        begun, place = time.monotonic(), 0
        while not self._over.is_set():
            block = self._samples[place : place + count]
            if len(block) < count:
                if self._ends and not len(block):
                    return
                block = np.concatenate((block, np.zeros(count - len(block), np.float32)))
            due = begun + place / self.rate / self._pace
            place += count
            self._on_block(block.astype(np.float32), due)
            self._over.wait(max(0.0, begun + place / self.rate / self._pace - time.monotonic()))


def _sounddevice() -> Any:  # noqa: ANN401 - it has no types
    try:
        import sounddevice  # pyright: ignore[reportMissingTypeStubs]
    except OSError as error:
        raise NoInputError(NO_LIBRARY) from error
    except Exception as error:  # its PortAudioError, which cannot be imported then
        why = next(iter(error.args), error)
        raise NoInputError(f"No microphone can be used because PortAudio cannot be started ({why})") from error
    return cast("Any", sounddevice)


def _devices(sounddevice: Any) -> dict[str, int]:  # noqa: ANN401
    """The number of each input device by its name."""
    interfaces = [str(each["name"]) for each in sounddevice.query_hostapis()]
    found: dict[str, int] = {}
    devices: list[dict[str, Any]] = list(sounddevice.query_devices())
    for index, device in enumerate(devices):
        interface = interfaces[int(device["hostapi"])]
        if device["max_input_channels"] < 1 or (sys.platform == "win32" and interface != _PREFERRED):
            continue
        name = str(device["name"])
        found.setdefault(name if name not in found else f"{name} ({interface})", index)
    return found
