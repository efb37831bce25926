"""What an evaluation finds, for every report: the same values for the terminal, JSON, HTML and the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from adstudio.core.timebase import Span
from adstudio.evaluation.material import SequenceSource


class Measure(StrEnum):
    """The measures of the paper's tables, in the order of their columns (`docs/evaluation.md` defines them)."""

    GAP_CIDER = "gap-cider"
    GAP_METEOR = "gap-meteor"
    SODA_M = "soda-m"
    SODA_T = "soda-t"
    QEVAL = "qeval"
    QEVAL_T = "qeval-t"


Scores = Mapping[Measure, float]
"""Per cent. CIDEr's usual scale ends at ten, so that it is 1000 at most, as the paper prints it. A measure that does
not apply, as where a sequence has no reference, is not in it."""


class Unrealistic(StrEnum):
    """Why the realistic filter removes a description; the first that applies counts."""

    TOO_FAST = "too-fast"
    """300 words a minute or more."""
    OVER_DIALOGUE = "over-dialogue"
    """Not in a gap with a second's collar."""
    OVERLAPPING = "overlapping"
    """It begins before the one before it ends."""


@dataclass(frozen=True)
class FilterCounts:
    """What the realistic filter removed of a system's descriptions over all films, and how many there were."""

    total: int
    removed: Mapping[Unrealistic, int]
    faster_than_500: int = 0
    """Of those that are too fast, the ones faster than 500 words a minute."""


@dataclass(frozen=True)
class SequenceResult:
    """A system's scores in one sequence of one film."""

    film: str
    sequence: str
    scores: Scores


@dataclass(frozen=True)
class Selection:
    """What a plan speaks in one sequence: of how many items, and how many of them in wordings of each rate.

    A rate is in per cent of the full wording's words (100, 90 … 50); its items are more than none.
    """

    film: str
    sequence: str
    items: int
    variants: Mapping[int, int]

    @property
    def spoken(self) -> int:
        """How many items are spoken."""
        return sum(self.variants.values())


@dataclass(frozen=True)
class SystemResult:
    """A system's row: the mean over sequences within each film, then over films (paper, appendix B).

    `films` are the means by film. `intervals` are 95 % intervals of the mean by bootstrap over sequences. A row to
    which the realistic filter was applied says what that removed; where there is a row of the same system without the
    filter too, `unfiltered` is its name. `selections` are what a plan selects, none where the system is no plan.
    """

    name: str
    mean: Scores
    films: Mapping[str, Scores]
    sequences: tuple[SequenceResult, ...]
    intervals: Mapping[Measure, tuple[float, float]] = field(default_factory=dict[Measure, tuple[float, float]])
    filtered: FilterCounts | None = None
    unfiltered: str | None = None
    selections: tuple[Selection, ...] = ()


@dataclass(frozen=True)
class Significance:
    """The two-tailed paired permutation test of two systems over sequences: the difference is `one` − `other`."""

    one: str
    other: str
    measure: Measure
    difference: float
    p: float


@dataclass(frozen=True)
class GapComparison:
    """One gap with its descriptions: texts by reference and by system; a name that says nothing there is missing.

    `scores` are gap CIDEr and gap METEOR by system, empty where no reference has text.
    """

    film: str
    sequence: str
    gap: Span
    references: Mapping[str, str]
    systems: Mapping[str, str]
    scores: Mapping[str, Scores]


@dataclass(frozen=True)
class SystemAnswer:
    """What a model answers to a question from a system's descriptions, empty where it gives no answer.

    `source` is the time (ms) of the description that a right answer comes from, None where that is none or not known;
    `in_time`: it is less than τ from that of the reference.
    """

    given: str
    source: Span | None = None
    in_time: bool = False


@dataclass(frozen=True)
class QuestionResult:
    """One question of QEval with the answers by system; who was not asked is missing.

    `time` is that of the reference description from which it was made (ms), None where that is not known.
    """

    film: str
    sequence: str
    id: str
    question: str
    right: str
    time: Span | None
    answers: Mapping[str, SystemAnswer]


@dataclass(frozen=True)
class FilmFacts:
    """What a report says of a film: how many sequences it has and where they come from, and what was found odd.

    `language` is the tag of its descriptions' language, empty where it is not known.
    """

    name: str
    sequences: int
    sequence_source: SequenceSource
    references: tuple[str, ...]
    notes: tuple[str, ...] = ()
    language: str = ""


@dataclass(frozen=True)
class SequenceFacts:
    """What a sequence asks of a system, by which reports stratify.

    `free` is the narration time: milliseconds in gaps of a second or more. `seconds_to_proof` is the time until the
    paper's formulation was proven optimal, of the hardest of its scenes; None where it was not measured. Where it is
    not `proven`, that stopped at the limit.
    """

    film: str
    sequence: str
    span: Span
    free: int
    seconds_to_proof: float | None = None
    proven: bool = True


@dataclass(frozen=True)
class Evaluation:
    """The whole result, with its rows in the order in which the systems were given."""

    films: tuple[FilmFacts, ...]
    systems: tuple[SystemResult, ...]
    significance: tuple[Significance, ...]
    gaps: tuple[GapComparison, ...]
    notes: tuple[str, ...] = ()
    """What applies to the whole run: measures that were not computed and why, few sequences."""
    sequences: tuple[SequenceFacts, ...] = ()
    """All sequences of all films, in order; none where nobody stratifies."""
    questions: tuple[QuestionResult, ...] = ()
    """All questions that a model answered, those of a sequence side by side."""
    day: str = ""
    """The day of the run (ISO 8601), empty where it does not matter."""
