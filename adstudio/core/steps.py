"""Steps: every change of a script, as a frozen value that knows the old and the new (DESIGN 3.1).

There are few kinds, because a change is always one of: an item comes, goes, changes or moves, or one of the single
values (film, settings, rules, people, prompts) changes. Items are named by stable ids; a place in textual order is
named by the item that follows it, None standing for the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import TypeVar, cast

from adstudio.core.script import (
    Cue,
    Eventuality,
    Film,
    Item,
    Opening,
    People,
    Prompts,
    Rules,
    Scene,
    Script,
    Sequence,
    Settings,
    Silence,
    wrong_people,
    wrong_prompts,
)

T = TypeVar("T", bound=Item)

_COLLECTION: dict[type[Item], str] = {
    Cue: "cues",
    Silence: "silences",
    Opening: "openings",
    Sequence: "sequences",
    Scene: "scenes",
    Eventuality: "eventualities",
}


class StepError(ValueError):
    """A step that does not fit the script it is applied to: a fault of the program, never of the user."""


def _change(script: Script, item_type: type[Item], edit: Callable[[list[Item]], None]) -> Script:
    name = _COLLECTION[item_type]
    items = list(cast("tuple[Item, ...]", getattr(script, name)))
    edit(items)
    return script.changed(**{name: tuple(items)})


def _position(items: list[Item], identity: str) -> int:
    for place, item in enumerate(items):
        if item.id == identity:
            return place
    raise StepError(f"there is no {identity} in the script")


def _take(items: list[Item], item: Item, before: str | None) -> None:
    place = _position(items, item.id)
    if items[place] != item:
        raise StepError(f"{item.id} is not what the step remembers")
    following = items[place + 1].id if place + 1 < len(items) else None
    if following != before:
        raise StepError(f"{item.id} does not stand before {before}")
    del items[place]


def _put(items: list[Item], item: Item, before: str | None) -> None:
    if any(other.id == item.id for other in items):
        raise StepError(f"{item.id} is in the script already")
    items.insert(len(items) if before is None else _position(items, before), item)


@dataclass(frozen=True)
class Insert:
    """An item comes, before the item named `before` (None: at the end)."""

    item: Item
    before: str | None = None

    def apply(self, script: Script) -> Script:
        """The script with the item."""
        return _change(script, type(self.item), lambda items: _put(items, self.item, self.before))

    def inverse(self) -> Step:
        """The item goes again."""
        return Remove(self.item, self.before)


@dataclass(frozen=True)
class Remove:
    """An item goes; `before` is the item that follows it, so that undo puts it back where it was."""

    item: Item
    before: str | None = None

    def apply(self, script: Script) -> Script:
        """The script without the item."""
        return _change(script, type(self.item), lambda items: _take(items, self.item, self.before))

    def inverse(self) -> Step:
        """The item comes back."""
        return Insert(self.item, self.before)


@dataclass(frozen=True)
class Replace:
    """An item changes in place: its text, pin, salience, times, anything but its id."""

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
            if script.eventualities[place] != self.old:
                raise StepError(f"{self.old.id} is not what the step remembers")
            return script.with_eventuality(place, self.new)

        def swap(items: list[Item]) -> None:
            place = _position(items, self.old.id)
            if items[place] != self.old:
                raise StepError(f"{self.old.id} is not what the step remembers")
            items[place] = self.new

        return _change(script, type(self.old), swap)

    def inverse(self) -> Step:
        """Back to the old state."""
        return Replace(self.new, self.old)


@dataclass(frozen=True)
class Move:
    """An item changes its place in textual order: from before `old_before` to before `new_before`."""

    item: Item
    old_before: str | None
    new_before: str | None

    def __post_init__(self) -> None:
        if self.item.id in (self.old_before, self.new_before):
            raise StepError("an item cannot stand before itself")

    def apply(self, script: Script) -> Script:
        """The script in the new order."""

        def move(items: list[Item]) -> None:
            _take(items, self.item, self.old_before)
            _put(items, self.item, self.new_before)

        return _change(script, type(self.item), move)

    def inverse(self) -> Step:
        """Back to the old place."""
        return Move(self.item, self.new_before, self.old_before)


@dataclass(frozen=True)
class SetFilm:
    """The film's own data change: title, language, rate, media."""

    old: Film
    new: Film

    def apply(self, script: Script) -> Script:
        """The script of the new film data."""
        if script.film != self.old:
            raise StepError("the film is not what the step remembers")
        return script.changed(film=self.new)

    def inverse(self) -> Step:
        """Back to the old data."""
        return SetFilm(self.new, self.old)


@dataclass(frozen=True)
class SetSettings:
    """The project's settings change."""

    old: Settings
    new: Settings

    def apply(self, script: Script) -> Script:
        """The script under the new settings."""
        if script.settings != self.old:
            raise StepError("the settings are not what the step remembers")
        return script.changed(settings=self.new)

    def inverse(self) -> Step:
        """Back to the old settings."""
        return SetSettings(self.new, self.old)


@dataclass(frozen=True)
class SetRules:
    """The rules between eventualities change."""

    old: Rules
    new: Rules

    def apply(self, script: Script) -> Script:
        """The script under the new rules."""
        if script.rules != self.old:
            raise StepError("the rules are not what the step remembers")
        return script.changed(rules=self.new)

    def inverse(self) -> Step:
        """Back to the old rules."""
        return SetRules(self.new, self.old)


@dataclass(frozen=True)
class SetPeople:
    """The film's people whom models are told of change."""

    old: People
    new: People

    def __post_init__(self) -> None:
        if wrong := wrong_people(self.old) or wrong_people(self.new):
            raise StepError(wrong)

    def apply(self, script: Script) -> Script:
        """The script with the new people."""
        if script.people != self.old:
            raise StepError("the people are not what the step remembers")
        return script.changed(people=self.new)

    def inverse(self) -> Step:
        """Back to the people before."""
        return SetPeople(self.new, self.old)


@dataclass(frozen=True)
class SetPrompts:
    """The project's own wordings of prompts change."""

    old: Prompts
    new: Prompts

    def __post_init__(self) -> None:
        if wrong := wrong_prompts(self.old) or wrong_prompts(self.new):
            raise StepError(wrong)

    def apply(self, script: Script) -> Script:
        """The script with the new wordings."""
        if script.prompts != self.old:
            raise StepError("the prompts are not what the step remembers")
        return script.changed(prompts=self.new)

    def inverse(self) -> Step:
        """Back to the wordings before."""
        return SetPrompts(self.new, self.old)


@dataclass(frozen=True)
class Several:
    """Changes that the describer made as one action, undone as one."""

    label: str
    steps: tuple[Step, ...]

    def apply(self, script: Script) -> Script:
        """The script after all of them, in order; nothing has changed if one does not fit."""
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
        """All of them back, last first."""
        return Several(self.label, tuple(step.inverse() for step in reversed(self.steps)))


def _run_of_lines(steps: tuple[Step, ...], at: int) -> list[Insert | Remove]:
    """The eventualities that come and go one after the other from there on."""
    run: list[Insert | Remove] = []
    for step in steps[at:]:
        if not isinstance(step, Insert | Remove) or not isinstance(step.item, Eventuality):
            break
        run.append(step)
    return run


def _with_lines(script: Script, run: list[Insert | Remove]) -> Script:
    """What the steps would do one by one, in one go: a scene drafted again takes hundreds of them."""
    items = list(script.eventualities)
    ids = [item.id for item in items]
    known = set(ids)
    at = 0
    for step in run:
        item = cast("Eventuality", step.item)
        if isinstance(step, Remove):
            at = _place_near(ids, item.id, at)
            if items[at] != item:
                raise StepError(f"{item.id} is not what the step remembers")
            if (ids[at + 1] if at + 1 < len(ids) else None) != step.before:
                raise StepError(f"{item.id} does not stand before {step.before}")
            del items[at], ids[at]
            known.remove(item.id)
        else:
            if item.id in known:
                raise StepError(f"{item.id} is in the script already")
            at = len(ids) if step.before is None else _place_near(ids, step.before, at)
            items.insert(at, item)
            ids.insert(at, item.id)
            known.add(item.id)
    return script.changed(eventualities=tuple(items))


def _place_near(ids: list[str], identity: str, near: int) -> int:
    """Where an id stands: mostly beside the one before it."""
    for place in (near, near - 1, near + 1):
        if 0 <= place < len(ids) and ids[place] == identity:
            return place
    try:
        return ids.index(identity)
    except ValueError:
        raise StepError(f"there is no {identity} in the script") from None


Step = Insert | Remove | Replace | Move | SetFilm | SetSettings | SetRules | SetPeople | SetPrompts | Several
"""Every kind of change there is."""


def touched_items(step: Step) -> Iterator[tuple[type[Item], str]]:
    """The items that a step brings, takes away, changes or moves, by type and id, in the order it does so."""
    match step:
        case Insert() | Remove() | Move():
            yield type(step.item), step.item.id
        case Replace():
            yield type(step.new), step.new.id
        case Several():
            for each in step.steps:
                yield from touched_items(each)
        case SetFilm() | SetSettings() | SetRules() | SetPeople() | SetPrompts():
            return
