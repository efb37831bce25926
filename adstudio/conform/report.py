"""What became of a project's lines, scenes, silences, openings and dialogue when it was conformed to a new cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from adstudio.conform.time_map import TimeMap
from adstudio.core.film import Film
from adstudio.core.script import Eventuality, Opening, Rules, Scene, Silence
from adstudio.core.timebase import Span


class LineFate(Enum):
    """What became of a line."""

    SAME = "same"
    """It is where it was."""
    SHIFTED = "shifted"
    """It is earlier or later, with the film around it."""
    MOVED = "moved"
    """It went with film that is elsewhere now."""
    GONE = "gone"
    """The film that it describes was removed; it is left in the project, locked out."""
    UNPLACED = "unplaced"
    """It had no place in the film before, and has none now."""


class Loss(Enum):
    """What of a line could not follow."""

    PART_OF_ACTION = "part of its action was removed, or is elsewhere now"
    START_LOCK = "its time was locked in film that was removed: the time is no longer locked"
    FAR_LOCK = "its locked time is too far from its action now: the time is no longer locked"
    LIMITS = "its time limits were in film that was removed: it has none now"


@dataclass(frozen=True)
class LineReport:
    """A line and what became of it: its action, or locked start, in the former and in the new cut.

    `unsure`: a cut may lie elsewhere, so that its time has to be looked at.
    """

    line: Eventuality
    fate: LineFate
    old: Span | None
    new: Span | None
    unsure: bool = False
    losses: tuple[Loss, ...] = ()

    @property
    def needs_attention(self) -> bool:
        """Whether somebody should look at it."""
        return self.fate is LineFate.GONE or self.unsure or bool(self.losses)


@dataclass(frozen=True)
class DialogueReport:
    """How many cues are in both cuts, and how many of these are worded otherwise; how many came and went."""

    shared: int = 0
    reworded: int = 0
    added: int = 0
    removed: int = 0


@dataclass(frozen=True)
class ConformReport:
    """All of it. `before` and `after` are the film as it was and is.

    `reopened` scenes were reviewed and have changed; of `gone` scenes, silences and openings no film is left. `added`
    are scenes for film that came. `rules` are those that named lines that are gone.
    """

    time_map: TimeMap
    before: Film
    after: Film
    lines: tuple[LineReport, ...]
    dialogue: DialogueReport
    reopened: tuple[Scene, ...] = ()
    added: tuple[Scene, ...] = ()
    gone: tuple[Scene | Silence | Opening, ...] = ()
    rules: Rules = Rules()

    def of(self, *fates: LineFate) -> tuple[LineReport, ...]:
        """The lines of these fates."""
        return tuple(line for line in self.lines if line.fate in fates)

    @property
    def attention(self) -> Sequence[LineReport]:
        """The lines that somebody should look at."""
        return [line for line in self.lines if line.needs_attention]
