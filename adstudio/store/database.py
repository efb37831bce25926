"""The SQLite side of a project file: opening, the lock, and its errors as sentences.

Choices, and why:

* The lock is SQLite's own, in exclusive mode, held from opening to closing. It ends with the process, killed or not,
  is not inherited by child processes (a worker that outlives the editor must not keep a project shut), needs no file
  beside the project, and keeps out a second window of the same program as well as a second program.
* The journal is SQLite's rollback journal, not its write-ahead log: between two steps everything is in the one file,
  so that even after a crash the project can be copied or mailed as it lies. What is beside it while it is open
  (`-journal`) matters only if the process dies inside a transaction; then it must stay beside the project.
* `synchronous=FULL`: a step that was acknowledged survives a power cut too.
* To read, the file is taken into memory under a shared lock and let go: nothing is ever created beside it, and a
  read-only folder will do.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Generator
from pathlib import Path

from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.system.files import reason, require_writable, size_of

MAX_FILE = 1 << 30
"""The largest project file that is opened, in bytes."""
_LEAST_FILE = 512
"""The smallest page of a database, in bytes."""
MAX_VALUE = 1 << 28
"""The largest single value in it, in bytes."""
_PATIENCE = 0.5
"""Seconds to wait for a reader that is just taking the file into memory."""
_JOURNAL = "-journal"
_COPY_ELSEWHERE = "restore it from a backup or an earlier copy"


def open_to_write(path: Path) -> sqlite3.Connection:
    """A connection that holds the lock until it is closed.

    Raises:
        BadInputError: for a missing, foreign or damaged file.
        OutsideFailureError: where it is open elsewhere, read-only, or the disk fails.
    """
    _require_file(path)
    require_writable(path)
    if not os.access(os.path.realpath(path.parent), os.W_OK):
        raise OutsideFailureError(f"{path} is in a folder that can only be read: copy it elsewhere to work on it")
    with _told(path):
        connection = _connect(path, "rw")
        with _closed_on_failure(connection):
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
            _require_rollback_journal(path, connection)
            connection.execute("PRAGMA synchronous = FULL")
        return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """The project taken into memory; raises as `open_to_write` does, save that it may be read-only."""
    _require_file(path)
    with _told(path):
        try:
            return in_memory(path, _content(path))
        except sqlite3.OperationalError as error:
            journal = Path(os.path.realpath(path) + _JOURNAL)
            if _name(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED")) or not journal.exists():
                raise
        # A process died inside a transaction. That is rolled back in a copy: whoever only reads must not write.
        with tempfile.TemporaryDirectory(prefix="adstudio-") as folder:
            copy = Path(folder) / "project"
            shutil.copyfile(path, copy)
            shutil.copyfile(journal, folder + "/project" + _JOURNAL)
            with contextlib.closing(_connect(copy, "rw")) as connection:
                connection.execute("BEGIN EXCLUSIVE")
                connection.execute("COMMIT")
            return in_memory(path, _content(copy))


def in_memory(path: Path, content: bytes | None = None) -> sqlite3.Connection:
    """A database in memory, empty or with the content of a file; `path` is named in messages."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with _told(path), _closed_on_failure(connection):
        _guard(connection)
        if content is not None:
            connection.deserialize(content)
            _require_rollback_journal(path, connection)
    return connection


@contextlib.contextmanager
def transaction(path: Path, connection: sqlite3.Connection) -> Generator[None]:
    """All or nothing of what is executed inside.

    Raises:
        OutsideFailureError: where the disk refuses; then nothing has changed.
    """
    with _told(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            # A full disk may have rolled back already.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


class OpenFile:
    """A project file that is open, and the very file that it was when it was opened.

    Attributes:
        path: where it was found.
        connection: its lock, where it was opened to write, and its content.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self.connection = path, connection
        self._identity = identity(path)

    def is_at(self, path: Path) -> bool:
        """Whether this file, and no other of its name, is what stands there now."""
        return identity(path) == self._identity

    @contextlib.contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """A `transaction`; nobody is led to believe that work is kept in a file that is not there any more.

        Raises:
            OutsideFailureError: where another program took the file away, or the disk refuses; nothing has changed.
        """
        if not self.is_at(self.path):
            raise OutsideFailureError(
                f"{self.path} was moved, replaced or removed by another program while it was open: "
                "save a copy under another name"
            )
        with transaction(self.path, self.connection):
            yield self.connection


@contextlib.contextmanager
def reading(path: Path) -> Generator[None]:
    """Turns errors of SQLite inside into sentences about `path`."""
    with _told(path):
        yield


@contextlib.contextmanager
def nobody_else(path: Path, *, replacing: bool) -> Generator[None]:
    """Holds the lock of a project that is about to be replaced, and clears away what would spoil the new one.

    Where nothing is to be replaced nobody's file is touched: to try its lock would keep its maker from opening it.

    Raises:
        OutsideFailureError: where it is open in an editor.
    """
    held: sqlite3.Connection | None = None
    if replacing and path.exists():
        # What cannot be opened as a project cannot be open in an editor either.
        with contextlib.suppress(BadInputError):
            held = open_to_write(path)
    try:
        # Left by a process that was killed, it would be rolled into the new file.
        if replacing or not path.exists():
            with _told(path):
                Path(os.path.realpath(path) + _JOURNAL).unlink(missing_ok=True)
        yield
    finally:
        if held is not None:
            held.close()


def identity(path: Path) -> tuple[int, int] | None:
    """What tells this very file from another one that takes its name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _require_file(path: Path) -> None:
    # Never opened by hand: closing any handle of a file ends all locks that this process holds on it.
    size = size_of(path, "project")
    if size == 0:
        raise BadInputError(f"{path} is empty, not a project; {_COPY_ELSEWHERE}")
    if size < _LEAST_FILE:
        # SQLite would take it for a new database, and write into it.
        raise BadInputError(f"{path} is not an adstudio project, or was cut short; {_COPY_ELSEWHERE}")
    if size > MAX_FILE:
        raise BadInputError(f"{path} is larger than a project can be (1 GB); check that it is the right file")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)
    with _closed_on_failure(connection):
        _guard(connection)
    return connection


def _guard(connection: sqlite3.Connection) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def _content(path: Path) -> bytes:
    with contextlib.closing(_connect(path, "ro")) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        _require_rollback_journal(path, connection)
        return connection.serialize()


def _require_rollback_journal(path: Path, connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        raise BadInputError(f"{path} was changed by a program that is not adstudio; {_COPY_ELSEWHERE}")


@contextlib.contextmanager
def _closed_on_failure(connection: sqlite3.Connection) -> Generator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", None) or ""


@contextlib.contextmanager
def _told(path: Path) -> Generator[None]:
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.Error as error:
        raise _sentence(path, error) from error
    except UnicodeDecodeError as error:
        # Damaged text inside a message of SQLite's own.
        raise BadInputError(f"{path} is damaged (its tables cannot be read); {_COPY_ELSEWHERE}") from error
    except OSError as error:
        raise OutsideFailureError(f"{path}: {reason(error)}") from error


def _sentence(path: Path, error: sqlite3.Error) -> AdstudioError:
    name = _name(error)
    outside = {
        "SQLITE_BUSY": f"{path} is open in another window of adstudio: close it there first",
        "SQLITE_LOCKED": f"{path} is open in another window of adstudio: close it there first",
        "SQLITE_FULL": f"{path} could not be written, the disk is full: free some space, or save a copy elsewhere",
        "SQLITE_READONLY": f"{path} can only be read: lift that, or save a copy elsewhere",
        "SQLITE_PERM": f"{path} may not be opened: ask for access, or choose another file",
        "SQLITE_CANTOPEN": f"{path} cannot be opened: check that you may read it, and write to its folder",
        "SQLITE_IOERR": f"{path}: the disk reports an error; check the disk and save a copy elsewhere",
        "SQLITE_NOMEM": f"{path} needs more memory than there is: close other programs and try again",
    }
    for start, sentence in outside.items():
        if name.startswith(start):
            return OutsideFailureError(sentence)
    if name.startswith("SQLITE_NOTADB"):
        return BadInputError(f"{path} is not an adstudio project, or its beginning is damaged; {_COPY_ELSEWHERE}")
    return BadInputError(f"{path} is damaged ({error}); {_COPY_ELSEWHERE}")
