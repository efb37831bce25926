"""What the editor asks of its recording process, and what that answers: one event for each request, in order.

Times are milliseconds, levels tenths of a decibel below full scale. This module is light: the editor imports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated

from adstudio.system.codec import Limits
from adstudio.system.worker import Failed, WorkerProtocol


class NotImported(Enum):
    """Why a file is no take."""

    NO_SOUND_FILE = "no sound file"
    NO_NUMBER = "no number in its name"
    SEVERAL_NUMBERS = "several numbers in its name"
    NO_SUCH_LINE = "no line has that number"
    NOT_SPOKEN = "the plan does not speak that line"
    LINKED = "several linked lines have that number"
    NO_WORDS = "the line has no words"
    UNREADABLE = "it cannot be read"
    SILENT = "nothing is heard in it"
    SHORT = "it is too short"
    KNOWN = "it is a take of a line already"
    FOLDER = "it is a folder"
    BROKEN_LINK = "it is a link to nothing"
    NO_FILE = "it is no regular file"


SILENT = -1200
"""The level of nothing at all."""
LARGEST_RECORDING = 1 << 28
"""Bytes of a sound file, and of a recording."""
MOST_BINS = 2_000
"""Parts of a recording of which a waveform has the peaks."""
Number = Annotated[int, Limits()]
Name = Annotated[str, Limits(text=500)]


@dataclass(frozen=True, slots=True)
class ListInputs:
    """List the input devices, answered by `Inputs`: those that there were when the process started."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Open an input device by its name, the system's own for the empty one; answered by `Listening`.

    With a `file` its sound is played instead, as if it came from a microphone, `pace` times as fast in hundredths, and
    then silence, or with `ends` nothing any more: for tests.
    """

    device: Name = ""
    file: Path | None = None
    pace: Number = 100
    ends: bool = False


@dataclass(frozen=True, slots=True)
class StopListening:
    """Close the device; answered by `Done`."""


@dataclass(frozen=True, slots=True)
class Measure:
    """How loud it is now, answered by `Level`."""

    reset_clip: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """Write what comes from now on into a new file, answered by `Recording`.

    The file is in `folder`; it is a take of a wording of a line, in these words, should the editor not come to use it.
    """

    folder: Path
    line: Name
    variant: Number
    text: str


@dataclass(frozen=True, slots=True)
class Punch:
    """The recording that is kept up to a point, from which on the new one follows."""

    recording: Path
    at: Number


@dataclass(frozen=True, slots=True)
class Finish:
    """End the recording, without what is before `skip`; answered by `Recorded`."""

    skip: Number = 0
    punch: Punch | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """End the recording and delete it; answered by `Done`, also where nothing is being recorded."""


@dataclass(frozen=True, slots=True)
class Recover:
    """Make a take of a file that `Record` began and nothing ended; answered by `Recorded`."""

    path: Path


@dataclass(frozen=True, slots=True)
class ReadFile:
    """Read a sound file that is to be imported, and write its take to `target`; answered by `FileRead`."""

    path: Path
    target: Path


@dataclass(frozen=True, slots=True)
class Inspect:
    """The waveform of a recording, answered by `Waveform`."""

    recording: Path


@dataclass(frozen=True, slots=True)
class Cut:
    """Write what is used of a recording to a WAV file, to be played; answered by `Waveform`."""

    recording: Path
    target: Path
    start: Number
    end: Number | None
    level: Number


@dataclass(frozen=True, slots=True)
class Inputs:
    """The names of the input devices, and which is the system's own; empty where there is none."""

    devices: tuple[Name, ...]
    default: Name


@dataclass(frozen=True, slots=True)
class Listening:
    """The device is open."""

    device: Name
    rate: Number


@dataclass(frozen=True, slots=True)
class Level:
    """The highest level since the last question, and for how long a recording has gone on.

    `clipped`: full scale was reached since that was reset. `problem` is why nothing comes any more, as a sentence;
    what has been recorded until then can be finished.
    """

    peak: Number
    clipped: bool
    recorded: Number
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Recording:
    """The recording runs. `started` is when its first sample was, in ms of the system's monotonic clock."""

    path: Path
    started: Number


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording's take: its FLAC file, its length, from where to where something is heard, its highest level."""

    recording: Path
    take: Path
    length: Number
    start: Number
    end: Number
    peak: Number


@dataclass(frozen=True, slots=True)
class FileRead:
    """What was read of a sound file: the key of its recording, the length, from where to where something is heard.

    `cut_off`: it ends before its header says. Without a recording `why`, and `detail` of an unreadable file, say why
    it is no take.
    """

    key: str = ""
    length: Number = 0
    start: Number = 0
    end: Number = 0
    cut_off: bool = False
    why: NotImported | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Waveform:
    """A recording's length, and the peaks of equal parts of it, in thousandths of full scale."""

    length: Number
    peaks: Annotated[tuple[Number, ...], Limits(items=MOST_BINS)]


@dataclass(frozen=True, slots=True)
class Done:
    """It is done."""


Request = ListInputs | Listen | StopListening | Measure | Record | Finish | Discard | Recover | ReadFile | Inspect | Cut
Answer = Inputs | Listening | Level | Recording | Recorded | FileRead | Waveform | Done | Failed
PROTOCOL = WorkerProtocol[Request, Answer]("adstudio.recording.worker", Request, Answer)
"""The process ends when its input does, and may be killed at any moment."""
CRASHED = "The recording process has crashed: try again; anything that it had recorded is offered in the booth"
READING_CRASHED = "the process that read it has crashed"
