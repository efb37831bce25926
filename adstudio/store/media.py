"""Finding a project's sources again, by location and content: its video above all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path, PurePosixPath

from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.film import Film, Media, SourceFile
from adstudio.core.steps import SetFilm
from adstudio.system.files import reason

_CHUNK = 1 << 20
"""Bytes read at the start, middle and end: enough to distinguish videos, and as fast for 50 GB as for 1 GB."""
_MARK = "blake2b:"


class VideoState(Enum):
    """Whether a project's video was found, has changed content, or is missing."""

    FOUND = "found"
    CHANGED = "changed"
    MISSING = "missing"


@dataclass(frozen=True)
class FoundVideo:
    """The video that was found, or the file with other content in its place, or None."""

    state: VideoState
    path: Path | None = None


def fingerprint(file: Path, what: str = "video") -> str:
    """Identifies a file's content: a hash of its size, start, middle and end; `what` names its kind in messages.

    Raises:
        BadInputError: if it does not exist or is not a regular file.
        OutsideFailureError: if it cannot be read.
    """
    try:
        size = _size(file)
        if size is None:
            raise BadInputError(f"{file}: {what} not found; check the path")
        total = hashlib.blake2b(str(size).encode(), digest_size=20)
        with file.open("rb") as stream:
            for start in sorted({0, max(0, size // 2 - _CHUNK // 2), max(0, size - _CHUNK)}):
                stream.seek(start)
                total.update(stream.read(_CHUNK))
    except ValueError as error:
        raise BadInputError(f"{str(file)!r} is not a valid path; check the name") from error
    except OSError as error:
        raise OutsideFailureError(f"{file} cannot be read: {reason(error)}") from error
    return _MARK + total.hexdigest()


def source_file(path: Path, project: Path) -> SourceFile:
    """A source as the project remembers it.

    Raises:
        BadInputError: if it does not exist or is not a regular file.
        OutsideFailureError: if it cannot be read.
    """
    known = fingerprint(path, "source")
    return SourceFile(*source_paths(path, project), path.stat().st_size, known)


def source_paths(source: Path, project: Path) -> tuple[str, str]:
    """A source's absolute path, and its path relative to the project's folder with `/` on every system.

    The relative path is empty if there is none, such as between two drives.
    """
    # Symbolic links are not resolved: the describer knows the file by that name.
    absolute = os.path.normpath(source.absolute())
    try:
        relative = os.path.relpath(absolute, os.path.normpath(project.parent.absolute()))
    except ValueError:
        return absolute, ""
    return absolute, Path(relative).as_posix()


def find_video(media: Media, project: Path) -> FoundVideo:
    """Look for a project's video: at its relative path, at its absolute path, then in the project's folder.

    Only the very content counts as found; other content under its name is reported as changed.
    """
    changed: Path | None = None
    for candidate in candidate_paths(media, project):
        try:
            size = _size(candidate)
            if size is None:
                continue
            if size == media.size and fingerprint(candidate) == media.fingerprint:
                return FoundVideo(VideoState.FOUND, candidate)
        except (OSError, ValueError, BadInputError, OutsideFailureError):
            # Unreadable, such as on a disconnected drive: for this project it is missing.
            continue
        changed = changed or candidate
    return FoundVideo(VideoState.CHANGED, changed) if changed else FoundVideo(VideoState.MISSING)


def candidate_paths(source: SourceFile, project: Path, *, beside: bool = True) -> list[Path]:
    """Where a source may be, the likeliest first, under its name `beside` the project too; nothing is looked at."""
    folder = project.parent.absolute()
    found = [folder / PurePosixPath(source.relative_path)] if source.relative_path else []
    if source.path:
        # In older projects it may be only a name; or the path is from another operating system.
        found += [folder / source.path]
        found += [folder / re.split(r"[/\\]", source.path)[-1]] if beside else []
    return list(dict.fromkeys(Path(os.path.normpath(path)) for path in found))


def locate_video(media: Media, project: Path) -> Path | None:
    """The project's video; None if no location has that very content."""
    found = find_video(media, project)
    return found.path if found.state is VideoState.FOUND else None


def locate_source(source: SourceFile, project: Path) -> Path | None:
    """Where a source is now, even if it was edited since; None if it is gone."""
    for place in candidate_paths(source, project):
        with contextlib.suppress(OSError, ValueError):
            if _size(place) is not None:
                return place
    return None


def relink(film: Film, video: Path, project: Path, *, measured: Media | None = None) -> SetFilm:
    """The step that links a film to its video at another location.

    A video with other content (a new cut, a re-encode) needs its `measured` properties; paths, size and fingerprint are
    filled in here.

    Raises:
        BadInputError: if the video is missing, or has other content and was not measured.
        OutsideFailureError: if it cannot be read.
    """
    known = fingerprint(video)
    size = video.stat().st_size
    absolute, relative = source_paths(video, project)
    media = measured or film.media
    if media is None or (measured is None and (size, known) != (media.size, media.fingerprint)):
        raise BadInputError(f"{video} is not this project’s video; measure it to use it instead")
    same = film.media is not None and (size, known) == (film.media.size, film.media.fingerprint)
    # Another file has sound tracks of its own.
    track = film.media.sound_track if film.media is not None and same else None
    media = replace(media, path=absolute, relative_path=relative, size=size, fingerprint=known, sound_track=track)
    return SetFilm(film, replace(film, media=media))


def _size(path: Path) -> int | None:
    """The size of a regular file, None if there is none. Pipes and devices are never opened."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None
