"""Files and folders that nobody but their user may read: film material, requests to models, the log of what was sent.

A film may be unreleased, and others may have accounts on the same machine. A project file is a different matter: it
belongs to the describer, and is shared as the system's defaults (the umask) say.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

FILE, FOLDER = 0o600, 0o700
_OTHERS = 0o077


def private_folder(path: Path, *, below: bool = True) -> None:
    """Create one of our own folders, closed to everybody else; one that an older version left open is closed.

    In that case the files in it are closed too, and with `below` those in its subfolders. What belongs to another user
    stays as it is.

    Raises:
        OSError: if it cannot be created.
    """
    path.mkdir(parents=True, exist_ok=True, mode=FOLDER)
    close_folder(path, below=below)


def close_folder(path: Path, *, below: bool = True) -> None:
    """As `private_folder`, for a folder that may not exist, and as far as the system permits."""
    # Windows has no such bits; there, the user's profile is closed to others.
    if os.name == "nt":
        return
    try:
        if not path.stat().st_mode & _OTHERS:
            return
    except OSError:
        return
    # The folder last, so that a process that is killed halfway starts over the next time.
    for folder, folders, files in os.walk(path):
        for name in files:
            _close(Path(folder) / name)
        if not below:
            break
        for name in folders:
            _close(Path(folder) / name)
    with contextlib.suppress(OSError):
        path.chmod(FOLDER)


def require_regular(path: Path) -> None:
    """Refuse what is no regular file in a file's place: opening a pipe waits for its other end.

    Raises:
        OSError: for a pipe, a device or a folder.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.ENXIO, "it is not a regular file")


def private_file(path: Path) -> None:
    """Create a file that nobody else may read, or close an existing one to others.

    Raises:
        OSError: if it cannot be created, or something else has its name.
    """
    require_regular(path)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), FILE))
    if os.name != "nt":
        _close(path)


def _close(path: Path) -> None:
    with contextlib.suppress(OSError):
        found = path.lstat().st_mode
        if found & _OTHERS and (stat.S_ISREG(found) or stat.S_ISDIR(found)):
            path.chmod(stat.S_IMODE(found) & ~_OTHERS)
