"""What was made of films (waveforms, shots, thumbnails, speech), kept so that it is made once; all can be thrown away.

Each film has a folder named by its fingerprint. A file is a line of JSON that says of what film, in what state of its
file and in what format it is, and behind it the content. Files are replaced in one go, never changed.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from adstudio.core.errors import OutsideFailureError
from adstudio.media.opening import file_size
from adstudio.media.processing import DamagedCacheError
from adstudio.store.media import fingerprint as fingerprint_of
from adstudio.system.files import read_bounded, reason, write_atomically
from adstudio.system.private_files import FILE, close_folder, private_folder

VERSION = 1
"""Raised whenever a kind of content changes its form or meaning."""
MOST_BYTES = 1_000_000_000
"""What all films together may take; the ones used longest ago go first."""
LARGEST = 200_000_000
"""Bytes of the largest file that is read."""
STAMP_LENGTH = 4096
LEFTOVER_S = 3600
"""Seconds after which a temporary is taken to be left by a process that was killed."""


class Kind(Enum):
    """What is kept; the value is the file's name."""

    PEAKS = "peaks"
    SHOTS = "shots"
    THUMBNAILS = "thumbnails"
    ACTIVITY = "activity"


@dataclass(frozen=True)
class Source:
    """A film's file in the state that something was made of: content, bytes, and when it was last changed."""

    fingerprint: str
    size: int
    mtime_ns: int


def source_of(video: Path, fingerprint: str = "") -> Source:
    """A film's file as it is now; without a `fingerprint` it is taken, which reads 3 MB.

    Raises:
        BadInputError: where there is no such file, or it is no regular one.
        OutsideFailureError: where it cannot be read.
    """
    size = file_size(video)
    try:
        changed = video.stat().st_mtime_ns
    except OSError as error:
        raise OutsideFailureError(f"{video} cannot be read: {reason(error)}") from error
    return Source(fingerprint or fingerprint_of(video), size, changed)


def folder() -> Path:
    """Where everything is kept."""
    from platformdirs import user_cache_path

    return user_cache_path("adstudio", appauthor=False) / "media"


def place(kind: Kind, source: Source) -> Path:
    """The file in which a film's content of this kind is kept, whether it is there or not."""
    return folder() / _name(source) / f"{kind.value}.bin"


def cached(kind: Kind, source: Source) -> Path | None:
    """The file with the complete content for the film as it is now, None where it has to be made."""
    path = place(kind, source)
    close_folder(folder())
    if is_stale(kind, source):
        return None
    with contextlib.suppress(OSError):
        # The folder's date says when the film was last used.
        path.parent.touch()
    return path


def is_stale(kind: Kind, source: Source) -> bool:
    """Whether what is kept is missing, partial, cut short, of another format, or of another state of the film."""
    path = place(kind, source)
    try:
        with path.open("rb") as file:
            line = file.readline(STAMP_LENGTH)
        length = path.stat().st_size - len(line)
    except OSError:
        return True
    return _parsed(line) != _stamp(kind, source, complete=True, length=length)


def keep(kind: Kind, source: Source, content: bytes, *, complete: bool) -> Path:
    """Write a content in place of what was kept, and give its place.

    Raises:
        OutsideFailureError: when it cannot be written; what was there is untouched then.
    """
    path = place(kind, source)
    stamp = _stamp(kind, source, complete=complete, length=len(content))
    try:
        private_folder(folder())
        private_folder(path.parent)
    except OSError as error:
        raise OutsideFailureError(f"{path.parent} cannot be made: {reason(error)}") from error
    write_atomically(path, json.dumps(stamp).encode() + b"\n" + content, mode=FILE)
    return path


def read_content(path: Path) -> bytes:
    """The content of a kept file, complete or partial.

    Raises:
        BadInputError: where it is missing or damaged.
        OutsideFailureError: when it cannot be read.
    """
    line, _, content = read_bounded(path, LARGEST, "file of the cache").partition(b"\n")
    if _parsed(line).get("length") != len(content):
        raise DamagedCacheError(f"{path} is damaged; have it made again")
    return content


def tidy(*, using: Source | None = None, most: int = MOST_BYTES) -> int:
    """Remove the films used longest ago until the rest take at most `most` bytes; gives the bytes that went.

    The film in use stays. Only files that this module writes are touched, and no link is followed. What cannot be
    removed is left.
    """
    mine = place(Kind.PEAKS, using).parent if using else None
    films: list[tuple[float, int, Path]] = []
    gone = 0
    for film in _folders(folder()):
        gone += _remove(path for path in _files(film) if _is_leftover(path))
        with contextlib.suppress(OSError):
            films.append((film.stat().st_mtime, sum(_size(path) for path in _files(film)), film))
    total = sum(size for _, size, _ in films)
    for _, size, film in sorted(films):
        if total <= most:
            break
        if film != mine:
            gone += _remove(_files(film))
            total -= size
            with contextlib.suppress(OSError):
                film.rmdir()
    return gone


def _name(source: Source) -> str:
    # Hashed once more, as a fingerprint in a project is only text and could name any folder.
    return blake2b(source.fingerprint.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def _stamp(kind: Kind, source: Source, *, complete: bool, length: int) -> dict[str, Any]:
    return {
        "format": f"adstudio-media-{kind.value}/{VERSION}",
        "film": _name(source),
        "size": source.size,
        "mtime_ns": source.mtime_ns,
        "complete": complete,
        "length": length,
    }


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


_FOLDER = re.compile(r"[0-9a-f]{40}\Z")
_FILE = re.compile(r"(?:peaks|shots|thumbnails|activity)\.bin\Z|\.adstudio-[0-9a-f]{12}\.tmp\Z")


def _folders(path: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return [film for film in path.iterdir() if _FOLDER.match(film.name) and film.is_dir() and not film.is_symlink()]
    return []


def _files(film: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return [path for path in film.iterdir() if _FILE.match(path.name) and not path.is_dir()]
    return []


def _is_leftover(path: Path) -> bool:
    try:
        return path.suffix == ".tmp" and time.time() - path.lstat().st_mtime > LEFTOVER_S
    except OSError:
        return False


def _size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.lstat().st_size
    return 0


def _remove(paths: Iterator[Path] | list[Path]) -> int:
    gone = 0
    for path in paths:
        with contextlib.suppress(OSError):
            size = _size(path)
            path.unlink()
            gone += size
    return gone
