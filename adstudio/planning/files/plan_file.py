"""`adstudio-plan/1`: writing and reading plans (DESIGN section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from adstudio.core.json_reading import Node, parse_json
from adstudio.core.plan import Conflict, Delivery, HoldConflict, Plan, Status
from adstudio.core.script import Eventuality
from adstudio.core.timebase import seconds
from adstudio.planning.drift import NEAR_SECONDS, drifts, shares_near
from adstudio.planning.problem import Element, FusedElement

FORMAT = "adstudio-plan/1"
MAX_BYTES = 64_000_000
MAX_DELIVERIES = 1_000_000
MAX_CAUSES = 1_000_000


def plan_json(plan: Plan, lines: Iterable[Element | FusedElement | Eventuality] = ()) -> dict[str, object]:
    """The plan in its file format; objective, bound and deviation are null without a plan.

    With the lines that it is a plan of, it tells which part of those spoken is near its event.
    """
    near = shares_near(drifts(plan, lines).values())
    return {
        "format": FORMAT,
        "status": plan.status.value,
        "backend": plan.backend,
        "objective": None if plan.objective is None else plan.objective / 10**9,
        "bound": None if plan.bound is None else plan.bound / 10**9,
        "deviation": None if plan.deviation is None else plan.deviation / 2000,
        "seconds": round(plan.seconds, 3),
        **({"near_event": {str(within): round(share, 4) for within, share in near.items()}} if near else {}),
        "deliveries": [_delivery(delivery) for delivery in plan.deliveries],
        "conflict": [_conflict(cause) for cause in plan.conflict],
        "violations": [
            {"kind": violation.kind, "elements": list(violation.elements), "what": violation.what}
            for violation in plan.violations
        ],
    }


def read_plan(data: bytes, source: str) -> dict[str, object]:
    """A plan as in the file, for `verify`; only its form is checked.

    Raises:
        JsonError: if it is not `adstudio-plan/1`, or has unknown keys, invalid times or a fourth decimal.
    """
    root = parse_json(data, source)
    _require_plan(root)
    return cast("dict[str, object]", root.value)


def _require_plan(root: Node) -> dict[str, Node]:
    """The members of a plan, after checking its form."""
    if root.has("elements"):
        root.fail("this is a problem, but a plan is expected")
    top = root.members(
        ("format", "status", "deliveries"),
        ("backend", "objective", "bound", "deviation", "seconds", "near_event", "conflict", "violations"),
    )
    if top["format"].value != FORMAT:
        top["format"].fail(f"expected “{FORMAT}”")
    if top["status"].text(40) not in [status.value for status in Status]:
        top["status"].fail(f"expected one of {', '.join(status.value for status in Status)}")
    for key in ("objective", "bound", "deviation"):
        if key in top and not top[key].is_null:
            top[key].millionths(-_BEYOND, _BEYOND)
    for share in top["near_event"].members(_NEAR_KEYS).values() if "near_event" in top else ():
        share.millionths(0, 1)
    for item in top["deliveries"].items(MAX_DELIVERIES):
        _require_delivery(item)
    for item in top["conflict"].items(MAX_CAUSES) if "conflict" in top else []:
        item.members((), ("element", "hold", "rule", "of"))
    for item in top["violations"].items(MAX_CAUSES) if "violations" in top else []:
        item.members(("kind", "elements", "what"))
    return top


_NEAR_KEYS = tuple(str(within) for within in NEAR_SECONDS)
_BEYOND = 10**18
"""Larger than any objective or deviation: 100,000 elements of salience 10⁴ for an hour each are less."""


def _require_delivery(node: Node) -> None:
    value = node.value
    from_pool = isinstance(value, dict) and "text" in cast("dict[str, object]", value)
    names = ("text",) if from_pool else ("element", "variant")
    found = node.members((*names, "start", "end"))
    for key in ("start", "end"):
        found[key].ms()
    if from_pool:
        found["text"].text()
    else:
        found["element"].text(200)
        found["variant"].integer(-(10**9), 10**9)


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
    """Whether the plan is optimal or at least feasible."""
    return plan.status in (Status.OPTIMAL, Status.FEASIBLE)
