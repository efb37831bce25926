"""What was made of films (waveforms, shots, thumbnails, speech), kept so that it is made once; all can be thrown away.

Each film has a folder named by its fingerprint. A file is a line of JSON that says of what film, in what state of its
file and in what format it is, and behind it the content. Files are replaced in one go, never changed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from adstudio.core.errors import OutsideFailureError
from adstudio.media.opening import file_size
from adstudio.media.processing import DamagedCacheError
from adstudio.store.media import fingerprint as fingerprint_of
from adstudio.system.cache import CacheFolder
from adstudio.system.files import read_bounded, reason
from adstudio.system.locations import user_cache

VERSION = 1
"""Raised whenever a kind of content changes its form or meaning."""
MOST_BYTES = 1_000_000_000
"""What all films together may take; the ones used longest ago go first."""
LARGEST = 200_000_000
"""Bytes of the largest file that is read."""
STAMP_LENGTH = 4096
_NAMES = re.compile(r"[0-9a-f]{40}/(?:peaks|shots|thumbnails|activity)\.bin")


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
    return user_cache("media")


def place(kind: Kind, source: Source) -> Path:
    """The file in which a film's content of this kind is kept, whether it is there or not."""
    return folder() / _name(source) / f"{kind.value}.bin"


def cached(kind: Kind, source: Source) -> Path | None:
    """The file with the complete content for the film as it is now, None where it has to be made."""
    path, cache = place(kind, source), _cache()
    cache.close()
    if is_stale(kind, source):
        return None
    cache.mark_used(path)
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
    _cache().write(path, json.dumps(stamp).encode() + b"\n" + content)
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
    """Remove what was used longest ago until the rest takes at most `most` bytes, and return how many those are.

    What belongs to the film in use stays.
    """
    film = _name(using) if using else ""
    return _cache().trim(most, spare=lambda path: path.parent.name == film)


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


def _cache() -> CacheFolder:
    return CacheFolder(folder(), _NAMES)
