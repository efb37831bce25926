"""A film's own data, and the files that it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from adstudio.core.timebase import RATES, FrameRate


@dataclass(frozen=True)
class SourceFile:
    """A file that a film is made of: its location, absolute and relative to the project's folder, and its content.

    `fingerprint` identifies the content; it is empty if only a name is known, as in older projects.
    """

    path: str
    relative_path: str
    size: int
    fingerprint: str


@dataclass(frozen=True)
class Media(SourceFile):
    """A project's video and its measured properties; `duration` is in milliseconds, by presentation timestamps.

    `sound_track` is the number of the sound track that the describer chose, counted from 1; None where the program
    chooses.
    """

    duration: int
    rate: Fraction | None = None
    variable_rate: bool = False
    has_audio: bool = False
    width: int = 0
    height: int = 0
    sound_track: int | None = None


@dataclass(frozen=True)
class Film:
    """The programme. `end` is its length in milliseconds, `start_timecode` the timecode of its first frame.

    `other_sources` are the descriptions and candidates that it was drafted from, and former screenplays and subtitles.
    """

    title: str
    end: int
    language: str = "en"
    frame_rate: FrameRate = RATES["25"]
    start_timecode: str = ""
    media: Media | None = None
    subtitles: SourceFile | None = None
    encoding: str = ""
    screenplay: SourceFile | None = None
    other_sources: tuple[SourceFile, ...] = ()

    def timecode(self, ms: int) -> str:
        """A time in the film, as people read it."""
        return self.frame_rate.label(ms, start=self.start_timecode)
