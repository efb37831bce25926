"""When events happen, and the bounds that follow from it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, changed, done, with_pin

from adstudio.core.script import Pin, Scene, Script
from adstudio.core.timebase import Span
from adstudio.editing import occurrences
from adstudio.editing.change import EditRefused
from adstudio.editing.labels import label_of


def occurrence(script: Script, identity: str) -> Span | None:
    return script.eventuality(identity).occurrence


def test_an_occurrence_is_set_within_the_film() -> None:
    assert occurrence(done(occurrences.set_occurrence(SCRIPT, "e2", Span(7000, 9000))), "e2") == Span(7000, 9000)
    out = done(occurrences.set_occurrence(SCRIPT, "e4", Span(-5, 70_000)))
    assert occurrence(out, "e4") == Span(0, 60_000)
    assert occurrences.set_occurrence(SCRIPT, "e2", Span(5000, 6000)) is None


def test_a_person_s_word_on_an_occurrence_is_sure() -> None:
    machine = changed(SCRIPT, "e2", confidence=400)
    for step in (
        occurrences.set_occurrence(machine, "e2", Span(7000, 9000)),
        occurrences.set_occurrence_end(machine, "e2", 6500),
        occurrences.move_occurrence(machine, ["e2"], 100),
        occurrences.set_occurrence(machine, "e2", None),
        occurrences.set_occurrence(machine, "e2", occurrence(machine, "e2")),
    ):
        assert done(step, machine).eventuality("e2").confidence is None
    confirmed = occurrences.set_occurrence(machine, "e2", occurrence(machine, "e2"))
    assert confirmed is not None
    assert label_of(confirmed, machine).startswith("Confirm time of “Tom waits”")


def test_one_end_at_a_time_never_beyond_the_other() -> None:
    assert occurrence(done(occurrences.set_occurrence_start(SCRIPT, "e2", 5500)), "e2") == Span(5500, 6000)
    assert occurrence(done(occurrences.set_occurrence_start(SCRIPT, "e2", 9000)), "e2") == Span(6000, 6000)
    assert occurrence(done(occurrences.set_occurrence_end(SCRIPT, "e2", 9000)), "e2") == Span(5000, 9000)
    assert occurrence(done(occurrences.set_occurrence_end(SCRIPT, "e2", 1)), "e2") == Span(5000, 5000)


def test_moving_keeps_lengths_and_stays_in_the_film() -> None:
    after = done(occurrences.move_occurrence(SCRIPT, ["e2", "e4"], 1000))
    assert (occurrence(after, "e2"), occurrence(after, "e4")) == (Span(6000, 7000), Span(33_000, 37_000))
    after = done(occurrences.move_occurrence(SCRIPT, ["e2", "e4"], 90_000))
    assert (occurrence(after, "e2"), occurrence(after, "e4")) == (Span(29_000, 30_000), Span(56_000, 60_000))
    after = done(occurrences.move_occurrence(SCRIPT, ["e2", "e4"], -90_000))
    assert (occurrence(after, "e2"), occurrence(after, "e4")) == (Span(0, 1000), Span(27_000, 31_000))
    assert occurrences.move_occurrence(SCRIPT, ["e1"], -10) is None
    assert occurrences.move_occurrence(SCRIPT, [], 10) is None


def test_a_line_that_happens_nowhere_can_be_given_a_time_and_gets_the_usual_salience() -> None:
    line = done(occurrences.set_occurrence(SCRIPT, "e3", Span(7000, 8000))).eventuality("e3")
    assert (line.occurrence, line.salience) == (Span(7000, 8000), 500_000)
    for edit in (occurrences.set_occurrence_start, occurrences.set_occurrence_end):
        with pytest.raises(EditRefused, match=r"“Rain\” has no action time"):
            edit(SCRIPT, "e3", 5)
    with pytest.raises(EditRefused):
        occurrences.move_occurrence(SCRIPT, ["e3", "e1"], 5)


def test_a_line_that_comes_to_happen_nowhere_is_overridden_where_it_is_pinned() -> None:
    pinned = with_pin("e2", Pin(start=5000))
    line = done(occurrences.set_occurrence(pinned, "e2", None), pinned).eventuality("e2")
    assert (line.occurrence, line.pin) == (None, Pin(start=5000, override=True))
    assert done(occurrences.set_occurrence(SCRIPT, "e2", None)).eventuality("e2").pin == Pin()


def test_not_before_it_happens() -> None:
    after = done(occurrences.set_spoiler_free(SCRIPT, ["e2", "e4"], on=True))
    assert after.eventuality("e2").within == Span(5000, 60_000)
    assert after.eventuality("e4").within == Span(32_000, 60_000)
    assert occurrences.is_spoiler_free(after.eventuality("e2"))
    assert not occurrences.is_spoiler_free(SCRIPT.eventuality("e2"))
    assert occurrences.set_spoiler_free(after, ["e2"], on=True) is None
    assert done(occurrences.set_spoiler_free(after, ["e2"], on=False), after).eventuality("e2").within is None
    with pytest.raises(EditRefused, match="no action time"):
        occurrences.set_spoiler_free(SCRIPT, ["e3"], on=True)


def test_not_before_keeps_a_bound_at_the_other_end() -> None:
    bound = changed(SCRIPT, "e2", within=Span(1000, 20_000))
    after = done(occurrences.set_spoiler_free(bound, ["e2"], on=True), bound)
    assert after.eventuality("e2").within == Span(5000, 20_000)
    assert done(occurrences.set_spoiler_free(after, ["e2"], on=False), after).eventuality("e2").within == Span(
        0, 20_000
    )
    early = changed(SCRIPT, "e2", within=Span(0, 4000))
    with pytest.raises(EditRefused, match=r"limited to end by 00:00:04:00, before it happens"):
        occurrences.set_spoiler_free(early, ["e2"], on=True)


def test_not_before_moves_along_with_the_event() -> None:
    bound = changed(SCRIPT, "e2", within=Span(5000, 20_000))
    moved = done(occurrences.move_occurrence(bound, ["e2"], 1000), bound)
    assert moved.eventuality("e2").within == Span(6000, 20_000)
    late = done(occurrences.set_occurrence(bound, "e2", Span(25_000, 26_000)), bound)
    assert late.eventuality("e2").within == Span(25_000, 25_000)
    assert done(occurrences.set_occurrence(bound, "e2", None), bound).eventuality("e2").within is None
    loose = changed(SCRIPT, "e2", within=Span(4000, 20_000))
    assert done(occurrences.move_occurrence(loose, ["e2"], 1000), loose).eventuality("e2").within == Span(4000, 20_000)


def test_an_event_that_leaves_its_scene_for_another_is_of_that_one() -> None:
    def scene(edit: Span, script: Script = SCRIPT, identity: str = "e2") -> str | None:
        return done(occurrences.set_occurrence(script, identity, edit), script).eventuality(identity).scene

    assert scene(Span(29_000, 30_500)) == "s1"  # its middle has not left
    assert scene(Span(29_000, 31_100)) == "s2"
    assert scene(Span(31_000, 32_000)) == "s2"
    # Where nobody had its event in the scene it is counted to, somebody meant that.
    assert scene(Span(33_000, 34_000), changed(SCRIPT, "e4", scene="s1"), "e4") == "s1"
    assert scene(Span(1000, 2000), changed(SCRIPT, "e4", scene=None), "e4") is None
    holey = replace(SCRIPT, scenes=(Scene("s1", Span(0, 10_000)), Scene("s2", Span(20_000, 60_000))))
    assert scene(Span(14_000, 15_000), holey) == "s1"
