"""A parsed subtitle file: its cues, and all problems found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from adstudio.core.errors import Oddity
from adstudio.core.script import CueKind


class SubtitleFormat(Enum):
    """The supported formats."""

    SRT = "srt"
    VTT = "vtt"
    TTML = "ttml"
    ASS = "ass"

    @property
    def title(self) -> str:
        """The format's usual name."""
        return {"srt": "SRT", "vtt": "WebVTT", "ttml": "TTML", "ass": "ASS/SSA"}[self.value]


class TrackKind(Enum):
    """The kinds of text tracks that HTML has, and the thumbnails of players; subtitles and captions are dialogue.

    Source: HTML Living Standard, section 4.8.11, `kind` of the `track` element.
    """

    DIALOGUE = "dialogue"
    DESCRIPTIONS = "audio descriptions"
    CHAPTERS = "chapters"
    METADATA = "metadata"
    THUMBNAILS = "thumbnails"


class Voice(NamedTuple):
    """A named speaker, and the offset in the cue's text from which they speak."""

    name: str
    at: int


class SubtitleCue(NamedTuple):
    """One entry of a subtitle file (a tuple, since there are tens of thousands). Times are in milliseconds."""

    number: int
    """From 1, in the order of the file."""
    line: int
    """The line with its times."""
    start: int
    end: int
    """As written, so it may be before `start`."""
    text: str
    """The text as a viewer reads it."""
    voices: tuple[Voice, ...]
    kind: CueKind | None = None
    """What the markup says that it is; None if only its text can say so."""

    @property
    def speaker(self) -> str | None:
        """The speaker, if the markup names one for the whole cue."""
        names = {voice.name for voice in self.voices}
        return self.voices[0].name if len(names) == 1 and self.voices[0].at == 0 else None


@dataclass(frozen=True)
class SubtitleFile:
    """A parsed file. `oddities` lists everything that was repaired or ignored, by line.

    `guessed`: the encoding is a guess, because the file does not declare it, or wrongly. `track` is what the file is
    for, by its header, its cues or its name. `signs` is how many entries were left out as text in the picture,
    `how_read` in which encoding a file without cues was read, and what to try, as a clause.
    """

    format: SubtitleFormat
    encoding: str
    guessed: bool
    cues: tuple[SubtitleCue, ...]
    oddities: tuple[Oddity, ...]
    language: str | None
    track: TrackKind = TrackKind.DIALOGUE
    signs: int = 0
    how_read: str = ""
