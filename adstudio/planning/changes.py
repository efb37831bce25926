"""What a new plan changes in the one before: for the panel of plan changes, and to be said aloud."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from adstudio.core.plan import Plan
from adstudio.core.script import Pin, Script
from adstudio.core.steps import Replace, Several, Step


@dataclass(frozen=True, slots=True)
class Moved:
    """A line spoken in the same wording, `by` milliseconds later (or earlier, below 0)."""

    element: str
    by: int


@dataclass(frozen=True, slots=True)
class Reworded:
    """A line spoken in another variant, `by` milliseconds later than the one before."""

    element: str
    was: int
    now: int
    by: int


@dataclass(frozen=True)
class PlanChanges:
    """The lines that came in, went out, moved or were reworded, each in the order of the script.

    `accepted` names those of them that the describer had accepted: they deserve a look, and can be kept. Lines of
    eventualities that have left the script are no news.
    """

    came_in: tuple[str, ...] = ()
    went_out: tuple[str, ...] = ()
    moved: tuple[Moved, ...] = ()
    reworded: tuple[Reworded, ...] = ()
    accepted: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.came_in or self.went_out or self.moved or self.reworded)

    @property
    def says(self) -> str:
        """One sentence: “2 lines came in, 1 went out”."""
        counts = (
            (len(self.came_in), "came in"),
            (len(self.went_out), "went out"),
            (len(self.reworded), "in another wording"),
            (len(self.moved), "moved"),
        )
        told = [(count, what) for count, what in counts if count]
        if not told:
            return "nothing else changed"
        first, what = told[0]
        rest = [f"{count} {what}" for count, what in told[1:]]
        return ", ".join([f"{first} {'line' if first == 1 else 'lines'} {what}", *rest])


NO_CHANGES = PlanChanges()


def compare(before: Plan, after: Plan, script: Script) -> PlanChanges:
    """How the plan `after` differs from the plan `before`; `script` is the one that `after` belongs to."""
    if before.deliveries == after.deliveries:
        return NO_CHANGES
    old, new, order = before.by_element, after.by_element, script.eventuality_index
    came_in: list[str] = []
    moved: list[Moved] = []
    reworded: list[Reworded] = []
    for name, line in new.items():
        was = old.get(name)
        if was is None:
            came_in.append(name)
        elif was.variant != line.variant:
            reworded.append(Reworded(name, was.variant, line.variant, line.start - was.start))
        elif was.start != line.start:
            moved.append(Moved(name, line.start - was.start))
    went_out = sorted((name for name in old if name not in new and name in order), key=order.__getitem__)
    changed = [*came_in, *went_out, *(each.element for each in moved), *(each.element for each in reworded)]
    known = sorted((name for name in changed if name in order), key=order.__getitem__)
    accepted = tuple(name for name in known if script.eventuality(name).accepted)
    return PlanChanges(tuple(came_in), tuple(went_out), tuple(moved), tuple(reworded), accepted)


def keep(script: Script, plan: Plan, ids: Iterable[str]) -> Step | None:
    """Hold lines in the wording and at the start that a plan gives them; None where nothing is left to hold.

    Give it the plan before a change to keep its lines against the change.
    """
    spoken = plan.by_element
    steps: list[Step] = []
    for name in dict.fromkeys(ids):
        delivery = spoken.get(name)
        if delivery is None or name not in script.eventuality_index:
            continue
        old = script.eventuality(name)
        if delivery.variant >= len(old.variants):
            continue
        held = Pin(selected=True, variant=delivery.variant, start=delivery.start, override=old.pin.override)
        if old.pin != held:
            steps.append(Replace(old, replace(old, pin=held)))
    if not steps:
        return None
    return Several("keep the line" if len(steps) == 1 else f"keep {len(steps)} lines", tuple(steps))
