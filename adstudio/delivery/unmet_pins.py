"""What the describer holds and a plan does not say as it is held: what is handed in would lack it."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Script


@dataclass(frozen=True)
class Unkept:
    """Lines held in that a plan leaves out, and lines that it says otherwise than they are held; in textual order."""

    missing: tuple[Eventuality, ...] = ()
    otherwise: tuple[Eventuality, ...] = ()


def unkept(script: Script, plan: Plan) -> Unkept:
    """Pins that a plan does not keep; a plan that was made around a conflict has some, no other has."""
    missing: list[Eventuality] = []
    otherwise: list[Eventuality] = []
    said = plan.by_element
    for line in script.eventualities:
        pin = line.pin
        if pin.selected is False:
            continue
        delivery = said.get(line.id)
        if delivery is None:
            if pin.selected or pin.start is not None:
                missing.append(line)
        elif pin.start not in (None, delivery.start) or (
            pin.variant not in (None, delivery.variant) and pin.variant < len(line.variants)
        ):
            otherwise.append(line)
    return Unkept(tuple(missing), tuple(otherwise))
