"""The editor's one recording process: `python -m adstudio.recording.worker` (see `messages`).

Sound arrives on a thread of the input's own. When the process is killed, what was recorded stays in its file.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

from adstudio.core.narration import MIN_TAKE_MS
from adstudio.recording.importing import read_sound_file
from adstudio.recording.inputs import DeviceInput, FileInput, Input, OnBlock, list_inputs
from adstudio.recording.messages import (
    LARGEST_RECORDING,
    MOST_BINS,
    PROTOCOL,
    Answer,
    Cut,
    Discard,
    Done,
    FileRead,
    Finish,
    Inspect,
    Listen,
    Listening,
    ListInputs,
    Measure,
    Punch,
    ReadFile,
    Record,
    Recorded,
    Recording,
    Recover,
    Request,
    StopListening,
    Waveform,
)
from adstudio.recording.recorder import Recorder, in_tenths
from adstudio.recording.unfinished import new_recording, remove_recording, take_file
from adstudio.speech.sound import Sound, encoded
from adstudio.speech.takes import (
    SAMPLE_RATE,
    RecordingError,
    decoded_recording,
    encoded_recording,
    silence_around,
    spliced,
    used_part,
)
from adstudio.system.files import read_bounded, write_atomically
from adstudio.system.private_files import FILE
from adstudio.system.worker import answer_requests

BIN_MS = 5
SILENT_END_MS = 300
"""What follows a cut that is to be played: mpv ends shorter sounds as soon as they are loaded."""


class Worker:
    """What stays between requests: the recorder, and the file it writes."""

    def __init__(self) -> None:
        self._recorder = Recorder()
        self._path: Path | None = None

    def answer(self, request: Request) -> Answer:  # noqa: PLR0911 - one for each kind of request
        """The answer to a request.

        Raises:
            AdstudioError: where it cannot be had.
        """
        match request:
            case ListInputs():
                return list_inputs()
            case Listen():
                source = self._recorder.listen(lambda on_block: _open(request, on_block))
                return Listening(source.name, source.rate)
            case StopListening():
                self._recorder.close()
                return Done()
            case Measure():
                return self._recorder.level(reset_clip=request.reset_clip)
            case Record():
                return self._record(request)
            case Finish():
                return self._finish(request)
            case Discard():
                return self._discard()
            case Recover():
                return _take_of(request.path, 0, None)
            case ReadFile():
                return _read_file(request)
            case Inspect():
                return _waveform(_read(request.recording))
            case Cut():
                return _cut(request)

    def close(self) -> None:
        """Close the device."""
        self._recorder.close()

    def _record(self, request: Record) -> Recording:
        path = new_recording(request.folder, request.line, request.variant, request.text)
        try:
            started = self._recorder.start(path)
        except Exception:
            remove_recording(path)
            raise
        self._path = path
        return Recording(path, started)

    def _finish(self, request: Finish) -> Recorded:
        self._recorder.stop()
        path, self._path = self._path, None
        if path is None:
            raise RecordingError("nothing is being recorded")
        return _take_of(path, request.skip, request.punch)

    def _discard(self) -> Done:
        self._recorder.discard()
        path, self._path = self._path, None
        if path is not None:
            remove_recording(path)
        return Done()


def _open(request: Listen, on_block: OnBlock) -> Input:
    if request.file is not None:
        return FileInput(request.file, request.pace / 100, on_block, ends=request.ends)
    return DeviceInput(request.device, on_block)


def _take_of(path: Path, skip: int, punch: Punch | None) -> Recorded:
    """Make a take of a recording; one that is too short, or silent, is deleted and refused."""
    try:
        sound = _read(path)
    except RecordingError:
        remove_recording(path)
        raise
    sound = Sound(sound.samples[skip * SAMPLE_RATE // 1000 :], SAMPLE_RATE)
    if len(sound.samples) < MIN_TAKE_MS * SAMPLE_RATE // 1000:
        remove_recording(path)
        raise RecordingError(f"The take was shorter than {MIN_TAKE_MS / 1000:.1f} s, and is not kept")
    if not sound.peak:
        remove_recording(path)
        raise RecordingError(
            "Nothing but silence was recorded: is the microphone muted, or are programs not permitted to use it?"
        )
    if punch is not None:
        before = _read(punch.recording)
        sound = spliced(Sound(before.samples[: punch.at * SAMPLE_RATE // 1000], SAMPLE_RATE), sound)
    # Whole milliseconds, as the times of takes are.
    sound = Sound(sound.samples[: len(sound.samples) // 48 * 48], SAMPLE_RATE)
    start, end = silence_around(sound)
    if start >= end:
        start, end = 0, sound.ms
    target = take_file(path)
    write_atomically(target, encoded_recording(sound), mode=FILE)
    return Recorded(path, target, sound.ms, start, end, in_tenths(sound.peak))


def _read_file(request: ReadFile) -> FileRead:
    read, recording = read_sound_file(request.path)
    if recording:
        write_atomically(request.target, recording, mode=FILE, flush=False)
    return read


def _cut(request: Cut) -> Waveform:
    sound = used_part(_read(request.recording), request.start, request.end, request.level)
    samples = np.clip(sound.samples, -1, 1)
    silent = np.zeros(SAMPLE_RATE * SILENT_END_MS // 1000, np.float32)
    write_atomically(request.target, encoded(np.concatenate((samples, silent)), SAMPLE_RATE), mode=FILE, flush=False)
    return _waveform(sound)


def _waveform(sound: Sound) -> Waveform:
    count = max(1, min(MOST_BINS, sound.ms // BIN_MS))
    edges = np.linspace(0, len(sound.samples), count + 1).astype(int)[:-1]
    if not len(sound.samples):
        return Waveform(0, ())
    peaks = np.maximum.reduceat(np.abs(sound.samples), edges)
    return Waveform(sound.ms, tuple(int(peak) for peak in np.minimum(np.rint(peaks * 1000), 1000)))


def _read(path: Path) -> Sound:
    return decoded_recording(read_bounded(path, LARGEST_RECORDING, "recording")).sound


def main() -> int:
    """Answer requests until the input ends, and return the exit code."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    worker = Worker()
    try:
        return answer_requests(PROTOCOL, worker.answer)
    finally:
        worker.close()


if __name__ == "__main__":
    sys.exit(main())
