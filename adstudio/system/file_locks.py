"""Whether a file system keeps locks, which some network drives and mounted archives do not."""

from __future__ import annotations

import contextlib
import errno
import os
import struct
import sys
import tempfile
from pathlib import Path

from adstudio.core.errors import OutsideFailureError

_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""The errors of a file system without locks."""


def require_locks(folder: Path) -> None:
    """Refuse a folder where a lock cannot be had, or does not keep others out.

    Only Linux can be asked without a second process; elsewhere nothing is refused.

    Raises:
        OutsideFailureError: if two programs could write one file there at the same time.
    """
    if sys.platform != "linux":
        return
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(tempfile.NamedTemporaryFile(dir=folder, prefix=".adstudio-lock-"))
            other = os.open(file.name, os.O_RDWR)
        except OSError:
            # A full disk or a lack of permission is reported by whoever writes there next.
            return
        stack.callback(os.close, other)
        if not _keeps_locks(file.fileno(), other):
            raise OutsideFailureError(
                f"{folder} is on a drive that does not keep file locks, so two windows could overwrite each other’s "
                "work: copy the project to another drive"
            )


def _keeps_locks(one: int, other: int) -> bool:
    """Whether a lock on one descriptor of a file keeps out the other; these locks belong to descriptors."""
    import fcntl

    # struct flock (fcntl(2)): type, whence, start, length, process.
    lock = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
    try:
        fcntl.fcntl(one, fcntl.F_OFD_SETLK, lock)
    except OSError as error:
        return error.errno not in _NO_LOCKS
    try:
        fcntl.fcntl(other, fcntl.F_OFD_SETLK, lock)
    except OSError:
        return True
    return False
