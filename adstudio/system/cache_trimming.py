"""A folder of files that can be made again is kept small: those used longest ago go."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path


def trim(folder: Path, is_ours: Callable[[str], bool], most: int) -> int:
    """Remove the files used longest ago until the rest take at most `most` bytes; gives how many bytes went.

    Only files whose names are ours count and go. A file or a folder that cannot be looked at or removed is passed
    over: somebody else may be at work there.
    """
    found: list[tuple[float, int, Path]] = []
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            with contextlib.suppress(OSError):
                if is_ours(path.name) and not path.is_dir():
                    state = path.lstat()
                    found.append((state.st_mtime, state.st_size, path))
    total, gone = sum(size for _, size, _ in found), 0
    for _, size, path in sorted(found):
        if total - gone <= most:
            break
        with contextlib.suppress(OSError):
            path.unlink()
            gone += size
    return gone
