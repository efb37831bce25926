"""A DAPT script as values: what is written to a document, and read from one."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Duck:
    """How far the programme is down under an event, in tenths of a dB, and from when until when, in ms.

    `before` and `after` is how long it is lowered beside the words: there it goes down and comes up, unless it `starts`
    or `stays` down there, between two events that follow each other closely.
    """

    depth: int
    before: int = 0
    after: int = 0
    starts: bool = False
    stays: bool = False


@dataclass(frozen=True)
class ScriptEvent:
    """A Script Event with its text.

    Times are milliseconds of the programme, and those in which the text is spoken: what the duck takes is beside them.
    `end` is None where the document has none. `language` and `language_source` are tags, empty where they are those of
    the script. `represents` is a content descriptor. `description` is for people, `scene` names a scene; `voice` is who
    speaks. `speed` is one of `tta:speak`, empty where it is not spoken by a machine, and `pitch` is in per cent above
    or below the voice's own. `recording` is the address (URI) of a sound file in which the text is spoken, empty
    without one. `line` is where it is in the file it was read from, and is not compared.
    """

    id: str
    text: str
    start: int
    end: int | None
    represents: str
    language: str = ""
    language_source: str = ""
    description: str = ""
    pronunciations: tuple[str, ...] = ()
    scene: str = ""
    voice: str = ""
    speed: str = ""
    pitch: int = 0
    duck: Duck | None = None
    recording: str = ""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class DaptScript:
    """A script. `language` is a tag; `represents` are content descriptors that those of the events are part of.

    `origin` is the timecode of time zero, empty if it has none, and `frame_rate` what its frames are counted at: frames
    a second, and their multiplier as numerator and denominator.
    """

    language: str
    events: tuple[ScriptEvent, ...] = ()
    represents: tuple[str, ...] = ("visual",)
    language_source: str = ""
    script_type: str = "preRecording"
    title: str = ""
    origin: str = ""
    frame_rate: tuple[int, int, int] | None = None
