"""The file that names several films with their references and systems, `adstudio-films/1`.

`{"format": "adstudio-films/1", "films": [{"name", "references": {name: file, …}, "systems": {name: file, …},
"subtitles", "encoding", "video", "end", "sequences", "frame_rate", "start_timecode", "without_dialogue"}, …]}`: all but
the name and the references may be left out. Files are relative to this one's folder; `end` is in seconds. Instead of
its file a script may be `{"file", "shift", "speed"}`: seconds added to its times, and the frame rate of the version of
the film that it was timed to.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import cast

from adstudio.core.errors import BadInputError
from adstudio.core.json_reading import Node, parse_json
from adstudio.core.timebase import MAX_TIME_MS, FrameRate, standard_rate
from adstudio.evaluation.request import FilmFiles, ScriptFile
from adstudio.system.files import read_bounded

FORMAT = "adstudio-films/1"
MAX_BYTES = 16_000_000
MAX_FILMS = 1_000
MAX_SCRIPTS = 100
_OPTIONAL = (
    *("systems", "subtitles", "encoding", "video", "end", "sequences", "frame_rate", "start_timecode"),
    "without_dialogue",
)


def read_films(path: Path) -> tuple[FilmFiles, ...]:
    """The films that a file names.

    Raises:
        BadInputError: for anything else, and films that are named twice or have different systems.
        OutsideFailureError: if it cannot be read.
    """
    return parse_films(read_bounded(path, MAX_BYTES, "file of films"), path)


def parse_films(data: bytes, path: Path) -> tuple[FilmFiles, ...]:
    """As `read_films`, from bytes; `path` is where they are from."""
    root = parse_json(data, str(path))
    members = root.members(("format", "films"))
    if members["format"].value != FORMAT:
        members["format"].fail(f"expected “{FORMAT}”")
    films = tuple(_film(node, path.parent) for node in members["films"].items(MAX_FILMS, 1))
    twice = [name for name, count in Counter(film.name for film in films).items() if count > 1]
    if twice:
        raise BadInputError(f"{path}: two films are called “{twice[0]}”: give each its own name")
    return films


def _film(node: Node, folder: Path) -> FilmFiles:
    found = node.members(("name", "references"), _OPTIONAL)
    start = found["start_timecode"].text(20) if "start_timecode" in found else ""

    def file(key: str) -> Path | None:
        return _path(found[key], folder) if key in found else None

    return FilmFiles(
        name=_name(found["name"]),
        references=_scripts(found["references"], folder),
        systems=_scripts(found["systems"], folder) if "systems" in found else (),
        subtitles=file("subtitles"),
        encoding=found["encoding"].text(40) if "encoding" in found else None,
        video=file("video"),
        end=found["end"].ms(1) if "end" in found else None,
        sequences=file("sequences"),
        frame_rate=_rate(found["frame_rate"], start) if "frame_rate" in found else None,
        start_timecode=start,
        without_dialogue="without_dialogue" in found and found["without_dialogue"].boolean(),
    )


def _scripts(node: Node, folder: Path) -> tuple[ScriptFile, ...]:
    value: object = node.value
    found = node.members((), cast("dict[str, object]", value) if isinstance(value, dict) else ())
    if len(found) > MAX_SCRIPTS:
        node.fail(f"{len(found):,} files; at most {MAX_SCRIPTS} are allowed")
    return tuple(_script(_name(Node(name, node.path, node.source)), each, folder) for name, each in found.items())


def _script(name: str, node: Node, folder: Path) -> ScriptFile:
    if isinstance(node.value, str):
        return ScriptFile(name, _path(node, folder))
    found = node.members(("file",), ("shift", "speed"))
    return ScriptFile(
        name,
        _path(found["file"], folder),
        found["shift"].ms(-MAX_TIME_MS) if "shift" in found else None,
        _rate(found["speed"], "") if "speed" in found else None,
    )


def _name(node: Node) -> str:
    name = node.text(100, empty=False).strip()
    if not name.isprintable():
        node.fail("a name is one line of characters that can be printed")
    return name


def _path(node: Node, folder: Path) -> Path:
    written = node.text(4_000, empty=False)
    if "\0" in written:
        node.fail("a null character is in no file’s name")
    return folder / written


def _rate(node: Node, start: str) -> FrameRate:
    written = node.value if isinstance(node.value, str) else str(node.number())
    found = standard_rate(written, start)
    if found is None:
        node.fail(f"“{written[:40]}” is not a standard frame rate")
    return found
