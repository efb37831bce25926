"""Drift: how far a line is spoken from its action, and which way.

It is the middle of the delivery minus the middle of the occurrence, in half-milliseconds because both middles are kept
doubled: positive where the line is late, negative where it is early.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Eventuality
from adstudio.core.settings import Settings
from adstudio.core.timebase import Span
from adstudio.planning.problem import Element, FusedElement, Problem

NEAR_SECONDS = (1, 2, 4)
"""The distances for which a plan tells the share of its lines that are so near their action."""


def drift(delivery: Span | Delivery, occurrence: Span) -> int:
    """How far a delivery is from its occurrence, middle to middle, in half-milliseconds."""
    return delivery.start + delivery.end - occurrence.start - occurrence.end


def middles(limits: Settings | Problem, occurrence: Span) -> tuple[int, int]:
    """The earliest and the latest middle of a delivery, both doubled: the window of a line (the paper's Δmax)."""
    middle = occurrence.doubled_midpoint
    return middle - 2 * limits.early, middle + 2 * limits.late


def far_limits(settings: Settings) -> tuple[int, int]:
    """How early and how late a line may be, in milliseconds, before it counts as far from its action.

    The project's near limits, or, where it has none, half of what its lines may be early and late at all.
    """
    near = settings.near
    return (near.early, near.late) if near is not None else (settings.early // 2, settings.late // 2)


def is_far(settings: Settings, by: int) -> bool:
    """Whether a line with this drift (half-milliseconds) is far from its action."""
    early, late = far_limits(settings)
    return not -2 * early <= by <= 2 * late


def drifts(plan: Plan, lines: Iterable[Element | FusedElement | Eventuality]) -> dict[str, int]:
    """The drift of each of these lines that is spoken and has an occurrence, by id, in half-milliseconds."""
    spoken = {} if any(delivery.text is not None for delivery in plan.deliveries) else plan.by_element
    return {
        line.id: drift(spoken[line.id], line.occurrence)
        for line in lines
        if line.occurrence is not None and line.id in spoken
    }


def shares_near(found: Collection[int]) -> dict[int, float]:
    """Which part of these drifts is within each of `NEAR_SECONDS`, from 0 to 1; empty without any."""
    if not found:
        return {}
    return {each: sum(abs(by) <= 2000 * each for by in found) / len(found) for each in NEAR_SECONDS}
