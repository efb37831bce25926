"""The recordings of takes in a project file: which are in use, and their copies beside its backups.

A film's takes are a hundred times as large as its script. They never change, so a project's backups share one copy of
each, in a folder beside them; a backup itself is the project without them. Whoever opens a project or one of its
backups gets missing recordings from there.
"""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from adstudio.core.errors import AdstudioError, OutsideFailureError
from adstudio.core.script import Eventuality, Item, Script
from adstudio.core.steps import Insert, Move, Remove, Replace, Several, Step
from adstudio.store import database, layout
from adstudio.system.files import read_bounded, reason, write_atomically
from adstudio.system.private_files import FILE, private_folder

MAX_SOUNDS = 800_000_000
"""Bytes of all recordings of a project: with them it must stay smaller than a file that is opened."""
WORTH_DELETING = 5_000_000
"""Bytes of recordings that nothing names any more, for which a project is written anew: some ten takes."""
SPARE_S = 24 * 3600
"""Seconds: recordings that no backup has are deleted so much later, whatever the clocks of disks are like."""
_BACKUP = re.compile(r"(?P<prefix>.* [0-9a-f]{10} )\d{8}T\d{12}\.adproj")
_FIRST_VERSION = 13


def sounds_in_use(scripts: Iterable[Script], steps: Iterable[Step]) -> frozenset[str]:
    """The keys of the recordings that scripts name, or steps that lead from one to another."""
    lines: list[Item] = [line for script in scripts for line in script.eventualities]
    lines += [item for step in steps for item in _items(step)]
    takes = (
        take for line in lines if isinstance(line, Eventuality) for variant in line.variants for take in variant.takes
    )
    return frozenset(take.sound for take in takes)


def _items(step: Step) -> Iterator[Item]:
    match step:
        case Several():
            for each in step.steps:
                yield from _items(each)
        case Insert() | Remove() | Move():
            yield step.item
        case Replace():
            yield step.old
            yield step.new
        case _:
            return


def require_room(path: Path, connection: sqlite3.Connection, data: bytes) -> None:
    """Refuse a recording for which a project has no room.

    Raises:
        OutsideFailureError: if its recordings would be larger than they may be.
    """
    (size,) = connection.execute("SELECT coalesce(sum(length(data)), 0) FROM sound WHERE number >= 0").fetchone()
    if size + len(data) > MAX_SOUNDS:
        raise OutsideFailureError(
            f"{path} has no room for more takes ({MAX_SOUNDS // 1_000_000} MB): delete some, save it, and open it again"
        )


def unused_bytes(connection: sqlite3.Connection, used: frozenset[str]) -> int:
    """How large the recordings of a project are that are not among these."""
    sizes = connection.execute("SELECT key, length(data) FROM sound WHERE number >= 0")
    return sum(size for key, size in sizes if key.hex() not in used)


def without_sounds(
    path: Path,
    connection: sqlite3.Connection,
    version: int,
    but: frozenset[str] = frozenset(),
    unused_versions: Iterable[int] = (),
) -> bytes:
    """The content of a project file without its recordings `but` for these, and without those rows of `version`.

    The file as it is if it has neither.
    """
    without = ", ".join(map(str, unused_versions))
    if version < _FIRST_VERSION or not (without or layout.sound_keys(connection)):
        return connection.serialize()
    with contextlib.closing(database.in_memory(path)) as copy:
        layout.create_empty_tables(copy, version)
        for name in layout.TABLES[version]:
            # Of the recordings the fillers stay.
            which = {"sound": "number < 0", "version": f"number NOT IN ({without})"}.get(name, "true")
            rows = connection.execute(f"SELECT * FROM {name} WHERE {which}")  # noqa: S608 - a table of our own
            marks = ", ".join("?" * len(rows.description))
            copy.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608
        for key in sorted(but):
            data = layout.read_sound(connection, bytes.fromhex(key))
            if data is not None:
                layout.write_sound(copy, data)
        return copy.serialize()


class SharedSounds:
    """The recordings that a project's backups share: a folder with a file for each, named by its key."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of_backup(cls, path: Path) -> SharedSounds | None:
        """Those that a backup needs; None for a file that is not named like one."""
        match = _BACKUP.fullmatch(path.name)
        return None if match is None else cls(path.parent / folder_name(match["prefix"]))

    def read(self, key: str) -> bytes | None:
        """A recording; None if it is not there, or damaged."""
        try:
            data = read_bounded(self._file(key), database.MAX_VALUE, "recording")
        except AdstudioError:
            return None
        return data if layout.sound_key(data).hex() == key else None

    def add(self, connection: sqlite3.Connection) -> None:
        """Copy the recordings of a project that are not there.

        Raises:
            OutsideFailureError: if the folder cannot be written.
        """
        keys = layout.sound_keys(connection)
        if not keys:
            return
        try:
            private_folder(self._folder)
            there = {entry.name for entry in os.scandir(self._folder)}
        except OSError as error:
            raise OutsideFailureError(f"{self._folder}: {reason(error)}") from error
        for key in sorted(keys):
            file = self._file(key)
            data = None if file.name in there else layout.read_sound(connection, bytes.fromhex(key))
            if data is not None:
                # Lost in a power cut, it is written again at the next opening: a flush for each would take long.
                write_atomically(file, data, mode=FILE, flush=False)

    def keep(self, keys: Iterable[str], oldest: float) -> None:
        """Note that a backup needs these; delete what none has needed since the oldest one (its time of change)."""
        needed = {self._file(key).name for key in keys}
        with contextlib.suppress(OSError):
            for entry in tuple(os.scandir(self._folder)):
                # One too many does no harm.
                with contextlib.suppress(OSError):
                    if entry.name in needed:
                        os.utime(entry.path)
                    elif entry.stat().st_mtime < oldest - SPARE_S:
                        Path(entry.path).unlink()

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.flac"


def folder_name(prefix: str) -> str:
    """The folder of the recordings of the backups whose names begin so."""
    return f"{prefix}takes"
