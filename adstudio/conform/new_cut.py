"""A new cut of a film: what is given of it, what it is compared with, and what that shows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adstudio.conform.conforming import Conformed, conformed
from adstudio.conform.matching import CutMatch
from adstudio.core.errors import Oddity
from adstudio.core.film import Film
from adstudio.core.script import Cue, Script
from adstudio.core.timebase import FrameRate
from adstudio.editing.ids import Ids


@dataclass(frozen=True)
class NewCutRequest:
    """The files of a new cut; at least one of film and subtitles.

    `encoding` and `frame_rate` are those of the subtitles where a guess would be wrong; `start_timecode` is that of the
    new film's first frame, None if it is the project's.
    """

    film: Path | None = None
    subtitles: Path | None = None
    encoding: str | None = None
    frame_rate: FrameRate | None = None
    start_timecode: str | None = None


@dataclass(frozen=True)
class FormerCut:
    """What a new cut is compared with: a project's film, its dialogue, and when its scenes change (ms)."""

    film: Film
    cues: tuple[Cue, ...] = ()
    changes: tuple[int, ...] = ()

    @classmethod
    def of(cls, script: Script) -> FormerCut:
        """That of a script."""
        changes = {time for scene in script.scenes for time in (scene.span.start, scene.span.end)}
        return cls(script.film, script.cues, tuple(sorted(changes)))


@dataclass(frozen=True)
class NewCut:
    """A new cut that was compared with the project's film: film and dialogue (None: not given), and what was odd."""

    film: Film
    cues: tuple[Cue, ...] | None
    match: CutMatch
    oddities: tuple[tuple[str, Oddity], ...] = ()

    def conformed(self, script: Script, ids: Ids) -> Conformed:
        """The script brought to it; the script has the film that was compared."""
        return conformed(script, self.match.time_map, self.film, self.cues, ids)
