"""New ids that nothing in the document has used since it was opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adstudio.core.cast import NamedFace, Person
from adstudio.core.script import Cue, Eventuality, Fusion, Item, Opening, Scene, Script, Sequence, Silence
from adstudio.core.steps import Insert, Several, Step, touched_items
from adstudio.core.word_times import CueWords

_PREFIX: dict[type[Item], str] = {
    Cue: "cue",
    Silence: "silence",
    Opening: "opening",
    Sequence: "sequence",
    Scene: "scene",
    Eventuality: "line",
    Fusion: "fusion",
    NamedFace: "face",
}
"""People have ids by their names (`core.cast.person_id`), words those of their cues."""

_UNLISTED = (Fusion, Person, NamedFace, CueWords)


class Ids:
    """Generates ids for one open document.

    An id is never reused, since redo restores items under their old ids. `steps` are the document's undo and redo
    stacks when it is opened: they name items that the script does not contain.
    """

    def __init__(self, script: Script, steps: Iterable[Step] = ()) -> None:
        self._taken = {item.id for item in _items(script)}
        self._taken |= {identity for step in steps for _, identity in touched_items(step)}
        self._next = dict.fromkeys(_PREFIX, 1)

    def fresh(self, kind: type[Item]) -> str:
        """An id for a new item of that kind."""
        while True:
            identity = f"{_PREFIX[kind]}-{self._next[kind]}"
            self._next[kind] += 1
            if identity not in self._taken:
                return identity


def inserted_ids(step: Step) -> tuple[str, ...]:
    """The ids of the items that a step inserts, in order, but for what the script's panels do not list: to select."""
    if isinstance(step, Several):
        return tuple(identity for inner in step.steps for identity in inserted_ids(inner))
    return (step.item.id,) if isinstance(step, Insert) and not isinstance(step.item, _UNLISTED) else ()


def _items(script: Script) -> Iterator[Item]:
    for items in (
        script.sequences,
        script.scenes,
        script.cues,
        script.silences,
        script.openings,
        script.eventualities,
        script.fusions,
        script.named_faces,
    ):
        yield from items
