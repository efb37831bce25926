"""Opening a project beside which SQLite left a side file: a journal of an unfinished write, or one that is not its own.

A process that is killed inside a transaction leaves a `-journal`, which SQLite rolls back into whatever file has that
name when it is next opened. If a backup was put in the project's place meanwhile, or another program left a `-wal`,
that would write pages of one file into another. So the outcome is first tried on copies: a project that is whole by
itself needs no side file, and SQLite gets to see one only where the project without it is not.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Generator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from adstudio.core.errors import AdstudioError, BadInputError, Oddity
from adstudio.store import content, database, layout, migrations, policies, version_rows
from adstudio.store.backups import save_beside
from adstudio.store.content import Content
from adstudio.store.salvage import salvage
from adstudio.system.files import mode_of, read_bounded, write_atomically

_JOURNAL, _LOG = "-journal", "-wal"
_NOT_USED = "{}: a file left beside it by SQLite is not this project’s own and was not used"
_SIDE_FILES = (_JOURNAL, _LOG, "-shm")
"""What SQLite keeps beside a database: a rollback journal, a write-ahead log, its index. Ours have only the first."""


class _Condition(IntEnum):
    """How much of a project can be read."""

    UNREADABLE = 0
    DAMAGED = 1
    SOUND = 2


@dataclass(frozen=True)
class _Examined:
    """A copy of a project: what can be read of it, and the checksums of its states by the number of their change."""

    data: bytes = b""
    condition: _Condition = _Condition.UNREADABLE
    content: Content | None = None
    states: frozenset[tuple[int, bytes]] = frozenset()
    error: AdstudioError | None = None


def settle(path: Path) -> tuple[Oddity, ...]:
    """Leave beside a project only a journal that it needs, before it is opened for writing; returns what was unusual.

    A side file that the project can do without is renamed, or deleted if it would have changed nothing.

    Raises:
        OutsideFailureError: if the project is open elsewhere, or a side file cannot be renamed.
        BadInputError: if it cannot be read with its journal nor without it; nothing is changed then.
    """
    copies = _copies(path)
    if copies is None:
        return ()
    bare, restored = copies
    if restored.condition is _Condition.SOUND is not bare.condition:
        return ()
    if bare.condition is not _Condition.SOUND:
        mended = repair(path)
        if mended is not None:
            return (mended, _set_aside(path))
    if restored.condition > bare.condition:
        return ()
    if bare.error is not None:
        raise bare.error
    # Its last write may not have reached the disk, which is what the journal was for.
    with database.sqlite_errors(path):
        with path.open("r+b") as file:
            os.fsync(file.fileno())
        if bare.data == restored.data:
            for each in _side_files(path):
                each.unlink(missing_ok=True)
            return ()
        oddity = _set_aside(path)
    return () if _contains(bare, restored) else (oddity,)


def open_to_read(path: Path) -> tuple[sqlite3.Connection, tuple[Oddity, ...]]:
    """The project loaded into memory, and what was unusual; nothing is written, not even beside it.

    Raises:
        BadInputError: for a missing, foreign or damaged file.
        OutsideFailureError: if it is open elsewhere, or the disk fails.
    """
    database.require_file(path)
    copies = _copies(path)
    if copies is None:
        with database.sqlite_errors(path):
            return database.in_memory(path, database.content(path)), ()
    bare, restored = copies
    chosen = restored if restored.condition > bare.condition else bare
    if chosen.error is not None:
        raise chosen.error
    stray = chosen is bare and not _contains(bare, restored)
    oddities = (Oddity(_NOT_USED.format(path)),) if stray else ()
    return database.in_memory(path, chosen.data), oddities


def rescued(path: Path) -> tuple[bytes, Oddity] | None:
    """A sound project made from what a damaged one still contains, and the message; None if nothing can be found."""
    try:
        damaged = read_bounded(path, database.MAX_VALUE, "project")
        if not layout.is_header(damaged):
            return None
        data = salvage(path, damaged)
        if data is None:
            return None
        examined = _examined(path, data)
    except AdstudioError:
        return None
    if examined.content is None or examined.content.tail is not None:
        return None
    return data, Oddity(f"{path} was damaged; all changes that can still be read were recovered")


def repair(path: Path) -> Oddity | None:
    """Replace a damaged project by what can be rescued, with a copy of the damaged file beside it.

    Raises:
        OutsideFailureError: if the project is open elsewhere, or one of them cannot be written.
    """
    # Half-written pages of a project that somebody is working on look like damage.
    with contextlib.suppress(BadInputError), database.sqlite_errors(path):
        database.require_file(path)
        database.journal_is_hot(path)
    found = rescued(path)
    if found is None:
        return None
    data, oddity = found
    copy = save_beside(path, path.read_bytes(), "damaged")
    write_atomically(path, data, mode=mode_of(path))
    return Oddity(f"{oddity.what}, and a copy of the damaged file was saved as {copy.name}")


@contextlib.contextmanager
def exclusive_replacement(path: Path, *, replacing: bool) -> Generator[None]:
    """Hold the lock of a project that is about to be replaced, and take a journal away from beside the new file.

    If nothing is to be replaced, existing files are left alone: trying the lock could keep their owner from opening.

    Raises:
        OutsideFailureError: if it is open in an editor.
    """
    lock: sqlite3.Connection | None = None
    if replacing and path.exists():
        # What cannot be opened as a project cannot be open in an editor either.
        with contextlib.suppress(BadInputError):
            settle(path)
            lock = database.open_to_write(path)
    try:
        if replacing or not path.exists():
            # It would be rolled back into the new file; the project it belongs to may only have been moved.
            with database.sqlite_errors(path):
                if _has_side_file(path):
                    _set_aside(path)
        yield
    finally:
        if lock is not None:
            lock.close()


def _side_files(path: Path) -> list[Path]:
    return [Path(os.path.realpath(path) + ending) for ending in _SIDE_FILES]


def _has_side_file(path: Path) -> bool:
    """Whether a journal or log lies there; a project that is open has one of no effect most of the time."""
    return any(each.is_file() and each.stat().st_size for each in _side_files(path)[:2])


def _copies(path: Path) -> tuple[_Examined, _Examined] | None:
    """A project by itself, and with its side files applied; None where SQLite would make nothing of them.

    Raises:
        OutsideFailureError: if it is open elsewhere, or the disk fails.
    """
    if not _has_side_file(path):
        return None
    journal, log, _ = _side_files(path)
    with database.sqlite_errors(path):
        # The log first: our projects never have one, and SQLite would create its index here for a mere look.
        if not log.is_file() and not database.journal_is_hot(path):
            return None
        with tempfile.TemporaryDirectory(prefix="adstudio-") as folder:
            bare, restored = Path(folder) / "bare", Path(folder) / "restored"
            shutil.copyfile(path, bare)
            shutil.copyfile(path, restored)
            for side, ending in ((journal, _JOURNAL), (log, _LOG)):
                if side.is_file():
                    shutil.copyfile(side, f"{restored}{ending}")
            return _examined_copy(path, bare), _examined_copy(path, restored)


def _examined_copy(path: Path, copy: Path) -> _Examined:
    try:
        with database.sqlite_errors(path):
            data = database.content_of_copy(path, copy)
        return _examined(path, data)
    except AdstudioError as error:
        return _Examined(error=error)


def _examined(path: Path, data: bytes) -> _Examined:
    """What can be read of a project's content.

    Raises:
        AdstudioError: if that is nothing.
    """
    with contextlib.closing(database.in_memory(path, data)) as connection, database.sqlite_errors(path):
        version = layout.require_sound(path, connection)
        if version < layout.VERSION:
            with database.transaction(path, connection):
                migrations.migrate(path, connection, version)
        found = content.read(path, connection)
        _, unsound = policies.read(path, connection)
        damaged = version_rows.read(connection).damaged
        states = connection.execute("SELECT seq, sum FROM journal UNION SELECT seq, sum FROM snapshot").fetchall()
    sound = not (found.tail or found.oddities or unsound or damaged)
    return _Examined(data, _Condition.SOUND if sound else _Condition.DAMAGED, found, frozenset(states))


def _contains(bare: _Examined, restored: _Examined) -> bool:
    """Whether a project is the same as its journal would restore, or goes on from there."""
    end = -1 if restored.content is None else restored.content.last_seq
    return any(seq == end for seq, _ in restored.states & bare.states)


def _set_aside(path: Path) -> Oddity:
    """Rename a project's side files, so that SQLite does not find them."""
    names: list[str] = []
    for each in _side_files(path):
        if each.is_file():
            unused = (each.with_name(f"{each.name} (set aside {number})") for number in itertools.count(1))
            aside = next(name for name in unused if not os.path.lexists(name))
            each.rename(aside)
            names.append(aside.name)
    return Oddity(f"{_NOT_USED.format(path)}; it was renamed to {', '.join(names)}")
