"""A subtitle file as it was read: its cues, where each stands in the file, and everything odd about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.subtitles.source import Source

_ZERO = Fraction(0)


class SubtitleFormat(Enum):
    """The formats that are read."""

    SRT = "srt"
    VTT = "vtt"
    TTML = "ttml"
    ASS = "ass"

    @property
    def title(self) -> str:
        """The format's name as people write it."""
        return {"srt": "SRT", "vtt": "WebVTT", "ttml": "TTML", "ass": "ASS/SSA"}[self.value]


class Place(NamedTuple):
    """Where a cue and its parts stand in the decoded text, in characters; flat, since there is one for every cue.

    `base` is the time that the file counts this cue's times from, in milliseconds; `style` is the format's own.
    """

    first: int
    last: int
    start_from: int
    start_to: int
    end_from: int
    end_to: int
    text_from: int
    text_to: int
    base: Fraction = _ZERO
    style: str = ""

    @property
    def whole(self) -> tuple[int, int]:
        """From the cue's identifier to the end of its text."""
        return self.first, self.last

    @property
    def start(self) -> tuple[int, int]:
        """The first time; an empty range where it would be written."""
        return self.start_from, self.start_to

    @property
    def end(self) -> tuple[int, int]:
        """The second time."""
        return self.end_from, self.end_to

    @property
    def text(self) -> tuple[int, int]:
        """The words with their markup."""
        return self.text_from, self.text_to


class Voice(NamedTuple):
    """From which character of a cue's text a named speaker speaks."""

    name: str
    at: int


class Aside(NamedTuple):
    """Something in the file that is neither a cue nor a fault: a note, a style block, a drawing, a comment."""

    line: int
    what: str
    text: str


class SubtitleCue(NamedTuple):
    """One entry of a subtitle file (a tuple, since they are made by the ten thousand).

    `number` counts the cues of the file from 1; `line` is the line with its times; times are in milliseconds and stand
    as written, so `end` may be before `start`. `raw` is the text with its markup, `text` what a viewer reads.
    `identifier` is the file's own number or name for the cue, `settings` what follows the times.
    """

    number: int
    line: int
    start: int
    end: int
    raw: str
    text: str
    voices: tuple[Voice, ...]
    identifier: str
    settings: str
    place: Place

    @property
    def speaker(self) -> str | None:
        """Who speaks, where the file's markup names one speaker for the whole cue."""
        names = {voice.name for voice in self.voices}
        return self.voices[0].name if len(names) == 1 and self.voices[0].at == 0 else None


@dataclass(frozen=True, slots=True)
class CueEdit:
    """What is to be different about a cue: times in milliseconds, text as a viewer reads it; None stays as it is."""

    start: int | None = None
    end: int | None = None
    text: str | None = None


@dataclass(frozen=True)
class SubtitleFile:
    """What was read. `encoding` is what the bytes were read as, `guessed` whether nothing in the file said so.

    `oddities` holds everything that was mended or could not be used, by line; `asides` what is no cue and no fault.
    """

    name: str
    format: SubtitleFormat
    source: Source = field(repr=False)
    cues: tuple[SubtitleCue, ...]
    oddities: tuple[Oddity, ...]
    asides: tuple[Aside, ...]
    language: str | None

    @property
    def encoding(self) -> str:
        """The encoding's name."""
        return self.source.encoding

    @property
    def guessed(self) -> bool:
        """Whether the encoding is a guess."""
        return self.source.guessed

    def byte_range(self, number: int) -> tuple[int, int]:
        """Where the cue of that number stands in the file's bytes, from its identifier to the end of its text."""
        first, last = self.cues[number - 1].place.whole
        start, end = self.source.byte_offsets([first, last])
        return start, end
