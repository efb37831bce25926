"""Proposals for a plan's lines: whether each can still be accepted, and the step that does it and keeps the plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adstudio.core.plan import Delivery, Plan
from adstudio.core.provenance import ModelWork
from adstudio.core.script import Approval, Eventuality, Origin, Script, Variant
from adstudio.core.steps import Step
from adstudio.core.timebase import Span, tenths_down, tenths_up
from adstudio.drafting.polish.passage import Unusable
from adstudio.drafting.polish.time_budget import Room, length_of, rooms
from adstudio.editing.change import line_of
from adstudio.editing.polish import apply_polish, lost_lines
from adstudio.planning.film.film_plan import plan_film

MOST_ROUNDS = 20
"""How often is planned again until no line is lost to a polished one."""


@dataclass(frozen=True)
class Polished:
    """A proposal: `text` in place of `before`, the wording `variant` of a line that is spoken in `span`.

    It lasts `duration`, and may last `room`, both in milliseconds. `remarks` are sentences for the describer,
    `polished_by` the models that wrote it.
    """

    eventuality: str
    variant: int
    text: str
    before: str
    span: Span
    room: int
    duration: int
    scene: str = ""
    remarks: tuple[str, ...] = ()
    polished_by: ModelWork | None = None


@dataclass(frozen=True)
class Unpolished:
    """A requested line without a proposal; `why` is the reason, without a full stop."""

    eventuality: str
    variant: int
    before: str
    span: Span
    why: str
    scene: str = ""
    reason: Unusable = Unusable.FAULTY

    @property
    def is_good_already(self) -> bool:
        """Whether the model returned the line unchanged."""
        return self.reason is Unusable.UNCHANGED

    @property
    def failed(self) -> bool:
        """Whether there was no answer."""
        return self.reason is Unusable.NOT_ASKED


Proposal = Polished | Unpolished


@dataclass(frozen=True)
class ScenePolished:
    """The proposals of a passage of a scene; `why` it is not complete, if so."""

    scene: str
    proposals: tuple[Proposal, ...]
    why: str = ""


def may_polish(line: Eventuality) -> bool:
    """Whether a line may be polished by default: a machine worded it, and nobody has accepted it or pinned a wording.

    A wording that was only pinned because another line was polished is nobody's choice.
    """
    chosen = line.pin.variant is not None and not line.provenance.held_by_polishing
    return line.origin is Origin.MACHINE and not line.accepted and not chosen


def stale(script: Script, plan: Plan, room: Room | None, proposal: Polished) -> str:
    """Why a proposal can no longer be accepted, as a sentence; "" if it can.

    `room` is the line's in the present plan (`time_budget.rooms`).
    """
    place = script.eventuality_index.get(proposal.eventuality)
    if place is None:
        return "The line is no longer in the script."
    line, spoken = script.eventualities[place], plan.by_line.get(proposal.eventuality)
    if proposal.variant >= len(line.variants) or line.variants[proposal.variant].text != proposal.before:
        return "The line was reworded meanwhile."
    if spoken is None:
        return "The plan leaves the line out now."
    if spoken.variant != proposal.variant:
        return "The plan speaks another wording of the line now."
    # Until it is measured it is planned at the project’s rate, whatever pace the wording before was read in.
    planned = script.duration(Variant(proposal.text), line.voice)
    return _unfit(planned, max(planned, length_of(script, line.variants[proposal.variant], proposal.text)), room)


def _unfit(planned: int, lasts: int, room: Room | None) -> str:
    if room is None or lasts > room.between:
        has = 0 if room is None else room.between
        takes, left = tenths_up(lasts) / 1000, tenths_down(has) / 1000
        return f"It does not fit any more: it takes {takes:.1f} s, and there are {left:.1f} s now."
    if planned < room.least:
        return "It is too short for the time at which the line is pinned, which is as early as it may be."
    return ""


def taking(
    script: Script, plan: Plan, proposal: Polished, as_spoken: Sequence[Delivery] = (), *, agreed: bool = False
) -> Step | None:
    """The step that takes a proposal over; see `editing.polish.apply_polish`.

    Raises:
        EditRefused: where the line or its wording is gone.
    """
    spoken = plan.by_line.get(proposal.eventuality)
    new = script.duration(Variant(proposal.text), line_of(script, proposal.eventuality).voice)
    length = new if script.voice.engine else None
    return apply_polish(
        script,
        proposal.eventuality,
        proposal.variant,
        proposal.text,
        pin_in=spoken is not None and new < spoken.end - spoken.start,
        accept=agreed,
        approval=None if spoken is None else Approval(proposal.variant, spoken.start, length),
        polished_by=proposal.polished_by,
        as_spoken=as_spoken,
    )


def taken_over(
    script: Script, gaps: Sequence[Span], plan: Plan, proposals: Sequence[Polished], take: Callable[[Step], None]
) -> tuple[Script, Plan, tuple[tuple[Polished, str], ...]]:
    """Take proposals over one by one, a step each, handed to `take`; those that are stale by then are given, and why.

    After each the film is planned anew; where that would lose another line, that line is held as it is spoken.
    """
    left: list[tuple[Polished, str]] = []
    for proposal in proposals:
        why = stale(script, plan, rooms(script, gaps, plan).get(proposal.eventuality), proposal)
        if why:
            left.append((proposal, why))
            continue
        step, plan_then = _keeping(script, gaps, plan, proposal)
        if step is None:
            continue
        take(step)
        script, plan = step.apply(script), plan_then
    return script, plan, tuple(left)


def _keeping(script: Script, gaps: Sequence[Span], plan: Plan, proposal: Polished) -> tuple[Step | None, Plan]:
    """The step, with as many other lines held as the plan needs to speak what it speaks; and the plan after it."""
    held: tuple[Delivery, ...] = ()
    rounds = 0
    while True:
        step = taking(script, plan, proposal, held)
        if step is None:
            return None, plan
        after = plan_film(step.apply(script), gaps, plan)
        gone = [each for each in lost_lines(plan, after, proposal.eventuality) if each not in held]
        rounds += 1
        if not gone or rounds >= MOST_ROUNDS:
            return step, after
        held = (*held, *gone)
