"""A run beside an earlier one: what became of each system that both have, over the sequences that both have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from adstudio.evaluation.means import film_counts
from adstudio.evaluation.results import Evaluation, Measure, Scores, SystemResult
from adstudio.evaluation.significance import permutation_p, weights

_Key = tuple[str, str]
"""The names of a film and of a sequence in it."""


@dataclass(frozen=True)
class Change:
    """A system's mean by one measure in both runs, over the sequences that have it in both; `p` as between systems.

    The means are over sequences and then films, and differ from those of a run where it has other sequences too.
    """

    system: str
    measure: Measure
    before: float
    after: float
    p: float
    sequences: int

    @property
    def difference(self) -> float:
        """How much higher the later mean is."""
        return self.after - self.before


@dataclass(frozen=True)
class RunComparison:
    """What changed since an earlier run, system by system in the order of the later one.

    `gone` and `added` are the systems that only the earlier or only the later run has. `lacking` are the films with
    other references or sequences than before, whose numbers are not to be compared as they are.
    """

    earlier: str
    changes: tuple[Change, ...]
    gone: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


def compare_runs(earlier: Evaluation, later: Evaluation, name: str) -> RunComparison:
    """Compare two runs; `name` is what the earlier one is called."""
    before = {system.name: system for system in earlier.systems}
    after = {system.name: system for system in later.systems}
    return RunComparison(
        earlier=name,
        changes=tuple(each for one, system in after.items() if one in before for each in _changes(before[one], system)),
        gone=tuple(one for one in before if one not in after),
        added=tuple(one for one in after if one not in before),
        lacking=tuple(_lacking(earlier, later)),
    )


def _changes(before: SystemResult, after: SystemResult) -> Iterator[Change]:
    old, new = _by_key(before), _by_key(after)
    for measure in Measure:
        shared = [key for key, scores in new.items() if measure in scores and measure in old.get(key, {})]
        if not shared:
            continue
        counts = film_counts(shared)
        values = np.array([[old[key][measure], new[key][measure]] for key in shared])
        first, second = (float(mean) for mean in weights(counts) @ values)
        (p,) = permutation_p(values[:, 1:] - values[:, :1], counts)
        yield Change(after.name, measure, first, second, float(p), len(shared))


def _by_key(system: SystemResult) -> dict[_Key, Scores]:
    """The scores by sequence, the sequences of a film side by side."""
    by_film: dict[str, dict[_Key, Scores]] = {}
    for each in system.sequences:
        by_film.setdefault(each.film, {})[each.film, each.sequence] = each.scores
    return {key: scores for of_film in by_film.values() for key, scores in of_film.items()}


def _lacking(earlier: Evaluation, later: Evaluation) -> Iterator[str]:
    before = {film.name: (film.sequences, film.sequence_source, film.references) for film in earlier.films}
    spans = _spans(earlier), _spans(later)
    for film in later.films:
        now = film.sequences, film.sequence_source, film.references
        old, new = (each.get(film.name, {}) for each in spans)
        if film.name in before and (before[film.name] != now or (old and new and old != new)):
            yield film.name


def _spans(found: Evaluation) -> dict[str, dict[str, tuple[int, int]]]:
    spans: dict[str, dict[str, tuple[int, int]]] = {}
    for each in found.sequences:
        spans.setdefault(each.film, {})[each.sequence] = each.span.start, each.span.end
    return spans
