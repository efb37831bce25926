"""The rules of quality control: their stable ids, their sources, and which of a house's values they use."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How grave a finding is, the gravest first: an error is not handed in, a warning is looked at."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    """Permitted: the describer has said so."""


@dataclass(frozen=True)
class Rule:
    """A rule: its stable id, its title, who says so, how grave a breach is, and the names of the values it uses."""

    id: str
    title: str
    source: str
    level: Level
    values: tuple[str, ...] = ()


PROPOSAL = "proposal"
_DIALOGUE = (
    "ITC Guidance on Standards for Audio Description, 2000; Netflix Audio Description Style Guide v2.5 (second-hand); "
    "W3C, WCAG 3 draft"
)

TOO_LONG = Rule("T1", "Takes longer to speak than it has", PROPOSAL, Level.ERROR, ("length_tolerance",))
TOO_FAST = Rule(
    "T2",
    "Spoken too fast",
    "W3C, WCAG 3, an example of a style guide, since removed: less than 3 words a second",
    Level.WARNING,
    ("most_words_per_minute", "least_rated_words"),
)
OVER_DIALOGUE = Rule("T3", "Overlaps dialogue", _DIALOGUE, Level.ERROR)
NEAR_DIALOGUE = Rule(
    "T4",
    "Too close to dialogue",
    "ITC Guidance on Standards for Audio Description, 2000",
    Level.WARNING,
    ("collar_before", "collar_after"),
)
WRONG_PLACE = Rule("T5", "Overlapping, out of order, or outside the film", PROPOSAL, Level.ERROR)
SHORT_GAP = Rule("T6", "In too short a gap", "W3C, Techniques for WCAG 2, Failure F113", Level.WARNING, ("least_gap",))
OFFSET = Rule("T8", "All lines are late by the same time", "Amazon Video Central, audio delivery", Level.ERROR)
ESTIMATED = Rule("T9", "Lengths are only estimated", PROPOSAL, Level.WARNING)
EARLY_NAME = Rule(
    "N1",
    "Name used before dialogue introduces it",
    "Netflix Audio Description Style Guide v2.5 (second-hand); ACB Audio Description Project, Standards (second-hand)",
    Level.WARNING,
    ("names_after_introduction",),
)
NEVER_NAMED = Rule(
    "N4",
    "Seen, but never said who",
    "Audio description guidelines of ARD, ORF, SRF, ZDF and others; DCMP Description Tip Sheet (second-hand)",
    Level.WARNING,
)
UNSEEN = Rule("P1", "Written by a machine, and nobody has seen it", PROPOSAL, Level.ERROR)
MID_SENTENCE = Rule("W1", "Begins in the middle of a sentence", PROPOSAL, Level.WARNING)

RULES = (
    TOO_LONG,
    TOO_FAST,
    OVER_DIALOGUE,
    NEAR_DIALOGUE,
    WRONG_PLACE,
    SHORT_GAP,
    OFFSET,
    ESTIMATED,
    EARLY_NAME,
    NEVER_NAMED,
    UNSEEN,
    MID_SENTENCE,
)
"""All rules, in the order of their ids."""
