"""Recordings on the disk that are no takes yet: while they go on, and after a crash until somebody decides.

Each project has a folder for them in the user's own data. Beside each recording is a note whose it is.
"""

from __future__ import annotations

import contextlib
import json
import uuid
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import OutsideFailureError
from adstudio.system.files import reason, write_atomically
from adstudio.system.locations import user_data
from adstudio.system.private_files import FILE, private_folder

_NOTE, _TAKE = ".json", ".flac"
_BYTES_PER_MS = 48 * 3
_HEADER_BYTES = 44


@dataclass(frozen=True)
class Unfinished:
    """A recording that was not made a take: of which line and wording, in which words, and about how long (ms)."""

    path: Path
    line: str
    variant: int
    text: str
    length: int


def recordings_folder(project: str) -> Path:
    """Where recordings of the project with that identity are until they are takes."""
    return user_data("recordings") / project


def new_recording(folder: Path, line: str, variant: int, text: str) -> Path:
    """The path of a new recording, whose note is there.

    Raises:
        OutsideFailureError: if the folder cannot be written.
    """
    path = folder / f"{uuid.uuid4().hex}.wav"
    try:
        private_folder(folder)
    except OSError as error:
        raise OutsideFailureError(f"cannot record to {folder}: {reason(error)}") from error
    note = json.dumps({"line": line, "variant": variant, "text": text}).encode()
    write_atomically(path.with_suffix(_NOTE), note, mode=FILE, flush=False)
    return path


def take_file(recording: Path) -> Path:
    """Where a recording's take is while the editor has not stored it."""
    return recording.with_suffix(_TAKE)


def unfinished_recordings(folder: Path) -> tuple[Unfinished, ...]:
    """What is left in a folder, the oldest first; what nobody can use is deleted."""
    found: list[tuple[float, Unfinished]] = []
    try:
        recordings = sorted(folder.glob("*.wav"))
    except OSError:
        return ()
    for path in recordings:
        try:
            note = json.loads(path.with_suffix(_NOTE).read_bytes())
            line, variant, text = str(note["line"]), int(note["variant"]), str(note["text"])
            about = path.stat()
        except (OSError, ValueError, KeyError, TypeError):
            remove_recording(path)
            continue
        length = max(0, about.st_size - _HEADER_BYTES) // _BYTES_PER_MS
        found.append((about.st_mtime, Unfinished(path, line, variant, text, length)))
    return tuple(each for _, each in sorted(found, key=lambda pair: pair[0]))


def remove_recording(recording: Path) -> None:
    """Delete a recording with all that belongs to it; what cannot be deleted stays."""
    # The note last: without it a recording would be deleted that might still be wanted.
    for suffix in (_TAKE, ".wav", _NOTE):
        with contextlib.suppress(OSError):
            recording.with_suffix(suffix).unlink()
