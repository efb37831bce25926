"""The recorder: how loud an input is, and a recording that is on the disk as it goes on.

A recording is a WAV file of one channel and 24 bits. Its header says that its length is not known until it is finished,
so that one of a process that was killed can be read as far as it goes.
"""

from __future__ import annotations

import contextlib
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import numpy as np

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.recording.inputs import Input, OnBlock
from adstudio.recording.messages import SILENT, Level
from adstudio.speech.sound import Samples
from adstudio.speech.takes import MAX_TAKE_MS, SAMPLE_RATE
from adstudio.system.files import reason
from adstudio.system.private_files import private_file

LOST_S = 1.0
"""Seconds without a block after which a device is taken to be gone: not every system says so."""
CLIPPED = 0.999
NOTHING_LOST = " What was recorded until then is kept."
STOPPED = f"Recording stopped: {{}}.{NOTHING_LOST}"
LOST = f"Nothing comes from “{{}}” any more: was it unplugged?{NOTHING_LOST}"
_UNKNOWN = 0xFFFFFFFF
_FULL_SCALE = 1 << 23


class Recorder:
    """Listens to one input at a time, and writes what comes from it while it records."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._input: Input | None = None
        self._file: BinaryIO | None = None
        self._peak, self._clipped = 0.0, False
        self._recorded = 0
        self._started: float | None = None
        self._last_block = 0.0
        self._problem = ""

    def listen(self, open_input: Callable[[OnBlock], Input]) -> Input:
        """Listen to an input from now on, instead of another one; raises what opening it raises."""
        self.close()
        self._problem, self._clipped, self._peak = "", False, 0.0
        self._last_block = self._clock()
        self._input = open_input(self._take)
        return self._input

    def close(self) -> None:
        """Close the input; a recording that was not finished stays where it is."""
        found, self._input = self._input, None
        if found is not None:
            found.close()
        self._leave_file()

    def start(self, path: Path) -> int:
        """Write what comes into a new file; returns when its first sample was, in ms of the monotonic clock.

        Raises:
            BadInputError: if nothing is listened to.
            OutsideFailureError: if the file cannot be written, or nothing comes from the input.
        """
        source = self._input
        if source is None:
            raise BadInputError("no input device is open: choose one in the booth")
        self._leave_file()
        with self._lock:
            self._recorded, self._started, self._problem = 0, None, ""
        try:
            private_file(path)
            file = path.open("wb")
            file.write(_header(source.rate, _UNKNOWN))
        except OSError as error:
            raise OutsideFailureError(f"cannot record to {path}: {reason(error)}") from error
        with self._lock:
            self._file = file
        limit = self._clock() + LOST_S
        while (started := self._started) is None:
            if self._clock() > limit or self._problem:
                self._leave_file()
                raise OutsideFailureError((self._problem or LOST.format(source.name)).removesuffix(NOTHING_LOST))
            time.sleep(0.002)
        return round(started * 1000)

    def level(self, *, reset_clip: bool = False) -> Level:
        """How loud it is, and what is wrong."""
        self._watch()
        with self._lock:
            peak, self._peak = self._peak, 0.0
            clipped = self._clipped
            if reset_clip:
                self._clipped = False
            rate = self._input.rate if self._input is not None else 1
            return Level(in_tenths(peak), clipped, self._recorded * 1000 // rate, self._problem)

    def stop(self) -> None:
        """End the recording; its file is whole then.

        Raises:
            BadInputError: if nothing is being recorded.
        """
        source = self._input
        with self._lock:
            file, self._file = self._file, None
        if file is None or source is None:
            raise BadInputError("nothing is being recorded")
        try:
            length = file.tell() - _HEADER_BYTES
            file.seek(0)
            file.write(_header(source.rate, length))
            file.close()
        except OSError as error:
            # Its header is as it was: it is read as far as it goes.
            self._problem = self._problem or STOPPED.format(reason(error))
            _close(file)

    def discard(self) -> None:
        """End the recording, if there is one; whoever asked deletes its file."""
        self._leave_file()

    def _take(self, block: Samples, first: float) -> None:
        """A block has come, on the input's thread."""
        loudest = float(np.max(np.abs(block), initial=0.0))
        with self._lock:
            self._last_block = self._clock()
            self._peak = max(self._peak, loudest)
            self._clipped = self._clipped or loudest >= CLIPPED
            if self._file is None:
                return
            rate = self._input.rate if self._input is not None else SAMPLE_RATE
            room = rate * MAX_TAKE_MS // 1000 - self._recorded
            if room <= 0:
                self._problem = f"A take can last {MAX_TAKE_MS // 60_000} minutes at most; what was recorded is kept."
                return
            block = block[:room]
            try:
                self._file.write(_raw(block))
                self._file.flush()
            except (OSError, ValueError) as error:
                why = reason(error) if isinstance(error, OSError) else "its file was closed"
                self._problem = STOPPED.format(why)
                return
            if self._started is None:
                self._started = first
            self._recorded += len(block)

    def _leave_file(self) -> None:
        with self._lock:
            file, self._file = self._file, None
        if file is not None:
            _close(file)

    def _watch(self) -> None:
        source = self._input
        if source is None or self._problem:
            return
        if not source.is_open or self._clock() - self._last_block > LOST_S:
            self._problem = LOST.format(source.name)


def _close(file: BinaryIO) -> None:
    """Close a file, also where the disk has no room for what is still to be written."""
    with contextlib.suppress(OSError):
        file.close()


def in_tenths(level: float) -> int:
    """A level relative to full scale in tenths of a decibel."""
    return max(SILENT, round(200 * float(np.log10(level)))) if level > 0 else SILENT


def _raw(block: Samples) -> bytes:
    whole = np.clip(np.rint(block.astype(np.float64) * _FULL_SCALE), -_FULL_SCALE, _FULL_SCALE - 1).astype("<i4")
    return whole.view("u1").reshape(-1, 4)[:, :3].tobytes()


def _header(rate: int, length: int) -> bytes:
    form = struct.pack("<HHIIHH", 1, 1, rate, rate * 3, 3, 24)
    size = _UNKNOWN if length == _UNKNOWN else min(_UNKNOWN, 36 + length)
    return b"RIFF" + struct.pack("<I", size) + b"WAVEfmt \x10\0\0\0" + form + b"data" + struct.pack("<I", length)


_HEADER_BYTES = len(_header(48_000, 0))
