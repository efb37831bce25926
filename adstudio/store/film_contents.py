"""The whole content of this user's films, hashed once: a private file knows the hash of each unchanged file.

A fingerprint (`store.media`) covers only three samples of a video, so that a project opens at once; whether material of
a film may be sent is decided by all of its content (`core.policy`). Without a hash, size and samples have to do.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.core.film import Media
from adstudio.store.media import candidate_paths, fingerprint
from adstudio.system.codec import Codec, Limits
from adstudio.system.files import read_bounded, reason, write_atomically
from adstudio.system.locations import user_data
from adstudio.system.private_files import FILE, private_folder

MOST = 1_000
"""Films remembered, those hashed last."""
LARGEST = 1_000_000
"""Bytes of the file."""
_CHUNK = 1 << 22
_CODEC = Codec(limits=Limits(number=1 << 128))


@dataclass(frozen=True, slots=True)
class FileState:
    """What differs once a file is written to or another is put in its place; times in nanoseconds.

    Whoever writes to a file can set the time of `written` back, but not that of `changed` (`st_ctime_ns`, which on
    Windows is when the file was created).
    """

    device: int
    inode: int
    size: int
    written: int
    changed: int


@dataclass(frozen=True, slots=True)
class FilmContent:
    """A file in one state, its fingerprint, and the hash of its whole content."""

    state: FileState
    fingerprint: str
    content: str


@dataclass(frozen=True)
class _Ledger:
    films: Annotated[tuple[FilmContent, ...], Limits(items=MOST)] = ()


def state_of(video: Path) -> FileState | None:
    """The present state of a regular file, None if there is none or it cannot be looked at."""
    try:
        return _state(video.stat())
    except (OSError, ValueError):
        return None


def known_content(video: Path) -> str:
    """The hash of a video's whole content if it was read in its present state, else empty. Nothing of it is read."""
    found = _known(state_of(video))
    return "" if found is None else found.content


def content_of_film(media: Media, project: Path) -> str:
    """The hash of the whole content of a project's video where it is found now, empty if it is not known."""
    for path in candidate_paths(media, project):
        state = state_of(path)
        if state is None or state.size != media.size:
            continue
        found = _known(state)
        with contextlib.suppress(AdstudioError):
            if (_samples(path, state) if found is None else found.fingerprint) == media.fingerprint:
                return "" if found is None else found.content
    return ""


def hash_film(video: Path, on_fraction: Callable[[float], object] = lambda _fraction: None) -> FilmContent:
    """A video's whole content, read now unless that was done in its present state.

    `on_fraction` is called with the fraction read, 0..1, and may raise to stop it.

    Raises:
        BadInputError: if it does not exist or is not a regular file.
        OutsideFailureError: if it cannot be read, or was written to meanwhile.
    """
    found = _known(state_of(video))
    if found is not None:
        return found
    samples = fingerprint(video)
    total, read, reported = hashlib.blake2b(digest_size=32), 0, -1
    try:
        with video.open("rb") as file:
            before = _state(os.fstat(file.fileno()))
            while before is not None and read <= before.size and (chunk := file.read(_CHUNK)):
                total.update(chunk)
                read += len(chunk)
                if (percent := 100 * read // max(before.size, 1)) != reported:
                    reported = percent
                    on_fraction(min(percent / 100, 1.0))
    except OSError as error:
        raise OutsideFailureError(f"{video} cannot be read: {reason(error)}") from error
    if before is None or read != before.size or state_of(video) != before:
        raise OutsideFailureError(f"{video} was changed while it was read: try again once it is complete")
    found = FilmContent(before, samples, f"blake2b-256:{total.hexdigest()}")
    _remember(found)
    return found


def require_unchanged(video: Path, state: FileState) -> None:
    """Check that a file is still in the state in which it was hashed.

    Raises:
        BadInputError: if it is not.
    """
    if state_of(video) != state:
        raise BadInputError(
            f"{video} was changed or replaced meanwhile, so nothing more of it was sent: check whether it is the right"
            " film, and start again"
        )


def _state(found: os.stat_result) -> FileState | None:
    if not stat.S_ISREG(found.st_mode):
        return None
    return FileState(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


@functools.lru_cache(maxsize=8)
def _samples(path: Path, _now: FileState) -> str:
    """The fingerprint of a file in this state: a permission may be asked for often while its hash is not known."""
    return fingerprint(path)


def _place() -> Path:
    return user_data("films.json")


def _known(state: FileState | None) -> FilmContent | None:
    place = _place()
    now = state_of(place)
    return None if state is None or now is None else _read(place, now).get(state)


@functools.lru_cache(maxsize=1)
def _read(place: Path, _now: FileState) -> dict[FileState, FilmContent]:
    """The films remembered; a file that is unreadable or not ours counts as none."""
    try:
        films = _CODEC.decode(read_bounded(place, LARGEST, "list of films"), _Ledger).films
    except (AdstudioError, OSError):
        return {}
    return {each.state: each for each in films}


def _remember(film: FilmContent) -> None:
    place = _place()
    now = state_of(place)
    before = () if now is None else tuple(_read(place, now).values())
    films = (*(each for each in before if each.state != film.state), film)[-MOST:]
    # Where it cannot be written, the film is read once more the next time.
    with contextlib.suppress(AdstudioError, OSError):
        private_folder(place.parent, below=False)
        write_atomically(place, _CODEC.encode(_Ledger(films)), mode=FILE)
