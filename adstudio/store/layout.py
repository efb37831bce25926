"""What a project file holds, table by table, its versions, and the sums that show damage.

`journal` has a row for each change since the oldest snapshot, numbered without a break; each row's sum covers the one
before, so that no row can change, vanish or move unseen. `snapshot` is the script as it was after a row. `state` has
one row: the row of the last save, the last row, and its sum. `plan` is the plan of the saved script, for export; its
sum covers the sum of the saved row, so that a plan of another state is never taken for its own. `policy` has a row for
each change of what the project allows to be sent, `identity` one row: what tells the project and its copies from
others, and which row of `policy` is the last (see `policies`).
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from pathlib import Path

from adstudio.core.document import Act
from adstudio.core.errors import BadInputError

APPLICATION_ID = 0x41445354
"""`ADST`, in SQLite's header, so that `file` and others can tell what it is."""
HEADER_BYTES = 72
"""The bytes of an SQLite file that tell whose it is."""
VERSION = 7
"""The version of the layout that is written."""

REBASE = "rebase"
"""The act of a row that is no step: the script is what this row's snapshot says (after a return to the last save)."""
ACTS = (*(act.value for act in Act), REBASE)
"""How a change came about."""

_PAGE = 16_384
"""The bytes of a page in new files: a script of megabytes is written in two thirds of the time that SQLite's own 4,096
take, a step in the same. Files of any page size are read."""

START = b"start"
"""What the first row of a new project's journal is chained to."""

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
}
"""The tables of every version, by name."""


def make(connection: sqlite3.Connection, version: int = VERSION) -> None:
    """Lay out an empty database."""
    connection.execute(f"PRAGMA page_size = {_PAGE}")
    for statement in TABLES[version].values():
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")


def require_sound(path: Path, connection: sqlite3.Connection) -> int:
    """The version of a file whose identity, tables and pages are in order.

    Raises:
        BadInputError: for a foreign, newer or damaged file.
    """
    if _number(connection, "application_id") != APPLICATION_ID:
        raise BadInputError(f"{path} is a database of another program, not an adstudio project; check the path")
    version = _number(connection, "user_version")
    if version > VERSION:
        raise BadInputError(
            f"{path} was made by a newer adstudio (file version {version}, this one reads up to {VERSION}): update it"
        )
    found = dict(connection.execute("SELECT name, sql FROM sqlite_schema").fetchall())
    # Nothing more than our tables either: a trigger or view would be somebody else's program in our file.
    if version not in TABLES or found != TABLES[version]:
        raise damaged(path, "its tables are not adstudio's")
    faults = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if faults != "ok":
        raise damaged(path, "its pages are not in order")
    return version


def damaged(path: Path, what: str) -> BadInputError:
    """The error for a file whose content cannot be trusted."""
    return BadInputError(f"{path} is damaged ({what}); restore it from a backup or an earlier copy")


def now() -> int:
    """The present time as rows have it: in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def digest(*parts: object) -> bytes:
    """The sum of a row: of its values, each with its length, so that nothing can move from one to the next."""
    total = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        total.update(len(data).to_bytes(8))
        total.update(data)
    return total.digest()


def write_state(connection: sqlite3.Connection, saved: int, last: int, last_sum: bytes) -> None:
    """The one row that says where the last save and the last step are."""
    connection.execute(
        "INSERT OR REPLACE INTO state (one, saved, last, last_sum, sum) VALUES (1, ?, ?, ?, ?)",
        (saved, last, last_sum, digest("state", saved, last, last_sum)),
    )


def write_snapshot(connection: sqlite3.Connection, seq: int, chain: bytes, script: bytes) -> bytes:
    """The script as it is after row `seq`; returns its sum."""
    total = digest("snapshot", seq, chain, script)
    connection.execute("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?)", (seq, chain, script, total))
    return total


def write_row(
    connection: sqlite3.Connection, chain: bytes, seq: int, *, act: str, step: bytes, at: int | None
) -> bytes:
    """One change; returns the sum that the next one is chained to."""
    total = digest("journal", chain, seq, act, step, at)
    connection.execute("INSERT INTO journal VALUES (?, ?, ?, ?, ?)", (seq, act, step, at, total))
    return total


def drop_rows(connection: sqlite3.Connection, until: int) -> None:
    """Take out all changes up to a row; few follow it."""
    # Emptying a table sets its pages free unread, deleting row by row copies each to the rollback journal first: with
    # 5,000 rows that is the longest part of a save.
    kept = connection.execute("SELECT seq, act, step, at, sum FROM journal WHERE seq > ?", (until,)).fetchall()
    connection.execute("DELETE FROM journal")
    connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?)", kept)


def write_plan(connection: sqlite3.Connection, seq: int, seq_sum: bytes, plan: bytes | None) -> None:
    """The plan of the saved script, or that there is none."""
    connection.execute("DELETE FROM plan")
    if plan is not None:
        connection.execute("INSERT INTO plan VALUES (?, ?, ?)", (seq, plan, digest("plan", seq, seq_sum, plan)))


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return connection.execute(f"PRAGMA {pragma}").fetchone()[0]


def is_header(data: bytes) -> bool:
    """Whether these are the first bytes of a project: SQLite's own, and our application id (bytes 68 to 71)."""
    return data.startswith(b"SQLite format 3\x00") and data[68:72] == APPLICATION_ID.to_bytes(4, "big")
