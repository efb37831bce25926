"""Steps made without a person: known by their origin, whatever their names say, and told as what they brought."""

from __future__ import annotations

import pytest

from adstudio.core.script import Film, Person, Script
from adstudio.core.steps import Agent, ChangeKind, SetPeople, Several, Step, StepOrigin
from adstudio.editing.labels import label_of
from adstudio.editing.machine_steps import (
    brought,
    by_command,
    is_by_command,
    is_machines,
    last_by_machines,
    script_before,
)

ANNA = SetPeople((), (Person("ANNA"),))
SCENE = Several("Scene ‘Hall’", (), StepOrigin(Agent.EDITOR, ChangeKind.SCENE_DRAFT, "house"))
WEIGHTS = by_command(Several("", ()), ChangeKind.WEIGHTS, by="house", count=1234)


@pytest.mark.parametrize(
    ("step", "command", "machine"),
    [
        (by_command(SCENE), True, True),
        (by_command(ANNA, ChangeKind.PEOPLE), True, True),
        (WEIGHTS, True, True),
        (SCENE, False, True),
        (ANNA, False, False),
        (Several("Weigh 2 lines by house", ()), False, False),
        (Several("Scene 2 drafted by house (by a command)", ()), False, False),
        (Several("Keep 2 lines in", ()), False, False),
    ],
)
def test_who_made_a_step(step: Step, command: bool, machine: bool) -> None:
    assert (is_by_command(step), is_machines(step)) == (command, machine)


def test_what_steps_brought() -> None:
    assert brought([by_command(SCENE)]) == "1 scene drafted by house"
    steps = [by_command(ANNA, ChangeKind.PEOPLE), by_command(SCENE), SCENE, WEIGHTS]
    assert brought(steps) == ("2 scenes drafted by house, new weights of 1,234 lines by house and who is in the film")
    assert brought([]) == ""


def test_the_last_steps_are_those_behind_a_persons_and_can_be_taken_off() -> None:
    two = SetPeople(ANNA.new, (*ANNA.new, Person("TOM")))
    marked = by_command(two, ChangeKind.PEOPLE)
    assert last_by_machines([SCENE, ANNA, marked]) == (marked,)
    assert last_by_machines([marked, ANNA]) == ()
    script = two.apply(ANNA.apply(Script(Film("f", 1000))))
    assert script_before(script, (marked,)).people == ANNA.new
    assert script_before(script, (by_command(ANNA, ChangeKind.PEOPLE), marked)).people == ()


@pytest.mark.parametrize("step", [by_command(SCENE), WEIGHTS, SCENE])
def test_a_step_taken_back_or_wrapped_keeps_its_origin(step: Several) -> None:
    assert step.inverse().origin == step.origin
    assert by_command(step).origin.kind is step.origin.kind


def test_their_names_in_the_undo_list() -> None:
    assert label_of(WEIGHTS) == "Weigh 1,234 lines by house (by a command)"
    assert label_of(by_command(ANNA, ChangeKind.PEOPLE)) == "Take over who is in the film (by a command)"
    assert label_of(by_command(SCENE)) == f"{label_of(SCENE)} (by a command)"
