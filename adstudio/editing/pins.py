"""Pins (in or out, wording, start, override), and what has been seen, accepted and noted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from adstudio.core.plan import Plan
from adstudio.core.script import NO_PIN, Eventuality, Pin, Script
from adstudio.core.steps import Replace, Step
from adstudio.editing.approval import as_approved
from adstudio.editing.change import EditRefused, checked_text, clamped, edit_lines, line_of, one_step
from adstudio.editing.fusions import on_own_lines
from adstudio.editing.names import line_name


def pin_in(script: Script, identities: Iterable[str]) -> Step | None:
    """Pin lines in: the plan must speak them. A pinned wording or start stays."""
    return _repinned(script, identities, "Lock {} lines in", lambda line: replace(line.pin, selected=True))


def pin_out(script: Script, identities: Iterable[str]) -> Step | None:
    """Pin lines out: the plan must not speak them. This clears a pinned start and override, which contradict it."""
    return _repinned(
        script, identities, "Lock {} lines out", lambda line: Pin(selected=False, variant=line.pin.variant)
    )


def unpin_placement(script: Script, identities: Iterable[str]) -> Step | None:
    """Leave it to the planner whether and when lines are spoken; a pinned wording stays."""
    return _repinned(script, identities, "Unlock {} lines", lambda line: Pin(variant=line.pin.variant))


def unpin(script: Script, identities: Iterable[str]) -> Step | None:
    """Clear all pins of these lines."""
    return _repinned(script, identities, "Clear locks of {} lines", lambda _: NO_PIN)


def pin_variant(script: Script, identity: str, variant: int | None) -> Step | None:
    """Pin a wording (None: leave the choice to the planner). This does not pin the line in.

    Raises:
        EditRefused: if the line does not have that wording.
    """
    if variant is not None and not 0 <= variant < len(line_of(script, identity).variants):
        raise EditRefused("That wording no longer exists.")
    return _repinned(script, (identity,), "", lambda line: replace(line.pin, variant=variant))


def pin_spoken_variant(script: Script, plan: Plan, identity: str) -> Step | None:
    """Pin the wording in which a plan speaks a line; a fused one becomes a line of its own."""

    def pin(script: Script, plan: Plan, names: tuple[str, ...]) -> Step | None:
        spoken = plan.by_line.get(names[0])
        return None if spoken is None else pin_variant(script, names[0], spoken.variant)

    return on_own_lines(script, plan, (identity,), pin)


def pin_start(script: Script, identity: str, start: int, plan: Plan | None = None) -> Step | None:
    """Pin a line's start (ms), which pins it in. With a plan, it is the line that is fused in it.

    A line without an occurrence also gets an override, since it can be spoken no other way.
    """
    return pin_starts(script, {identity: start}, plan)


def pin_starts(script: Script, starts: Mapping[str, int], plan: Plan | None = None) -> Step | None:
    """Pin the starts of several lines as one action; with a plan, those fused in it become lines of their own."""
    if plan is None:
        return _pinned_at(script, starts)
    own: dict[str, int] = {}
    for name, start in starts.items():
        spoken = plan.by_line.get(name)
        # Of lines that are one line then, the first says when.
        own.setdefault(name if spoken is None else spoken.line, start)
    return on_own_lines(script, plan, own, lambda script, _, names: _pinned_at(script, {n: own[n] for n in names}))


def _pinned_at(script: Script, starts: Mapping[str, int]) -> Step | None:
    def pin(line: Eventuality) -> Pin:
        held = replace(line.pin, start=clamped(script, starts[line.id]))
        if held.selected is False:
            held = replace(held, selected=None)
        return replace(held, override=held.override or line.occurrence is None)

    return _repinned(script, starts, "Lock times of {} lines", pin)


def pin_as_planned(script: Script, plan: Plan, identities: Iterable[str]) -> Step | None:
    """Pin the planned wording and start of lines, so that edits elsewhere cannot move them; others are skipped.

    Fused ones become lines of their own.
    """
    return on_own_lines(script, plan, identities, _pinned_as_planned)


def _pinned_as_planned(script: Script, plan: Plan, identities: Iterable[str]) -> Step | None:
    def pin(line: Eventuality) -> Pin:
        spoken = plan.by_line.get(line.id)
        if spoken is None or not 0 <= spoken.variant < len(line.variants):
            return line.pin
        return replace(line.pin, selected=True, variant=spoken.variant, start=spoken.start)

    return _repinned(script, identities, "Lock {} lines as planned", pin)


def unpin_start(script: Script, identities: Iterable[str]) -> Step | None:
    """Unpin the start of lines; other pins stay, and lines pinned in only by their start are free."""
    return _repinned(
        script, identities, "Unlock times of {} lines", lambda line: replace(line.pin, start=None, override=False)
    )


def set_override(script: Script, identities: Iterable[str], *, on: bool) -> Step | None:
    """Let lines be spoken at their pinned start regardless of dialogue, silences and the window, or no longer.

    Raises:
        EditRefused: if a start is not pinned, or a line could never be spoken without its override.
    """

    def override(line: Eventuality) -> Pin:
        if on and line.pin.start is None:
            raise EditRefused(
                f"Only lines with a locked time can overlap dialogue: lock the time of {line_name(line)} first."
            )
        if not on and line.pin.override and line.occurrence is None:
            raise EditRefused(
                f"{line_name(line)} has no action time, so it can only be spoken where you lock it: "
                "set its action in and out first."
            )
        return replace(line.pin, override=on)

    label = "Allow overlap of {} lines" if on else "Stop allowing overlap of {} lines"
    return _repinned(script, identities, label, override)


def set_accepted(script: Script, identities: Iterable[str], *, on: bool, plan: Plan | None = None) -> Step | None:
    """Accept lines as the plan speaks them, or no longer; an accepted line counts as seen.

    With a plan, fused ones become lines of their own.
    """
    if plan is None or not on:
        label = "Accept {} lines" if on else "Withdraw acceptance of {} lines"
        return edit_lines(script, identities, label, lambda line: replace(line, accepted=on, seen=line.seen or on))
    return on_own_lines(script, plan, identities, _accepted)


def _accepted(script: Script, plan: Plan, identities: Iterable[str]) -> Step | None:
    def accept(line: Eventuality) -> Eventuality:
        return as_approved(script, replace(line, accepted=True, seen=True), plan)

    return edit_lines(script, identities, "Accept {} lines", accept)


def set_seen(script: Script, identities: Iterable[str], *, on: bool) -> Step | None:
    """Mark lines as seen or unseen; an unseen line is not accepted."""
    return edit_lines(
        script,
        identities,
        "Mark {} lines as seen" if on else "Mark {} lines as unseen",
        lambda line: replace(line, seen=on, accepted=line.accepted and on),
    )


def set_note(script: Script, identity: str, text: str) -> Step | None:
    """Set a line's note."""
    line = line_of(script, identity)
    new = replace(line, note=checked_text(text))
    return one_step("", [Replace(line, new)] if new != line else [])


def _repinned(
    script: Script, identities: Iterable[str], label: str, pin_of: Callable[[Eventuality], Pin]
) -> Step | None:
    def repinned(line: Eventuality) -> Eventuality:
        pin = pin_of(line)
        # From now on the pin is the describer's choice, whoever set it.
        by_describer = replace(line.provenance, held_by_polishing=False)
        return line if pin == line.pin else replace(line, pin=pin, provenance=by_describer)

    return edit_lines(script, identities, label, repinned)
