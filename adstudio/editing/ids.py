"""Fresh ids: stable, and never one that anything in the document has had since it was opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adstudio.core.script import Cue, Eventuality, Item, Opening, Scene, Script, Sequence, Silence
from adstudio.core.steps import Insert, Move, Remove, Replace, Several, Step

_PREFIX: dict[type[Item], str] = {
    Cue: "cue",
    Silence: "silence",
    Opening: "opening",
    Sequence: "sequence",
    Scene: "scene",
    Eventuality: "line",
}


class Ids:
    """Hands out ids for one open document.

    What undo took away comes back by redo under its old id, so an id that was handed out once is never handed out
    again. `steps` are those that can be undone and redone when the document is taken up: after a crash they name items
    that the script does not hold.
    """

    def __init__(self, script: Script, steps: Iterable[Step] = ()) -> None:
        self._taken = {item.id for item in _items(script)} | {item.id for step in steps for item in _touched(step)}
        self._next = dict.fromkeys(_PREFIX, 1)

    def fresh(self, kind: type[Item]) -> str:
        """An id for a new item of that kind."""
        while True:
            identity = f"{_PREFIX[kind]}-{self._next[kind]}"
            self._next[kind] += 1
            if identity not in self._taken:
                return identity


def ids_made(step: Step) -> tuple[str, ...]:
    """The ids of the items that a step brings, in order: what to select after it."""
    if isinstance(step, Several):
        return tuple(identity for inner in step.steps for identity in ids_made(inner))
    return (step.item.id,) if isinstance(step, Insert) else ()


def _items(script: Script) -> Iterator[Item]:
    for items in (
        script.sequences,
        script.scenes,
        script.cues,
        script.silences,
        script.openings,
        script.eventualities,
    ):
        yield from items


def _touched(step: Step) -> Iterator[Item]:
    match step:
        case Several():
            for inner in step.steps:
                yield from _touched(inner)
        case Insert() | Remove() | Move():
            yield step.item
        case Replace():
            yield step.new
        case _:
            return
