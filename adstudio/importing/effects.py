"""What a step that imports a script does to the states of lines, counted from the lines before and after it."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.script import NO_PIN, Eventuality, Pin, Script
from adstudio.core.steps import Step


@dataclass(frozen=True)
class Effects:
    """How many lines become accepted or are so no longer, are locked in or out where they were not, and get notes."""

    accepted: int = 0
    unaccepted: int = 0
    locked: int = 0
    locked_out: int = 0
    noted: int = 0


def effects_of(script: Script, step: Step | None) -> Effects | None:
    """What the step does to the script's lines; None without a step."""
    if step is None:
        return None
    before = {line.id: line for line in script.eventualities}
    pairs = [(before.get(line.id), line) for line in step.apply(script).eventualities]
    return Effects(
        accepted=sum(new.accepted and not (old and old.accepted) for old, new in pairs),
        unaccepted=sum(bool(old and old.accepted) and not new.accepted for old, new in pairs),
        locked=sum(new.pin.selected is True and new.pin != _pin(old) for old, new in pairs),
        locked_out=sum(new.pin.selected is False and _pin(old).selected is not False for old, new in pairs),
        noted=sum(bool(old and old.note != new.note) for old, new in pairs),
    )


def _pin(line: Eventuality | None) -> Pin:
    return NO_PIN if line is None else line.pin
