"""Fused lines that become a person's own: one line in place of those that a fusion stands for, worded as it is spoken.

What a person does to a fused line (rewording it, locking it where it is spoken, accepting it) is done to that line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from adstudio.core.counts import counted
from adstudio.core.fusions import as_spoken, line_of
from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Eventuality, Fusion, Script
from adstudio.core.steps import Replace, Several, Step
from adstudio.editing import change
from adstudio.editing.change import one_step, removal_steps, rules_steps
from adstudio.editing.labels import label_of
from adstudio.editing.rules import without_lines

EditOfPlan = Callable[[Script, Plan, tuple[str, ...]], Step | None]
"""An edit of these lines (ids) of a script with its plan."""


def own_steps(script: Script, plan: Plan, identities: Collection[str] | None = None) -> list[Step]:
    """The steps that make the fused lines of a plan which speak any of these lines (None: all) lines of their own.

    Such a line has the id of the first one that the fusion stands for, its wordings, and what was noted about any. The
    other lines go, with the rules on them.
    """
    if as_spoken(script, plan) is script:
        return []
    steps: list[Step] = []
    gone: set[str] = set()
    for fused in _fused(plan, identities):
        fusion = script.fusion_by_id.get(fused.element)
        if fusion is not None and fusion.members == fused.members:
            first, *others = fused.members
            steps.append(Replace(script.eventuality(first), _own_line(script, fusion)))
            gone.update(others)
    return [*rules_steps(script, without_lines(script.rules, gone)), *steps, *removal_steps(script, gone)]


def _own_line(script: Script, fusion: Fusion) -> Eventuality:
    weighed = any(script.eventuality(name).weighed for name in fusion.members)
    return replace(line_of(script, fusion), id=fusion.members[0], weighed=weighed, worked=True)


def owned_in_passing(count: int) -> str:
    """What an act that is about something else says of the fused lines that it made a person's own; empty for none."""
    return f", with {counted(count, 'fused line')} made your own" if count else ""


def as_own(script: Script, plan: Plan) -> tuple[Script, Plan]:
    """Script and plan as they are once every fused line is a line of its own; both as they are where none is."""
    steps = own_steps(script, plan)
    return (Several("", tuple(steps)).apply(script), own_plan(plan)) if steps else (script, plan)


def spoken_line(script: Script, plan: Plan, identity: str) -> tuple[Eventuality, Delivery | None]:
    """What speaks a line, and when: the line of its own that a fused one would become, else the line itself."""
    spoken = plan.spoken_as(identity)
    if spoken is not None and spoken.members:
        fusion = script.fusion_by_id.get(spoken.element)
        if fusion is not None and fusion.members == spoken.members:
            return _own_line(script, fusion), replace(spoken, element=spoken.members[0], members=())
    return script.eventuality(identity), plan.by_line.get(identity)


def is_fused_head(script: Script, plan: Plan, identity: str) -> bool:
    """Whether a line is the first of those that a fused one says: its row is where that is shown."""
    spoken = plan.spoken_as(identity)
    return (
        spoken is not None
        and bool(spoken.members)
        and spoken.line == identity
        and identity in script.eventuality_index
        and spoken.element in script.fusion_by_id
    )


def shown_line(script: Script, plan: Plan, identity: str) -> Eventuality:
    """The line that the row of an eventuality shows: of the first one that a fused line says, that of one’s own.

    Raises:
        EditRefused: if there is no such eventuality.
    """
    if is_fused_head(script, plan, identity):
        return spoken_line(script, plan, identity)[0]
    return change.line_of(script, identity)


def on_shown_line(script: Script, plan: Plan, identity: str, edit: Callable[[Script], Step | None]) -> Step | None:
    """An edit of the wordings that the row of a line shows: where that is a fused one, it becomes a line of one’s own.

    Any other line that is fused is edited by itself, which ends the fusion.
    """
    if not is_fused_head(script, plan, identity):
        return edit(script)
    return on_own_lines(script, plan, (identity,), lambda own, _plan, _names: edit(own))


def own_plan(plan: Plan, identities: Collection[str] | None = None) -> Plan:
    """The plan as it is once these fused lines (None: all) are lines of their own: nothing about it changes."""
    fused = set(_fused(plan, identities))
    if not fused:
        return plan
    own = (replace(each, element=each.members[0], members=()) if each in fused else each for each in plan.deliveries)
    return replace(plan, deliveries=tuple(own))


def on_own_lines(script: Script, plan: Plan, identities: Iterable[str], edit: EditOfPlan) -> Step | None:
    """An edit of lines as a plan speaks them: fused ones become lines of their own with it."""
    chosen = tuple(identities)
    steps = own_steps(script, plan, chosen)
    if not steps:
        return edit(script, plan, chosen)
    after = Several("", tuple(steps)).apply(script)
    heads = {name: each.members[0] for each in _fused(plan, chosen) for name in each.members}
    own = tuple(dict.fromkeys(heads.get(name, name) for name in chosen))
    step = edit(after, own_plan(plan, chosen), own)
    if step is None:
        return None
    label = label_of(step, after)
    return one_step(label, [*steps, *(step.steps if isinstance(step, Several) else (step,))])


def _fused(plan: Plan, identities: Collection[str] | None) -> Iterable[Delivery]:
    for each in plan.deliveries:
        if each.members and (identities is None or not set(each.members).isdisjoint(identities)):
            yield each
