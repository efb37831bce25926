"""What a new plan changed: which lines were added, dropped, moved or reworded."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.plan import Plan
from adstudio.core.script import Script


@dataclass(frozen=True, slots=True)
class Shift:
    """A line that is now spoken `by` milliseconds later, or earlier where negative."""

    element: str
    by: int


@dataclass(frozen=True)
class PlanChanges:
    """Eventualities by what changed about them; `accepted` are those among them that the describer had accepted."""

    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    reworded: tuple[str, ...] = ()
    moved: tuple[Shift, ...] = ()
    accepted: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.dropped or self.reworded or self.moved)

    @property
    def elements(self) -> frozenset[str]:
        """Every eventuality that changed."""
        return frozenset((*self.added, *self.dropped, *self.reworded, *(shift.element for shift in self.moved)))


NO_CHANGES = PlanChanges()


def compare(before: Plan, after: Plan, script: Script) -> PlanChanges:
    """The changes, in speaking order; lines no longer in the script count as dropped.

    A line that was both reworded and moved is listed as reworded.
    """
    if before.deliveries == after.deliveries:
        return NO_CHANGES
    old, new = before.by_element, after.by_element
    added: list[str] = []
    reworded: list[str] = []
    moved: list[Shift] = []
    for name, delivery in new.items():
        was = old.get(name)
        if was is None:
            added.append(name)
        elif was is not delivery and was.variant != delivery.variant:
            reworded.append(name)
        elif was.start != delivery.start:
            moved.append(Shift(name, delivery.start - was.start))
    dropped = [name for name in old if name not in new]
    index = script.eventuality_index
    touched = (*added, *dropped, *reworded, *(shift.element for shift in moved))
    accepted = tuple(name for name in touched if name in index and script.eventuality(name).accepted)
    return PlanChanges(tuple(added), tuple(dropped), tuple(reworded), tuple(moved), accepted)


def sentence(changes: PlanChanges) -> str:
    """The changes in one sentence, as a screen reader announces it; empty where there are none."""
    parts = [
        f"{len(group)} {what}"
        for group, what in (
            (changes.added, "added"),
            (changes.dropped, "left out"),
            (changes.reworded, "reworded"),
            (changes.moved, "moved"),
        )
        if group
    ]
    return ", ".join(parts)
