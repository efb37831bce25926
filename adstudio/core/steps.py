"""Steps: every change of a script, as a frozen value with the old and the new state (DESIGN 3.1).

There are few kinds: an item is inserted, removed, replaced or moved, or one of the single values (film, settings,
rules, people, prompts, voice, lexicon) is set. Items are identified by stable ids; a position in textual order is given
by the item that follows it, None for the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar, Self, cast

from adstudio.core.cast import NamedFace, People, Person, Prompts, people_error, prompts_error
from adstudio.core.film import Film
from adstudio.core.narration import Lexicon, VoiceSettings, lexicon_error
from adstudio.core.script import Cue, Eventuality, Fusion, Item, Opening, Rules, Scene, Script, Sequence, Silence
from adstudio.core.settings import Settings
from adstudio.core.word_times import CueWords

_COLLECTION: dict[type[Item], str] = {
    Cue: "cues",
    Silence: "silences",
    Opening: "openings",
    Sequence: "sequences",
    Scene: "scenes",
    Eventuality: "eventualities",
    Fusion: "fusions",
    Person: "people",
    NamedFace: "named_faces",
    CueWords: "word_times",
}


class StepError(ValueError):
    """A step that does not fit the script it is applied to: a bug, never the user's mistake."""


def _change(script: Script, item_type: type[Item], edit: Callable[[list[Item]], None]) -> Script:
    name = _COLLECTION[item_type]
    items = list(cast("tuple[Item, ...]", getattr(script, name)))
    edit(items)
    return script.with_changes(**{name: tuple(items)})


def _position(items: list[Item], identity: str) -> int:
    for place, item in enumerate(items):
        if item.id == identity:
            return place
    raise StepError(f"there is no {identity} in the script")


def _require(found: Item, expected: Item) -> None:
    if found != expected:
        raise StepError(f"{expected.id} differs from what the step expects")


def _take(items: list[Item], item: Item, before: str | None) -> None:
    place = _position(items, item.id)
    _require(items[place], item)
    following = items[place + 1].id if place + 1 < len(items) else None
    if following != before:
        raise StepError(f"{item.id} is not followed by {before}")
    del items[place]


def _put(items: list[Item], item: Item, before: str | None) -> None:
    if any(other.id == item.id for other in items):
        raise StepError(f"{item.id} is already in the script")
    items.insert(len(items) if before is None else _position(items, before), item)


@dataclass(frozen=True)
class Insert:
    """An item is added before the item with id `before` (None: at the end)."""

    item: Item
    before: str | None = None

    def apply(self, script: Script) -> Script:
        """The script with the item."""
        return _change(script, type(self.item), lambda items: _put(items, self.item, self.before))

    def inverse(self) -> Step:
        """Remove the item again."""
        return Remove(self.item, self.before)


@dataclass(frozen=True)
class Remove:
    """An item is removed; `before` is the item that follows it, so that undo restores its position."""

    item: Item
    before: str | None = None

    def apply(self, script: Script) -> Script:
        """The script without the item."""
        return _change(script, type(self.item), lambda items: _take(items, self.item, self.before))

    def inverse(self) -> Step:
        """Put the item back."""
        return Insert(self.item, self.before)


@dataclass(frozen=True)
class Replace:
    """An item changes in place: text, pin, salience, times, anything but its id."""

    old: Item
    new: Item

    def __post_init__(self) -> None:
        if type(self.old) is not type(self.new) or self.old.id != self.new.id:
            raise StepError("an item can only be replaced by another state of itself")

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the fields that differ, for the undo list."""
        return tuple(f.name for f in fields(self.old) if getattr(self.old, f.name) != getattr(self.new, f.name))

    def apply(self, script: Script) -> Script:
        """The script with the new state."""
        if isinstance(self.new, Eventuality):
            place = script.eventuality_index.get(self.old.id)
            if place is None:
                raise StepError(f"there is no {self.old.id} in the script")
            _require(script.eventualities[place], self.old)
            return script.with_eventuality(place, self.new)

        def swap(items: list[Item]) -> None:
            place = _position(items, self.old.id)
            _require(items[place], self.old)
            items[place] = self.new

        return _change(script, type(self.old), swap)

    def inverse(self) -> Step:
        """Back to the old state."""
        return Replace(self.new, self.old)


@dataclass(frozen=True)
class Move:
    """An item moves in textual order: from before `old_before` to before `new_before`."""

    item: Item
    old_before: str | None
    new_before: str | None

    def __post_init__(self) -> None:
        if self.item.id in (self.old_before, self.new_before):
            raise StepError("an item cannot be moved before itself")

    def apply(self, script: Script) -> Script:
        """The script in the new order."""

        def move(items: list[Item]) -> None:
            _take(items, self.item, self.old_before)
            _put(items, self.item, self.new_before)

        return _change(script, type(self.item), move)

    def inverse(self) -> Step:
        """Back to the old position."""
        return Move(self.item, self.new_before, self.old_before)


@dataclass(frozen=True)
class _SetValue:
    """One of the script's single values changes: the field `_field` of `Script`."""

    _field: ClassVar[str]
    old: Any
    new: Any

    @staticmethod
    def _error(value: Any, /) -> str:  # noqa: ANN401 - of the type of the field
        """Why a value cannot be the field's; empty if it can."""
        del value
        return ""

    def __post_init__(self) -> None:
        if error := self._error(self.old) or self._error(self.new):
            raise StepError(error)

    def apply(self, script: Script) -> Script:
        """The script with the new value."""
        if getattr(script, self._field) != self.old:
            raise StepError(f"{self._field} differs from what the step expects")
        return script.with_changes(**{self._field: self.new})

    def inverse(self) -> Self:
        """Back to the old value."""
        return type(self)(self.new, self.old)


@dataclass(frozen=True)
class SetFilm(_SetValue):
    """The film's metadata changes: title, language, frame rate, media."""

    _field = "film"

    old: Film
    new: Film


@dataclass(frozen=True)
class SetSettings(_SetValue):
    """The project's settings change."""

    _field = "settings"

    old: Settings
    new: Settings


@dataclass(frozen=True)
class SetRules(_SetValue):
    """The rules between eventualities change."""

    _field = "rules"

    old: Rules
    new: Rules


@dataclass(frozen=True)
class SetPeople(_SetValue):
    """The cast changes as a whole, as when one is imported or put in another order."""

    _field = "people"
    _error = staticmethod(people_error)

    old: People
    new: People


@dataclass(frozen=True)
class SetPrompts(_SetValue):
    """The project's own prompts change."""

    _field = "prompts"
    _error = staticmethod(prompts_error)

    old: Prompts
    new: Prompts


@dataclass(frozen=True)
class SetVoice(_SetValue):
    """The project's voice changes."""

    _field = "voice"

    old: VoiceSettings
    new: VoiceSettings


@dataclass(frozen=True)
class SetLexicon(_SetValue):
    """The project's pronunciations change."""

    _field = "lexicon"
    _error = staticmethod(lexicon_error)

    old: Lexicon
    new: Lexicon


class Agent(Enum):
    """Who made a step."""

    PERSON = "person"
    EDITOR = "editor"
    """The editor itself, such as when it inserts a scene drafted by a model."""
    COMMAND = "command"
    """A command-line command."""


class ChangeKind(Enum):
    """What a step does, as far as anything depends on it."""

    EDIT = "edit"
    """Any change, given by its items."""
    SCENE_DRAFT = "scene_draft"
    """A model's draft of a scene is inserted."""
    WEIGHTS = "weights"
    """Lines get the saliences that a model gave them."""
    PEOPLE = "people"
    """The cast is imported."""
    RULES = "rules"
    """Suggested rules are applied."""
    SCRIPT_IMPORT = "script_import"
    """A finished script is imported."""


@dataclass(frozen=True)
class StepOrigin:
    """Who made a step, and what it does.

    `by` names the model or server that did the work, if any; `count` is the number of lines changed, if counted.
    """

    agent: Agent = Agent.PERSON
    kind: ChangeKind = ChangeKind.EDIT
    by: str = ""
    count: int = 0


EDITED_BY_PERSON = StepOrigin()
"""The origin of a person's edits."""


@dataclass(frozen=True)
class Several:
    """Changes made as one action and undone as one.

    `label` names it in the undo list where neither its steps nor its origin do; nothing else depends on it.
    """

    label: str
    steps: tuple[Step, ...]
    origin: StepOrigin = EDITED_BY_PERSON

    def apply(self, script: Script) -> Script:
        """The script after all of them, in order."""
        at = 0
        while at < len(self.steps):
            run = _run_of_lines(self.steps, at)
            if len(run) > 1:
                script = _with_lines(script, run)
                at += len(run)
            else:
                script = self.steps[at].apply(script)
                at += 1
        return script

    def inverse(self) -> Step:
        """Undo all of them, last first."""
        return Several(self.label, tuple(step.inverse() for step in reversed(self.steps)), self.origin)


def _run_of_lines(steps: tuple[Step, ...], at: int) -> list[Insert | Remove]:
    """The steps from `at` on that insert and remove eventualities, up to the first other step."""
    run: list[Insert | Remove] = []
    for step in steps[at:]:
        if not isinstance(step, Insert | Remove) or not isinstance(step.item, Eventuality):
            break
        run.append(step)
    return run


def _with_lines(script: Script, run: list[Insert | Remove]) -> Script:
    """Applies a run of steps at once instead of one by one: redrafting a scene takes hundreds of them."""
    items = list(script.eventualities)
    ids = [item.id for item in items]
    known = set(ids)
    at = 0
    for step in run:
        item = cast("Eventuality", step.item)
        if isinstance(step, Remove):
            at = _place_near(ids, item.id, at)
            _require(items[at], item)
            if (ids[at + 1] if at + 1 < len(ids) else None) != step.before:
                raise StepError(f"{item.id} is not followed by {step.before}")
            del items[at], ids[at]
            known.remove(item.id)
        else:
            if item.id in known:
                raise StepError(f"{item.id} is already in the script")
            at = len(ids) if step.before is None else _place_near(ids, step.before, at)
            items.insert(at, item)
            ids.insert(at, item.id)
            known.add(item.id)
    return script.with_changes(eventualities=tuple(items))


def _place_near(ids: list[str], identity: str, near: int) -> int:
    """The position of an id, which is usually next to the previous one."""
    for place in (near, near - 1, near + 1):
        if 0 <= place < len(ids) and ids[place] == identity:
            return place
    try:
        return ids.index(identity)
    except ValueError:
        raise StepError(f"there is no {identity} in the script") from None


Step = (
    Insert
    | Remove
    | Replace
    | Move
    | SetFilm
    | SetSettings
    | SetRules
    | SetPeople
    | SetPrompts
    | SetVoice
    | SetLexicon
    | Several
)
"""Every kind of change."""


def touched_items(step: Step) -> Iterator[tuple[type[Item], str]]:
    """The items that a step inserts, removes, replaces or moves, by type and id, in order."""
    match step:
        case Insert() | Remove() | Move():
            yield type(step.item), step.item.id
        case Replace():
            yield type(step.new), step.new.id
        case Several():
            for each in step.steps:
                yield from touched_items(each)
        case _:
            return
