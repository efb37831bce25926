"""The recordings in an open project: adding, reading, fetching them from its backups, leaving unused ones out."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.store import layout
from adstudio.store.backups import shared_sounds
from adstudio.store.database import OpenFile
from adstudio.store.sounds import WORTH_DELETING, SharedSounds, require_room, unused_bytes, without_sounds


class ProjectSounds:
    """The recordings in an open file, by their keys in hexadecimal."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file

    def add(self, data: bytes) -> str:
        """Write a recording; returns its key.

        Raises:
            OutsideFailureError: if the project is read-only or has no room, or it cannot be written.
        """
        self._file.require_editable()
        with self._file.reading() as connection:
            require_room(self._file.path, connection, data)
        with self._file.writing() as connection:
            return layout.write_sound(connection, data).hex()

    def read(self, key: str) -> bytes:
        """The recording with a key.

        Raises:
            BadInputError: if it is not in the project nor beside it, where it is a backup, or is damaged.
            OutsideFailureError: if the disk fails.
        """
        with self._file.reading() as connection:
            found = layout.read_sound(connection, bytes.fromhex(key))
        if found is None:
            shared = SharedSounds.of_backup(self._file.path)
            found = None if shared is None else shared.read(key)
        if found is None:
            raise BadInputError(f"{self._file.path}: the recording of a take is missing or damaged; record it again")
        return found

    def fetch(self, named: frozenset[str], backups: Path | None) -> None:
        """Fetch what is named and missing from the backups; if that fails, it is tried again at the next opening."""
        missing = named - layout.sound_keys(self._file.connection)
        if self._file.read_only or not missing:
            return
        beside = SharedSounds.of_backup(self._file.path)
        places = (*((beside,) if beside else ()), *((shared_sounds(self._file.path, backups),) if backups else ()))
        found = [data for key in sorted(missing) for place in places if (data := place.read(key)) is not None]
        if found:
            with contextlib.suppress(AdstudioError), self._file.writing() as connection:
                for data in found:
                    layout.write_sound(connection, data)

    def without_unused(self, named: frozenset[str], unused_versions: Mapping[int, int]) -> bytes:
        """The file's content without recordings that are not named; empty where that is not worth it, or read-only.

        Neither does it have these rows of deleted versions, given with their bytes.

        Nothing is deleted row by row: SQLite would move others, and a copy of a file whose editor died meanwhile could
        have them in neither place.
        """
        connection = self._file.connection
        unused = unused_bytes(connection, named) + sum(unused_versions.values())
        if self._file.read_only or unused < WORTH_DELETING:
            return b""
        return without_sounds(self._file.path, connection, layout.VERSION, named, unused_versions)
