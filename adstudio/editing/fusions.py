"""Fused lines that become a person's own: one line in place of those that a fusion stands for, worded as it is spoken.

What a person does to a fused line (rewording it, locking it where it is spoken, accepting it) is done to that line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from adstudio.core.fusions import as_spoken, line_of
from adstudio.core.plan import Delivery, Plan
from adstudio.core.script import Script
from adstudio.core.steps import Replace, Several, Step
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
            first, *others = (script.eventuality(name) for name in fused.members)
            weighed = any(line.weighed for line in (first, *others))
            new = replace(line_of(script, fusion), id=first.id, weighed=weighed, worked=True)
            steps.append(Replace(first, new))
            gone.update(line.id for line in others)
    return [*rules_steps(script, without_lines(script.rules, gone)), *steps, *removal_steps(script, gone)]


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
