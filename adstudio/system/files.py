"""Atomic writing, which never leaves a partial file, and bounded reading, which never takes more than is allowed."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Generator
from pathlib import Path
from typing import NoReturn

from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.system.temporaries import clear_leftovers, temporary_in

_CHUNK = 1 << 20
_WRITE_BITS = 0o222
_DEVICES = re.compile(r"/dev|/proc/\d+(/task/\d+)?/fd")

_REASONS = {
    errno.ENOSPC: "the disk is full: free some space, or choose a folder on another disk",
    errno.EDQUOT: "your disk quota is used up: free some space, or choose a folder on another disk",
    errno.EFBIG: "the file would be larger than this disk allows: choose another disk",
    errno.EROFS: "the disk is read-only: choose a folder that can be written to",
    errno.EACCES: "you do not have permission: ask for access, or choose another location",
    errno.EPERM: "you do not have permission: ask for access, or choose another location",
    errno.ENOENT: "its folder does not exist: create it, or choose another one",
    errno.ENOTDIR: "part of its path is a file, not a folder: check the path",
    errno.EISDIR: "this is a folder: add a file name",
    errno.ENAMETOOLONG: "the name is too long for this disk: choose a shorter one",
    errno.ELOOP: "its links form a loop: choose the file itself",
    errno.ETXTBSY: "another program is using it: close it there and try again",
    errno.EBUSY: "another program is using it: close it there and try again",
    errno.EIO: "the disk reports an error: check the disk and its cable, and keep a copy elsewhere",
}


def reason(error: OSError) -> str:
    """What an operating system's error means and what to do about it, as the end of a sentence."""
    if error.errno in _REASONS:
        return _REASONS[error.errno]
    return f"the system says “{error.strerror or error}”"


def require_writable(path: Path) -> None:
    """Check that a file could be written at `path`, before any work is done for it.

    Raises:
        OutsideFailureError: for a missing folder, a folder, a device, a pipe, or a file or folder that is read-only.
    """
    try:
        _require_room_in(_replaceable(path)[0].parent)
    except (OSError, ValueError) as error:
        raise _not_written(path, error) from error


def require_writable_folder(path: Path) -> None:
    """Check that files could be written in a folder, or that it could be created, before any work is done for it.

    Raises:
        BadInputError: for a file.
        OutsideFailureError: for a folder that is read-only, or would be in one that is missing or read-only.
    """
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            raise BadInputError(f"{path} is a file: choose a folder")
        _require_room_in(path)
    except FileNotFoundError:
        require_writable(path)
    except (OSError, ValueError) as error:
        raise _not_written(path, error) from error


def write_atomically(
    path: Path, data: bytes, *, replacing: bool = True, mode: int | None = None, flush: bool = True
) -> None:
    """Write a file so that at any moment either its complete old content or its complete new content is there.

    The bytes are written to a temporary file next to the target and flushed to the disk, and then take its name. An
    existing file keeps its permissions unless `mode` gives others; if `path` is a link, the file it points to is
    replaced. Without `replacing`, only one of two processes that write the same new file succeeds. Without `flush` it
    is faster, but after a power failure neither content may be there: use that for what can be computed again.

    Raises:
        BadInputError: if a file exists that must not be replaced.
        OutsideFailureError: if it cannot be written; the old file is then untouched and no temporary file is left.
    """
    with _written(path, replacing=replacing, mode=mode, flush=flush) as temporary:
        _write(temporary, data)


@contextlib.contextmanager
def written_atomically(
    path: Path, *, replacing: bool = True, mode: int | None = None, flush: bool = True
) -> Generator[Path]:
    """As `write_atomically`, for what is too large for memory: the block writes the temporary file that it is given.

    That file is there, and empty. It takes the target's name where the block ends; where anything is raised in it, also
    by someone who cancels, the old file is untouched and no temporary file is left. What killed processes left in its
    folder, which may be gigabytes, is removed first.

    Raises:
        BadInputError, OutsideFailureError: as `write_atomically` does; each `OSError` of the block is taken for a
            failure to write.
    """
    clear_leftovers(Path(os.path.realpath(path)).parent)
    with _written(path, replacing=replacing, mode=mode, flush=flush) as temporary:
        yield temporary


@contextlib.contextmanager
def _written(path: Path, *, replacing: bool, mode: int | None, flush: bool) -> Generator[Path]:
    try:
        target, before = _replaceable(path)
    except (OSError, ValueError) as error:
        raise _not_written(path, error) from error
    permissions = before if mode is None else mode
    try:
        with temporary_in(target.parent, lambda each: _create(each, permissions)) as temporary:
            yield temporary
            _finish(temporary, permissions, flush=flush)
            if replacing:
                temporary.replace(target)
            else:
                _take_name(temporary, target)
    except FileExistsError as error:
        raise BadInputError(f"{path} already exists: choose another name") from error
    except OSError as error:
        raise _not_written(path, error) from error
    if flush:
        flush_folder(target.parent)


def _take_name(temporary: Path, target: Path) -> None:
    """Give a file a name that is not taken; a system without hard links can only check first."""
    try:
        target.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:
        if target.exists():
            raise FileExistsError(target) from None
        temporary.replace(target)
    else:
        temporary.unlink()


def mode_of(path: Path) -> int | None:
    """The permissions of a file, for a copy that is to be no more public; None if there is no file."""
    with contextlib.suppress(OSError, ValueError):
        return stat.S_IMODE(path.stat().st_mode) | stat.S_IWUSR
    return None


def size_of(path: Path, what: str) -> int:
    """The size of a regular file in bytes, without opening it; `what` names the kind of file in messages.

    Raises:
        BadInputError: for a missing file, a folder, a pipe or device, or an invalid path.
        OutsideFailureError: if the disk or the system reports an error.
    """
    try:
        found = path.stat()
    except (OSError, ValueError) as error:
        raise _not_read(path, what, error) from error
    return _regular_size(path, found, what)


def require_readable(path: Path, what: str) -> None:
    """Check that a file may be read, without opening it; `what` names the kind of file in messages.

    Raises:
        OutsideFailureError: if access is denied.
    """
    if not os.access(path, os.R_OK):
        raise _not_read(path, what, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))


def read_bounded(path: Path, limit: int, what: str) -> bytes:
    """The whole content of a regular file of at most `limit` bytes; `what` names the kind of file in messages.

    Raises:
        BadInputError: for a missing file, a folder, a pipe or device (which is never waited for), or a larger file.
        OutsideFailureError: if access is denied or the disk fails.
    """
    # A pipe or device must not even be opened: that can block forever, or trigger something.
    if size_of(path, what) > limit:
        _refuse_size(path, limit, what)
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            _regular_size(path, os.fstat(descriptor), what)
            data = bytearray()
            while chunk := file.read(min(_CHUNK, limit + 1 - len(data))):
                data += chunk
                if len(data) > limit:
                    _refuse_size(path, limit, what)
            return bytes(data)
    except (OSError, ValueError) as error:
        raise _not_read(path, what, error) from error


def _not_read(path: Path, what: str, error: OSError | ValueError) -> AdstudioError:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return BadInputError(f"{path}: there is no such {what}; check the path")
    if isinstance(error, ValueError):
        return BadInputError(f"{str(path)!r} is not a path; check the name")
    if error.errno in (errno.ENAMETOOLONG, errno.ELOOP):
        return BadInputError(f"{path}: this {what} cannot be opened: {reason(error)}")
    return OutsideFailureError(f"{path}: this {what} cannot be read: {reason(error)}")


def flush_folder(folder: Path) -> None:
    """Make the names in a folder survive a power failure, where the system supports that."""
    # Some systems and network drives do not; the contents are safe by now, so this is not reported as a failure.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _not_written(path: Path, error: OSError | ValueError) -> AdstudioError:
    if isinstance(error, IsADirectoryError):
        return OutsideFailureError(f"{_named(path)} is a folder: add a file name")
    if isinstance(error, OSError):
        return OutsideFailureError(f"{path} could not be written: {reason(error)}")
    return BadInputError(f"{str(path)!r} is not a path; check the name")


def _named(path: Path) -> Path:
    """The path for a message: the current folder, also named by nothing at all, by its own name."""
    return path if path.name else path.absolute()


def _replaceable(path: Path) -> tuple[Path, int | None]:
    """The file that is really written to, with links followed, and the permissions of an existing one."""
    # `/dev/stdout` is a link to what the shell has opened, which is not ours to replace.
    if _DEVICES.fullmatch(os.path.realpath(path.parent)) and path.exists():
        raise OutsideFailureError(f"{path} is a device or pipe, not a file: choose a file name")
    target = Path(os.path.realpath(path))
    if not stat.S_ISDIR(target.parent.stat().st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    try:
        found = target.stat()
    except FileNotFoundError:
        if target.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
        return target, None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OutsideFailureError(f"{path} is a device or pipe, not a file: choose a file name")
    # To replace a file, write access to its folder is enough; one that is marked read-only stays all the same.
    if not found.st_mode & _WRITE_BITS:
        raise OutsideFailureError(f"{path} is marked read-only: remove that protection, or choose another name")
    _require_access(target)
    return target, stat.S_IMODE(found.st_mode)


def _require_room_in(folder: Path) -> None:
    """Check that a folder takes files: what a system says of access is not true of each, and for no administrator."""
    _require_access(folder)
    with temporary_in(folder, lambda temporary: _create(temporary, None)):
        pass


def _require_access(path: Path) -> None:
    if not os.access(path, os.W_OK):
        is_read_only = hasattr(os, "statvfs") and os.statvfs(path).f_flag & os.ST_RDONLY
        why = errno.EROFS if is_read_only else errno.EACCES
        raise OSError(why, os.strerror(why))


def _create(temporary: Path, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    # Never readable by more people than in the end, not even while it is being written.
    os.close(os.open(temporary, flags, 0o666 if mode is None else 0o600))


def _write(temporary: Path, data: bytes) -> None:
    temporary.write_bytes(data)


def _finish(temporary: Path, mode: int | None, *, flush: bool) -> None:
    with temporary.open("rb+") as file:
        if mode is not None:
            temporary.chmod(mode)
        if flush:
            os.fsync(file.fileno())


def _regular_size(path: Path, found: os.stat_result, what: str) -> int:
    if stat.S_ISDIR(found.st_mode):
        raise BadInputError(f"{_named(path)} is a folder, not a {what}; choose a file in it")
    if not stat.S_ISREG(found.st_mode):
        raise BadInputError(f"{path} is a device or pipe, not a {what}; save it as a file first")
    return found.st_size


def _refuse_size(path: Path, limit: int, what: str) -> NoReturn:
    size = f"{limit / 1_000_000:g} MB" if limit >= 1_000_000 else f"{limit:,} bytes"
    raise BadInputError(f"{path} is larger than a {what} can be ({size}); check that it is the right file")
