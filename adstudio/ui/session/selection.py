"""What the describer has in hand: lines, a gap, a silence, an opening, a cue, a scene or a shot."""

from __future__ import annotations

from collections.abc import Sequence
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

    A gap has no id, since it is derived: its span stands for it.
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
"""A step that touched more than this: its first ones are taken in hand."""

_KINDS: tuple[tuple[type[Item], Kind], ...] = (
    (Eventuality, Kind.LINE),
    (Silence, Kind.SILENCE),
    (Opening, Kind.OPENING),
    (Cue, Kind.CUE),
    (Scene, Kind.SCENE),
)
"""Of a step that touched several sorts of things the first of these is taken in hand."""


def touched_by(step: Step, script: Script) -> Selection:
    """What a step touched and what is there after it, in the order of the script; lines before anything else.

    Nothing where nothing of it is left, or where the step was about the film, the settings or the rules alone.
    """
    touched = set(touched_items(step))
    for sort, kind in _KINDS:
        names = {name for of, name in touched if of is sort}
        there = (item.id for item in _items(script, kind)) if names else ()
        ids = tuple(name for name in there if name in names)[:MOST_SELECTED]
        if ids:
            return Selection(kind, ids)
    return NOTHING


def _items(script: Script, kind: Kind) -> Sequence[Item]:
    match kind:
        case Kind.LINE:
            return script.eventualities
        case Kind.SILENCE:
            return script.silences
        case Kind.OPENING:
            return script.openings
        case Kind.CUE:
            return script.cues
        case Kind.SCENE:
            return script.scenes
        case Kind.NOTHING | Kind.GAP:
            return ()


def still_there(selection: Selection, script: Script, gaps: Sequence[Span]) -> Selection:
    """What is left of a selection in another state of the script."""
    if selection.kind is Kind.NOTHING:
        return selection
    if selection.kind is Kind.GAP:
        return selection if selection.gap in gaps else NOTHING
    lines = script.eventuality_index if selection.kind is Kind.LINE else None
    there = lines if lines is not None else {item.id for item in _items(script, selection.kind)}
    ids = tuple(identity for identity in selection.ids if identity in there)
    if ids == selection.ids:
        return selection
    return replace(selection, ids=ids) if ids else NOTHING
