"""What an imported script is found to be: lines that cannot be spoken as they are written, and times that are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.timebase import FrameRate, clock
from adstudio.script_files.finished import FinishedLine

_LISTED = 5
_LEAST_DIALOGUE = 3
"""Fewer lines may well say what the dialogue says."""


class Problem(Enum):
    """What is the matter with lines."""

    OUT_OF_ORDER = "out of order"
    BEFORE_FILM = "before the film"
    PAST_END = "past the end"
    NO_TIME = "no time"
    RUNS_PAST_END = "runs past the end"
    NO_LENGTH = "no length"
    """The file does not say when it ends, or what it says is no time to speak it in."""
    SHORTENED = "shortened"
    """As written it does not fit, and a shorter wording does."""
    CUT_SHORT = "cut short"
    """Its out time lies behind the next line's in time, and is taken to be that."""
    OVERLAPS_LINE = "overlaps a line"
    """Another one is spoken when it begins."""
    OVERLAPS_DIALOGUE = "overlaps dialogue"
    FILLS_GAP = "fills a gap"
    """Together with others it fills more of a gap than the project allows."""
    TOO_LONG = "too long"
    """Its text is longer than a line can be."""
    EXTENDED = "extended"


@dataclass(frozen=True)
class Finding:
    """Lines of the file with the same problem, in its order."""

    problem: Problem
    lines: tuple[FinishedLine, ...]


_MESSAGES = {
    Problem.OUT_OF_ORDER: "{count} out of order of time in the file: put in order",
    Problem.BEFORE_FILM: "{count} before the film’s first frame: in the project without a time",
    Problem.PAST_END: "{count} after the film’s end: in the project without a time",
    Problem.NO_TIME: "{count} without a time: in the project without one",
    Problem.RUNS_PAST_END: "{count} longer than the film: ended with it",
    Problem.NO_LENGTH: "{count} without an out time that leaves time to speak: as long as the text takes",
    Problem.SHORTENED: "{count} too long as written: spoken in a shorter wording that fits",
    Problem.CUT_SHORT: "{count} not ended when the next one starts: ended there",
    Problem.OVERLAPS_LINE: "{count} to be spoken while another one is: locked out, as only one of them can be",
    Problem.OVERLAPS_DIALOGUE: "{count} over dialogue, or outside of the gaps: locked there all the same",
    Problem.FILLS_GAP: "{count} in gaps that are filled further than the project allows: locked there all the same",
    Problem.TOO_LONG: "{count} too long for a project: cut, with as much of the rest as fits in the note",
    Problem.EXTENDED: "{count} spoken while the picture is held: marked as extended",
}


def finding_oddity(finding: Finding) -> Oddity:
    """A finding in words, with the first of its lines."""
    lines: Sequence[FinishedLine] = finding.lines
    if len(lines) == 1:
        count = "1 line is"
    else:
        shown = ", ".join(str(line.line) for line in lines[:_LISTED])
        count = f"{len(lines):,} lines ({shown}{' …' if len(lines) > _LISTED else ''}) are"
    return Oddity(_MESSAGES[finding.problem].format(count=count), lines[0].line)


def dialogue_oddity(said: Sequence[FinishedLine], lines: int) -> Oddity | None:
    """That so many of a script's lines are dialogue (`said`) that it must be another file; None where few are."""
    if len(said) < _LEAST_DIALOGUE or 2 * len(said) < lines:
        return None
    what = (
        f"{len(said):,} of {lines:,} lines say what the dialogue says at that time: this seems to be the film’s"
        " subtitles and not its audio description"
    )
    return Oddity(what, min(line.line for line in said))


class TimeFault(Enum):
    """How the times of a whole script are wrong."""

    START = "start"
    """They count from another timecode than the film's first frame."""
    RATE = "rate"
    """They are timecode of another rate."""
    SPEED = "speed"
    """They are of a version of the film that ran at another speed."""


@dataclass(frozen=True)
class TimeFix:
    """What would bring a script's times into the film: a start timecode or a rate, by the fault; and why."""

    fault: TimeFault
    value: str
    why: str


class ScriptTimesError(BadInputError):
    """The times of a script are not those of the film, and what would mend them."""

    def __init__(self, name: str, fix: TimeFix) -> None:
        super().__init__(f"{name}: {fix.why}")
        self.fix = fix
        self.option = f"--{fix.fault.value} {fix.value}"


def start_fix(offset: int, rate: FrameRate, first: int) -> TimeFix:
    """That times count from a full hour; `first` is where the first line would be then, in ms of the film."""
    label = f"{clock(offset)[:8]}{';' if rate.drop else ':'}00"
    at = f"{clock(first)[:8]}" if first >= 0 else f"{-first / 1000:g} s before the film"
    why = f"its times seem to count from {label}, by which the first line would be at {at}"
    return TimeFix(TimeFault.START, label, why)
