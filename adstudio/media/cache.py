"""A cache of what is derived from films (waveforms, shots, thumbnails, speech, faces); it may be deleted at any time.

Each film has a folder named by its fingerprint. A file is a line of JSON (film, state of its file, format) followed by
the content. Files are replaced atomically, never changed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, cast

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.media.opening import file_size
from adstudio.store.media import fingerprint as fingerprint_of
from adstudio.system.cache import CacheFolder
from adstudio.system.files import read_bounded, reason, size_of
from adstudio.system.locations import user_cache

VERSION = 2
SOUND_VERSION = 3
FACES_VERSION = 3
"""Incremented whenever a kind of content, one made from the sound, or that of faces changes its form or meaning."""
MOST_BYTES = 1_000_000_000
"""Bytes for all films together; the least recently used are removed first."""
LARGEST = 200_000_000
"""Bytes of the largest file read."""
STAMP_LENGTH = 4096
_NAMES = re.compile(
    r"[0-9a-f]{40}/(?:(?:peaks|activity|voices)(?:-[1-9][0-9]{0,3})?|shots|thumbnails|faces|known-faces)\.bin"
)


class DamagedCacheError(BadInputError):
    """Cached data of a film is damaged and has to be computed again."""

    def __init__(self) -> None:
        super().__init__("the film’s cached data is damaged and has to be computed again")


class Kind(Enum):
    """The kinds of cached data; the value is the file's name."""

    PEAKS = "peaks"
    SHOTS = "shots"
    THUMBNAILS = "thumbnails"
    ACTIVITY = "activity"
    FACES = "faces"
    KNOWN_FACES = "known-faces"
    """Whose the faces are."""
    VOICES = "voices"
    """What tells the voices of cues apart."""


SOUND = (Kind.PEAKS, Kind.ACTIVITY, Kind.VOICES)
"""What is made from one of the sound tracks."""
FACES = (Kind.FACES, Kind.KNOWN_FACES)


@dataclass(frozen=True)
class Source:
    """The state of a film's file that data was derived from: fingerprint, size, and modification time.

    `track` is the number of the sound track, None for the one that is used unless another is chosen.
    """

    fingerprint: str
    size: int
    mtime_ns: int
    track: int | None = None


def source_of(video: Path, fingerprint: str = "", track: int | None = None) -> Source:
    """The current state of a film's file; without a `fingerprint` it is computed, which reads 3 MB.

    Raises:
        BadInputError: if there is no such regular file.
        OutsideFailureError: if it cannot be read.
    """
    size = file_size(video)
    try:
        changed = video.stat().st_mtime_ns
    except OSError as error:
        raise OutsideFailureError(f"{video} cannot be read: {reason(error)}") from error
    return Source(fingerprint or fingerprint_of(video), size, changed, track)


def folder() -> Path:
    """The cache's folder."""
    return user_cache("media")


def place(kind: Kind, source: Source) -> Path:
    """The path of a film's cached data of this kind, whether it exists or not."""
    track = f"-{source.track}" if source.track is not None and kind in SOUND else ""
    return folder() / _name(source) / f"{kind.value}{track}.bin"


def cached(kind: Kind, source: Source) -> Path | None:
    """The file with complete data for the film's current state, None if it has to be computed."""
    path, cache = place(kind, source), _cache()
    cache.close()
    if is_stale(kind, source):
        return None
    cache.mark_used(path)
    return path


def stored(kind: Kind, source: Source) -> Path | None:
    """The file with data for the film's current state, complete or as far as it got; None where there is none."""
    if is_stale(kind, source) and is_stale(kind, source, complete=False):
        return None
    path = place(kind, source)
    _cache().mark_used(path)
    return path


def is_stale(kind: Kind, source: Source, *, complete: bool = True) -> bool:
    """Whether the cached data is missing, truncated, of another format, or of another state of the film.

    So is partial data, unless it is asked for (`complete` is False).
    """
    path = place(kind, source)
    try:
        with path.open("rb") as file:
            line = file.readline(STAMP_LENGTH)
        length = path.stat().st_size - len(line)
    except OSError:
        return True
    return _parsed(line) != _stamp(kind, source, complete=complete, length=length)


def store(kind: Kind, source: Source, content: bytes, *, complete: bool) -> Path:
    """Write data to the cache, replacing any earlier data, and return its path.

    Raises:
        OutsideFailureError: if it cannot be written; earlier data is then untouched.
    """
    path = place(kind, source)
    stamp = _stamp(kind, source, complete=complete, length=len(content))
    _cache().write(path, json.dumps(stamp).encode() + b"\n" + content)
    return path


def read_content(path: Path) -> bytes:
    """The content of a cached file, complete or partial.

    Raises:
        BadInputError: if it is missing or damaged.
        OutsideFailureError: if it cannot be read.
    """
    data = read_bounded(path, LARGEST, "file of the cache")
    return data[_content_start(data) :]


def mapped_content(path: Path) -> tuple[mmap, int]:
    """A cached file and where in it the content begins; only what is looked at is read. Raises as `read_content`.

    A file that takes its place does not change it.
    """
    if size_of(path, "file of the cache") > LARGEST:
        raise DamagedCacheError
    try:
        with path.open("rb") as file:
            data = mmap(file.fileno(), 0, access=ACCESS_READ)
    except ValueError as error:
        raise DamagedCacheError from error  # it is empty
    except OSError as error:
        raise OutsideFailureError(f"{path} cannot be read: {reason(error)}") from error
    return data, _content_start(data)


def _content_start(data: bytes | mmap) -> int:
    start = data.find(b"\n", 0, STAMP_LENGTH) + 1
    if not start or _parsed(data[: start - 1]).get("length") != len(data) - start:
        raise DamagedCacheError
    return start


def remove(kind: Kind, source: Source) -> None:
    """Delete a film's cached data of this kind.

    Raises:
        OutsideFailureError: if it is there and cannot be deleted.
    """
    _delete(place(kind, source))


def remove_all(kind: Kind, fingerprint: str) -> None:
    """Delete a film's cached data of a kind, of all its sound tracks; what is not there is deleted already.

    Raises:
        OutsideFailureError: if it cannot be deleted.
    """
    place_of_film = folder() / _name(Source(fingerprint, 0, 0))
    for path in place_of_film.glob(f"{kind.value}*.bin") if place_of_film.is_dir() else ():
        if _NAMES.fullmatch(path.relative_to(folder()).as_posix()):
            _delete(path)


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise OutsideFailureError(f"{path} cannot be deleted: {reason(error)}") from error


def tidy(*, using: Source | None = None, most: int = MOST_BYTES) -> int:
    """Remove the least recently used data until the rest takes at most `most` bytes; returns the bytes left.

    Data of the film in use is spared.
    """
    film = _name(using) if using else ""
    return _cache().trim(most, spare=lambda path: path.parent.name == film)


def _name(source: Source) -> str:
    # Hashed once more, as a fingerprint in a project is only text and could name any folder.
    return blake2b(source.fingerprint.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def _stamp(kind: Kind, source: Source, *, complete: bool, length: int) -> dict[str, Any]:
    version = SOUND_VERSION if kind in SOUND else FACES_VERSION if kind in FACES else VERSION
    return {
        "format": f"adstudio-media-{kind.value}/{version}",
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


def _cache() -> CacheFolder:
    return CacheFolder(folder(), _NAMES)
