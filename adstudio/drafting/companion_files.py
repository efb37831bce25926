"""Companion files of a video: subtitles, screenplays, descriptions and candidates; and a free name for its project."""

from __future__ import annotations

import itertools
import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path

from adstudio.subtitles.errors import SubtitleError
from adstudio.subtitles.parsed_file import TrackKind
from adstudio.subtitles.reading import parse_subtitles
from adstudio.subtitles.track_kind import kind_in_name

SUBTITLES = (".srt", ".vtt", ".webvtt", ".ttml", ".dfxp", ".imsc", ".xml", ".ass", ".ssa")
"""Extensions of subtitle files."""
VIDEOS = (
    ".mp4", ".mkv", ".mov", ".webm", ".avi", ".m4v", ".mxf", ".ts", ".m2ts", ".mts", ".mpg", ".mpeg", ".wmv", ".flv",
    ".ogv", ".3gp", ".vob",
)  # fmt: skip
"""Extensions of videos, the usual ones first."""
SCREENPLAYS = (".fountain", ".fdx", ".spmd", ".ftn", ".pdf", ".txt")
"""Extensions of screenplays, the most specific first."""
_ONLY_SCREENPLAYS = (".fountain", ".fdx", ".spmd", ".ftn")
DESCRIPTIONS = (".txt", ".md", ".csv", ".tsv")
"""Extensions of descriptions: prose, and scripts as tables."""
CALLED = ("dialogue", "subtitles", "captions")
"""Generic names of subtitle files beside a single film."""
SCRIPTS = (".srt", ".vtt", ".csv", ".tsv", ".xlsx", ".xlsm", ".docx", ".docm", ".json", ".xml", ".ttml", ".dapt", ".md")
"""Finished scripts."""
_ONLY_SCRIPTS = (".csv", ".tsv", ".xlsx", ".xlsm", ".docx", ".docm", ".dapt", ".dapt.xml")
PROJECT = ".adproj"
LONGEST_NAME = 255
"""Bytes of a file's name at most."""
LOOKED_AT = 20_000
"""Entries of a folder that are looked at, at most."""
OFFERED = 200
"""Subtitle files that are offered for a video, at most."""
HEAD = 4_000
"""Bytes of a subtitle file in which it may say what it is for."""

_SEPARATOR = re.compile(r"[ ._\-\[(]")


def subtitles_beside(video: Path) -> tuple[Path, ...]:
    """The subtitle files of a video: those of its exact name first, then those with a language or another suffix.

    Without any: those called `dialogue`, `subtitles` or `captions`, or else the only ones in its folder, unless they
    belong to another film. A folder that cannot be read has none. What a file's name or header says to be no dialogue,
    such as our own exports, is none.
    """
    named = _dialogue(_beside(video, SUBTITLES), video.stem)
    plain = (each for name in CALLED for each in _dialogue(_beside(video.with_name(f"{name}.srt"), SUBTITLES), name))
    return named or tuple(plain) or _alone(video)


def _dialogue(found: Iterable[Path], film: str) -> tuple[Path, ...]:
    """The files that are not said to hold something other than dialogue, by their names after that of the `film`."""
    named = (path for path in found if kind_in_name(path.name, film) in (None, TrackKind.DIALOGUE))
    return tuple(path for path in itertools.islice(named, OFFERED) if _kind_in_head(path) is TrackKind.DIALOGUE)


def _kind_in_head(path: Path) -> TrackKind:
    try:
        with path.open("rb") as file:
            # Its name has been judged beside that of the film.
            return parse_subtitles(file.read(HEAD), f"head{path.suffix}").track
    except (OSError, SubtitleError):
        return TrackKind.DIALOGUE


def candidates_beside(video: Path) -> tuple[Path, ...]:
    """The JSON files of a video; without any, `candidates.json`."""
    return _beside(video, (".json",)) or _called(video, "candidates", (".json",))


def says_candidates(path: Path) -> bool:
    """Whether a JSON file, which may hold anything, says by its name that it holds candidates."""
    return "candidates" in _plain(path.stem)


def screenplays_beside(video: Path) -> tuple[Path, ...]:
    """The screenplays of a video, and any called `screenplay`; the most specific formats first.

    Without any: the only file in its folder that can be nothing else, unless it belongs to another film.
    """
    found = [path for path in _beside(video, SCREENPLAYS) if not _is_description(path, video.stem)]
    found += [path for path in _called(video, "screenplay", SCREENPLAYS) if path not in found]
    ordered = tuple(sorted(found, key=lambda path: SCREENPLAYS.index(path.suffix.lower())))
    return ordered or _only(_ONLY_SCREENPLAYS, video)


def descriptions_beside(video: Path) -> tuple[Path, ...]:
    """The descriptions of a video, recognised by name, then any called `description`."""
    found = [path for path in _beside(video, DESCRIPTIONS) if _is_description(path, video.stem)]
    found += [path for path in _called(video, "description", DESCRIPTIONS) if path not in found]
    return tuple(found)


def free_project(beside: Path) -> Path:
    """A free name for a project beside a film or its subtitles: `Film.adproj`, `Film 2.adproj` and so on."""
    endings = itertools.chain([PROJECT], (f" {number}{PROJECT}" for number in itertools.count(2)))
    return next(
        path for ending in endings if not os.path.lexists(path := beside.with_name(_named(beside.stem, ending)))
    )


def _named(stem: str, ending: str) -> str:
    while len(os.fsencode(stem + ending)) > LONGEST_NAME:
        stem = stem[:-1]
    return stem + ending


def _beside(video: Path, endings: tuple[str, ...]) -> tuple[Path, ...]:
    # macOS writes “ä” as two characters into file names, other systems as one.
    stem = _plain(video.stem)
    found = [path for path in _files(video.parent, endings) if _goes_with(_plain(path.stem), stem)]
    return tuple(sorted(found, key=lambda path: (_plain(path.stem) != stem, path.name)))


def _alone(video: Path) -> tuple[Path, ...]:
    """The only subtitles in a video's folder, unless they belong to another film there."""
    # An .xml file may be anything.
    return _only(tuple(each for each in SUBTITLES if each != ".xml"), video, lambda paths: _dialogue(paths, video.stem))


def _only(
    endings: tuple[str, ...],
    video: Path,
    chosen: Callable[[Iterable[Path]], tuple[Path, ...]] = tuple,
) -> tuple[Path, ...]:
    """The only file in a video's folder with one of these extensions, unless it belongs to another film there."""
    names = _files(video.parent, endings + VIDEOS)
    found = chosen(path for path in names if path.suffix.lower() in endings)
    others = [_plain(path.stem) for path in names if path.suffix.lower() in VIDEOS and path.name != video.name]
    if len(found) != 1 or any(_goes_with(_plain(found[0].stem), other) for other in others):
        return ()
    return found


def _files(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    """The files of a folder with these extensions; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            looked_at = itertools.islice(entries, LOOKED_AT)
            return [Path(each.path) for each in looked_at if each.name.lower().endswith(endings) and each.is_file()]
    except OSError:
        return []


def _called(video: Path, name: str, endings: tuple[str, ...]) -> tuple[Path, ...]:
    """Files of a generic name in a video's folder, in the order of their extensions."""
    found = (path for path in _files(video.parent, endings) if _plain(path.stem) == name)
    return tuple(sorted(found, key=lambda path: (endings.index(path.suffix.lower()), path.name)))


def _is_description(path: Path, film: str) -> bool:
    return "description" in _plain(path.stem) or kind_in_name(path.name, film) is TrackKind.DESCRIPTIONS


def _goes_with(name: str, stem: str) -> bool:
    return name == stem or (name.startswith(stem) and _SEPARATOR.match(name[len(stem) :]) is not None)


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def is_script_file(path: Path) -> bool:
    """Whether a file's name says that it is a finished script, and not subtitles or another source of a film."""
    name = path.name.lower()
    is_described = name.endswith(SCRIPTS) and kind_in_name(path.name) is TrackKind.DESCRIPTIONS
    return name.endswith(_ONLY_SCRIPTS) or is_described
