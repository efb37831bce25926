"""Shorter wordings are marked where the full one was given other words since."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from editing_scripts import SCRIPT, changed, done

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Script, Variant
from adstudio.delivery.findings import FindingKind, export_findings
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.replacing import Where, replace_matches
from adstudio.editing.results import result_of
from adstudio.editing.search import Search
from adstudio.editing.splitting import merge_lines, split_line
from adstudio.editing.wordings import confirm_wording, rewrite

FULL = "She parks her motorbike."
THREE = changed(
    SCRIPT,
    "e1",
    variants=(Variant(FULL), Variant("She parks it.", Fraction(4, 5)), Variant("She parks.", Fraction(1, 2))),
)


def stale(script: Script, identity: str = "e1") -> list[bool]:
    return [variant.stale for variant in script.eventuality(identity).variants]


@pytest.mark.parametrize(
    "text", ["She parks her red motorbike.", "He parks her motorbike.", "She parks", "彼女は走る。"]
)
def test_other_words_in_the_full_wording_mark_the_shorter_ones(text: str) -> None:
    assert stale(done(rewrite(THREE, "e1", 0, text), THREE)) == [False, True, True]


@pytest.mark.parametrize(
    "text",
    ["She parks her motorbike", "She parks her motorbike!", "she parks, her motorbike.", "She  parks her motorbike. "],
)
def test_marks_capitals_and_spaces_are_no_other_words(text: str) -> None:
    assert stale(done(rewrite(THREE, "e1", 0, text), THREE)) == [False, False, False]


def test_a_shorter_wording_that_is_rewritten_is_up_to_date_and_marks_no_other() -> None:
    after = done(rewrite(THREE, "e1", 0, "Rain falls."), THREE)
    after = done(rewrite(after, "e1", 2, "Rain."), after)
    assert stale(after) == [False, True, False]
    assert stale(done(rewrite(THREE, "e1", 1, "Parked."), THREE)) == [False, False, False]


def test_a_wording_can_be_confirmed_and_undo_marks_it_again() -> None:
    after = done(rewrite(THREE, "e1", 0, "She parks it."), THREE)
    step = confirm_wording(after, "e1", 1)
    assert step is not None
    confirmed = step.apply(after)
    assert stale(confirmed) == [False, False, True]
    assert result_of(step, confirmed).startswith("Wording confirmed")
    assert step.inverse().apply(confirmed) == after
    assert confirm_wording(confirmed, "e1", 1) is None


def test_a_mark_survives_merging_and_splitting() -> None:
    after = done(rewrite(THREE, "e1", 0, "She parks it."), THREE)
    after = changed(after, "e2", variants=(Variant("Tom waits."), Variant("He waits.", Fraction(4, 5))))
    merged = done(merge_lines(after, ["e1", "e2"]), after)
    assert stale(merged) == [False, True]
    two = changed(
        SCRIPT, "e1", variants=(Variant("She parks. She runs."), Variant("Parks. Runs.", Fraction(1, 2), stale=True))
    )
    split = done(split_line(two, Ids(two), "e1", len("She parks.")), two)
    assert (stale(split), stale(split, "line-1")) == ([False, True], [False, True])


def test_replacing_words_confirms_no_wording_and_marks_the_others_where_only_the_full_one_is_replaced_in() -> None:
    def replaced(script: Script, where: Where) -> Script:
        return done(replace_matches(script, Search("parks"), "sells", ["e1"], where, lambda _: 0), script)

    assert stale(replaced(THREE, Where.WORDINGS)) == [False, False, False]
    assert stale(replaced(THREE, Where.SPOKEN)) == [False, True, True]
    full, *others = THREE.eventuality("e1").variants
    marked = changed(THREE, "e1", variants=(full, *(replace(each, stale=True) for each in others)))
    assert stale(replaced(marked, Where.WORDINGS)) == [False, True, True]


def test_it_is_amiss_before_handing_in_where_such_a_wording_is_spoken() -> None:
    after = done(rewrite(THREE, "e1", 0, "She parks it."), THREE)
    line = replace(after.eventuality("e1"), accepted=True, seen=True)
    script = replace(after, eventualities=(line, *after.eventualities[1:]))

    def kinds(variant: int) -> list[FindingKind]:
        plan = Plan(Status.FEASIBLE, "exact", deliveries=(Delivery("e1", variant, 0, 900),))
        return [finding.kind for finding in export_findings(script, plan)]

    assert FindingKind.STALE in kinds(2)
    assert FindingKind.STALE not in kinds(0)


def test_history_names_what_was_done_not_the_marks() -> None:
    step = rewrite(THREE, "e1", 0, "Rain falls.")
    assert step is not None
    # It was drafted with shorter ones, so that the new words are locked: they are to be spoken.
    assert label_of(step, THREE) == "Rewrite “She parks her motorbike” and lock wording"
    after = step.apply(THREE)
    confirmed = confirm_wording(after, "e1", 1)
    assert confirmed is not None
    assert label_of(confirmed, after) == "Confirm wording of “Rain falls”"
