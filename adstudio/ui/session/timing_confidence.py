"""How sure it is when a line happens, in a word: the one place where figures of a draft become levels.

A draft's confidence is the chance that the middle of an occurrence is right within five seconds
(`drafting.text.ground.ground`), so a level can be said plainly: “sure” is right at least seven times in ten,
“likely” is more often right than wrong, “a guess” is not. What order alone places in a screenplay has 450 at most and
so is always a guess; prose without times has the share of all ways to lay it (`drafting.text.ground.placing`).
"""

from __future__ import annotations

from enum import Enum

from adstudio.core.counts import percent
from adstudio.core.provenance import provenance_text
from adstudio.core.script import Eventuality

SURE_FROM = 700
"""Thousandths."""
LIKELY_FROM = 500


class TimingConfidence(Enum):
    """How sure a machine is of an occurrence; of what a person said, or nobody estimated, there is none."""

    SURE = "sure"
    LIKELY = "likely"
    GUESS = "a guess"
    NOWHERE = "not placed"


_LEVELS = (TimingConfidence.SURE, TimingConfidence.LIKELY, TimingConfidence.GUESS)


def timing_confidence(line: Eventuality) -> TimingConfidence | None:
    """The level of a line; None where a person said when it happens, or put it where it is spoken without that."""
    if line.occurrence is None:
        return None if line.pin.override and line.pin.start is not None else TimingConfidence.NOWHERE
    return None if line.confidence is None else _LEVELS[doubt(line.confidence)]


def doubt(confidence: int | None) -> int:
    """The level as a number: 0 nobody need look, 1 likely, 2 a guess."""
    if confidence is None or confidence >= SURE_FROM:
        return 0
    return 1 if confidence >= LIKELY_FROM else 2


def unsure(line: Eventuality) -> bool:
    """Whether somebody should look when it happens: what the timeline marks, or cannot show at all."""
    return timing_confidence(line) not in {None, TimingConfidence.SURE}


def confidence_words(line: Eventuality) -> str:
    """The level with its figure: “a guess (31 %)”; empty where there is none."""
    level = timing_confidence(line)
    if level is None or level is TimingConfidence.NOWHERE or line.confidence is None:
        return "" if level is None else level.value
    return f"{level.value} ({percent(line.confidence / 1000)})"


def drafted_words(line: Eventuality) -> str:
    """The level and what the line was drafted from: “a guess (31 %) · from screenplay line 123”."""
    source = provenance_text(line.provenance)
    if line.provenance.drafted is not None:
        source = f"from {source}"
    return " · ".join(part for part in (confidence_words(line), source) if part)
