"""What the describer's act did, in a sentence: its result, a conflict it brings, and what the plan makes of it."""

from __future__ import annotations

from adstudio.core.counts import counted
from adstudio.core.document import Act
from adstudio.core.plan import Conflict
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.editing.labels import label_of
from adstudio.editing.machine_steps import is_automatic
from adstudio.editing.redraft import drafted_scene_id
from adstudio.editing.results import result_of
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.planning.film.live_plan import Outcome
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.selection import touched_by
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import MANNER

RESOLVED = "No locks conflict any more"


def act_result(session: Session, event: ChangeEvent) -> str:
    """What the act did, without a full stop; empty where no person acted, or typing goes on.

    That a drafted scene is undone is said by whoever drafts.
    """
    change = event.change
    if change is None or session.edits.typing or drafted_scene_id(change.step) is not None:
        return ""
    script, plans = session.script, (event.outcome.plan, event.last_act.before)
    match change.act:
        case Act.DO:
            # What touches no plan leaves the comparison as it was: with the plan of an earlier act.
            rooms = session.rooms if event.last_act.change is change else None
            return "" if is_automatic(change.step) else result_of(change.step, script, *plans, rooms=rooms)
        case Act.REDO:
            return f"Redone: {label_of(change.step, script, *plans)}{_now_selected(change.step, script)}"
        case Act.UNDO:
            done = change.step.inverse()
            return f"Undone: {label_of(done, script, *plans)}{_now_selected(done, script)}"
        case Act.WITHDRAW:
            return ""


def _now_selected(step: Step, script: Script) -> str:
    """How many lines are selected by undo or redo of a person's step, as the next key acts on all of them."""
    lines = () if is_automatic(step) else touched_by(step, script).lines()
    return f". {counted(len(lines), 'line')} selected" if len(lines) > 1 else ""


def new_conflict(session: Session, before: tuple[tuple[Conflict, ...], ...], outcome: Outcome) -> str:
    """The first conflict that was not there before, or that there is none any more; empty where that is as before."""
    new = next((conflict for conflict in outcome.conflicts if conflict not in before), None)
    if new is not None:
        return f"Conflict: {conflict_message(session.script, session.gaps, new, MANNER)}"
    return RESOLVED if before and not outcome.conflicts else ""
