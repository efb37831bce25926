"""What the editor and the process that drafts say to each other: a request as one argument, lines of JSON back.

{"progress": -1, "what": "planning"}
{"done": "/…/film.adproj", "oddities": [{"source": "/…/film.srt", "what": "…", "line": 12}], "report": {…}}
{"lines": [{…}]}
{"error": "one sentence", "other_film": false}
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Eventuality, Script, Settings
from adstudio.core.timebase import FrameRate
from adstudio.drafting.report import Report
from adstudio.store.codec import CodecError, decode, encode
from adstudio.system.files import read_bounded

if TYPE_CHECKING:
    from adstudio.drafting.draft import Sources

MODULE = "adstudio.drafting.worker"
"""What the process runs."""
UNKNOWN = -1.0
"""The progress of what nobody can measure."""
LARGEST_SCRIPT = 500_000_000
"""Bytes of the largest script that is read."""


@dataclass(frozen=True)
class Progress:
    """How far it is: 0..1, or -1 where nobody knows."""

    fraction: float
    what: str


@dataclass(frozen=True)
class Done:
    """The project is written; what was odd, by the name of its source; what came of the draft."""

    project: Path
    oddities: tuple[tuple[str, Oddity], ...] = ()
    report: Report | None = None


@dataclass(frozen=True)
class Lines:
    """A scene was drafted again: its fresh lines in textual order, for `editing.redraft.redraft_scene`."""

    lines: tuple[Eventuality, ...]


@dataclass(frozen=True)
class Failed:
    """It could not be done, and why, in one sentence; nothing was written.

    `other_film`: the screenplay is hardly this film's; it would be used all the same with `Sources.any_screenplay`.
    """

    sentence: str
    other_film: bool = False


Message = Progress | Done | Lines | Failed


def draft_arguments(sources: Sources, project: Path) -> list[str]:
    """The arguments of `MODULE` for a draft that is written to a new project; paths of any letters survive."""
    rate = sources.frame_rate
    fields: dict[str, object] = {
        "project": str(project),
        "subtitles": _name(sources.subtitles),
        "candidates": _name(sources.candidates),
        "video": _name(sources.video),
        "end": sources.end,
        "title": sources.title,
        "language": sources.language,
        "encoding": sources.encoding,
        "rate": None if rate is None else str(rate.rate),
        "drop": rate is not None and rate.drop,
        "start_timecode": sources.start_timecode,
        "settings": encode(sources.settings).decode(),
        "screenplay": _name(sources.screenplay),
        "description": _name(sources.description),
        "any_screenplay": sources.any_screenplay,
        "in_step": sources.in_step,
        "in_scenes": sources.in_scenes,
        "suggested_rules": sources.suggested_rules,
        "listening": sources.listening,
    }
    return ["draft", json.dumps(fields)]


def read_draft(text: str) -> tuple[Sources, Path]:
    """What `draft_arguments` was given.

    Raises:
        BadInputError: for anything else.
    """
    # Only the process reads it, and only that needs all that makes a draft.
    from adstudio.drafting.draft import Sources

    try:
        found = cast("dict[str, Any]", json.loads(text))
        rate = found["rate"]
        sources = Sources(
            subtitles=_path(found["subtitles"]),
            candidates=_path(found["candidates"]),
            video=_path(found["video"]),
            end=found["end"],
            title=str(found["title"]),
            language=str(found["language"]),
            encoding=found["encoding"],
            frame_rate=None if rate is None else FrameRate(Fraction(rate), drop=bool(found["drop"])),
            start_timecode=str(found["start_timecode"]),
            settings=decode(str(found["settings"]).encode(), Settings),
            screenplay=_path(found["screenplay"]),
            description=_path(found["description"]),
            any_screenplay=bool(found["any_screenplay"]),
            in_step=bool(found["in_step"]),
            in_scenes=bool(found["in_scenes"]),
            suggested_rules=bool(found["suggested_rules"]),
            listening=bool(found["listening"]),
        )
        return sources, Path(str(found["project"]))
    except (ValueError, TypeError, KeyError, ZeroDivisionError, CodecError) as error:
        raise BadInputError(f"this is no request for a draft ({error})") from error


def sample_arguments(folder: Path) -> list[str]:
    """The arguments of `MODULE` for the sample film and its project."""
    return ["sample", json.dumps(str(folder))]


def again_arguments(
    script: Path, scene: str, screenplay: Path | None = None, description: Path | None = None
) -> list[str]:
    """The arguments of `MODULE` for a scene drafted again.

    `script` is a file with what `store.codec.encode` makes of the script as it is now; whoever asks removes it.
    """
    fields = {
        "script": str(script),
        "scene": scene,
        "screenplay": _name(screenplay),
        "description": _name(description),
    }
    return ["again", json.dumps(fields)]


def read_again(text: str) -> tuple[Script, str, Path | None, Path | None]:
    """The script, the scene, and the screenplay or description of what `again_arguments` was given.

    Raises:
        BadInputError: for anything else.
        OutsideFailureError: where the script cannot be read.
    """
    try:
        found = cast("dict[str, Any]", json.loads(text))
        script = decode(read_bounded(Path(str(found["script"])), LARGEST_SCRIPT, "script"), Script)
        return script, str(found["scene"]), _path(found["screenplay"]), _path(found["description"])
    except (ValueError, TypeError, KeyError, CodecError) as error:
        raise BadInputError(f"this is no request for a scene to be drafted again ({error})") from error


def write_message(message: Message) -> str:
    """The message as a line, without its end."""
    match message:
        case Progress():
            fields: dict[str, object] = {"progress": round(message.fraction, 4), "what": message.what}
        case Done():
            oddities = [{"source": name, "what": odd.what, "line": odd.line} for name, odd in message.oddities]
            report = None if message.report is None else encode(message.report).decode()
            fields = {"done": str(message.project), "oddities": oddities, "report": report}
        case Lines():
            fields = {"lines": [encode(line).decode() for line in message.lines]}
        case Failed():
            fields = {"error": message.sentence, "other_film": message.other_film}
    return json.dumps(fields)


def read_message(line: bytes | str) -> Message | None:
    """The message of a line, None for anything else: a library may have written into the stream."""
    try:
        found = json.loads(line)
        return _message(cast("dict[str, Any]", found)) if isinstance(found, dict) else None
    except (ValueError, KeyError, TypeError, RecursionError, CodecError):
        return None


def _message(found: dict[str, Any]) -> Message | None:
    if "error" in found:
        return Failed(str(found["error"]), other_film=bool(found["other_film"]))
    if "done" in found:
        report = found["report"]
        read = None if report is None else decode(str(report).encode(), Report)
        return Done(Path(str(found["done"])), tuple(_oddities(found["oddities"])), read)
    if "lines" in found:
        return Lines(tuple(decode(str(line).encode(), Eventuality) for line in found["lines"]))
    if "progress" in found:
        fraction = float(found["progress"])
        return (
            Progress(min(fraction, 1.0) if fraction >= 0 else UNKNOWN, str(found["what"]))
            if math.isfinite(fraction)
            else None
        )
    return None


def _oddities(found: Sequence[dict[str, Any]]) -> list[tuple[str, Oddity]]:
    return [(str(each["source"]), Oddity(str(each["what"]), each["line"])) for each in found]


def _name(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _path(name: object) -> Path | None:
    return None if name is None else Path(str(name))
