"""Cancelling typing: undo what some steps changed while keeping everything done since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import chain
from typing import TypeVar, cast

from adstudio.core.script import Eventuality, Item, Opening, Pin, Scene, Script, Silence, Variant
from adstudio.core.steps import Replace, Several, Step
from adstudio.editing.change import marked_as_worked

T = TypeVar("T")

LABEL = "Cancel typing"


def revert(script: Script, steps: Sequence[Step]) -> Step | None:
    """The step that undoes what these steps of typing changed, field by field; None if nothing is left of them.

    Other steps may have come in between; where one of them changed the same field again, that change stays.
    """
    undoing: list[Step] = []
    now = script
    for step in reversed(steps):
        back = _revert_step(now, step)
        if back is not None:
            now = back.apply(now)
            undoing.append(back)
    return Several(LABEL, tuple(undoing)) if undoing else None


def _revert_step(script: Script, step: Step) -> Step | None:
    if not isinstance(step, Replace):
        # Typing produces no other steps.
        return None
    item = _current(script, step.new)
    if item is None:
        return None
    back = _without(item, step.old, step.new)
    if item != step.new and isinstance(step.old, Eventuality) and isinstance(back, Eventuality):
        # It has also been edited otherwise; a mere change of its scene does not count as work on it.
        back = marked_as_worked(replace(step.old, scene=back.scene), back)
    return Replace(item, back) if back != item else None


def _current(script: Script, item: Item) -> Item | None:
    """An item's current state in the script."""
    if isinstance(item, Eventuality):
        return script.eventuality(item.id) if item.id in script.eventuality_index else None
    collections = (script.cues, script.silences, script.openings, script.sequences, script.scenes)
    return next((each for each in chain(*collections) if type(each) is type(item) and each.id == item.id), None)


def _without(now: T, old: T, new: T) -> T:
    """The value `now` with the change from `old` to `new` undone wherever it is still present."""
    if now == new:
        return old
    if old == new:
        return now
    if isinstance(now, Eventuality | Pin | Variant | Scene | Silence | Opening):
        parts = {
            each.name: _without(getattr(now, each.name), getattr(old, each.name), getattr(new, each.name))
            for each in fields(now)
        }
        return replace(now, **parts)
    if isinstance(now, tuple):
        return cast("T", _each_without(*cast("tuple[tuple[object, ...], ...]", (now, old, new))))
    return now


def _each_without(now: tuple[object, ...], old: tuple[object, ...], new: tuple[object, ...]) -> tuple[object, ...]:
    if len(old) != len(new):
        return now
    if len(now) == len(old):
        return tuple(_without(*each) for each in zip(now, old, new, strict=True))
    # Elements were added or removed since: find the changed ones by their new values.
    changed = [(before, after) for before, after in zip(old, new, strict=True) if before != after]
    return tuple(next((before for before, after in changed if after == each), each) for each in now)
