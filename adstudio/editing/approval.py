"""How a new plan changes approved lines: accepted lines, and lines of reviewed scenes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adstudio.core.counts import counted
from adstudio.core.plan import Plan
from adstudio.core.script import Approval, Eventuality, Script
from adstudio.core.steps import Insert, Replace, Several, Step
from adstudio.editing.names import line_name
from adstudio.planning.film.film_problem import scene_finder
from adstudio.planning.film.plan_changes import PlanChanges, compare

MAX_LISTED = 10


@dataclass(frozen=True)
class ApprovedChanges:
    """The changes from one plan to the next, and which approved lines they affect.

    `accepted` are affected lines that someone accepted, `reviewed` the others, from scenes marked as reviewed.
    """

    before: Plan
    after: Plan
    changes: PlanChanges
    accepted: tuple[str, ...] = ()
    reviewed: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """All affected approved lines."""
        return (*self.accepted, *self.reviewed)


def as_approved(script: Script, line: Eventuality, plan: Plan) -> Eventuality:
    """The line, approved as the plan speaks it; where there is a voice, with the length that it has there."""
    spoken = plan.by_line.get(line.id)
    if spoken is None:
        return replace(line, approval=None)
    length = spoken.end - spoken.start if script.voice.engine else None
    return replace(line, approval=Approval(spoken.variant, spoken.start, length))


def has_approved(script: Script) -> bool:
    """Whether the script has any accepted line or reviewed scene."""
    return any(line.accepted for line in script.eventualities) or any(scene.reviewed for scene in script.scenes)


def accepted_by(*steps: Step) -> frozenset[str]:
    """The lines that become accepted by these steps: ids."""
    found: set[str] = set()
    for step in steps:
        match step:
            case Several():
                found |= accepted_by(*step.steps)
            case Insert(Eventuality(accepted=True) as line):
                found.add(line.id)
            case Replace(Eventuality(accepted=False), Eventuality(accepted=True) as line):
                found.add(line.id)
            case _:
                pass
    return frozenset(found)


def compare_approved(before: Plan, after: Plan, script: Script) -> ApprovedChanges:
    """How the approved lines of the current script change from one plan to the next."""
    return approved_among(compare(before, after), before, after, script)


def approved_among(changes: PlanChanges, before: Plan, after: Plan, script: Script) -> ApprovedChanges:
    """The approved lines that known changes from one plan to the next affect."""
    touched = dict.fromkeys((*changes.dropped, *changes.reworded, *(shift.element for shift in changes.moved)))
    lines = [script.eventuality(name) for name in touched if name in script.eventuality_index]
    scene_of = scene_finder(script)
    reviewed = {scene.id for scene in script.scenes if scene.reviewed}
    return ApprovedChanges(
        before,
        after,
        changes,
        tuple(line.id for line in lines if line.accepted),
        tuple(line.id for line in lines if not line.accepted and scene_of(line) in reviewed),
    )


def approved_changes_text(approved: ApprovedChanges, script: Script) -> str:
    """Which approved lines were dropped, reworded or moved, and when: one sentence without a full stop, or ""."""
    if not approved.lines:
        return ""
    moved = tuple(shift.element for shift in approved.changes.moved)
    parts = [
        f"{what} {_list([name for name in names if name in approved.lines], plan, script)}"
        for what, names, plan in (
            ("dropped", approved.changes.dropped, approved.before),
            ("reworded", approved.changes.reworded, approved.after),
            ("moved", moved, approved.after),
        )
        if any(name in approved.lines for name in names)
    ]
    return (
        f"{approved_counts_text(approved)} {'has' if len(approved.lines) == 1 else 'have'} changed: {'; '.join(parts)}"
    )


def approved_counts_text(approved: ApprovedChanges) -> str:
    """How many of each kind: “1 accepted line and 3 lines in reviewed scenes”."""
    return approved_counted(len(approved.accepted), len(approved.reviewed))


def approved_counted(accepted: int, reviewed: int) -> str:
    """So many accepted lines, and others in reviewed scenes, in words; what the code calls approved is one or other."""
    kinds = ((accepted, "accepted line", ""), (reviewed, "line", " in reviewed scenes"))
    return " and ".join(f"{counted(count, what)}{of}" for count, what, of in kinds if count)


def _list(names: Sequence[str], plan: Plan, script: Script) -> str:
    shown = [
        f"{script.film.timecode(plan.by_line[name].start)} {line_name(script.eventuality(name))}"
        for name in names[:MAX_LISTED]
    ]
    more = [f"and {len(names) - MAX_LISTED:,} more"] if len(names) > MAX_LISTED else []
    return ", ".join([*shown, *more])
