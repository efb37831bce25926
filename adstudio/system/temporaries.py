"""Temporary files beside what is written: locked while their process lives, cleared by the next one once it is dead.

The name says on which machine one was made, and its process holds a lock on it. Only where that lock can be had, on
the machine of the name, is a file certainly left over; where there are no locks, none is cleared.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import re
import stat
from collections.abc import Callable, Generator
from pathlib import Path

TEMPORARY = re.compile(r"\.adstudio-(?:[0-9a-f]{8}-)?[0-9a-f]{12}\.tmp")
"""Names of temporary files and folders; one that is left over belonged to a process that was killed."""

_log = logging.getLogger(__name__)


@functools.cache
def _machine() -> str:
    import hashlib
    import platform

    return hashlib.sha256(platform.node().encode()).hexdigest()[:8]


@contextlib.contextmanager
def temporary_in(folder: Path, make: Callable[[Path], object]) -> Generator[Path]:
    """A temporary file or folder, made by `make`; what has not been renamed where the block ends is removed.

    Raises:
        OSError: as `make` does.
    """
    import secrets

    with contextlib.ExitStack() as stack:
        while True:
            # Not derived from the target's name, which may already be as long as the system allows.
            path = folder / f".adstudio-{_machine()}-{secrets.token_hex(6)}.tmp"
            make(path)
            stack.callback(_remove, path)
            lock = _locked(path)
            if lock is not None:
                stack.callback(os.close, lock)
            # Before it was locked another process may have cleared it.
            if path.exists():
                break
        yield path


def clear_leftovers(folder: Path) -> None:
    """Remove the temporary files and folders that dead processes of this machine left in a folder."""
    with contextlib.suppress(OSError):
        for path in list(folder.glob(f".adstudio-{_machine()}-*.tmp")):
            if TEMPORARY.fullmatch(path.name) and not path.is_symlink():
                _clear(path)


def _clear(path: Path) -> None:
    """Remove a leftover, unless a process holds it, or that cannot be known."""
    lock = _locked(path)
    if lock is None:
        return
    try:
        # Some drives grant every lock.
        second = _locked(path)
        if second is None:
            _remove(path)
            _log.info("cleared %s, which a process that was killed had left", path)
        else:
            os.close(second)
    finally:
        os.close(lock)


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock of a file or folder; None where it is held already, or there are no locks."""
    try:
        import fcntl
    except ImportError:
        return None
    descriptor = None
    try:
        is_folder = stat.S_ISDIR(path.lstat().st_mode)
        # Network drives lock only what may be written to.
        descriptor = os.open(path, (os.O_RDONLY if is_folder else os.O_RDWR) | os.O_NOFOLLOW | os.O_NONBLOCK)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        if descriptor is not None:
            os.close(descriptor)
        return None
    return descriptor


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir():
            import shutil

            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
