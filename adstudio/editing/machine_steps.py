"""Steps made without a person: by a command, or by the editor when it inserts a scene that a model drafted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from adstudio.core.counts import counted
from adstudio.core.script import Script
from adstudio.core.steps import Agent, ChangeKind, Several, Step, StepOrigin

_OTHERS = {
    ChangeKind.PEOPLE: "the cast",
    ChangeKind.RULES: "suggested rules",
    ChangeKind.SCRIPT_IMPORT: "an imported script",
}


def as_command(step: Step, kind: ChangeKind | None = None, *, by: str = "", count: int = 0) -> Several:
    """The step as made by a command, of its own kind unless another is given (see `StepOrigin`)."""
    several = step if isinstance(step, Several) else Several("", (step,))
    if kind is None:
        return replace(several, origin=replace(several.origin, agent=Agent.COMMAND))
    return replace(several, origin=StepOrigin(Agent.COMMAND, kind, by, count))


def is_by_command(step: Step) -> bool:
    """Whether a command made it."""
    return isinstance(step, Several) and step.origin.agent is Agent.COMMAND


def is_automatic(step: Step) -> bool:
    """Whether no person made it."""
    return isinstance(step, Several) and step.origin.agent is not Agent.PERSON


def trailing_automatic_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps after the last one that a person made."""
    return tuple(reversed(tuple(takewhile(is_automatic, reversed(steps)))))


def script_before(script: Script, steps: Sequence[Step]) -> Script:
    """The script before these steps, which must be the last ones applied to it.

    Raises:
        StepError: if they are not.
    """
    for step in reversed(steps):
        script = step.inverse().apply(script)
    return script


def contributions_text(steps: Iterable[Step]) -> str:
    """What the steps contributed: “2 scenes drafted by house and new salience for 14 lines by house”."""
    scenes, weights, others = Counter[str](), Counter[str](), dict[str, None]()
    for step in steps:
        origin = step.origin if isinstance(step, Several) else StepOrigin()
        if origin.kind is ChangeKind.SCENE_DRAFT:
            scenes[origin.by] += 1
        elif origin.kind is ChangeKind.WEIGHTS:
            weights[origin.by] += origin.count
        elif origin.kind in _OTHERS:
            others[_OTHERS[origin.kind]] = None
    parts = [f"{counted(count, 'scene')} drafted by {by}" for by, count in scenes.items()]
    parts += [f"new salience for {counted(count, 'line')} by {by}" for by, count in weights.items()]
    parts += others
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)
