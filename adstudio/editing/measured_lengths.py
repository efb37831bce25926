"""What measured lengths do to accepted lines: they stay where they are, until a person takes the measured length."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from adstudio.core.plan import Plan
from adstudio.core.script import Approval, Eventuality, Script
from adstudio.core.steps import Agent, Replace, Several, Step, StepOrigin
from adstudio.core.timebase import Span
from adstudio.editing.approval import approved_counted, as_approved, has_approved
from adstudio.editing.change import edit_lines
from adstudio.editing.departures import Restoration, departures, restore
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.planning.film.spoken_lengths import length_departures

_MOST_ROUNDS = 4
"""Locks may move other approved lines, which are locked then as well."""
_BY_EDITOR = StepOrigin(Agent.EDITOR)


def hold_approved(
    script: Script, gaps: Sequence[Span], planner: FilmPlanner, before: tuple[Script, Plan], held: Several | None = None
) -> Restoration | None:
    """How approved lines are held where they were that only other lengths have moved; None where none has moved.

    `planner` has planned `script`, which differs from the one before in nothing but lengths. An accepted line may not
    move at all, a line of a reviewed scene by less than what counts as a move. The step is the editor's; with `held`,
    by which other lines were held just before, it does what both do.
    """
    if not has_approved(script):
        return None
    departed = {each.line for each in departures(*before)}
    shown = planner.outcome.plan
    moved = _moved(script, before[1], shown, departed)
    found: Restoration | None = None
    for _ in range(_MOST_ROUNDS):
        if not moved:
            break
        found = restore(script, gaps, planner, moved)
        if found.step is None:
            return found
        after = planner.fork().replan(found.step.apply(script), gaps).plan
        others = _moved(script, before[1], after, departed).items()
        new = {line: how for line, how in others if line not in moved}
        if not new:
            break
        moved |= new
    if found is None or found.step is None:
        return found
    steps = (*(() if held is None else held.steps), *found.step.steps)
    count = len(steps)
    lines = [each.new for each in steps if isinstance(each, Replace) and isinstance(each.new, Eventuality)]
    accepted = sum(line.accepted for line in lines)
    label = f"Lock {approved_counted(accepted, count - accepted)} where measured lengths moved"
    return replace(found, step=Several(f"{label} {'it' if count == 1 else 'them'}", steps, _BY_EDITOR))


def _moved(script: Script, before: Plan, after: Plan, departed: Container[str]) -> dict[str, Approval]:
    """The approved lines that another plan speaks otherwise, and how they were spoken before."""
    was, now = before.by_line, after.by_line
    far = {each.line for each in departures(script, after)}
    found: dict[str, Approval] = {}
    for line in script.eventualities:
        spoken, again = was.get(line.id), now.get(line.id)
        if spoken is None or not (line.accepted or (line.id in far and line.id not in departed)):
            continue
        if again is None or (again.variant, again.start) != (spoken.variant, spoken.start):
            found[line.id] = Approval(spoken.variant, spoken.start)
    return found


def take_measured(script: Script, identities: Iterable[str], plan: Plan | None = None) -> Step | None:
    """Plan accepted lines as long as they were measured since, however little that differs from what was accepted.

    With a plan, which was made on these lengths, they are accepted as it speaks them: asking for their length is asking
    for what follows from it.
    """
    lengths = {each.line: each.measured for each in length_departures(script, least=1)}

    def take(line: Eventuality) -> Eventuality:
        if line.approval is None or line.id not in lengths:
            return line
        new = replace(line, approval=replace(line.approval, duration=lengths[line.id]))
        return new if plan is None or line.id not in plan.by_line else as_approved(script, new, plan)

    return edit_lines(script, identities, "Use the measured lengths of {} lines", take)
