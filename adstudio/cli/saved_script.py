"""The script and the plan of a project: what commands hand in, and what they save after a change."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.cli.interrupt import interruptible
from adstudio.cli.output import say
from adstudio.core.errors import AdstudioError, BadInputError, Oddity

if TYPE_CHECKING:
    from adstudio.core.plan import Plan
    from adstudio.core.script import Eventuality, Script
    from adstudio.core.steps import Step
    from adstudio.store.project import ProjectFile

_SHOWN_LINES = 5


class ConflictingLocksError(AdstudioError):
    """Lines that the describer locked are not in the script as locked."""

    option = "--with-conflicts"


@dataclass(frozen=True)
class SavedScript:
    """A script, its plan where one was saved with it, what was odd, and whether later steps are left out."""

    script: Script
    plan: Plan | None
    oddities: tuple[Oddity, ...]
    left_out: bool

    def print_notes(self, project: Path) -> None:
        """Print what was odd in the project, and that later steps are not included."""
        for oddity in self.oddities:
            say(oddity.what)
        if self.left_out:
            say(f"{project} has unsaved changes, which are not included (--unsaved includes them)")


def saved_script(opened: ProjectFile, *, unsaved: bool) -> SavedScript:
    """What a project holds."""
    return SavedScript(
        opened.last_script if unsaved else opened.saved_script,
        None if unsaved and opened.recoverable else opened.saved_plan,
        opened.oddities,
        opened.recoverable and not unsaved,
    )


def plan_of(project: Path, saved: SavedScript, *, with_conflicts: bool, required: bool = True) -> Plan:
    """The plan to hand in; with conflicts, around the locks that conflict.

    Raises:
        ConflictingLocksError: if it is required, and there is none that meets all locks.
    """
    from adstudio.delivery.export import plan_to_export
    from adstudio.delivery.unmet_pins import unmet_pins
    from adstudio.gaps.gaps import gaps_of
    from adstudio.planning.files.plan_file import has_plan
    from adstudio.planning.film.conflict_messages import why_unplanned
    from adstudio.planning.film.film_plan import plan_film

    script = saved.script
    plan = interruptible(lambda: plan_to_export(script, saved.plan), "planning")
    if not with_conflicts and unmet_pins(script, plan):
        gaps = gaps_of(script).gaps
        plan = interruptible(lambda: plan_film(script, gaps), "planning")
        if required and not has_plan(plan):
            raise ConflictingLocksError(f"{project} cannot be exported as locked: {why_unplanned(script, gaps, plan)}")
    return plan


def plan_after(script: Script, step: Step) -> tuple[Script, Plan]:
    """A script after a step, and its plan."""
    from adstudio.delivery.export import plan_to_export

    after = step.apply(script)
    return after, interruptible(lambda: plan_to_export(after, None), "planning")


def save_step(opened: ProjectFile, step: Step) -> tuple[Script, Plan]:
    """Make a step in a project and save it with its plan; returns the script and the plan.

    It is planned first: whoever stops that has the project as it was.

    Raises:
        OutsideFailureError: if it cannot be written.
    """
    script, plan = plan_after(opened.saved_script, step)
    failures: list[AdstudioError] = []
    document = opened.document(on_failure=failures.append)
    document.apply(step)
    document.keep_plan(document.revision, plan)
    opened.save()
    if failures:
        raise failures[0]
    return script, plan


def line_named(script: Script, name: str, project: Path, plan: Plan | None = None) -> Eventuality:
    """The line with an id; where a plan is given, also that with a number in it, the first of those said together.

    Raises:
        BadInputError: if there is none; it names some that there are.
    """
    from adstudio.delivery.line_numbers import line_numbers

    if name in script.eventuality_index:
        return script.eventuality(name)
    numbers = {} if plan is None else line_numbers(script, plan)
    if name.isdecimal():
        numbered = (each for each in script.eventualities if str(numbers.get(each.id)) == name)
        if (line := next(numbered, None)) is not None:
            return line
    known = ", ".join(each.id for each in script.eventualities[:_SHOWN_LINES])
    more = " …" if len(script.eventualities) > _SHOWN_LINES else ""
    counted_to = f"1 to {max(numbers.values())}, or by their ids " if numbers else ""
    there = f"its lines are {counted_to}{known}{more}" if known else "it has no lines"
    raise BadInputError(f"{project} has no line “{name[:40]}”: {there}")
