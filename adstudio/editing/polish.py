"""A polished wording taken over: one step, after which the plan speaks it where it spoke the fragment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adstudio.core.plan import Delivery, Plan
from adstudio.core.provenance import ModelWork
from adstudio.core.script import Script, Variant
from adstudio.core.steps import Replace, Several, Step
from adstudio.editing.change import by_hand, line_of, place_of, said
from adstudio.editing.names import named
from adstudio.editing.refusal import EditRefused


def take_polished(
    script: Script,
    identity: str,
    variant: int,
    text: str,
    *,
    keep_in: bool = False,
    agreed: bool = False,
    polished_by: ModelWork | None = None,
    as_spoken: Sequence[Delivery] = (),
) -> Step | None:
    """Put a polished text in place of a wording, and hold that wording, so that the plan goes on speaking it.

    It stays a machine's wording; `agreed` where the describer has read it and agrees. `keep_in` holds the line in as
    well: a shorter wording is worth less to the planner, which might leave it out. `as_spoken` are other lines to be
    held in, in the wordings that they are spoken in, since the plan would lose them otherwise.

    Raises:
        EditRefused: for a wording without words or of absurd length, or one that the line does not have any more.
    """
    line = line_of(script, identity)
    if not 0 <= variant < len(line.variants):
        raise EditRefused("The line does not have that wording any more.")
    worded = Variant(said(text), line.variants[variant].rate)
    variants = (*line.variants[:variant], worded, *line.variants[variant + 1 :])
    pin = replace(line.pin, variant=variant, selected=True if keep_in else line.pin.selected)
    new = replace(
        line,
        variants=variants,
        pin=pin,
        accepted=line.accepted or agreed,
        seen=line.seen or agreed,
        provenance=replace(line.provenance, polished=polished_by or line.provenance.polished, held_by_polishing=False),
    )
    new = by_hand(line, new)
    steps = [Replace(line, new)] if new != line else []
    steps += [held for each in as_spoken if each.element != identity and (held := _held(script, each)) is not None]
    return Several(f"Polish {named(text)}", tuple(steps)) if steps else None


def lost(before: Plan, after: Plan, taken: str) -> tuple[Delivery, ...]:
    """Lines that were spoken and are not, or are in another wording, the one `taken` over apart."""
    return tuple(
        each
        for each in before.deliveries
        if each.element != taken
        and ((now := after.by_element.get(each.element)) is None or now.variant != each.variant)
    )


def _held(script: Script, spoken: Delivery) -> Replace | None:
    line = script.eventualities[place_of(script, spoken.element)]
    new = replace(line, pin=replace(line.pin, selected=True, variant=spoken.variant))
    if line.pin.variant is None:
        # What the describer has not chosen is not chosen now either: such a line may be polished next.
        new = replace(new, provenance=replace(line.provenance, held_by_polishing=True))
    return Replace(line, new) if new != line else None
