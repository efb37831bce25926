"""Pins that a plan does not meet, so that an export would differ from them."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Script


@dataclass(frozen=True)
class UnmetPins:
    """Lines pinned in that a plan leaves out, and lines that it speaks otherwise than pinned; in textual order."""

    missing: tuple[Eventuality, ...] = ()
    otherwise: tuple[Eventuality, ...] = ()


def unmet_pins(script: Script, plan: Plan) -> UnmetPins:
    """Pins that a plan does not meet; only plans made around a conflict have any."""
    missing: list[Eventuality] = []
    otherwise: list[Eventuality] = []
    spoken = plan.by_element
    for line in script.eventualities:
        pin = line.pin
        if pin.selected is False:
            continue
        delivery = spoken.get(line.id)
        if delivery is None:
            if pin.selected or pin.start is not None:
                missing.append(line)
        elif pin.start not in (None, delivery.start) or (
            pin.variant not in (None, delivery.variant) and pin.variant < len(line.variants)
        ):
            otherwise.append(line)
    return UnmetPins(tuple(missing), tuple(otherwise))
