"""A run beside an earlier one: what is shared, the means over it, and what is not to be compared."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evaluation_values import evaluation

from adstudio.core.timebase import Span
from adstudio.evaluation.material import SequenceSource
from adstudio.evaluation.results import (
    Evaluation,
    FilmFacts,
    Measure,
    SequenceFacts,
    SequenceResult,
    SystemResult,
)
from adstudio.evaluation.run_comparison import compare_runs

T = Measure.SODA_T


def run(system: str, *scores: tuple[str, str, float]) -> Evaluation:
    results = tuple(SequenceResult(film, sequence, {T: value}) for film, sequence, value in scores)
    films = tuple(
        FilmFacts(name, 2, SequenceSource.SCENES, ("British AD",)) for name in dict.fromkeys(each[0] for each in scores)
    )
    return Evaluation(films, (SystemResult(system, {}, {}, results),), (), ())


def test_means_are_over_the_shared_sequences_and_then_films():
    # Film A shares a (10 → 20) and b (30 → 60): 20 → 40. Film B shares a (50 → 50). Mean: 35 → 45.
    # B's b is only in the later run and counts for nothing.
    before = run("Plan", ("A", "a", 10.0), ("A", "b", 30.0), ("B", "a", 50.0))
    after = run("Plan", ("B", "b", 99.0), ("A", "a", 20.0), ("A", "b", 60.0), ("B", "a", 50.0))
    (change,) = compare_runs(before, after, "before.json").changes
    assert (change.system, change.measure, change.sequences) == ("Plan", T, 3)
    assert (change.before, change.after, change.difference) == pytest.approx((35.0, 45.0, 10.0))
    # Of the eight ways to give signs to 10, 30 and 0, those where both of the first are alike are as far from 0: four.
    assert change.p == pytest.approx(0.5)


def test_a_run_does_not_differ_from_itself():
    found = evaluation(2, 4, 1)
    compared = compare_runs(found, found, "same.json")
    assert (compared.gone, compared.added, compared.lacking) == ((), (), ())
    assert len(compared.changes) == len(found.systems) * 6
    assert all((each.difference, each.p) == (0.0, 1.0) for each in compared.changes)


def test_systems_of_one_run_alone_are_named():
    compared = compare_runs(run("Old", ("A", "a", 1.0)), run("New", ("A", "a", 2.0)), "before.json")
    assert (compared.changes, compared.gone, compared.added) == ((), ("Old",), ("New",))


def test_a_film_with_other_references_or_sequences_is_named():
    found = replace(run("Plan", ("A", "a", 1.0)), sequences=(SequenceFacts("A", "a", Span(0, 5), 3),))
    others = (
        replace(found, films=(replace(found.films[0], references=("American AD",)),)),
        replace(found, films=(replace(found.films[0], sequences=3),)),
        replace(found, films=(replace(found.films[0], sequence_source=SequenceSource.FILE),)),
        replace(found, sequences=(SequenceFacts("A", "a", Span(0, 6), 3),)),
    )
    assert all(compare_runs(found, other, "before.json").lacking == ("A",) for other in others)
    assert compare_runs(found, replace(found, sequences=()), "before.json").lacking == ()
    assert compare_runs(found, replace(found, films=()), "before.json").lacking == ()
