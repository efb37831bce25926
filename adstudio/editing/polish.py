"""Accepting a polished wording as one step, after which the plan still speaks it where it spoke the original."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from adstudio.core.plan import Delivery, Plan
from adstudio.core.provenance import ModelWork
from adstudio.core.script import Approval, Eventuality, Script
from adstudio.core.steps import Replace, Several, Step
from adstudio.editing.change import (
    EditRefused,
    checked_wording,
    line_of,
    marked_as_worked,
    position_of,
    with_open_length,
)
from adstudio.editing.names import quoted_line


def apply_polish(
    script: Script,
    identity: str,
    variant: int,
    text: str,
    *,
    pin_in: bool = False,
    accept: bool = False,
    approval: Approval | None = None,
    polished_by: ModelWork | None = None,
    as_spoken: Sequence[Delivery] = (),
) -> Step | None:
    """Replace a wording by a polished text and pin it, so that the plan keeps speaking it.

    It remains a machine's wording; `accept` if the describer has read and approved it, to be spoken as `approval` says.
    `pin_in` also pins the line in, since the planner values a shorter wording less and might drop it. `as_spoken` are
    other lines to pin in with their spoken wordings, since the plan would lose them otherwise.

    Raises:
        EditRefused: if the text is empty or too long, or the wording no longer exists.
    """
    line = line_of(script, identity)
    if not 0 <= variant < len(line.variants):
        raise EditRefused("That wording no longer exists.")
    polished = replace(line.variants[variant], text=checked_wording(text), duration=None, stale=False)
    variants = (*line.variants[:variant], polished, *line.variants[variant + 1 :])
    pin = replace(line.pin, variant=variant, selected=True if pin_in else line.pin.selected)
    new = replace(
        line,
        variants=variants,
        pin=pin,
        accepted=line.accepted or accept,
        seen=line.seen or accept,
        approval=approval if accept else line.approval,
        provenance=replace(line.provenance, polished=polished_by or line.provenance.polished, held_by_polishing=False),
    )
    new = marked_as_worked(line, new if accept else with_open_length(line, new))
    steps = [Replace(line, new)] if new != line else []
    steps += [step for each in as_spoken if each.element != identity for step in _pins_as_spoken(script, each)]
    return Several(f"Polish {quoted_line(text)}", tuple(steps)) if steps else None


def lost_lines(before: Plan, after: Plan, taken: str) -> tuple[Delivery, ...]:
    """Deliveries, except of the line `taken` over, that the new plan drops or speaks in another wording."""
    return tuple(each for each in before.deliveries if each.element != taken and not _is_spoken_so(each, after))


def _is_spoken_so(delivery: Delivery, plan: Plan) -> bool:
    """Whether a plan speaks it in the same wording; what a fusion said may also be said otherwise."""
    if delivery.members:
        return plan.by_line.keys() >= set(delivery.members)
    now = plan.by_element.get(delivery.element)
    return now is not None and now.variant == delivery.variant


def _pins_as_spoken(script: Script, spoken: Delivery) -> Iterator[Replace]:
    variant = None if spoken.members else spoken.variant
    steps = (_pin_as_spoken(script.eventualities[position_of(script, name)], variant) for name in spoken.lines)
    return (step for step in steps if step is not None)


def _pin_as_spoken(line: Eventuality, variant: int | None) -> Replace | None:
    new = replace(line, pin=replace(line.pin, selected=True, variant=variant))
    if line.pin.variant is None:
        # Marked as pinned by the polish, not by the describer, so that this line may be polished next.
        new = replace(new, provenance=replace(line.provenance, held_by_polishing=True))
    return Replace(line, new) if new != line else None
