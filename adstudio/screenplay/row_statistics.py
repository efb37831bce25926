"""What a file's own rows say of its layout: columns, widths, empty rows and words of speech and of action.

The counts are of the rows as they are classified so far; few are needed before they outweigh what is usual.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

from adstudio.screenplay.line_kinds import Cue
from adstudio.screenplay.page_rows import Row
from adstudio.screenplay.terms import ACTION_WORDS, SPEECH_WORDS

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[?!]")
_ROUGH = 1.0
_SMOOTHED = ((-1, 0.2), (0, 1.0), (1, 0.2))
_WIDTH_QUANTILE = 0.98
_WORD_PRIOR = 1.0
_MOST_BY_WORDS = 5.0
_WORDS_DAMPED = 0.6
_SLACK = 1
_PRIOR_COUNT = 3.0


class Kind(IntEnum):
    """What a row is."""

    HEADING = 0
    ACTION = 1
    NAME = 2
    ASIDE = 3
    SPEECH = 4
    TRANSITION = 5


@dataclass(frozen=True, slots=True)
class Read:
    """A row with all that is asked of it again and again.

    `kinds`: what its form allows. `name`: the character's name, if its form is that of one. `spoken`: the share of its
    words that the film's subtitles have in the same order, negative if there are none to compare.
    """

    row: Row
    kinds: tuple[Kind, ...]
    name: Cue | None = None
    spoken: float = -1.0
    words: tuple[str, ...] = ()
    first_word: int = 0
    length: int = 0

    @property
    def left(self) -> int:
        """The column, rounded."""
        return round(self.row.left)

    @property
    def centre(self) -> int:
        """The column of the row's middle, rounded."""
        return round(self.row.left + self.length / 2)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a row and its question and exclamation marks, in small letters."""
    return tuple(word.casefold().replace("’", "'") for word in _WORD.findall(text))


def _usual_steps() -> dict[tuple[Kind, Kind], tuple[float, float]]:
    """How often one kind follows another, and how often with an empty row between them, before anything is counted."""
    heading, action, name, aside, speech, transition = Kind
    return {
        (heading, action): (0.75, 0.9),
        (heading, name): (0.18, 0.9),
        (heading, heading): (0.03, 0.6),
        (heading, transition): (0.02, 0.9),
        (action, action): (0.55, 0.4),
        (action, name): (0.25, 0.9),
        (action, heading): (0.12, 0.95),
        (action, transition): (0.05, 0.9),
        (name, speech): (0.85, 0.05),
        (name, aside): (0.15, 0.05),
        (aside, speech): (0.93, 0.05),
        (aside, aside): (0.04, 0.03),
        (aside, name): (0.01, 0.9),
        (aside, action): (0.01, 0.9),
        (speech, speech): (0.42, 0.05),
        (speech, name): (0.25, 0.9),
        (speech, action): (0.22, 0.9),
        (speech, heading): (0.05, 0.95),
        (speech, aside): (0.03, 0.03),
        (speech, transition): (0.03, 0.9),
        (transition, heading): (0.8, 0.95),
        (transition, action): (0.14, 0.9),
        (transition, name): (0.03, 0.9),
        (transition, transition): (0.03, 0.9),
    }


USUAL = _usual_steps()


@dataclass
class Statistics:
    """Counts over rows of which the kind is taken as known."""

    columns: dict[Kind, Counter[int]] = field(default_factory=lambda: {kind: Counter() for kind in Kind})
    centres: Counter[int] = field(default_factory=Counter[int])
    lengths: dict[Kind, list[int]] = field(default_factory=lambda: {kind: [] for kind in Kind})
    words: dict[Kind, Counter[str]] = field(default_factory=lambda: {kind: Counter() for kind in Kind})
    steps: Counter[tuple[Kind, Kind]] = field(default_factory=Counter[tuple[Kind, Kind]])
    gaps: Counter[tuple[Kind, Kind]] = field(default_factory=Counter[tuple[Kind, Kind]])
    sure_gaps: Counter[tuple[Kind, Kind]] = field(default_factory=Counter[tuple[Kind, Kind]])

    def count(self, rows: Sequence[Read], kinds: Sequence[Kind | None]) -> None:
        """Count rows of known kinds; None is one that is not known."""
        before: tuple[Read, Kind] | None = None
        for read, kind in zip(rows, kinds, strict=True):
            if kind is None:
                before = None
                continue
            self.columns[kind][read.left] += 1
            self.lengths[kind].append(read.length)
            if kind is Kind.NAME:
                self.centres[read.centre] += 1
            self.words[kind].update(set(read.words))
            if before is not None:
                step = before[1], kind
                self.steps[step] += 1
                if not read.row.breaks:
                    self.sure_gaps[step] += 1
                    self.gaps[step] += read.row.gap
            before = read, kind

    @cached_property
    def widths(self) -> dict[Kind, int]:
        """How many characters a full row of speech and of action has; a very large number if rows are not broken."""
        return {kind: self._width(kind) for kind in (Kind.ACTION, Kind.SPEECH)}

    def _width(self, kind: Kind) -> int:
        ordered = sorted(self.lengths[kind])
        return ordered[int(_WIDTH_QUANTILE * (len(ordered) - 1))] if len(ordered) > 5 else 10**6

    def column(self, read: Read, kind: Kind) -> float:
        """The logarithm of how likely a row of this kind is in this column; names may share a middle instead."""
        by_left = _smoothed(self.columns[kind], read.left)
        if kind is Kind.NAME:
            by_left = max(by_left, _smoothed(self.centres, read.centre))
        return by_left

    def step(self, before: Kind, kind: Kind, read: Read) -> float:
        """The logarithm of how likely this kind follows that one, with or without an empty row, as it is."""
        usual = USUAL.get((before, kind))
        if usual is None:
            return -math.inf
        share, gap = usual
        value = math.log(share)
        if not read.row.breaks:
            of, count = self.sure_gaps[before, kind], self.gaps[before, kind]
            probability = (count + _PRIOR_COUNT * gap) / (of + _PRIOR_COUNT)
            value += math.log(max(0.004, probability if read.row.gap else 1 - probability))
        return value

    def said(self, read: Read) -> float:
        """The logarithm of the odds that a row's words are speech and not action."""
        return max(-_MOST_BY_WORDS, min(_MOST_BY_WORDS, _WORDS_DAMPED * sum(map(self._word, set(read.words)))))

    def _word(self, word: str) -> float:
        cached = self._odds.get(word)
        if cached is None:
            speech = self.words[Kind.SPEECH][word] + _WORD_PRIOR * self._base_rate[0]
            action = self.words[Kind.ACTION][word] + _WORD_PRIOR * self._base_rate[1]
            speech += 2.0 * (word in SPEECH_WORDS)
            action += 2.0 * (word in ACTION_WORDS)
            cached = math.log(speech / (self._totals[0] + 20)) - math.log(action / (self._totals[1] + 20))
            self._odds[word] = cached
        return cached

    @cached_property
    def _odds(self) -> dict[str, float]:
        return {}

    @cached_property
    def _totals(self) -> tuple[float, float]:
        return self.words[Kind.SPEECH].total() + 1.0, self.words[Kind.ACTION].total() + 1.0

    @cached_property
    def _base_rate(self) -> tuple[float, float]:
        whole = sum(self._totals)
        return 2 * self._totals[0] / whole, 2 * self._totals[1] / whole


def fills(above: Read, below: Read, width: int) -> bool:
    """Whether the first word of the row below would not have fitted behind the row above."""
    return above.length + 1 + below.first_word > width - _SLACK


def _smoothed(counts: Counter[int], at: int) -> float:
    total = counts.total()
    near = sum(weight * counts[at + by] for by, weight in _SMOOTHED)
    return math.log((near + 0.05 * _ROUGH) / (1.2 * total + _ROUGH))
