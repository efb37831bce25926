"""The named versions of a script as rows of a project file.

A row keeps a version, gives one another label, or says that one is deleted. Rows are only ever added, for the reason
given in `layout`, and each has a checksum of its own; what was deleted goes when the file is next written anew. A
version's content is the script and its plan in one compressed JSON object, encoded as snapshots and plans are.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

from adstudio.core.plan import Plan
from adstudio.core.script import MAX_LINES, Script
from adstudio.store.codec import decode, require_sound
from adstudio.store.database import MAX_VALUE
from adstudio.store.layout import digest
from adstudio.system.codec import Codec, CodecError, Limits

MAX_NAME, MAX_NOTE = 200, 10_000
"""The longest name and note of a version, in characters."""
_MAX_MOMENT = 10**15
"""Milliseconds since 1970."""
_MAX_SOUNDS = 1_000_000


@dataclass(frozen=True)
class Version:
    """What is known of a named version without its content."""

    number: int
    """Identifies it in its project, and orders versions by age."""
    name: Annotated[str, Limits(text=MAX_NAME)]
    note: Annotated[str, Limits(text=MAX_NOTE)] = ""
    at: Annotated[int, Limits(number=_MAX_MOMENT)] = 0
    """When it was kept, in milliseconds since 1970."""
    by: Annotated[str, Limits(text=MAX_NAME)] = ""
    """Who kept it; empty if that is not known."""
    lines: int = 0
    """How many items it has, spoken or not."""
    spoken: int = 0
    """How many of them its plan speaks."""
    sounds: Annotated[tuple[str, ...], Limits(items=_MAX_SOUNDS)] = ()
    """The keys of the recordings that its takes are."""


@dataclass(frozen=True)
class VersionContent:
    """The script of a version, and its plan, if there was one."""

    script: Script
    plan: Plan | None


@dataclass(frozen=True)
class _Label:
    """What a row says of a version: another row's, unless that is the row's own number."""

    version: Version
    deleted: bool = False


@dataclass
class StoredVersions:
    """What the rows say."""

    versions: dict[int, Version] = field(default_factory=dict[int, Version])
    """By their numbers, in order."""
    unused: dict[int, int] = field(default_factory=dict[int, int])
    """The rows of deleted versions, and their bytes."""
    damaged: int = 0
    """How many rows are not what was written."""


_CODEC = Codec()


def read(connection: sqlite3.Connection) -> StoredVersions:
    """All versions, without their contents, which are checked."""
    found = StoredVersions()
    rows: defaultdict[int, dict[int, int]] = defaultdict(dict)
    everything = "SELECT number, label, content, sum FROM version WHERE number > 0 ORDER BY number"
    for number, data, content, total in connection.execute(everything):
        label = _label(number, data, content, total)
        if label is None:
            found.damaged += 1
            continue
        of = label.version.number
        rows[of][number] = len(data) + len(content)
        if label.deleted:
            found.versions.pop(of, None)
        elif number == of or of in found.versions:
            found.versions[of] = label.version
    found.unused = {
        number: size for of, own in rows.items() if of not in found.versions for number, size in own.items()
    }
    return found


def next_number(connection: sqlite3.Connection) -> int:
    """The number of the next row."""
    return connection.execute("SELECT max(coalesce(max(number), 0), 0) + 1 FROM version").fetchone()[0]


def write(connection: sqlite3.Connection, version: Version, content: bytes) -> None:
    """Write a version.

    Raises:
        CodecError: if its name or note is too long.
    """
    _write(connection, version.number, _Label(version), content)


def relabel(connection: sqlite3.Connection, version: Version, *, deleted: bool = False) -> None:
    """Write what is said of a version from now on; raises as `write`."""
    _write(connection, next_number(connection), _Label(version, deleted), b"")


def content_of(connection: sqlite3.Connection, number: int) -> bytes | None:
    """A version's content; None where it is not there, or not what was written."""
    row = connection.execute("SELECT label, content, sum FROM version WHERE number = ?", (number,)).fetchone()
    return None if row is None or _label(number, *row) is None else row[1]


def is_row(number: int, label: bytes, content: bytes, total: object) -> bool:
    """Whether these are the values of a row as it was written."""
    return digest("version", number, label, content) == total


def packed(script: bytes, plan: bytes | None) -> bytes:
    """The content of a version, of its script and plan as JSON."""
    return zlib.compress(b'{"script":%s,"plan":%s}' % (script, plan or b"null"))


def unpacked(content: bytes) -> VersionContent:
    """A version's script and plan.

    Raises:
        CodecError: if the content cannot be read.
    """
    data = _decompressed(content)
    # Counted in the bytes: read, the lines would take many times the memory.
    if data.count(b'"variants":') > MAX_LINES:
        raise CodecError(f"more than {MAX_LINES:,} lines", "eventualities")
    found = decode(data, VersionContent)
    require_sound(found.script)
    return found


def rewrite(connection: sqlite3.Connection, edit: Callable[[bytes], bytes]) -> None:
    """Have all contents edited as JSON, for a migration; damaged ones stay as they are."""
    for number, label, content, total in connection.execute(
        "SELECT number, label, content, sum FROM version"
    ).fetchall():
        if not content or not is_row(number, label, content, total):
            continue
        try:
            edited = zlib.compress(edit(_decompressed(content)))
        except CodecError:
            continue
        row = (edited, digest("version", number, label, edited), number)
        connection.execute("UPDATE version SET content = ?, sum = ? WHERE number = ?", row)


def _write(connection: sqlite3.Connection, number: int, label: _Label, content: bytes) -> None:
    data = _CODEC.encode(label)
    row = (number, data, content, digest("version", number, data, content))
    connection.execute("INSERT INTO version VALUES (?, ?, ?, ?)", row)


def _label(number: int, data: bytes, content: bytes, total: object) -> _Label | None:
    if not is_row(number, data, content, total):
        return None
    try:
        return _CODEC.decode(data, _Label)
    except CodecError:
        return None


def _decompressed(content: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(content, MAX_VALUE)
    except zlib.error as error:
        raise CodecError(f"it cannot be unpacked: {error}") from error
    if not unpacking.eof:
        raise CodecError("it is cut off, or too large")
    return data
