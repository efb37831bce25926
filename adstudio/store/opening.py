"""Opening a project file: what lies beside it, its version, and what can be rescued of a damaged one."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import AdstudioError, Oddity
from adstudio.store import database, layout, migrations, recovery
from adstudio.store.backups import save_beside
from adstudio.store.sounds import without_sounds
from adstudio.system.files import write_atomically


@dataclass(frozen=True)
class OpenedFile:
    """A sound file of the current version.

    Attributes:
        connection: its content, and its lock if opened for writing.
        version: its version on disk before it was opened.
        original: its content then, without recordings, if it is to be backed up.
        oddities: what lay beside it.
    """

    connection: sqlite3.Connection
    version: int
    original: bytes
    oddities: tuple[Oddity, ...]


def open_connection(path: Path, *, read_only: bool, backed_up: bool) -> OpenedFile:
    """Open a file and migrate it, for editing with a copy of the old one beside it.

    Raises:
        BadInputError: for a missing, foreign, newer or damaged file.
        OutsideFailureError: if it is open elsewhere or read-only, or the disk fails.
    """
    if read_only:
        connection, strays = recovery.open_to_read(path)
    else:
        strays = recovery.settle(path)
        connection = database.open_to_write(path)
    with database.closed_on_failure(connection), database.sqlite_errors(path):
        version = layout.require_sound(path, connection)
        original = without_sounds(path, connection, version) if backed_up and not read_only else b""
        if version < layout.VERSION:
            if not read_only:
                save_beside(path, connection.serialize(), f"version {version}")
            with database.transaction(path, connection):
                migrations.migrate(path, connection, version)
    return OpenedFile(connection, version, original, strays)


def rescue(path: Path, *, read_only: bool) -> tuple[sqlite3.Connection, Oddity] | None:
    """What could be recovered of a damaged file, which is repaired unless it is read-only; None if that is nothing.

    Raises:
        OutsideFailureError: if it is open elsewhere, or cannot be written.
    """
    if read_only:
        found = recovery.rescued(path)
        return None if found is None else (database.in_memory(path, found[0]), found[1])
    oddity = recovery.repair(path)
    return None if oddity is None else (database.open_to_write(path), oddity)


def replace(path: Path, content: bytes) -> None:
    """Write a closed project anew; if that fails, it stays as it is."""
    with contextlib.suppress(AdstudioError), recovery.exclusive_replacement(path, replacing=True):
        write_atomically(path, content)


def is_project(path: Path) -> bool:
    """Whether a file starts like a project, damaged or not. Pipes and devices are never opened."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return layout.is_header(file.read(layout.HEADER_BYTES))
    except OSError:
        return False
