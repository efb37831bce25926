"""The named versions in an open project: keeping, reading, renaming and deleting them.

Like policies they are written at once, and are unaffected by undo, by saving and by closing without saving.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from adstudio.core.errors import BadInputError, Oddity, OutsideFailureError
from adstudio.core.fusions import items_said
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.store import layout, version_rows
from adstudio.store.codec import CodecError
from adstudio.store.database import OpenFile
from adstudio.store.new_file import encode_plan
from adstudio.store.sounds import sounds_in_use
from adstudio.store.version_rows import Version, VersionContent

MAX_VERSIONS = 500
"""The most versions of a project."""
MAX_BYTES = 100_000_000
"""Bytes of all of them, as stored: some two hundred of a film of 3,000 lines."""


class ProjectVersions:
    """The versions in an open file; `oddities` lists damage."""

    def __init__(self, file: OpenFile, encoded: Callable[[Script], bytes]) -> None:
        """Read them; `encoded` encodes a script as snapshots are."""
        self._file, self._encoded = file, encoded
        self._stored = version_rows.read(file.connection)
        damaged = self._stored.damaged
        what = f"{damaged} entries" if damaged > 1 else "an entry"
        self.oddities = (
            (Oddity(f"{file.path}: {what} of its kept versions cannot be read; a backup may have them"),)
            if damaged
            else ()
        )

    @property
    def all(self) -> tuple[Version, ...]:
        """All versions, oldest first."""
        return tuple(self._stored.versions.values())

    @property
    def sounds(self) -> frozenset[str]:
        """The keys of the recordings that versions need."""
        return frozenset(key for version in self.all for key in version.sounds)

    @property
    def unused(self) -> dict[int, int]:
        """The rows of versions that were deleted, by number, with their bytes."""
        return self._stored.unused

    def keep(self, script: Script, plan: Plan | None, *, name: str, note: str = "", by: str = "") -> Version:
        """Keep a script with its plan under a name.

        Raises:
            BadInputError: if it exceeds the limits of the format.
            OutsideFailureError: if the project is read-only or has no room, or it cannot be written.
        """
        self._file.require_editable()
        spoken = 0 if plan is None else len(items_said(script, plan))
        sounds = tuple(sorted(sounds_in_use((script,), ())))
        try:
            content = version_rows.packed(self._encoded(script), encode_plan(plan))
            self._require_room(len(content))
            with self._file.writing() as connection:
                number = version_rows.next_number(connection)
                version = Version(number, name, note, layout.now(), by, len(script.eventualities), spoken, sounds)
                version_rows.write(connection, version, content)
        except CodecError as error:
            raise BadInputError(f"{self._file.path} cannot hold this version ({error})") from error
        with self._file.reading() as connection:
            self._stored = version_rows.read(connection)
        return version

    def relabel(self, number: int, *, name: str, note: str) -> Version:
        """Give a version another name and note; raises as `keep`, and if there is none of that number."""
        version = replace(self._version(number), name=name, note=note)
        self._append(version, deleted=False)
        return version

    def delete(self, number: int) -> None:
        """Delete a version; raises as `relabel`."""
        self._append(self._version(number), deleted=True)

    def content(self, number: int) -> VersionContent:
        """The script and the plan of a version.

        Raises:
            BadInputError: if there is none of that number, or it cannot be read.
        """
        data = self.packed(number)
        try:
            return version_rows.unpacked(data)
        except CodecError as error:
            raise self._damaged(number, str(error)) from None

    def packed(self, number: int) -> bytes:
        """A version's content as it is stored, for another process to read; raises as `content`."""
        self._version(number)
        with self._file.reading() as connection:
            data = version_rows.content_of(connection, number)
        if data is None:
            raise self._damaged(number, "its checksum is wrong")
        return data

    def _damaged(self, number: int, why: str) -> BadInputError:
        name = self._version(number).name
        return BadInputError(f"{self._file.path}: the version “{name}” is damaged ({why}); a backup may have it")

    def copies(self) -> Iterator[tuple[Version, bytes]]:
        """All versions with their contents as stored, for another file; damaged ones are left out."""
        for version in self.all:
            with self._file.reading() as connection:
                content = version_rows.content_of(connection, version.number)
            if content is not None:
                yield version, content

    def _version(self, number: int) -> Version:
        version = self._stored.versions.get(number)
        if version is None:
            raise BadInputError(f"{self._file.path} has no such version: it may have been deleted")
        return version

    def _append(self, version: Version, *, deleted: bool) -> None:
        try:
            with self._file.writing() as connection:
                version_rows.relabel(connection, version, deleted=deleted)
        except CodecError as error:
            raise BadInputError(f"{self._file.path} cannot hold this version ({error})") from error
        with self._file.reading() as connection:
            self._stored = version_rows.read(connection)

    def _require_room(self, more: int) -> None:
        with self._file.reading() as connection:
            (size,) = connection.execute(
                "SELECT coalesce(sum(length(content)), 0) FROM version WHERE number > 0"
            ).fetchone()
        if len(self._stored.versions) >= MAX_VERSIONS or size + more > MAX_BYTES:
            raise OutsideFailureError(
                f"{self._file.path} has no room for more versions ({MAX_VERSIONS}, or {MAX_BYTES // 1_000_000} MB): "
                "delete some, and save it under another name"
            )
