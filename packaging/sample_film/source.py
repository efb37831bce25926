"""The script of the sample film as it was written by hand (the folder `written`), read into types.

Times inside a shot are seconds from its start, as in the files; everything that leaves this package is milliseconds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

WRITTEN = Path(__file__).with_name("written")
"""The folder of what people wrote: the film, its descriptions, two reference descriptions, a shooting script."""

FRAME_MS = 40
"""One frame of the sample film: it runs at 25 frames a second."""

RATES = ("0.9", "0.8", "0.7", "0.6", "0.5")
"""What the compressions aim at (the paper's appendix “LLM processing”)."""


@dataclass(frozen=True)
class Voice:
    """Somebody who speaks: the eSpeak NG voice, its speaking rate and pitch, and what it is heard through."""

    name: str
    espeak: str
    words_per_minute: int
    pitch: int
    through: str = ""


@dataclass(frozen=True)
class Line:
    """A line of dialogue, from where it begins in its shot."""

    voice: str
    at: float
    text: str


@dataclass(frozen=True)
class Sound:
    """A sound in its shot; `label` is what the subtitles for the hard of hearing say of it."""

    name: str
    at: float
    lasts: float = 1.0
    gain: float = 0.0
    label: str = ""


@dataclass(frozen=True)
class Shot:
    """One picture: where it plays, what happens in it and when (`moments`), what is said and heard.

    `start` and `end` are milliseconds of the film.
    """

    id: str
    place: str
    start: int
    end: int
    ambience: str
    action: tuple[str, ...]
    moments: Mapping[str, tuple[float, float]]
    lines: tuple[Line, ...]
    sounds: tuple[Sound, ...]

    def at(self, seconds: float) -> int:
        """The film's millisecond that lies `seconds` after the shot's start."""
        return self.start + round(seconds * 1000)


@dataclass(frozen=True)
class Element:
    """An eventuality of the film with its wordings; `occurrence` in milliseconds of the film, None: never shown.

    `text` is its piece of the prose description, `spoken` the same as a sentence of its own.
    """

    text: str
    spoken: str
    shorter: tuple[str, ...]
    occurrence: tuple[int, int] | None
    salience: float | None


@dataclass(frozen=True)
class Scene:
    """A scene: its heading in the screenplay, its shots, its eventualities in textual order."""

    id: str
    heading: str
    shots: tuple[Shot, ...]
    elements: tuple[Element, ...]

    @property
    def start(self) -> int:
        """Where it begins, in milliseconds of the film."""
        return self.shots[0].start

    @property
    def end(self) -> int:
        """Where it ends, in milliseconds of the film."""
        return self.shots[-1].end


@dataclass(frozen=True)
class ReferenceCue:
    """A line of a describer's own audio description, in milliseconds of the film."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class FilmSource:
    """All that people wrote for the film."""

    title: str
    subtitle: str
    credit: str
    voices: Mapping[str, Voice]
    scenes: tuple[Scene, ...]
    references: Mapping[str, tuple[ReferenceCue, ...]]

    @cached_property
    def shots(self) -> tuple[Shot, ...]:
        """Every shot in order."""
        return tuple(shot for scene in self.scenes for shot in scene.shots)

    @property
    def end(self) -> int:
        """The film's length in milliseconds."""
        return self.shots[-1].end


def read_source(folder: Path | None = None) -> FilmSource:
    """Read the film's script from `folder` (default: `written`, beside this file)."""
    folder = folder or WRITTEN
    film = _toml(folder / "film.toml")
    described = _toml(folder / "descriptions.toml")
    scenes: list[Scene] = []
    now = 0
    for raw in film["scenes"]:
        shots: list[Shot] = []
        for raw_shot in raw["shots"]:
            shots.append(_shot(raw_shot, now))
            now = shots[-1].end
        elements = tuple(_element(e, {s.id: s for s in shots}) for e in described[raw["id"]])
        scenes.append(Scene(raw["id"], raw["heading"], tuple(shots), elements))
    by_id = {shot.id: shot for scene in scenes for shot in scene.shots}
    return FilmSource(
        title=film["title"],
        subtitle=film["subtitle"],
        credit=film["credit"],
        voices={name: Voice(**raw) for name, raw in film["voices"].items()},
        scenes=tuple(scenes),
        references={name: _reference(folder / f"reference-{name}.toml", by_id) for name in ("british", "american")},
    )


def _toml(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


def _shot(raw: dict[str, Any], start: int) -> Shot:
    length = round(raw["length"] * 1000 / FRAME_MS) * FRAME_MS
    return Shot(
        id=raw["id"],
        place=raw["place"],
        start=start,
        end=start + length,
        ambience=raw["ambience"],
        action=tuple(raw.get("action", ())),
        moments={name: (span[0], span[1]) for name, span in raw.get("moments", {}).items()},
        lines=tuple(Line(**line) for line in raw.get("lines", ())),
        sounds=tuple(Sound(**sound) for sound in raw.get("sounds", ())),
    )


def _element(raw: dict[str, Any], shots: Mapping[str, Shot]) -> Element:
    shown = raw.get("seen")
    shot = shots.get(raw.get("shot", ""))
    occurrence = (shot.at(shown[0]), min(shot.at(shown[1]), shot.end)) if shot and shown else None
    text = raw["text"]
    sentence = text if text.endswith((".", "!", "?")) else text.rstrip(",") + "."
    return Element(text, raw.get("spoken", sentence), tuple(raw["shorter"]), occurrence, raw.get("salience"))


def _reference(path: Path, shots: Mapping[str, Shot]) -> tuple[ReferenceCue, ...]:
    return tuple(
        ReferenceCue(
            start=shots[cue["shot"]].at(cue["at"]),
            end=shots[cue["shot"]].at(cue["at"] + cue["lasts"]),
            text=cue["text"],
        )
        for cue in _toml(path)["cues"]
    )
