"""From scores by sequence to a system's row, its intervals, and its comparison with every other system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from adstudio.evaluation.results import FilterCounts, Measure, Scores, SequenceResult, Significance, SystemResult
from adstudio.evaluation.significance import ALPHA, intervals, least_p, permutation_p, weights

Places = Sequence[tuple[str, str]]
"""The sequences of the run in order, film by film: the names of film and sequence."""
ScoresBySystem = Mapping[str, Mapping[int, Scores]]
"""By the name of each system and the number of each sequence of whose film it has a transcript."""


def rows(places: Places, scores: ScoresBySystem, counts: Mapping[str, FilterCounts]) -> Iterator[SystemResult]:
    """The row of each system; `counts` are those of the systems that are filtered."""
    bounds = _intervals(places, scores)
    for name, found in scores.items():
        by_film: dict[str, dict[Measure, float]] = {}
        means: dict[Measure, float] = {}
        for measure in Measure:
            values: dict[str, list[float]] = {}
            for number in _scored(found, measure):
                values.setdefault(places[number][0], []).append(found[number][measure])
            of_films = {film: sum(each) / len(each) for film, each in values.items()}
            for film, mean in of_films.items():
                by_film.setdefault(film, {})[measure] = mean
            if of_films:
                means[measure] = sum(of_films.values()) / len(of_films)
        sequences = tuple(SequenceResult(*places[number], each) for number, each in found.items())
        yield SystemResult(name, means, by_film, sequences, bounds[name], counts.get(name))


def comparisons(places: Places, scores: ScoresBySystem) -> Iterator[Significance]:
    """Every pair of systems by every measure, over the sequences in which both are scored by it."""
    tests = [(one, other, measure) for one, other in combinations(scores, 2) for measure in Measure]
    columns: dict[tuple[int, ...], list[tuple[str, str, Measure]]] = {}
    for one, other, measure in tests:
        both = sorted({*_scored(scores[one], measure)} & {*_scored(scores[other], measure)})
        if both:
            columns.setdefault(tuple(both), []).append((one, other, measure))
    found: dict[tuple[str, str, Measure], Significance] = {}
    for numbers, alike in columns.items():
        counts = film_counts(places[number] for number in numbers)
        ones = np.array([[scores[one][number][measure] for one, _, measure in alike] for number in numbers])
        others = np.array([[scores[other][number][measure] for _, other, measure in alike] for number in numbers])
        differences = ones - others
        means = weights(counts) @ differences
        for test, mean, p in zip(alike, means, permutation_p(differences, counts), strict=True):
            found[test] = Significance(*test, float(mean), float(p))
    return (found[test] for test in tests if test in found)


def notes(scores: ScoresBySystem) -> Iterator[str]:
    """What is to be said of the comparisons as a whole."""
    most = max((len(_scored(found, measure)) for found in scores.values() for measure in Measure), default=0)
    if len(scores) > 1 and least_p(most) >= ALPHA:
        where = "in one sequence" if most == 1 else f"in {most} sequences"
        yield f"no difference can be significant {where}: p is at least {least_p(most):.2g}; it takes six sequences"


def film_counts(places: Iterable[tuple[str, str]]) -> list[int]:
    """How many of these sequences, by the names of film and sequence, each film has, of the films that have any."""
    return list(Counter(film for film, _ in places).values())


def _scored(found: Mapping[int, Scores], measure: Measure) -> tuple[int, ...]:
    """The numbers of the sequences that have a score of this measure."""
    return tuple(number for number, each in found.items() if measure in each)


def _intervals(places: Places, scores: ScoresBySystem) -> dict[str, dict[Measure, tuple[float, float]]]:
    """The intervals of all means that are over two sequences or more."""
    columns: dict[tuple[int, ...], list[tuple[str, Measure]]] = {}
    for name, found in scores.items():
        for measure in Measure:
            columns.setdefault(_scored(found, measure), []).append((name, measure))
    bounds: dict[str, dict[Measure, tuple[float, float]]] = {name: {} for name in scores}
    for numbers, alike in columns.items():
        if len(numbers) > 1:
            values = np.array([[scores[name][number][measure] for name, measure in alike] for number in numbers])
            bounded = intervals(values, film_counts(places[number] for number in numbers))
            for (name, measure), (low, high) in zip(alike, bounded, strict=True):
                bounds[name][measure] = float(low), float(high)
    return bounds
