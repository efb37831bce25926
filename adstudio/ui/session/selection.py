"""What the describer has selected: lines, a gap, a silence, an opening, a cue or a scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from adstudio.core.script import Cue, Eventuality, Item, Opening, Scene, Script, Silence
from adstudio.core.steps import Step, touched_items
from adstudio.core.timebase import Span


class Kind(Enum):
    """What sort of thing is selected."""

    NOTHING = "nothing"
    LINE = "line"
    GAP = "gap"
    SILENCE = "silence"
    OPENING = "opening"
    CUE = "cue"
    SCENE = "scene"


@dataclass(frozen=True)
class Selection:
    """Some things of one kind, in the order they were taken; the last one is the current one.

    A gap has no id, since it is derived: its span identifies it.
    """

    kind: Kind = Kind.NOTHING
    ids: tuple[str, ...] = ()
    gap: Span | None = None

    @property
    def current(self) -> str | None:
        """The id taken last."""
        return self.ids[-1] if self.ids else None

    def lines(self) -> tuple[str, ...]:
        """The selected eventualities; none where something else is selected."""
        return self.ids if self.kind is Kind.LINE else ()


NOTHING = Selection()

MOST_SELECTED = 50
"""Of a step that touched more than this, the first ones are selected."""

_ITEMS: dict[Kind, tuple[type[Item], Callable[[Script], Sequence[Item]]]] = {
    Kind.LINE: (Eventuality, lambda script: script.eventualities),
    Kind.SILENCE: (Silence, lambda script: script.silences),
    Kind.OPENING: (Opening, lambda script: script.openings),
    Kind.CUE: (Cue, lambda script: script.cues),
    Kind.SCENE: (Scene, lambda script: script.scenes),
}
"""What has ids. Of a step that touched several kinds, the first of these is selected."""


def touched_by(step: Step, script: Script) -> Selection:
    """What a step touched and what is there after it, in the order of the script; lines before anything else.

    Nothing where nothing of it is left, or where the step was about the film, the settings or the rules alone.
    """
    touched = set(touched_items(step))
    for kind, (sort, items) in _ITEMS.items():
        names = {name for of, name in touched if of is sort}
        ids = tuple(item.id for item in items(script) if item.id in names)[:MOST_SELECTED] if names else ()
        if ids:
            return Selection(kind, ids)
    return NOTHING


def still_there(selection: Selection, script: Script, gaps: Sequence[Span]) -> Selection:
    """What is left of a selection in another state of the script."""
    if selection.kind is Kind.NOTHING:
        return selection
    if selection.kind is Kind.GAP:
        return selection if selection.gap in gaps else NOTHING
    lines = selection.kind is Kind.LINE
    there = script.eventuality_index if lines else {item.id for item in _ITEMS[selection.kind][1](script)}
    ids = tuple(identity for identity in selection.ids if identity in there)
    if ids == selection.ids:
        return selection
    return replace(selection, ids=ids) if ids else NOTHING
