"""Cancelled typing: every field that it changed is as before, and what was done besides stays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.core.film import Film
from adstudio.core.provenance import FreeText, Provenance
from adstudio.core.script import Eventuality, Origin, Pin, Scene, Script, Variant
from adstudio.core.steps import Replace, Step
from adstudio.core.timebase import Span
from adstudio.editing import pins, scenes, wordings
from adstudio.editing.revert import revert

LINE = Eventuality(
    "a",
    (Variant("A cat walks by.", duration=2_000), Variant("A cat.")),
    Span(0, 2_000),
    scene="s1",
    note="mine",
    confidence=400,
    provenance=Provenance(FreeText("a model")),
)
OTHER = Eventuality("b", (Variant("A dog."),), Span(3_000, 4_000), scene="s1")
SCRIPT = Script(Film("Cats", 10_000), scenes=(Scene("s1", Span(0, 10_000), "Yard"),), eventualities=(LINE, OTHER))


def typed(script: Script, text: str = "A cat zzz") -> tuple[Script, list[Step]]:
    step = wordings.rewrite(script, "a", 0, text)
    assert step is not None
    return step.apply(script), [step]


def without(script: Script, steps: list[Step]) -> Script:
    step = revert(script, steps)
    return script if step is None else step.apply(script)


def test_the_line_is_as_before_in_every_field():
    now, steps = typed(SCRIPT)
    line = now.eventuality("a")
    # A rewriting makes the line the describer's, holds its wording, and its length is no more.
    assert (line.origin, line.seen, line.pin, line.variants[0].duration) == (Origin.HUMAN, True, Pin(variant=0), None)
    assert without(now, steps) == SCRIPT


def test_of_more_steps_than_one_all_are_taken_back():
    now, steps = typed(SCRIPT)
    later = wordings.rewrite(now, "a", 0, "A cat zzz, and more")
    assert later is not None
    assert without(later.apply(now), [*steps, later]) == SCRIPT


@pytest.mark.parametrize("gone", ["undone", "deleted"])
def test_what_is_not_there_any_more_is_not_taken_back_again(gone: str):
    now, steps = typed(SCRIPT)
    now = SCRIPT if gone == "undone" else now.with_changes(eventualities=(OTHER,))
    assert revert(now, steps) is None


def test_a_pin_set_meanwhile_stays_and_the_line_is_no_draft_to_be_replaced():
    now, steps = typed(SCRIPT)
    hold = pins.pin_in(now, ("a",))
    assert hold is not None
    line = without(hold.apply(now), steps).eventuality("a")
    assert line.variants == LINE.variants
    assert (line.origin, line.pin, line.worked) == (Origin.MACHINE, Pin(selected=True), True)


def test_a_wording_that_was_added_besides_stays():
    now, steps = typed(SCRIPT)
    more = wordings.add_wording(now, "a", "Cat.", 0)
    assert more is not None
    line = without(more.apply(now), steps).eventuality("a")
    assert [each.text for each in line.variants] == ["Cat.", "A cat walks by.", "A cat."]
    assert line.variants[1].duration == 2_000


def test_another_scene_for_the_line_is_no_work_on_it():
    homeless = SCRIPT.with_changes(eventualities=(replace(LINE, scene=None), OTHER))
    now, steps = typed(homeless)
    line = now.eventuality("a")
    now = Replace(line, replace(line, scene="s1")).apply(now)
    assert without(now, steps) == SCRIPT


def test_a_text_that_was_changed_again_by_something_else_stays():
    now, steps = typed(SCRIPT)
    again = wordings.rewrite(now, "a", 0, "Said otherwise")
    assert again is not None
    assert without(again.apply(now), steps).eventuality("a").variants[0].text == "Said otherwise"


def test_a_title_goes_back_and_what_was_marked_besides_stays():
    step = scenes.rename_scene(SCRIPT, "s1", "Garden")
    assert step is not None
    now = step.apply(SCRIPT)
    assert without(now, [step]) == SCRIPT
    mark = scenes.set_reviewed(now, ("s1",), on=True)
    assert mark is not None
    found = without(mark.apply(now), [step]).scenes[0]
    assert (found.title, found.reviewed) == ("Yard", True)
