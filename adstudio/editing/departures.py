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

MANY = 100
"""Up to so many lines are put back with all care."""


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
    spoken = plan.by_line
    found: list[Departure] = []
    for line in script.eventualities:
        approval = line.approval
        if approval is None or not (line.accepted or reviewed):
            continue
        delivery = spoken.get(line.id)
        if _is_as_approved(approval, line.pin, delivery) or (delivery is None and line.holds_picture):
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

    `restored` are spoken as approved, `partly` at another time or in another wording, `failed` are left out, or nothing
    can be done for them.
    """

    step: Several | None
    restored: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


def restore(
    script: Script, gaps: Sequence[Span], planner: FilmPlanner, approved: Mapping[str, Approval]
) -> Restoration:
    """How to have these lines spoken so again: locked to wording and start, as far as locks and gaps allow.

    `planner` has planned the script; it is not changed. Where there is no room for all, the more salient go back, and
    others are locked in with their wording, or just in. Other approved lines that this would move are locked as well.
    Where there are more than `MANY`, that would take too long: then those that have no room stay as they are.
    """
    shown, trial = planner.outcome, planner.fork()
    departed = {each.line for each in departures(script, shown.plan)}
    wanted = dict(approved)
    pins = {name: _pin_of(script, name, how) for name, how in approved.items()}
    while step := _pinning(script, pins):
        now = step.apply(script)
        outcome = trial.replan(now, gaps)
        losers = _losers(script, outcome, shown, pins, approved)
        for name in losers:
            lesser = _lesser(pins.pop(name))
            if lesser is not None and len(approved) <= MANY:
                pins[name] = lesser
        others = departures(now, outcome.plan) if len(approved) <= MANY else ()
        moved = [each for each in others if each.line not in departed | wanted.keys()]
        if not losers and not moved:
            return _restoration(step, script, shown.plan, outcome.plan, approved)
        for each in () if losers else moved:
            wanted[each.line] = each.approval
            pins[each.line] = _pin_of(script, each.line, each.approval)
    return Restoration(None, failed=tuple(approved))


def _restoration(
    step: Several, script: Script, before: Plan, after: Plan, approved: Mapping[str, Approval]
) -> Restoration:
    spoken = after.by_line
    there = [name for name in approved if name in spoken]
    back = tuple(name for name in there if _is_as_approved(approved[name], NO_PIN, spoken[name]))
    partly = tuple(name for name in there if name not in back)
    failed = tuple(name for name in approved if name not in spoken)
    if not back and all(before.by_line.get(name) == spoken[name] for name in partly):
        return Restoration(None, failed=tuple(approved))
    names = line_name(script.eventuality(there[0])) if len(there) == 1 else f"{len(there):,} lines"
    return Restoration(replace(step, label=f"Put {names} back as accepted"), back, partly, failed)


def _pin_of(script: Script, name: str, approval: Approval) -> Pin:
    return replace(script.eventuality(name).pin, selected=True, variant=approval.variant, start=approval.start)


def _lesser(pin: Pin) -> Pin | None:
    """The next looser lock of a line that is to be spoken; None after the loosest."""
    if pin.start is not None:
        return replace(pin, start=None, override=False)
    return replace(pin, variant=None) if pin.variant is not None else None


def _pinning(script: Script, pins: Mapping[str, Pin]) -> Several | None:
    lines = [(script.eventuality(name), pin) for name, pin in pins.items()]
    steps = [
        Replace(line, replace(line, pin=pin, provenance=replace(line.provenance, held_by_polishing=False)))
        for line, pin in lines
        if pin != line.pin
    ]
    return Several("", tuple(steps)) if steps else None


def _losers(
    script: Script, outcome: Outcome, shown: Outcome, pins: Mapping[str, Pin], approved: Mapping[str, Approval]
) -> set[str]:
    """The lines whose new locks are loosened: of each new conflict the least salient to be put back, if any."""
    found: set[str] = set()
    present = set(shown.conflicts)
    for conflict in outcome.conflicts:
        lines = {cause.element for cause in conflict if isinstance(cause, HoldConflict)} & pins.keys()
        if conflict not in present and lines and not lines & found:
            found.add(min(lines, key=lambda name: (name not in approved, script.eventuality(name).salience or 0, name)))
    return found
