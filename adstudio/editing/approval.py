"""What a new plan made of lines that people have agreed to: those they accepted, and those of scenes they reviewed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.editing.names import at_time, line_name
from adstudio.planning.film.film_problem import scene_finder
from adstudio.planning.film.plan_changes import PlanChanges, compare

MOST_NAMED = 10


@dataclass(frozen=True)
class Agreed:
    """The changes of a plan, and of the lines that were spoken and are not, or otherwise, those agreed to.

    `accepted` are those that somebody accepted, `reviewed` the others of scenes that somebody marked as reviewed.
    """

    before: Plan
    after: Plan
    changes: PlanChanges
    accepted: tuple[str, ...] = ()
    reviewed: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.accepted, *self.reviewed)


def has_agreed(script: Script) -> bool:
    """Whether people have agreed to any of its lines."""
    return any(line.accepted for line in script.eventualities) or any(scene.reviewed for scene in script.scenes)


def compare_agreed(before: Plan, after: Plan, script: Script) -> Agreed:
    """What became of the lines of a script (as it is now) from one plan to the next."""
    changes = compare(before, after, script)
    touched = (*changes.went_out, *changes.reworded, *(shift.element for shift in changes.moved))
    lines = [script.eventuality(name) for name in touched if name in script.eventuality_index]
    scene_of = scene_finder(script)
    reviewed = {scene.id for scene in script.scenes if scene.reviewed}
    return Agreed(
        before,
        after,
        changes,
        tuple(line.id for line in lines if line.accepted),
        tuple(line.id for line in lines if not line.accepted and scene_of(line) in reviewed),
    )


def agreed_words(agreed: Agreed, script: Script) -> str:
    """Which are out, reworded or moved, and when: one sentence without a full stop; empty where there are none."""
    if not agreed.lines:
        return ""
    moved = tuple(shift.element for shift in agreed.changes.moved)
    parts = [
        f"{what} {_named([name for name in names if name in agreed.lines], plan, script)}"
        for what, names, plan in (
            ("out now", agreed.changes.went_out, agreed.before),
            ("reworded", agreed.changes.reworded, agreed.after),
            ("moved", moved, agreed.after),
        )
        if any(name in agreed.lines for name in names)
    ]
    is_one = len(agreed.lines) == 1
    return f"{counted_agreed(agreed)} {'is' if is_one else 'are'} not spoken as before: {'; '.join(parts)}"


def counted_agreed(agreed: Agreed) -> str:
    """How many of which kind: “1 accepted line and 3 lines of reviewed scenes”."""
    kinds = ((len(agreed.accepted), "accepted line", ""), (len(agreed.reviewed), "line", " of reviewed scenes"))
    return " and ".join(f"{count:,} {what}{'' if count == 1 else 's'}{of}" for count, what, of in kinds if count)


def _named(names: Sequence[str], plan: Plan, script: Script) -> str:
    shown = [
        f"{at_time(plan.by_element[name].start)} {line_name(script.eventuality(name))}" for name in names[:MOST_NAMED]
    ]
    more = [f"and {len(names) - MOST_NAMED:,} more"] if len(names) > MOST_NAMED else []
    return ", ".join([*shown, *more])
