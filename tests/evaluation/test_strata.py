"""Strata of sequences: who is in which, the means in them, and what plans select."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest

from adstudio.core.film import Film
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Eventuality, Fusion, Script, Variant
from adstudio.core.timebase import Span
from adstudio.evaluation.material import FilmSequence
from adstudio.evaluation.messages import free_label, proof_label
from adstudio.evaluation.results import (
    Evaluation,
    Measure,
    Scores,
    Selection,
    SequenceFacts,
    SequenceResult,
    SystemResult,
)
from adstudio.evaluation.sequence_facts import selections
from adstudio.evaluation.strata import difficulty_strata, narration_strata, selection_totals

T = Measure.SODA_T


def facts(name: str, seconds: float | None, free: int, *, proven: bool = True) -> SequenceFacts:
    return SequenceFacts("Film", name, Span(0, 1000), free, seconds, proven)


def of(*sequences: SequenceFacts, scores: dict[str, Scores], selections: tuple[Selection, ...] = ()) -> Evaluation:
    results = tuple(SequenceResult("Film", name, each) for name, each in scores.items())
    system = SystemResult("Plan", {}, {}, results, selections=selections)
    return Evaluation((), (system,), (), (), sequences=sequences)


def test_sequences_are_strata_by_their_time_to_proof():
    # 0.05 s is below 0.1 s; 0.1 s and 0.9 s are from 0.1 to 1 s, with the mean (40 + 60) / 2 = 50.
    found = difficulty_strata(
        of(
            *(facts("a", 0.05, 0), facts("b", 0.1, 0), facts("c", 0.9, 0), facts("d", 60.0, 0)),
            *(facts("e", 600.0, 0, proven=False), facts("f", None, 0)),
            scores={
                name: {T: value} for name, value in zip("abcdef", (70.0, 40.0, 60.0, 10.0, 5.0, 99.0), strict=True)
            },
        )
    )
    assert [proof_label(each) for each in found] == [
        "under 0.1 s",
        "0.1 to 1 s",
        "60 s or more",
        "not proven",
    ]
    assert [each.sequences for each in found] == [1, 2, 1, 1]
    assert [each.scores["Plan"] for each in found] == [{T: 70.0}, {T: 50.0}, {T: 10.0}, {T: 5.0}]


def test_sequences_are_strata_by_their_narration_time():
    sequences = [facts(str(free), None, free) for free in (4_999, 5_000, 79_999, 80_000)]
    found = narration_strata(of(*sequences, scores={}))
    assert [free_label(each) for each in found] == ["under 5 s", "5 to 10 s", "40 to 80 s", "80 s or more"]


def test_a_mean_is_over_the_sequences_in_which_the_measure_applies():
    found = narration_strata(of(facts("a", None, 1), facts("b", None, 2), scores={"a": {T: 30.0}, "b": {}}))
    assert [each.sequences for each in found] == [2]
    assert found[0].scores["Plan"] == {T: 30.0}


def test_strata_without_a_system_there_have_no_scores():
    found = narration_strata(of(facts("a", None, 1), scores={}))
    assert found[0].scores["Plan"] == {}
    assert found[0].selections == {}


def test_what_a_plan_selects_adds_up():
    # 3 of 10 and 5 of 6 items are 8 of 16: half. Of the 8 lines 5 are in full, 3 at half.
    selections = (Selection("Film", "a", 10, {100: 2, 50: 1}), Selection("Film", "b", 6, {50: 2, 100: 3}))
    totals = selection_totals(selections)
    assert (totals.items, totals.spoken, totals.share) == (16, 8, 50.0)
    assert list(totals.variants.items()) == [(100, 5), (50, 3)]
    found = narration_strata(of(facts("a", None, 1_000), facts("b", None, 30_000), scores={}, selections=selections))
    assert [each.selections["Plan"].share for each in found] == [30.0, pytest.approx(250 / 3)]


def test_nothing_selected_of_nothing_is_no_share():
    assert selection_totals(()).share == 0.0


def test_each_item_of_a_fused_line_counts_as_spoken_at_the_rate_of_its_wording():
    """Of four items a plan speaks three: two in one breath of 80 %, one by itself in full."""
    items = tuple(
        Eventuality(name, (Variant(f"{name} happens."),), Span(at, at + 100), 500_000)
        for name, at in zip("abcd", (0, 1_000, 2_000, 3_000), strict=True)
    )
    texts = ("a happens.", "b happens.")
    fusion = Fusion("f", ("a", "b"), (Variant("a and b happen."), Variant("a, b.", Fraction(4, 5))), texts)
    script = Script(Film("Film", 10_000), eventualities=items, fusions=(fusion,))
    spoken = (Delivery("f", 1, 0, 900, members=("a", "b")), Delivery("d", 0, 3_000, 3_500))
    planned = SimpleNamespace(script=script, plan=Plan(Status.OPTIMAL, "exact", deliveries=spoken))
    film = SimpleNamespace(name="Film", sequences=(FilmSequence("s1", Span(0, 10_000)),))
    (found,) = selections(film, planned)  # type: ignore[arg-type]
    assert (found.items, found.variants) == (4, {100: 1, 80: 2})
    assert (selection_totals([found]).spoken, selection_totals([found]).share) == (3, 75.0)
