"""Why a line is in or out of the plan on display, and what a gap would bring, in the describer's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adstudio.core.plan import Conflict, HoldConflict
from adstudio.core.timebase import Span
from adstudio.planning.film.conflict_messages import conflict_message
from adstudio.planning.film.reason_messages import ALL_NAMED, MOST_NAMED, ReasonWriter
from adstudio.planning.live.explain import NO_CHANGES, LineChanges, Reason
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import MANNER

WORKING = "What it would cost is being worked out…"
NOT_IN_TIME = (
    "What it would cost could not be worked out in time: allow more planning time per scene in the preferences."
)
APART = "It is shown where you put it, outside the plan"
NOT_PLANNED = "It is not in the plan"
HELD = "The picture is held for it where its action begins, so it needs no gap."
GAP_TIED = "What one more second would bring is not worked out: rules, or locks in conflict, tie the lines here."


class ReasonText(NamedTuple):
    """A reason in a few words and in full, what would become of other lines, and the loss in billionths, if any."""

    short: str
    full: str
    lines: LineChanges = NO_CHANGES
    loss: int | None = None


def reason_text(session: Session, identity: str, found: Reason | None = None) -> ReasonText:
    """Why a line is in or out; `found` is the reason where the worker has found it."""
    plan = session.current_plan
    if session.script.eventuality(identity).holds_picture:
        return ReasonText(HELD, HELD)
    apart = _why_apart(session, identity)
    if apart:
        return ReasonText(apart, apart)
    reason = found or plan.planner.reason(identity)
    if reason is None or reason.open:
        return ReasonText(WORKING, WORKING)
    short, full = (_writer(session, most).why(reason) for most in (MOST_NAMED, ALL_NAMED))
    return ReasonText(short, full, _writer(session, ALL_NAMED).others(reason), reason.loss)


def gap_texts(session: Session, gap: Span, where: str) -> tuple[str, str]:
    """What one more second of a gap would bring, in a few words and in full; where it is not known, that it is not."""
    value = session.current_plan.planner.gap_value(gap)
    if value is None:
        return GAP_TIED, GAP_TIED
    return _writer(session, MOST_NAMED).gap(value, where), _writer(session, ALL_NAMED).gap(value, where)


def _writer(session: Session, most: int) -> ReasonWriter:
    film, problem = session.script.film, session.current_plan.planner.problem

    def locks(conflict: Sequence[Conflict]) -> str:
        return conflict_message(session.script, session.gaps, conflict, MANNER)

    def has_room(identity: str) -> bool:
        shortest = min(session.rooms.element(identity).durations)
        return session.rooms.room(identity, shortest).fits(shortest)

    return ReasonWriter(problem, session.plan, film.timecode, locks, MANNER, most, has_room)


def _why_apart(session: Session, identity: str) -> str:
    """Why a line whose locks conflict is not in the plan; empty for any other line."""
    outcome = session.current_plan.outcome
    if identity in outcome.plan.by_line:
        return ""
    head = APART if any(delivery.element == identity for delivery in outcome.overlay) else NOT_PLANNED
    for conflict in outcome.conflicts:
        if any(isinstance(cause, HoldConflict) and cause.element == identity for cause in conflict):
            return f"{head}: {conflict_message(session.script, session.gaps, conflict, MANNER)}"
    return f"{head}." if head is APART else ""
