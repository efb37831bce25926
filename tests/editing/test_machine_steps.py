"""Steps made without a person: known by their origin, whatever their names say, and told as what they brought."""

from __future__ import annotations

import pytest

from adstudio.core.cast import Person
from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.core.steps import Agent, ChangeKind, SetPeople, Several, Step, StepOrigin
from adstudio.editing.labels import label_of
from adstudio.editing.machine_steps import (
    as_command,
    contributions_text,
    is_automatic,
    is_by_command,
    script_before,
    trailing_automatic_steps,
)

ANNA = SetPeople((), (Person.named("ANNA"),))
SCENE = Several("Scene “Hall”", (), StepOrigin(Agent.EDITOR, ChangeKind.SCENE_DRAFT, "house"))
WEIGHTS = as_command(Several("", ()), ChangeKind.WEIGHTS, by="house", count=1234)


@pytest.mark.parametrize(
    ("step", "command", "machine"),
    [
        (as_command(SCENE), True, True),
        (as_command(ANNA, ChangeKind.PEOPLE), True, True),
        (WEIGHTS, True, True),
        (SCENE, False, True),
        (ANNA, False, False),
        (Several("Weigh 2 lines by house", ()), False, False),
        (Several("Scene 2 drafted by house (by a command)", ()), False, False),
        (Several("Keep 2 lines in", ()), False, False),
    ],
)
def test_the_origin_of_a_step(step: Step, command: bool, machine: bool) -> None:
    assert (is_by_command(step), is_automatic(step)) == (command, machine)


def test_what_steps_brought() -> None:
    assert contributions_text([as_command(SCENE)]) == "1 scene drafted by house"
    steps = [as_command(ANNA, ChangeKind.PEOPLE), as_command(SCENE), SCENE, WEIGHTS]
    expected = "2 scenes drafted by house, new salience for 1,234 lines by house and the cast"
    assert contributions_text(steps) == expected
    assert contributions_text([]) == ""


def test_the_last_steps_are_those_behind_a_persons_and_can_be_taken_off() -> None:
    two = SetPeople(ANNA.new, (*ANNA.new, Person.named("TOM")))
    marked = as_command(two, ChangeKind.PEOPLE)
    assert trailing_automatic_steps([SCENE, ANNA, marked]) == (marked,)
    assert trailing_automatic_steps([marked, ANNA]) == ()
    script = two.apply(ANNA.apply(Script(Film("f", 1000))))
    assert script_before(script, (marked,)).people == ANNA.new
    assert script_before(script, (as_command(ANNA, ChangeKind.PEOPLE), marked)).people == ()


@pytest.mark.parametrize("step", [as_command(SCENE), WEIGHTS, SCENE])
def test_a_step_taken_back_or_wrapped_keeps_its_origin(step: Several) -> None:
    assert step.inverse().origin == step.origin
    assert as_command(step).origin.kind is step.origin.kind


def test_their_names_in_the_undo_list() -> None:
    empty = Script(Film("f", 1000))
    assert label_of(WEIGHTS, empty) == "Set salience of 1,234 lines by house (by a command)"
    assert label_of(as_command(ANNA, ChangeKind.PEOPLE), empty) == "Import cast (by a command)"
    assert label_of(as_command(ANNA, ChangeKind.SCRIPT_IMPORT), empty) == "Import script (by a command)"
    assert contributions_text([as_command(ANNA, ChangeKind.SCRIPT_IMPORT)]) == "an imported script"
    assert label_of(as_command(SCENE), empty) == f"{label_of(SCENE, empty)} (by a command)"
