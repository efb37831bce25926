"""The SQLite side of a project file: opening, locking, and errors as sentences.

Choices, and why:

* The lock is SQLite's own, in exclusive mode, held while the project is open. It ends with the process, even when
  killed, is not inherited by child processes (a worker that outlives the editor must not keep a project locked), needs
  no extra file, and keeps out a second window of the same program as well as a second program.
* The journal is SQLite's rollback journal, not its write-ahead log: between steps everything is in one file, so that
  the project can be copied or mailed even after a crash. The `-journal` file beside an open project matters only if the
  process dies inside a transaction; it must then stay beside the project.
* `synchronous=FULL`: an acknowledged step survives a power cut.
* For reading, the file is loaded into memory under a shared lock: nothing is ever created beside it, so a read-only
  folder will do.
* SQLite never gets to see a journal that the project can do without (`recovery`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import sys
from collections.abc import Generator
from pathlib import Path

from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.system.file_locks import require_locks
from adstudio.system.files import reason, require_readable, require_writable, size_of

MAX_FILE = 1 << 30
"""The largest project file that is opened, in bytes."""
_SUBTITLES = frozenset((".srt", ".vtt", ".webvtt", ".ttml", ".dfxp", ".imsc", ".ass", ".ssa"))
_MIN_FILE = 512
"""The smallest page of a database, in bytes."""
MAX_VALUE = 1 << 28
"""The largest single value in it, in bytes."""
_LOCK_TIMEOUT_S = 0.5
"""How long to wait for a reader that is loading the file."""
READ_ONLY = "{} was opened read-only: save a copy under another name"
_COPY_ELSEWHERE = "restore it from a backup or an earlier copy"


def open_to_write(path: Path) -> sqlite3.Connection:
    """A connection that holds the lock until it is closed.

    Raises:
        BadInputError: for a missing, foreign or damaged file.
        OutsideFailureError: if it is open elsewhere or read-only, or the disk fails.
    """
    require_file(path)
    if not os.access(os.path.realpath(path.parent), os.W_OK):
        raise OutsideFailureError(f"{path} is in a read-only folder: copy it elsewhere to work on it")
    require_writable(path)
    require_locks(Path(os.path.realpath(path)).parent)
    with sqlite_errors(path):
        connection = _connect(path, "rw")
        with closed_on_failure(connection):
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
            _require_rollback_journal(path, connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")  # what is deleted is not left in free pages
        return connection


def in_memory(path: Path, content: bytes | None = None) -> sqlite3.Connection:
    """An in-memory database, empty or with a file's content; messages name `path`."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with sqlite_errors(path), closed_on_failure(connection):
        _guard(connection)
        if content is not None:
            connection.deserialize(content)
            _require_rollback_journal(path, connection)
    return connection


@contextlib.contextmanager
def transaction(path: Path, connection: sqlite3.Connection) -> Generator[None]:
    """Commit everything executed inside, or nothing.

    Raises:
        OutsideFailureError: if the disk fails; nothing changes then.
    """
    with sqlite_errors(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            _roll_back(connection)
            raise


def _roll_back(connection: sqlite3.Connection) -> None:
    """Bring the file back to what it was before the transaction; where that fails, the journal stays to do it later.

    A transaction that is larger than SQLite's cache is written in part before its commit. If the disk is full then,
    SQLite ends it, but leaves the file half written beside its journal until the connection reads again.
    """
    with contextlib.suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()


class OpenFile:
    """An open project file, and its identity on disk when it was opened.

    Attributes:
        path: its location.
        connection: its content, and its lock if opened for writing.
        read_only: whether it was opened without its lock.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, *, read_only: bool) -> None:
        self.path, self.connection, self.read_only = path, connection, read_only
        self._identity = identity(path)
        self._written = _size_and_time(path)

    def is_at(self, path: Path) -> bool:
        """Whether this very file is at that path, not another one of its name."""
        return identity(path) == self._identity

    def require_editable(self) -> None:
        """Refuse changes of what was opened read-only.

        Raises:
            OutsideFailureError: if it was.
        """
        if self.read_only:
            raise OutsideFailureError(READ_ONLY.format(self.path))

    @contextlib.contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """The content; each read of a file that is open for writing may first have to roll a failed write back.

        Raises:
            OutsideFailureError: if the disk fails, then or in reading.
            BadInputError: if it is damaged.
        """
        with sqlite_errors(self.path):
            yield self.connection

    @contextlib.contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """A `transaction`, refused if the file has disappeared or somebody else has written to it.

        Raises:
            OutsideFailureError: if it was opened read-only, another program removed or changed it, or the disk fails;
                nothing changes then.
        """
        self.require_editable()
        if not self.is_at(self.path):
            raise OutsideFailureError(
                f"{self.path} was moved, replaced or removed by another program while it was open: "
                "save a copy under another name"
            )
        if _size_and_time(self.path) != self._written and self._is_another():
            raise OutsideFailureError(
                f"{self.path} was changed from another computer or program while it was open: "
                "save a copy under another name"
            )
        with transaction(self.path, self.connection):
            yield self.connection
        self._written = _size_and_time(self.path)

    def _is_another(self) -> bool:
        """Whether the file does not hold what it held for us: locks of some network drives end at this computer."""
        with self.reading() as connection:
            # First, as it rolls back what a failed write left half written in the file.
            ours = _state(connection)
            with contextlib.closing(_connect(self.path, "ro&immutable=1")) as other:
                return _state(other) != ours


def _state(connection: sqlite3.Connection) -> object:
    """What every write of a person's work changes: the last change, save, policy and version."""
    return connection.execute(
        "SELECT s.sum, i.sum, (SELECT max(number) FROM version) FROM state AS s, identity AS i"
    ).fetchall()


def _size_and_time(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def identity(path: Path) -> tuple[int, int] | None:
    """What distinguishes this very file from another one with its name; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def require_file(path: Path) -> None:
    """Refuse what cannot be a project, by its size.

    Raises:
        BadInputError: for a missing file, and one that is empty, far too small or too large.
        OutsideFailureError: if access is denied, or the disk reports an error.
    """
    # Never opened directly: closing any handle of a file ends all locks that this process holds on it.
    size = size_of(path, "project")
    if size == 0:
        raise BadInputError(f"{path} is empty, not a project; {_COPY_ELSEWHERE}")
    if size < _MIN_FILE:
        # SQLite would treat it as a new database and write into it.
        raise _not_a_project(path, "was truncated")
    if size > MAX_FILE:
        raise BadInputError(f"{path} is too large for a project (over 1 GB): check that it is the right file")
    require_readable(path, "project")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_LOCK_TIMEOUT_S)
    with closed_on_failure(connection):
        _guard(connection)
    return connection


def _guard(connection: sqlite3.Connection) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def content(path: Path) -> bytes:
    """A file's content, read under a shared lock; raises SQLite's errors."""
    with contextlib.closing(_connect(path, "ro")) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        _require_rollback_journal(path, connection)
        return connection.serialize()


def content_of_copy(path: Path, copy: Path) -> bytes:
    """The content of a copy of `path`, once SQLite has applied what lies beside the copy; raises SQLite's errors."""
    with contextlib.closing(_connect(copy, "rw")) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
        _require_rollback_journal(path, connection)
        return connection.serialize()


def journal_is_hot(path: Path) -> bool:
    """Whether SQLite would roll the journal beside a file back into it.

    Raises:
        sqlite3.OperationalError: if the file is open elsewhere.
    """
    try:
        content(path)
    except sqlite3.OperationalError as error:
        if _name(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise
        return True
    return False


def _require_rollback_journal(path: Path, connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        raise BadInputError(f"{path} was modified by another program; {_COPY_ELSEWHERE}")


@contextlib.contextmanager
def closed_on_failure(connection: sqlite3.Connection) -> Generator[None]:
    """Close a connection if what is inside fails."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", None) or ""


@contextlib.contextmanager
def sqlite_errors(path: Path) -> Generator[None]:
    """Turn SQLite's and the system's errors inside into messages about `path`."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.Error as error:
        raise _sentence(path, error) from error
    except UnicodeDecodeError as error:
        # Damaged text in a message of SQLite itself.
        raise BadInputError(f"{path} is damaged (its tables cannot be read); {_COPY_ELSEWHERE}") from error
    except OSError as error:
        raise OutsideFailureError(f"{path}: {reason(error)}") from error


def _not_a_project(path: Path, otherwise: str) -> BadInputError:
    if path.suffix.lower() in _SUBTITLES:
        return BadInputError(
            f"{path} is a subtitle file, not an adstudio project: create a project from it, in the editor or with"
            " adstudio draft --subtitles"
        )
    return BadInputError(f"{path} is not an adstudio project, or {otherwise}; {_COPY_ELSEWHERE}")


def _has_size_limit() -> bool:
    """Whether this process may not write files as large as projects can be (`ulimit -f`)."""
    if sys.platform == "win32":
        return False
    import resource

    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return limit != resource.RLIM_INFINITY and limit < MAX_FILE


def _sentence(path: Path, error: sqlite3.Error) -> AdstudioError:
    name = _name(error)
    if name == "SQLITE_IOERR_WRITE" and _has_size_limit():
        # SQLite has only this one name for all that a write can fail by but a full disk.
        return OutsideFailureError(f"{path} could not be written: {reason(OSError(errno.EFBIG, ''))}")
    outside = {
        "SQLITE_BUSY": f"{path} is in use by another window or command of adstudio: close or end that first",
        "SQLITE_LOCKED": f"{path} is in use by another window or command of adstudio: close or end that first",
        "SQLITE_FULL": f"{path} could not be written, the disk is full: free some space or save a copy elsewhere",
        "SQLITE_READONLY": f"{path} is read-only: change that or save a copy elsewhere",
        "SQLITE_PERM": f"{path} cannot be opened without permission: ask for access or choose another file",
        "SQLITE_CANTOPEN": f"{path} cannot be opened: check that you can read it and write to its folder",
        "SQLITE_IOERR": f"{path}: the disk reported an error; check the disk and save a copy elsewhere",
        "SQLITE_NOMEM": f"there is not enough memory for {path}: close other programs and try again",
    }
    for start, sentence in outside.items():
        if name.startswith(start):
            return OutsideFailureError(sentence)
    if name.startswith("SQLITE_NOTADB"):
        return _not_a_project(path, "its beginning is damaged")
    return BadInputError(f"{path} is damaged ({error}); {_COPY_ELSEWHERE}")
