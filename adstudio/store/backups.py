"""Copies of projects: backups in the program's own folder at each opening, and one beside a project before repairs."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from platformdirs import user_data_path

from adstudio.core.errors import AdstudioError, Oddity, OutsideFailureError
from adstudio.store import layout
from adstudio.store.sounds import SharedSounds, folder_name
from adstudio.system.files import mode_of, reason, write_atomically
from adstudio.system.private_files import FILE, private_folder

MAX_BACKUPS = 10
"""The most backups of one project."""
MAX_NAME_BYTES = 255
"""The longest file name, in bytes."""
_MOMENT = "%Y%m%dT%H%M%S%f"
_STEM = 60
"""How many characters of a project's name its backups carry."""


def backups_folder() -> Path:
    """Where copies of projects are kept as they were when opened."""
    return user_data_path("adstudio") / "backups"


def add_backup(project: Path, content: bytes, folder: Path) -> None:
    """Back up a project's content, unless the newest backup is identical, and delete the oldest beyond ten.

    Raises:
        OutsideFailureError: if it cannot be written.
    """
    try:
        private_folder(folder)
        earlier = backups_of(project, folder)
        if earlier and earlier[0].stat().st_size == len(content) and earlier[0].read_bytes() == content:
            return
    except OSError as error:
        raise OutsideFailureError(f"{folder}: {reason(error)}") from error
    moment = datetime.now(UTC)
    if earlier:
        # By its name the newest is found and the oldest deleted, so one made after a clock was set back comes last too.
        with contextlib.suppress(ValueError):
            newest = datetime.strptime(earlier[0].stem.removeprefix(_prefix(project)), _MOMENT).replace(tzinfo=UTC)
            moment = max(moment, newest + timedelta(microseconds=1))
    write_atomically(folder / f"{_prefix(project)}{moment.strftime(_MOMENT)}.adproj", content, mode=FILE)
    for old in earlier[MAX_BACKUPS - 1 :]:
        # One backup too many does no harm.
        with contextlib.suppress(OSError):
            old.unlink()


def shared_sounds(project: Path, folder: Path) -> SharedSounds:
    """The recordings of takes that a project's backups share."""
    return SharedSounds(folder / folder_name(_prefix(project)))


def try_backup(project: Path, content: bytes, connection: sqlite3.Connection, folder: Path) -> tuple[Oddity, ...]:
    """Back up a project's content, and its recordings apart; if that fails, report it and go on."""
    shared = shared_sounds(project, folder)
    try:
        shared.add(connection)
        add_backup(project, content, folder)
        oldest = min((each.stat().st_mtime for each in backups_of(project, folder)), default=0.0)
        shared.keep(layout.sound_keys(connection), oldest)
    except OSError as error:
        return (Oddity(f"{project}: no backup could be made: {folder}: {reason(error)}"),)
    except AdstudioError as error:
        # Work must not depend on a backup, but anyone relying on it must know.
        return (Oddity(f"{project}: no backup could be made: {error}"),)
    return ()


def save_beside(project: Path, content: bytes, why: str) -> Path:
    """Save a project's content beside it under an unused name that contains `why`.

    Raises:
        OutsideFailureError: if it cannot be written.
    """
    for number in itertools.count(1):
        ending = f" ({why}{f' {number}' if number > 1 else ''}){project.suffix}"
        stem = project.stem
        while len(os.fsencode(stem + ending)) > MAX_NAME_BYTES:
            stem = stem[:-1]
        copy = project.with_name(stem + ending)
        if not os.path.lexists(copy):
            write_atomically(copy, content, mode=mode_of(project), replacing=False)
            return copy
    raise AssertionError


def backups_of(project: Path, folder: Path) -> list[Path]:
    """A project's backups, newest first, to offer if it is damaged or missing."""
    if not folder.is_dir():
        return []
    prefix = _prefix(project)
    files = (file for file in folder.iterdir() if file.name.startswith(prefix) and file.suffix == ".adproj")
    return sorted(files, reverse=True)


def _prefix(project: Path) -> str:
    # Projects with the same name in different folders must not displace each other's backups.
    place = hashlib.blake2b(os.fsencode(os.path.realpath(project)), digest_size=5).hexdigest()
    return f"{project.stem[:_STEM]} {place} "
