"""Steps that a command made: known by their names, whatever else the names hold, and told as what they brought."""

from __future__ import annotations

import pytest

from adstudio.core.script import Film, Person, Script
from adstudio.core.steps import SetPeople, Several, Step
from adstudio.editing.machine_steps import (
    PEOPLE,
    brought,
    by_command,
    is_by_command,
    is_machines,
    last_by_machines,
    script_before,
    weighing,
)

ANNA = SetPeople((), (Person("ANNA"),))
SCENE = Several("Scene ‘He was drafted by us’ drafted by house", ())
WEIGHTS = Several(weighing(1234, "house"), ())


@pytest.mark.parametrize(
    ("step", "command", "machine"),
    [
        (by_command(SCENE), True, True),
        (by_command(ANNA, PEOPLE), True, True),
        (WEIGHTS, True, True),
        (SCENE, False, True),
        (ANNA, False, False),
        (Several("Weigh 2 lines more", ()), False, False),
        (Several("Keep 2 lines in", ()), False, False),
    ],
)
def test_who_made_a_step(step: Step, command: bool, machine: bool) -> None:
    assert (is_by_command(step), is_machines(step)) == (command, machine)


def test_what_steps_brought() -> None:
    assert brought([by_command(SCENE)]) == "1 scene drafted by house"
    steps = [by_command(ANNA, PEOPLE), by_command(SCENE), SCENE, by_command(WEIGHTS)]
    assert brought(steps) == ("2 scenes drafted by house, new weights of 1,234 lines by house and who is in the film")
    assert brought([]) == ""


def test_the_last_steps_are_those_behind_a_persons_and_can_be_taken_off() -> None:
    two = SetPeople(ANNA.new, (*ANNA.new, Person("TOM")))
    marked = by_command(two, PEOPLE)
    assert last_by_machines([SCENE, ANNA, marked]) == (marked,)
    assert last_by_machines([marked, ANNA]) == ()
    script = two.apply(ANNA.apply(Script(Film("f", 1000))))
    assert script_before(script, (marked,)).people == ANNA.new
    assert script_before(script, (by_command(ANNA, PEOPLE), marked)).people == ()
