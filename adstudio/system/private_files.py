"""What holds a film's material, what was asked of a model or what was sent is for its user's eyes alone.

A film may not be out yet, and others may have accounts on the same machine. A project's own file is another matter: it
belongs to the describer, who shares it as the system's habits (the umask) say.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

FILE, FOLDER = 0o600, 0o700
_OTHERS = 0o077


def private_folder(path: Path, *, below: bool = True) -> None:
    """Make one of our own folders, which nobody else may look into; one that an older version left open is closed.

    So are then the files in it, and with `below` those in its folders. What belongs to somebody else stays as it is.

    Raises:
        OSError: where it cannot be made.
    """
    path.mkdir(parents=True, exist_ok=True, mode=FOLDER)
    close_folder(path, below=below)


def close_folder(path: Path, *, below: bool = True) -> None:
    """As `private_folder`, where there is one, and as far as that can be done."""
    # Windows has no such bits: there the user's profile is closed to others.
    if os.name == "nt":
        return
    try:
        if not path.stat().st_mode & _OTHERS:
            return
    except OSError:
        return
    # The folder last, so that whoever is killed on the way begins again.
    for folder, folders, files in os.walk(path):
        for name in files:
            _close(Path(folder) / name)
        if not below:
            break
        for name in folders:
            _close(Path(folder) / name)
    with contextlib.suppress(OSError):
        path.chmod(FOLDER)


def private_file(path: Path) -> None:
    """Make a file that nobody else may read, where there is none; one that is there is closed to others.

    Raises:
        OSError: where it cannot be made.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), FILE))
    if os.name != "nt":
        _close(path)


def _close(path: Path) -> None:
    with contextlib.suppress(OSError):
        found = path.lstat().st_mode
        if found & _OTHERS and (stat.S_ISREG(found) or stat.S_ISDIR(found)):
            path.chmod(stat.S_IMODE(found) & ~_OTHERS)
