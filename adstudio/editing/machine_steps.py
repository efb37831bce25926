"""Steps that a command made in a project and left for a person to look at: how they are known, and what they brought.

A mark at the end of a step's name says that a command made it, so it is read in the undo list too and any version of
the program keeps it. Scenes without it came in while the editor was open, or by a command of an older version.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from adstudio.core.script import Script
from adstudio.core.steps import Several, Step

_MARK = " (by a command)"
_SCENE = re.compile(r"Scene .* drafted by (?P<by>.*)", re.DOTALL)
_WEIGHTS = re.compile(r"Weigh (?P<count>[\d,]+) lines? by (?P<by>.*)", re.DOTALL)
PEOPLE = "Take over who is in the film"
RULES = "Set the rules that lines suggest"
_OTHERS = {PEOPLE: "who is in the film", RULES: "rules that lines suggest"}


def by_command(step: Step, label: str = "") -> Several:
    """The step as one that a command makes; `label` is for one that has no name of its own."""
    if isinstance(step, Several):
        return Several(f"{label or step.label}{_MARK}", step.steps)
    return Several(f"{label}{_MARK}", (step,))


def weighing(count: int, by: str) -> str:
    """The name of the step in which lines are weighed by a server."""
    return f"Weigh {count:,} line{'' if count == 1 else 's'} by {by}"


def is_by_command(step: Step) -> bool:
    """Whether a command made it, as far as its name tells; nothing but a command has lines weighed by a server."""
    return isinstance(step, Several) and (step.label.endswith(_MARK) or _WEIGHTS.fullmatch(step.label) is not None)


def is_machines(step: Step) -> bool:
    """Whether a command made it, or a model's scene came in with it: nobody's own work."""
    return is_by_command(step) or (isinstance(step, Several) and _SCENE.fullmatch(step.label) is not None)


def last_by_machines(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that stand last, behind the last one that a person made."""
    return tuple(reversed(tuple(takewhile(is_machines, reversed(steps)))))


def script_before(script: Script, steps: Sequence[Step]) -> Script:
    """The script as it was before the steps that led to it last.

    Raises:
        StepError: where they did not.
    """
    for step in reversed(steps):
        script = step.inverse().apply(script)
    return script


def brought(steps: Iterable[Step]) -> str:
    """What they brought: “2 scenes drafted by house and new weights of 14 lines by house”."""
    scenes, weights, others = Counter[str](), Counter[str](), dict[str, None]()
    for step in steps:
        name = step.label.removesuffix(_MARK) if isinstance(step, Several) else ""
        if found := _SCENE.fullmatch(name):
            scenes[found["by"]] += 1
        elif found := _WEIGHTS.fullmatch(name):
            weights[found["by"]] += int(found["count"].replace(",", "") or 0)
        elif name in _OTHERS:
            others[_OTHERS[name]] = None
    parts = [f"{count:,} scene{'' if count == 1 else 's'} drafted by {by}" for by, count in scenes.items()]
    parts += [f"new weights of {count:,} line{'' if count == 1 else 's'} by {by}" for by, count in weights.items()]
    parts += others
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)
