"""`adstudio-plan/1` and `adstudio-explain/1`: writing them, and reading plans (DESIGN section 5)."""

from __future__ import annotations

from adstudio.core.plan import Conflict, Delivery, HoldConflict, Plan, Status
from adstudio.core.timebase import seconds

FORMAT = "adstudio-plan/1"
MAX_BYTES = 64 * 1024 * 1024


def plan_json(plan: Plan) -> dict[str, object]:
    """The plan as the format holds it; without a plan objective, bound and deviation are null."""
    return {
        "format": FORMAT,
        "status": plan.status.value,
        "backend": plan.backend,
        "objective": None if plan.objective is None else plan.objective / 10**9,
        "bound": None if plan.bound is None else plan.bound / 10**9,
        "deviation": None if plan.deviation is None else plan.deviation / 2000,
        "seconds": round(plan.seconds, 6),
        "deliveries": [_delivery(delivery) for delivery in plan.deliveries],
        "conflict": [_conflict(cause) for cause in plan.conflict],
        "violations": [
            {"kind": violation.kind, "elements": list(violation.elements), "what": violation.what}
            for violation in plan.violations
        ],
    }


def _delivery(delivery: Delivery) -> dict[str, object]:
    span = {"start": seconds(delivery.start), "end": seconds(delivery.end)}
    if delivery.text is not None:
        return {"text": delivery.text, **span}
    return {"element": delivery.element, "variant": delivery.variant, **span}


def _conflict(cause: Conflict) -> dict[str, object]:
    if isinstance(cause, HoldConflict):
        return {"element": cause.element, "hold": cause.hold}
    return {"rule": cause.rule, "of": list(cause.of)}


def has_plan(plan: Plan) -> bool:
    """Whether there is anything to deliver: the plan is proven or at least sound."""
    return plan.status in (Status.OPTIMAL, Status.FEASIBLE)


def conflict_sentence(plan: Plan) -> str:
    """Why there is no plan, for a person."""
    if not plan.conflict:
        return f"planning ended {plan.status.value}"
    named = [
        f"{cause.element} ({cause.hold})" if isinstance(cause, HoldConflict) else f"{cause.rule} {', '.join(cause.of)}"
        for cause in plan.conflict
    ]
    if len(named) == 1:
        return f"this cannot hold: {named[0]}"
    return f"these cannot hold together: {'; '.join(named)}"
