"""What the editor and the process that works on a film say to each other: arguments there, lines of JSON back.

{"progress": 0.42, "what": "listening to the film", "partial": "/…/peaks.bin"}
{"done": "/…/peaks.bin", "note": ""}          or, where it could not be kept, {"done": null, "data": "…", "note": "…"}
{"error": "one sentence"}
"""

from __future__ import annotations

import base64
import json
import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, cast, get_args

from adstudio.core.errors import Oddity
from adstudio.core.script import Media
from adstudio.media.cache import read_content
from adstudio.media.probe import Probe
from adstudio.media.processing import UNKNOWN

MODULE = "adstudio.media.worker"
"""What the process runs."""

Verb = Literal["probe", "peaks", "shots", "thumbnails", "activity"]
VERBS: tuple[Verb, ...] = get_args(Verb)
DOING: Mapping[Verb, str] = {
    "probe": "looking at the film’s file",
    "peaks": "listening to the film for its waveform",
    "shots": "looking for the film’s shots",
    "thumbnails": "taking a picture of each shot",
    "activity": "listening to the film for speech",
}
"""What the describer is told meanwhile."""
LONGEST_SENTENCE = 2000


@dataclass(frozen=True)
class Progress:
    """How far it is: 0..1, or -1 where nobody knows; `partial` is a file to be read again now, if there is one."""

    fraction: float
    what: str
    partial: Path | None = None


@dataclass(frozen=True)
class Probed:
    """What a film's file holds, and the same as a project keeps it (its relative path is left empty)."""

    probe: Probe
    media: Media


@dataclass(frozen=True)
class Done:
    """The work is done: the result lies at `path`, or came along as `data`; `note` is something to tell, or empty."""

    path: Path | None = None
    data: bytes | None = None
    note: str = ""
    probed: Probed | None = None

    def content(self) -> bytes:
        """The result, to be given to `parse_peaks`, `parse_shots`, `parse_thumbnails` or `parse_activity`.

        Raises:
            BadInputError: where its file is missing or damaged.
            OutsideFailureError: when it cannot be read.
        """
        if self.path is not None:
            return read_content(self.path)
        return self.data or b""


@dataclass(frozen=True)
class Failed:
    """It could not be done, and why, in one sentence."""

    sentence: str


Message = Progress | Done | Failed


def arguments(verb: Verb, video: Path, *, fingerprint: str = "") -> list[str]:
    """The arguments of `MODULE` for a piece of work; a name is never taken for an option."""
    known = [f"--fingerprint={fingerprint}"] if fingerprint else []
    return [verb, *known, "--", os.path.normpath(video.absolute())]


def died(verb: Verb) -> Failed:
    """What to say when the process ended without a word: the file was too much for the decoder."""
    return Failed(f"The film’s file brought the program down that was {DOING[verb]}; the rest of the editor works on.")


def write_message(message: Message) -> str:
    """The message as a line, without its end; paths and texts of any letters survive."""
    match message:
        case Progress():
            partial = {"partial": str(message.partial)} if message.partial else {}
            fields: dict[str, Any] = {"progress": round(message.fraction, 4), "what": message.what, **partial}
        case Done():
            fields = {"done": str(message.path) if message.path else None, "note": message.note}
            if message.data is not None:
                fields["data"] = base64.b64encode(message.data).decode()
            if message.probed is not None:
                fields |= {"probe": _plain(asdict(message.probed.probe)), "media": _plain(asdict(message.probed.media))}
        case Failed():
            fields = {"error": message.sentence}
    return json.dumps(fields)


def read_message(line: bytes | str) -> Message | None:
    """The message of a line, None for anything else: a library may have written into the stream."""
    try:
        found: Any = json.loads(line)
        return _message(cast("dict[str, Any]", found)) if isinstance(found, dict) else None
    except (ValueError, KeyError, TypeError, OverflowError, ZeroDivisionError, RecursionError):
        return None


def _message(found: dict[str, Any]) -> Message | None:
    if "error" in found:
        return Failed(_text(found["error"])[:LONGEST_SENTENCE])
    if "done" in found:
        path, data = found["done"], found.get("data")
        return Done(
            path=Path(_text(path)) if path is not None else None,
            data=base64.b64decode(_text(data), validate=True) if data is not None else None,
            note=_text(found.get("note", ""))[:LONGEST_SENTENCE],
            probed=_probed(found) if "probe" in found else None,
        )
    if "progress" in found:
        fraction, partial = found["progress"], found.get("partial")
        if type(fraction) not in {int, float} or not math.isfinite(fraction):
            return None
        return Progress(
            fraction=min(max(float(fraction), 0.0), 1.0) if fraction >= 0 else UNKNOWN,
            what=_text(found.get("what", ""))[:LONGEST_SENTENCE],
            partial=Path(_text(partial)) if partial is not None else None,
        )
    return None


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, Fraction) else value for name, value in fields.items()}


_PROBE_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("duration", "width", "height", "start", "first_picture"), int),
    **dict.fromkeys(("variable_rate", "has_video", "has_audio"), bool),
    "container": str,
}
_MEDIA_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("path", "relative_path", "fingerprint"), str),
    **dict.fromkeys(("size", "duration", "width", "height"), int),
    **dict.fromkeys(("variable_rate", "has_audio"), bool),
}


def _probed(found: dict[str, Any]) -> Probed:
    probe, media = found["probe"], found["media"]
    oddities = tuple(Oddity(_text(oddity["what"]), None) for oddity in probe["oddities"])
    return Probed(
        Probe(
            **_checked(probe, _PROBE_TYPES),
            rate=_rate(probe["rate"]),
            declared_rate=_rate(probe["declared_rate"]),
            oddities=oddities,
        ),
        Media(**_checked(media, _MEDIA_TYPES), rate=_rate(media["rate"])),
    )


def _checked(found: dict[str, Any], types: Mapping[str, type]) -> dict[str, Any]:
    if any(type(found[name]) is not kind for name, kind in types.items()):
        raise TypeError
    return {name: found[name] for name in types}


def _rate(value: object) -> Fraction | None:
    return Fraction(_text(value)) if value is not None else None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
