"""Copies of projects as they were: at each opening in the program's own folder, before a repair beside the project."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
from datetime import UTC, datetime
from pathlib import Path

from adstudio.core.errors import AdstudioError, Oddity, OutsideFailureError
from adstudio.system.files import mode_of, reason, write_atomically
from adstudio.system.private_files import FILE, private_folder

KEPT = 10
"""How many backups of one project are kept."""
LONGEST_NAME = 255
"""The bytes that a file's name may have."""
_STEM = 60
"""How much of a project's name its backups bear, in characters."""


def keep_backup(project: Path, content: bytes, folder: Path) -> None:
    """Keep a project's content, unless the newest backup is the same; the oldest beyond ten go.

    Raises:
        OutsideFailureError: where it cannot be written.
    """
    try:
        private_folder(folder)
        earlier = backups_of(project, folder)
        if earlier and earlier[0].stat().st_size == len(content) and earlier[0].read_bytes() == content:
            return
    except OSError as error:
        raise OutsideFailureError(f"{folder}: {reason(error)}") from error
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    write_atomically(folder / f"{_prefix(project)}{moment}.adproj", content, mode=FILE)
    for old in earlier[KEPT - 1 :]:
        # A backup too many is no harm.
        with contextlib.suppress(OSError):
            old.unlink()


def backup_oddities(project: Path, content: bytes, folder: Path) -> tuple[Oddity, ...]:
    """Keep a backup; where that fails, say so and go on."""
    try:
        keep_backup(project, content, folder)
    except AdstudioError as error:
        # Work must not wait for a backup; but whoever counts on it is told.
        return (Oddity(f"{project}: no backup could be kept: {error}"),)
    return ()


def set_aside(project: Path, content: bytes, why: str) -> Path:
    """Keep a project's content under another name beside it: nobody's name is taken, and `why` is in it.

    Raises:
        OutsideFailureError: where it cannot be written.
    """
    for number in itertools.count(1):
        ending = f" ({why}{f' {number}' if number > 1 else ''}){project.suffix}"
        stem = project.stem
        while len(os.fsencode(stem + ending)) > LONGEST_NAME:
            stem = stem[:-1]
        copy = project.with_name(stem + ending)
        if not os.path.lexists(copy):
            write_atomically(copy, content, mode=mode_of(project))
            return copy
    raise AssertionError


def backups_of(project: Path, folder: Path) -> list[Path]:
    """The backups of a project, newest first: what can be offered where it is damaged or gone."""
    if not folder.is_dir():
        return []
    prefix = _prefix(project)
    return sorted((file for file in folder.iterdir() if file.name.startswith(prefix)), reverse=True)


def _prefix(project: Path) -> str:
    # Projects of one name in several folders must not push out one another's backups.
    place = hashlib.blake2b(os.fsencode(os.path.realpath(project)), digest_size=5).hexdigest()
    return f"{project.stem[:_STEM]} {place} "
