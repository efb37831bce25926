"""What a new plan changed: which lines were added, dropped, moved or reworded."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Script

LEAST_MOVE = 200
"""Milliseconds by which a line's start changes at least if it is to count as moved."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A line that is now spoken `by` milliseconds later, or earlier where negative."""

    element: str
    by: int


@dataclass(frozen=True)
class PlanChanges:
    """Eventualities by what changed about them."""

    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    reworded: tuple[str, ...] = ()
    moved: tuple[Shift, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.dropped or self.reworded or self.moved)

    @property
    def elements(self) -> frozenset[str]:
        """Every eventuality that changed."""
        return frozenset((*self.added, *self.dropped, *self.reworded, *(shift.element for shift in self.moved)))


NO_CHANGES = PlanChanges()


def compare(before: Plan, after: Plan, script: Script | None = None) -> PlanChanges:
    """The changes, in speaking order.

    One that a fusion says instead, or that is said by itself again, is reworded. A line that was both reworded and
    moved is listed as reworded; one that moved by less than `LEAST_MOVE` is not. With the script after the change, what
    is not in it any more does not count as dropped, nor does a line for which the picture is held now; and a fused line
    that became one of a person's own is not reworded by that.
    """
    if before.deliveries == after.deliveries:
        return NO_CHANGES
    old, new = _by_line(before), _by_line(after)
    added: list[str] = []
    reworded: list[str] = []
    moved: list[Shift] = []
    for name, delivery in new.items():
        was = old.get(name)
        if was is None:
            added.append(name)
        elif was is not delivery and _reworded(script, was, delivery):
            reworded.append(name)
        elif abs(delivery.start - was.start) >= LEAST_MOVE:
            moved.append(Shift(name, delivery.start - was.start))
    dropped = [name for name in old if name not in new and (script is None or _is_planned(script, name))]
    return PlanChanges(tuple(added), tuple(dropped), tuple(reworded), tuple(moved))


def _by_line(plan: Plan) -> dict[str, Delivery]:
    return {line: delivery for delivery in plan.deliveries for line in delivery.lines}


def _reworded(script: Script | None, was: Delivery, delivery: Delivery) -> bool:
    if was.variant != delivery.variant:
        return True
    return was.element != delivery.element and not _is_own_now(script, was, delivery)


def _is_own_now(script: Script | None, was: Delivery, delivery: Delivery | None) -> bool:
    """Whether a line of a person's own says what a fused one said: all but its first are gone from the script."""
    if script is None or not was.members or delivery is None or delivery.element != was.line:
        return False
    return not any(name in script.eventuality_index for name in was.members[1:])


def _is_planned(script: Script, name: str) -> bool:
    """Whether the plan decides on a line: it is in the script, and no picture is held for it."""
    return name in script.eventuality_index and not script.eventuality(name).holds_picture


def respoken(before: Plan, after: Plan) -> frozenset[str]:
    """Every eventuality whose delivery differs, however little: what has to be shown anew."""
    if before.deliveries == after.deliveries:
        return frozenset()
    old, new = _by_line(before), _by_line(after)
    other = {name for name, delivery in new.items() if (was := old.get(name)) is not delivery and was != delivery}
    return frozenset(other | (old.keys() - new.keys()))


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
