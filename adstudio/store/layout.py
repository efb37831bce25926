"""The tables of a project file, their versions, and the checksums that reveal damage.

`journal` has a row for each change since the oldest snapshot, numbered without gaps; each row's sum covers the previous
one, so that no row can change, vanish or move unnoticed. `snapshot` holds the script after a row. `state` has one row:
the row of the last save, the last row, and its sum. `plan` is the plan of the saved script, for export; its sum covers
the saved row's, so that a plan of another state is never used. `report` has what the draft reported, if it is kept;
nothing depends on it. `sound` has the recordings of takes by their SHA-256, which is their checksum; `lengths` how long
the voice has spoken texts, which can be measured again. `version` has the named versions of the script, with a row for
each that was kept, renamed or deleted (see `version_rows`). `policy` has a row for each change of the sharing policy,
`identity` one row: what identifies the project and its copies, and the last row of `policy` (see `policies`).
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from pathlib import Path

from adstudio.core.document import Act
from adstudio.core.errors import BadInputError

APPLICATION_ID = 0x41445354
"""`ADST`, in SQLite's header, so that tools such as `file` recognise projects."""
HEADER_BYTES = 72
"""How many bytes of an SQLite file are needed to recognise a project."""
VERSION = 18
"""The version written."""

REBASE = "rebase"
"""The act of a row without a step: the script continues from this row's snapshot (after a return to the last save)."""
ACTS = (*(act.value for act in Act), REBASE)
"""All acts in the journal."""

_PAGE = 16_384
"""The page size of new files: compared with SQLite's default of 4,096, large scripts are written in two thirds of the
time and steps in the same. Any page size can be read."""
_SNAPSHOT_OVERHEAD = 26
"""The least bytes that a row of `snapshot` has beyond its script."""

START = b"start"
"""The start of the chain of sums in a new project's journal."""

_COMMON = {
    "snapshot": "CREATE TABLE snapshot (seq INTEGER PRIMARY KEY, chain BLOB NOT NULL, script BLOB NOT NULL,"
    " sum BLOB NOT NULL) STRICT",
    "state": "CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), saved INTEGER NOT NULL,"
    " last INTEGER NOT NULL, last_sum BLOB NOT NULL, sum BLOB NOT NULL) STRICT",
    "plan": "CREATE TABLE plan (seq INTEGER PRIMARY KEY, plan BLOB NOT NULL, sum BLOB NOT NULL) STRICT",
}
_VERSION_2 = {
    **_COMMON,
    # When a step was made, so that recovery can say how old it is; unknown (NULL) for steps of version 1.
    "journal": "CREATE TABLE journal (seq INTEGER PRIMARY KEY, act TEXT NOT NULL, step BLOB NOT NULL,"
    " at INTEGER, sum BLOB NOT NULL) STRICT",
}
_VERSION_5 = {
    **_VERSION_2,
    "policy": "CREATE TABLE policy (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, policy BLOB NOT NULL,"
    " sum BLOB NOT NULL) STRICT",
    "identity": "CREATE TABLE identity (one INTEGER PRIMARY KEY CHECK (one = 1), identity BLOB NOT NULL,"
    " last INTEGER NOT NULL, last_sum BLOB NOT NULL, sum BLOB NOT NULL) STRICT",
}
_VERSION_8 = {
    **_VERSION_5,
    "policy": "CREATE TABLE policy (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, policy BLOB NOT NULL,"
    " sum BLOB NOT NULL, code BLOB NOT NULL) STRICT",
}
_VERSION_12 = {
    **_VERSION_8,
    "report": "CREATE TABLE report (one INTEGER PRIMARY KEY CHECK (one = 1), report BLOB NOT NULL, sum BLOB NOT NULL)"
    " STRICT",
}
_VERSION_13 = {
    **_VERSION_12,
    "sound": "CREATE TABLE sound (number INTEGER PRIMARY KEY, key BLOB NOT NULL, data BLOB NOT NULL) STRICT",
    "lengths": "CREATE TABLE lengths (one INTEGER PRIMARY KEY CHECK (one = 1), lengths BLOB NOT NULL,"
    " sum BLOB NOT NULL) STRICT",
}
_VERSION_14 = {
    **_VERSION_13,
    "version": "CREATE TABLE version (number INTEGER PRIMARY KEY, label BLOB NOT NULL, content BLOB NOT NULL,"
    " sum BLOB NOT NULL) STRICT",
}
TABLES: dict[int, dict[str, str]] = {
    1: {
        **_COMMON,
        "journal": "CREATE TABLE journal (seq INTEGER PRIMARY KEY, act TEXT NOT NULL, step BLOB NOT NULL,"
        " sum BLOB NOT NULL) STRICT",
    },
    2: _VERSION_2,
    # The same tables; scripts have openings, eventualities can be joined.
    3: _VERSION_2,
    # The same tables; films have a screenplay, eventualities a confidence and a source.
    4: _VERSION_2,
    # Scripts have people and prompts.
    5: _VERSION_5,
    # The same tables; eventualities tell whether a person has worked on them.
    6: _VERSION_5,
    # The same tables; eventualities have a provenance in place of a source, steps an origin, withdrawing is an act.
    7: _VERSION_5,
    # Permissions have a code of the user who gave them.
    8: _VERSION_8,
    # The same tables; films have their sources as files with fingerprints, people the picture of their face.
    9: _VERSION_8,
    # The same tables; settings limit how far from its action a line may be, before and after it.
    10: _VERSION_8,
    # The same tables; videos have the number of a sound track.
    11: _VERSION_8,
    # Projects keep the report of their draft; wordings tell whether the full one was rewritten since.
    12: _VERSION_12,
    # Projects have a voice and pronunciations, the sounds of takes, and how long the voice has spoken.
    13: _VERSION_13,
    # Projects keep named versions of their script.
    14: _VERSION_14,
    # The same tables; scripts have fusions, deliveries of a plan the lines that they speak as one.
    15: _VERSION_14,
    # The same tables; people have an id, further names and pictures, cues say how their speaker is known, scripts have
    # named faces and the times of words.
    16: _VERSION_14,
    # The same tables; settings say whether dialogue counts from its first word to its last.
    17: _VERSION_14,
    # The same tables; what a line was drafted from has the note that stands beside it in a description.
    18: _VERSION_14,
}
"""The tables of each version, by name."""


_FILLERS = {
    "journal": "INSERT INTO journal VALUES (?, '', zeroblob(?), NULL, x'')",
    "sound": "INSERT INTO sound VALUES (?, x'', zeroblob(?))",
    "version": "INSERT INTO version VALUES (?, x'', zeroblob(?), x'')",
}
"""Rows that mean nothing, with negative keys. They fill a page, so that SQLite only ever adds pages to the table. In a
table of one page it would move all rows to another when the next one is added, and a copy of a file whose editor died
in between would have them in neither."""


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty database."""
    create_empty_tables(connection, VERSION)
    for table in _FILLERS:
        write_fillers(connection, table)


def create_empty_tables(connection: sqlite3.Connection, version: int) -> None:
    """Create the tables of a version in an empty database, without what a new file has in them."""
    connection.execute(f"PRAGMA page_size = {_PAGE}")
    for statement in TABLES[version].values():
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")


def require_sound(path: Path, connection: sqlite3.Connection) -> int:
    """The version of a file whose identity, tables and pages are valid.

    Raises:
        BadInputError: for a foreign, newer or damaged file.
    """
    if _number(connection, "application_id") != APPLICATION_ID:
        raise BadInputError(f"{path} is another program’s database, not an adstudio project: check the path")
    version = _number(connection, "user_version")
    if version > VERSION:
        raise BadInputError(
            f"{path} was saved by a newer adstudio (file version {version}, supported up to {VERSION}): update adstudio"
        )
    found = dict(connection.execute("SELECT name, sql FROM sqlite_schema").fetchall())
    # Nothing beyond our tables either: a trigger or view would run foreign code.
    if version not in TABLES or found != TABLES[version]:
        raise damaged(path, "its tables are not adstudio’s")
    faults = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if faults != "ok":
        raise damaged(path, "its pages are corrupt")
    return version


def damaged(path: Path, what: str) -> BadInputError:
    """The error for a file whose content cannot be trusted."""
    return BadInputError(f"{path} is damaged ({what}); restore it from a backup or an earlier copy")


def now() -> int:
    """The current time in milliseconds since 1970, as in rows."""
    return time.time_ns() // 1_000_000


def digest(*parts: object) -> bytes:
    """A row's checksum, over its values with their lengths, so that nothing can shift between them."""
    total = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        total.update(len(data).to_bytes(8))
        total.update(data)
    return total.digest()


def write_state(connection: sqlite3.Connection, saved: int, last: int, last_sum: bytes) -> None:
    """Write the row with the last save and the last step."""
    connection.execute(
        "INSERT OR REPLACE INTO state (one, saved, last, last_sum, sum) VALUES (1, ?, ?, ?, ?)",
        (saved, last, last_sum, digest("state", saved, last, last_sum)),
    )


def write_snapshot(connection: sqlite3.Connection, seq: int, chain: bytes, script: bytes) -> bytes:
    """Write the script after row `seq`; returns its sum."""
    page = _number(connection, "page_size")
    # Spaces after the JSON leave as little of the row as can be in the table's own page: several then fit there, and
    # need not be moved, as `_FILLERS` explains (https://sqlite.org/fileformat2.html, section 1.6).
    script += b" " * (((page - 12) * 32 // 255 - 23 - _SNAPSHOT_OVERHEAD - len(script)) % (page - 4))
    total = digest("snapshot", seq, chain, script)
    connection.execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?)", (seq, chain, script, total))
    return total


def write_row(
    connection: sqlite3.Connection, chain: bytes, seq: int, *, act: str, step: bytes, at: int | None
) -> bytes:
    """Write one change; returns the sum that the next one is chained to."""
    total = digest("journal", chain, seq, act, step, at)
    connection.execute("INSERT INTO journal VALUES (?, ?, ?, ?, ?)", (seq, act, step, at, total))
    return total


def empty_journal(connection: sqlite3.Connection) -> None:
    """Delete all changes."""
    # Emptying a table frees its pages unread, while deleting row by row copies each to the rollback journal first: with
    # 5,000 rows that would be the longest part of a save.
    connection.execute("DELETE FROM journal")
    write_fillers(connection, "journal")


def write_fillers(connection: sqlite3.Connection, table: str) -> None:
    """Begin an empty table with its two fillers."""
    most = _number(connection, "page_size") * 3 // 4
    connection.executemany(_FILLERS[table], [(-2, most), (-1, most)])


def write_plan(connection: sqlite3.Connection, seq: int, seq_sum: bytes, plan: bytes | None) -> None:
    """Write the plan of the saved script, or remove it."""
    connection.execute("DELETE FROM plan")
    if plan is not None:
        connection.execute("INSERT INTO plan VALUES (?, ?, ?)", (seq, plan, digest("plan", seq, seq_sum, plan)))


def write_report(connection: sqlite3.Connection, report: bytes) -> None:
    """Write the report of the draft, or remove it where it is empty."""
    connection.execute("DELETE FROM report")
    if report:
        connection.execute("INSERT INTO report VALUES (1, ?, ?)", (report, digest("report", report)))


def read_report(connection: sqlite3.Connection) -> bytes:
    """The report of the draft; empty where there is none, or it is not what was written."""
    found = connection.execute("SELECT report, sum FROM report").fetchone()
    return found[0] if found is not None and digest("report", found[0]) == found[1] else b""


def write_lengths(connection: sqlite3.Connection, lengths: bytes) -> None:
    """Write how long the voice has spoken, or remove it where it is empty."""
    connection.execute("DELETE FROM lengths")
    if lengths:
        connection.execute("INSERT INTO lengths VALUES (1, ?, ?)", (lengths, digest("lengths", lengths)))


def read_lengths(connection: sqlite3.Connection) -> bytes:
    """How long the voice has spoken; empty where that is not there, or not what was written."""
    found = connection.execute("SELECT lengths, sum FROM lengths").fetchone()
    return found[0] if found is not None and digest("lengths", found[0]) == found[1] else b""


def sound_key(data: bytes) -> bytes:
    """The key of a recording."""
    return hashlib.sha256(data).digest()


def sound_keys(connection: sqlite3.Connection) -> frozenset[str]:
    """The keys of all recordings, in hexadecimal."""
    return frozenset(key.hex() for (key,) in connection.execute("SELECT key FROM sound WHERE number >= 0"))


def write_sound(connection: sqlite3.Connection, data: bytes) -> bytes:
    """Write a recording, unless it is there undamaged; returns its key."""
    key = sound_key(data)
    if read_sound(connection, key) is None:
        connection.execute("INSERT INTO sound (key, data) VALUES (?, ?)", (key, data))
    return key


def read_sound(connection: sqlite3.Connection, key: bytes) -> bytes | None:
    """The recording with a key; None where it is not there, or not what was written."""
    found = connection.execute("SELECT data FROM sound WHERE key = ?", (key,))
    return next((data for (data,) in found if sound_key(data) == key), None)


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return connection.execute(f"PRAGMA {pragma}").fetchone()[0]


def is_header(data: bytes) -> bool:
    """Whether these are a project's first bytes: SQLite's header with our application id (bytes 68 to 71)."""
    return data.startswith(b"SQLite format 3\x00") and data[68:72] == APPLICATION_ID.to_bytes(4, "big")
