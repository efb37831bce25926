"""Approved lines that the plan no longer speaks as they were approved, and how to put them back.

A person approves a line by accepting it, or by marking its scene as reviewed. What the person has locked since is no
departure: only what the plan has changed by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from adstudio.core.plan import Delivery, HoldConflict, Plan
from adstudio.core.script import NO_PIN, Approval, Eventuality, Pin, Script
from adstudio.core.steps import Replace, Several
from adstudio.core.timebase import Span
from adstudio.editing.names import line_name
from adstudio.planning.film.film_problem import scene_finder
from adstudio.planning.film.live_plan import FilmPlanner, Outcome
from adstudio.planning.film.plan_changes import LEAST_MOVE


@dataclass(frozen=True)
class Departure:
    """An approved line that is spoken otherwise; `delivery` is None where it is left out.

    `scene` is the reviewed scene that the line belongs to, if its scene is reviewed.
    """

    line: str
    accepted: bool
    approval: Approval
    delivery: Delivery | None
    scene: str | None = None

    @property
    def reworded(self) -> bool:
        """Whether another wording is spoken."""
        return self.delivery is not None and self.delivery.variant != self.approval.variant

    @property
    def by(self) -> int:
        """Milliseconds by which it is spoken later, or earlier where negative; 0 where it is left out."""
        return 0 if self.delivery is None else self.delivery.start - self.approval.start


def approved_text(line: Eventuality, approval: Approval) -> str:
    """The wording in which a line was approved, as it reads now."""
    return line.variants[min(approval.variant, len(line.variants) - 1)].text


def departures(script: Script, plan: Plan) -> tuple[Departure, ...]:
    """The departures of a plan from what has been approved, in textual order."""
    reviewed = {scene.id for scene in script.scenes if scene.reviewed}
    scene_of = scene_finder(script)
    spoken = plan.by_element
    found: list[Departure] = []
    for line in script.eventualities:
        approval = line.approval
        if approval is None or not (line.accepted or reviewed):
            continue
        delivery = spoken.get(line.id)
        if _is_as_approved(approval, line.pin, delivery):
            continue
        scene = scene_of(line)
        if line.accepted or scene in reviewed:
            found.append(Departure(line.id, line.accepted, approval, delivery, scene if scene in reviewed else None))
    return tuple(found)


def reviewed_scenes(script: Script, found: Iterable[Departure]) -> frozenset[str]:
    """The scenes (ids) marked as reviewed, without those of departures: these are open until a person sees to them."""
    reopened = {each.scene for each in found}
    return frozenset(scene.id for scene in script.scenes if scene.reviewed and scene.id not in reopened)


def _is_as_approved(approval: Approval, pin: Pin, delivery: Delivery | None) -> bool:
    if delivery is None:
        return pin.selected is False
    worded = delivery.variant in (approval.variant, pin.variant)
    return worded and (abs(delivery.start - approval.start) < LEAST_MOVE or delivery.start == pin.start)


@dataclass(frozen=True)
class Restoration:
    """The step that puts lines back (None where none can be), and what becomes of each of them.

    `restored` are spoken as approved, `partly` in the approved wording at another time; for `failed` there is no room.
    """

    step: Several | None
    restored: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


def restore(
    script: Script, gaps: Sequence[Span], planner: FilmPlanner, approved: Mapping[str, Approval]
) -> Restoration:
    """How to have these lines spoken so again: locked to wording and start, as far as locks and gaps allow.

    `planner` has planned the script; it is not changed. Where there is no room for all, the more salient go back. Other
    approved lines that this would move are locked as well, and come first.
    """
    shown = planner.outcome
    departed = {each.line for each in departures(script, shown.plan)}
    wanted = dict(approved)
    pins = {name: _pin_of(script, name, how) for name, how in approved.items()}
    while step := _pinning(script, pins) if pins.keys() & approved.keys() else None:
        now = step.apply(script)
        outcome = planner.fork().replan(now, gaps)
        loser = _loser(script, outcome, shown, pins, approved)
        if loser is not None:
            is_out = loser in approved and loser not in shown.plan.by_element
            if is_out and pins[loser].start is not None:
                pins[loser] = replace(pins[loser], start=None)
            else:
                del pins[loser]
            continue
        moved = [each for each in departures(now, outcome.plan) if each.line not in departed | wanted.keys()]
        if not moved:
            return _restoration(step, outcome, approved, pins)
        for each in moved:
            wanted[each.line] = each.approval
            pins[each.line] = _pin_of(script, each.line, each.approval)
    return Restoration(None, failed=tuple(approved))


def _restoration(
    step: Several, outcome: Outcome, approved: Mapping[str, Approval], pins: Mapping[str, Pin]
) -> Restoration:
    spoken = outcome.plan.by_element
    there = [name for name in approved if name in pins and name in spoken]
    back = tuple(name for name in there if _is_as_approved(approved[name], NO_PIN, spoken[name]))
    partly = tuple(name for name in there if name not in back)
    return Restoration(step, back, partly, tuple(name for name in approved if name not in there))


def _pin_of(script: Script, name: str, approval: Approval) -> Pin:
    return replace(script.eventuality(name).pin, selected=True, variant=approval.variant, start=approval.start)


def _pinning(script: Script, pins: Mapping[str, Pin]) -> Several | None:
    lines = [(script.eventuality(name), pin) for name, pin in pins.items()]
    steps = [
        Replace(line, replace(line, pin=pin, provenance=replace(line.provenance, held_by_polishing=False)))
        for line, pin in lines
        if pin != line.pin
    ]
    names = line_name(lines[0][0]) if len(lines) == 1 else f"{len(lines):,} lines"
    return Several(f"Put {names} back as accepted", tuple(steps)) if steps else None


def _loser(
    script: Script, outcome: Outcome, shown: Outcome, pins: Mapping[str, Pin], approved: Mapping[str, Approval]
) -> str | None:
    """The line whose new lock is given up: of those in a new conflict the least salient to be put back, if any."""
    present = set(shown.conflicts)
    new = (cause for conflict in outcome.conflicts if conflict not in present for cause in conflict)
    lines = {cause.element for cause in new if isinstance(cause, HoldConflict)} & pins.keys()
    return min(
        lines, key=lambda name: (name not in approved, script.eventuality(name).salience or 0, name), default=None
    )
