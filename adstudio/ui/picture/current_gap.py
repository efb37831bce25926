"""Which gap is meant by an action that plays one."""

from __future__ import annotations

from adstudio.core.timebase import Span
from adstudio.ui.session.session import Session

AROUND_MS = 1000
"""What is played of the film on either side of a gap."""


def current_gap(session: Session, at: int) -> Span | None:
    """The selected gap, else that of the selected line, else the one at a time, else the nearest."""
    line = session.cursor.line
    delivery = session.plan.by_element.get(line.id) if line is not None else None
    return (
        session.cursor.selection.gap
        or (session.current_plan.gap_at(delivery.start) if delivery is not None else None)
        or session.current_plan.gap_at(at)
        or min(session.gaps, key=lambda gap: max(gap.start - at, at - gap.end), default=None)
    )


def with_a_second(gap: Span, film_end: int) -> Span:
    """The gap and a second of film on either side, as far as there is any."""
    return Span(max(0, gap.start - AROUND_MS), max(gap.start, min(film_end, gap.end + AROUND_MS)))
