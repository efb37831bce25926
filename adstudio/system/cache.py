"""Folders of files that can all be computed again, for this user's eyes only; those used longest ago go first."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from adstudio.core.errors import OutsideFailureError
from adstudio.system.files import reason, write_atomically
from adstudio.system.private_files import FILE, close_folder, private_folder
from adstudio.system.temporaries import TEMPORARY

LEFTOVER_S = 3600
"""Seconds after which a temporary file is taken to be left by a process that was killed."""


@dataclass(frozen=True)
class CacheFolder:
    """A folder, and the files in it that are the cache's: those whose path below the folder `names` matches wholly.

    They lie in the folder itself or one level below. Nothing else is touched, and no link is followed.
    """

    folder: Path
    names: re.Pattern[str]

    def close(self) -> None:
        """Close the folder to others, where an older version left it open."""
        close_folder(self.folder)

    def write(self, path: Path, content: bytes, *, flush: bool = True) -> None:
        """Write a file of the cache in place of what was there; without `flush`, a power cut may leave it damaged.

        Raises:
            OutsideFailureError: when it cannot be written; what was there is untouched then.
        """
        try:
            private_folder(self.folder)
            if path.parent != self.folder:
                private_folder(path.parent)
        except OSError as error:
            raise OutsideFailureError(f"{path.parent} could not be created: {reason(error)}") from error
        write_atomically(path, content, mode=FILE, flush=flush)

    def mark_used(self, path: Path) -> None:
        """Note that a file has just been used; one that is gone is not made."""
        with contextlib.suppress(OSError):
            os.utime(path)

    def trim(self, most: int, *, to: int | None = None, spare: Callable[[Path], bool] = lambda _: False) -> int:
        """Where the files take more than `most` bytes, remove those used longest ago until they take at most `to`.

        `to` is `most` unless given; files that `spare` names stay. Leftover temporary files go in any case. Returns how
        many bytes remain. What cannot be removed is left: another process may be using it.
        """
        found: list[tuple[float, int, Path]] = []
        for path in self._files():
            with contextlib.suppress(OSError):
                state = path.lstat()
                if self.names.fullmatch(path.relative_to(self.folder).as_posix()):
                    found.append((state.st_mtime, state.st_size, path))
                elif TEMPORARY.fullmatch(path.name) and time.time() - state.st_mtime > LEFTOVER_S:
                    path.unlink()
        total = sum(size for _, size, _ in found)
        if total > most:
            for _, size, path in sorted(found):
                if total <= (most if to is None else to):
                    break
                if not spare(path):
                    with contextlib.suppress(OSError):
                        path.unlink()
                        total -= size
                        if path.parent != self.folder:
                            path.parent.rmdir()
        return total

    def _files(self) -> Iterator[Path]:
        for path in _entries(self.folder):
            if path.is_dir():
                if not path.is_symlink():
                    yield from (each for each in _entries(path) if not each.is_dir())
            else:
                yield path


def _entries(folder: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return list(folder.iterdir())
    return []
