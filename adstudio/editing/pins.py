"""What the describer holds: in or out, a wording, a start, an override; and what has been looked at and agreed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from adstudio.core.plan import Plan
from adstudio.core.script import NO_PIN, Eventuality, Pin, Script
from adstudio.core.steps import Replace, Step
from adstudio.editing.change import bounded, edited, line_of, one_step, written
from adstudio.editing.names import line_name
from adstudio.editing.refusal import EditRefused


def keep_in(script: Script, identities: Iterable[str]) -> Step | None:
    """Hold lines in: the plan must say them. A held wording or start stays."""
    return edited(script, identities, "Keep {} lines in", lambda line: _pinned(line, replace(line.pin, selected=True)))


def keep_out(script: Script, identities: Iterable[str]) -> Step | None:
    """Hold lines out: the plan must not say them. A held start and its override go, for both cannot hold."""
    return edited(
        script,
        identities,
        "Keep {} lines out",
        lambda line: _pinned(line, Pin(selected=False, variant=line.pin.variant)),
    )


def free(script: Script, identities: Iterable[str]) -> Step | None:
    """Leave it to the planner whether and when lines are said; a held wording stays."""
    return edited(script, identities, "Free {} lines", lambda line: _pinned(line, Pin(variant=line.pin.variant)))


def unpin(script: Script, identities: Iterable[str]) -> Step | None:
    """Hold nothing about these lines any more."""
    return edited(script, identities, "Unpin {} lines", lambda line: _pinned(line, NO_PIN))


def pin_variant(script: Script, identity: str, variant: int | None) -> Step | None:
    """Hold a wording (None: leave the choice to the planner). This does not hold the line in.

    Raises:
        EditRefused: for a wording that the line does not have.
    """
    if variant is not None and not 0 <= variant < len(line_of(script, identity).variants):
        raise EditRefused("The line does not have that wording any more.")
    return edited(script, (identity,), "", lambda line: _pinned(line, replace(line.pin, variant=variant)))


def pin_start(script: Script, identity: str, start: int) -> Step | None:
    """Hold the time (ms) at which a line starts, which holds it in.

    A line that nothing on screen establishes is overridden as well: it can be said no other way.
    """
    return pin_starts(script, {identity: start})


def pin_starts(script: Script, starts: Mapping[str, int]) -> Step | None:
    """Hold the starts of several lines, as one action."""

    def pin(line: Eventuality) -> Eventuality:
        held = replace(line.pin, start=bounded(script, starts[line.id]))
        if held.selected is False:
            held = replace(held, selected=None)
        return _pinned(line, replace(held, override=held.override or line.occurrence is None))

    return edited(script, starts, "Pin {} lines", pin)


def pin_as_planned(script: Script, plan: Plan, identities: Iterable[str]) -> Step | None:
    """Hold lines as the plan has them now, wording and start; those that it leaves out are passed over.

    An edit elsewhere then cannot move them, which is how lines that the describer has accepted are kept.
    """

    def pin(line: Eventuality) -> Eventuality:
        spoken = plan.by_element.get(line.id)
        if spoken is None or not 0 <= spoken.variant < len(line.variants):
            return line
        return _pinned(line, replace(line.pin, selected=True, variant=spoken.variant, start=spoken.start))

    return edited(script, identities, "Keep {} lines as they are", pin)


def unpin_start(script: Script, identities: Iterable[str]) -> Step | None:
    """Leave the time to the planner; lines that only their start held in are free, what else is held stays."""
    return edited(
        script,
        identities,
        "Leave the times of {} lines open",
        lambda line: _pinned(line, replace(line.pin, start=None, override=False)),
    )


def set_override(script: Script, identities: Iterable[str], *, on: bool) -> Step | None:
    """Let lines be spoken where they are pinned whatever is there: over dialogue, a silence, beyond the window.

    Raises:
        EditRefused: on, for a line whose start is not pinned; off, for one that could then never be spoken.
    """

    def override(line: Eventuality) -> Eventuality:
        if on and line.pin.start is None:
            raise EditRefused(
                f"Only a pinned start can be overridden: pin {line_name(line)} where it is to start first."
            )
        if not on and line.pin.override and line.occurrence is None:
            raise EditRefused(
                f"{line_name(line)} happens nowhere in the film, so it can only be spoken where you put it: "
                "say when it happens first."
            )
        return _pinned(line, replace(line.pin, override=on))

    return edited(script, identities, "Override {} lines" if on else "Override {} lines no more", override)


def set_accepted(script: Script, identities: Iterable[str], *, on: bool) -> Step | None:
    """Agree to lines as they stand, or no longer; what is agreed to has been seen."""
    return edited(
        script,
        identities,
        "Accept {} lines" if on else "Accept {} lines no more",
        lambda line: replace(line, accepted=on, seen=line.seen or on),
    )


def set_seen(script: Script, identities: Iterable[str], *, on: bool) -> Step | None:
    """Mark lines as looked at, or as not yet; what has not been looked at is not agreed to."""
    return edited(
        script,
        identities,
        "Mark {} lines as seen" if on else "Mark {} lines as not seen",
        lambda line: replace(line, seen=on, accepted=line.accepted and on),
    )


def set_note(script: Script, identity: str, text: str) -> Step | None:
    """Write the note that goes with a line."""
    line = line_of(script, identity)
    new = replace(line, note=written(text))
    return one_step("", [Replace(line, new)] if new != line else [])


def _pinned(line: Eventuality, pin: Pin) -> Eventuality:
    # From here on what is held is the describer's choice, whoever set it.
    return (
        line
        if pin == line.pin
        else replace(line, pin=pin, provenance=replace(line.provenance, held_by_polishing=False))
    )
