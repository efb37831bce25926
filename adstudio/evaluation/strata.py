"""Sequences of like difficulty or like narration time, as the paper stratifies (its table of solve times)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from adstudio.evaluation.results import Evaluation, Measure, Scores, Selection, SequenceFacts, SystemResult

PROOF_BOUNDS = (0.1, 1.0, 10.0, 60.0)
"""Seconds to proof that separate the strata of difficulty: the paper's."""
FREE_BOUNDS = (5_000, 10_000, 20_000, 40_000, 80_000)
"""Milliseconds of narration time that separate its strata: the paper's."""


@dataclass(frozen=True)
class SelectionTotals:
    """What a plan selects of several sequences: the items, and the spoken ones by the rate of their wording."""

    items: int
    variants: Mapping[int, int]

    @property
    def spoken(self) -> int:
        """How many items are spoken."""
        return sum(self.variants.values())

    @property
    def share(self) -> float:
        """Per cent of the items that are spoken; 0 where there are none."""
        return 100 * self.spoken / self.items if self.items else 0.0


@dataclass(frozen=True)
class Stratum:
    """Some of the sequences, with the systems' means over them, and what plans select of them, by system.

    `low` is the bound that they reach and `high` the one that they do not, None where there is none: seconds to proof
    or milliseconds of narration time. Those that were not proven within the limit are a stratum without bounds. A mean
    is over the sequences in which a measure applies, whatever their films (unlike a row's mean).
    """

    low: float | None
    high: float | None
    sequences: int
    scores: Mapping[str, Scores]
    selections: Mapping[str, SelectionTotals]


def difficulty_strata(evaluation: Evaluation) -> tuple[Stratum, ...]:
    """The sequences by their time to proof, the easiest first; those not measured are in none. None is empty."""
    measured = [facts for facts in evaluation.sequences if facts.seconds_to_proof is not None]
    proven = [(facts.seconds_to_proof or 0.0, facts) for facts in measured if facts.proven]
    unproven = [facts for facts in measured if not facts.proven]
    strata = _strata(evaluation, proven, PROOF_BOUNDS)
    return (*strata, *((_stratum(evaluation, unproven),) if unproven else ()))


def narration_strata(evaluation: Evaluation) -> tuple[Stratum, ...]:
    """The sequences by their narration time, the shortest first. None is empty."""
    return _strata(evaluation, [(facts.free, facts) for facts in evaluation.sequences], FREE_BOUNDS)


def selection_totals(selections: Iterable[Selection]) -> SelectionTotals:
    """What a plan selects of all these sequences."""
    items, variants = 0, dict[int, int]()
    for each in selections:
        items += each.items
        for rate, lines in each.variants.items():
            variants[rate] = variants.get(rate, 0) + lines
    return SelectionTotals(items, dict(sorted(variants.items(), reverse=True)))


def _strata(
    evaluation: Evaluation, values: Sequence[tuple[float, SequenceFacts]], bounds: Sequence[float]
) -> tuple[Stratum, ...]:
    edges = (None, *bounds, None)
    found: list[Stratum] = []
    for low, high in pairwise(edges):
        inside = [facts for value, facts in values if (low is None or low <= value) and (high is None or value < high)]
        if inside:
            found.append(_stratum(evaluation, inside, low, high))
    return tuple(found)


def _stratum(
    evaluation: Evaluation, facts: Sequence[SequenceFacts], low: float | None = None, high: float | None = None
) -> Stratum:
    keys = {(each.film, each.sequence) for each in facts}
    scores: dict[str, Scores] = {}
    selections: dict[str, SelectionTotals] = {}
    for system in evaluation.systems:
        scores[system.name] = _mean(system, keys)
        selected = [each for each in system.selections if (each.film, each.sequence) in keys]
        if selected:
            selections[system.name] = selection_totals(selected)
    return Stratum(low, high, len(facts), scores, selections)


def _mean(system: SystemResult, keys: set[tuple[str, str]]) -> Scores:
    """The means over the sequences with these films and names, of each measure where it applies."""
    inside = [each.scores for each in system.sequences if (each.film, each.sequence) in keys]
    values = {measure: [scores[measure] for scores in inside if measure in scores] for measure in Measure}
    return {measure: sum(each) / len(each) for measure, each in values.items() if each}
