"""How a project finds its video again: by where it was, and by what it is."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path, PurePosixPath

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.script import Film, Media
from adstudio.core.steps import SetFilm
from adstudio.system.files import reason

_CHUNK = 1 << 20
"""Bytes read at the head, in the middle and at the tail: enough to tell videos apart, as fast for 50 GB as for 1."""
_MARK = "blake2b:"


class State(Enum):
    """What was found of a project's video: itself, another content in its place, or nothing."""

    FOUND = "found"
    CHANGED = "changed"
    MISSING = "missing"


@dataclass(frozen=True)
class Whereabouts:
    """The video itself where it was found, what lies in its place where that is another content, or nothing."""

    state: State
    path: Path | None = None


def fingerprint(video: Path) -> str:
    """What identifies a video's content: its size and the hash of its head, middle and tail.

    Raises:
        BadInputError: where there is no such file, or it is no regular one.
        OutsideFailureError: where it cannot be read.
    """
    try:
        size = _size(video)
        if size is None:
            raise BadInputError(f"{video}: there is no such video; check the path")
        total = hashlib.blake2b(str(size).encode(), digest_size=20)
        with video.open("rb") as file:
            for start in sorted({0, max(0, size // 2 - _CHUNK // 2), max(0, size - _CHUNK)}):
                file.seek(start)
                total.update(file.read(_CHUNK))
    except ValueError as error:
        raise BadInputError(f"{str(video)!r} is not a path; check the name") from error
    except OSError as error:
        raise OutsideFailureError(f"{video} cannot be read: {reason(error)}") from error
    return _MARK + total.hexdigest()


def paths(video: Path, project: Path) -> tuple[str, str]:
    """A video's absolute path, and its path from the project's folder (`/` between folders on every system).

    The second is empty where there is none, as between two drives.
    """
    # Links are kept as they are: the describer knows the video by that name.
    absolute = os.path.normpath(video.absolute())
    try:
        relative = os.path.relpath(absolute, os.path.normpath(project.parent.absolute()))
    except ValueError:
        return absolute, ""
    return absolute, Path(relative).as_posix()


def examine(media: Media, project: Path) -> Whereabouts:
    """Look for a project's video: beside the project as it was, then where it was, then in the project's own folder.

    Another content under its name is told from a video that is gone; nothing but the video itself counts as found.
    """
    changed: Path | None = None
    for candidate in _candidates(media, project):
        try:
            size = _size(candidate)
            if size is None:
                continue
            if size == media.size and fingerprint(candidate) == media.fingerprint:
                return Whereabouts(State.FOUND, candidate)
        except (OSError, ValueError, BadInputError, OutsideFailureError):
            # Not to be read, as a drive that is gone: for this project it is not there.
            continue
        changed = changed or candidate
    return Whereabouts(State.CHANGED, changed) if changed else Whereabouts(State.MISSING)


def locate(media: Media, project: Path) -> Path | None:
    """The project's video, None where neither place holds that very content."""
    found = examine(media, project)
    return found.path if found.state is State.FOUND else None


def relink(film: Film, video: Path, project: Path, *, measured: Media | None = None) -> SetFilm:
    """The step that ties a film to its video at another place.

    A video of another content (a new cut, a re-encode) is only taken with what was `measured` of it; its paths, size
    and fingerprint are filled in here.

    Raises:
        BadInputError: for a missing video, or one of another content and nothing measured of it.
        OutsideFailureError: where it cannot be read.
    """
    known = fingerprint(video)
    size = video.stat().st_size
    absolute, relative = paths(video, project)
    media = measured or film.media
    if media is None or (measured is None and (size, known) != (media.size, media.fingerprint)):
        raise BadInputError(f"{video} is not the video that this project was made with; measure it to use it instead")
    return SetFilm(
        film,
        replace(
            film,
            media=replace(media, path=absolute, relative_path=relative, size=size, fingerprint=known),
        ),
    )


def _size(path: Path) -> int | None:
    """The size of a regular file; None where there is none. Pipes and devices are never opened."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None


def _candidates(media: Media, project: Path) -> list[Path]:
    folder = project.parent.absolute()
    found = [folder / PurePosixPath(media.relative_path)] if media.relative_path else []
    if media.path:
        # The path may come from another system.
        found += [Path(media.path), folder / re.split(r"[/\\]", media.path)[-1]]
    return list(dict.fromkeys(Path(os.path.normpath(path)) for path in found))
