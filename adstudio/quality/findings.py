"""What the rules of quality control find: typed facts, no sentences. All times are milliseconds of the film."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from adstudio.core.narration import LengthSource
from adstudio.core.timebase import Span
from adstudio.quality.rules import Level, Rule


@dataclass(frozen=True)
class TooLong:
    """T1: how long the line takes to speak (ms), from what that is known, and how long it was planned to take."""

    spoken: int
    source: LengthSource
    planned: int


@dataclass(frozen=True)
class TooFast:
    """T2: so many words in so many ms, and the most words per minute.

    With `overall` these are the words and the length of all lines that are judged: the narration as a whole is too
    fast, and the finding's lines are those above the limit.
    """

    words: int
    length: int
    most: int
    source: LengthSource
    overall: bool = False


class Occupied(Enum):
    """What a line overlaps."""

    DIALOGUE = "dialogue"
    SILENCE = "silence"
    """Kept free by the describer."""


@dataclass(frozen=True)
class Overlap:
    """T3: by how many ms it overlaps what, the first cue or silence of it (id), and whether that is allowed."""

    by: int
    what: Occupied
    first: str
    allowed: bool


class Side(Enum):
    """On which side of a line the dialogue is."""

    BEFORE = "before"
    """The line ends before it."""
    AFTER = "after"
    """The line starts after it."""


@dataclass(frozen=True)
class Near:
    """T4: how far the dialogue on that side is (its cue by id), the least that is asked, and whether it is allowed."""

    side: Side
    distance: int
    least: int
    cue: str
    allowed: bool


class Misplacement(Enum):
    """T5: what is wrong with where a line is."""

    OVERLAP = "overlap"
    """It starts before the line before it, the finding's first, has ended."""
    ORDER = "order"
    """It is spoken after a line, the finding's first, that it precedes in the script."""
    TWICE = "twice"
    """It is spoken twice, or two lines have its id."""
    LOCKS = "locks"
    """It is left out, or spoken otherwise than locked, because its locks conflict with others."""
    RULE = "rule"
    """A rule of the lines is not kept, because it conflicts with locks."""
    NO_DURATION = "no duration"
    BEFORE_FILM = "before the film"
    AFTER_FILM = "after the film"


@dataclass(frozen=True)
class Misplaced:
    """T5: what is wrong, and by how many ms where that is a matter of time."""

    what: Misplacement
    by: int = 0


@dataclass(frozen=True)
class ShortGap:
    """T6: the gap that the lines are in, the least length of one, and whether the describer asked for it."""

    gap: Span
    least: int
    allowed: bool


@dataclass(frozen=True)
class Offset:
    """T8: taken back by so many ms all lines would be in the film; whether that is the film's start timecode."""

    by: int
    from_timecode: bool


@dataclass(frozen=True)
class Estimated:
    """T9: of so many spoken lines, the lengths of the finding's are estimated from their words: there is no voice."""

    of: int


@dataclass(frozen=True)
class EarlyName:
    """N1: a name as it is in the lines, when the first of them uses it, and the cue (id) in which it is first said.

    `cue` is empty where the describer set from when on the name may be said.
    """

    name: str
    used: int
    cue: str
    introduced: int


@dataclass(frozen=True)
class NeverNamed:
    """N4: the name of a character who is first seen at that time, and whom so many lines only describe."""

    name: str
    seen: int
    described: int


@dataclass(frozen=True)
class Unseen:
    """P1: of so many spoken lines, those of the finding were written by a machine and seen by nobody."""

    of: int


@dataclass(frozen=True)
class MidSentence:
    """W1: the line goes on with a sentence, but that of the line spoken before it has ended.

    `before` is that line's id; "" where it is the first one of its scene.
    """

    before: str


Facts = (
    TooLong
    | TooFast
    | Overlap
    | Near
    | Misplaced
    | ShortGap
    | Offset
    | Estimated
    | EarlyName
    | NeverNamed
    | Unseen
    | MidSentence
)


@dataclass(frozen=True)
class Finding:
    """Something that a rule found: the lines (ids) that it is about, and where to look."""

    rule: Rule
    level: Level
    lines: tuple[str, ...]
    span: Span
    facts: Facts
