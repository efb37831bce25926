"""What a new plan changed: which lines came in, went out, moved or are worded differently."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.plan import Plan
from adstudio.core.script import Script


@dataclass(frozen=True, slots=True)
class Shift:
    """A line that is spoken earlier (negative) or later, by so many milliseconds."""

    element: str
    by: int


@dataclass(frozen=True)
class PlanChanges:
    """Eventualities by what became of them; `accepted` are those among them that the describer had agreed to."""

    came_in: tuple[str, ...] = ()
    went_out: tuple[str, ...] = ()
    reworded: tuple[str, ...] = ()
    moved: tuple[Shift, ...] = ()
    accepted: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.came_in or self.went_out or self.reworded or self.moved)

    @property
    def elements(self) -> frozenset[str]:
        """Every eventuality that something became of."""
        return frozenset((*self.came_in, *self.went_out, *self.reworded, *(shift.element for shift in self.moved)))


NO_CHANGES = PlanChanges()


def compare(before: Plan, after: Plan, script: Script) -> PlanChanges:
    """What became of each line, in the order of speaking; lines no longer in the script count as gone out.

    A line that is worded differently and moved is listed as reworded.
    """
    if before.deliveries == after.deliveries:
        return NO_CHANGES
    old, new = before.by_element, after.by_element
    came_in: list[str] = []
    reworded: list[str] = []
    moved: list[Shift] = []
    for name, delivery in new.items():
        was = old.get(name)
        if was is None:
            came_in.append(name)
        elif was is not delivery and was.variant != delivery.variant:
            reworded.append(name)
        elif was.start != delivery.start:
            moved.append(Shift(name, delivery.start - was.start))
    went_out = [name for name in old if name not in new]
    index = script.eventuality_index
    touched = (*came_in, *went_out, *reworded, *(shift.element for shift in moved))
    accepted = tuple(name for name in touched if name in index and script.eventuality(name).accepted)
    return PlanChanges(tuple(came_in), tuple(went_out), tuple(reworded), tuple(moved), accepted)


def sentence(changes: PlanChanges) -> str:
    """The changes in one sentence for the ear; empty where there are none."""
    parts = [
        f"{len(group)} {what}"
        for group, what in (
            (changes.came_in, "came in"),
            (changes.went_out, "went out"),
            (changes.reworded, "reworded"),
            (changes.moved, "moved"),
        )
        if group
    ]
    return ", ".join(parts)
