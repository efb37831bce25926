"""From the new states of items to one undoable step, and the checks that all edits share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median_high
from typing import TypeVar

from adstudio.core.script import Cue, Eventuality, Opening, Origin, Rules, Scene, Script, Silence
from adstudio.core.steps import Insert, Move, Remove, Replace, SetRules, Several, Step
from adstudio.editing.refusal import EditRefused

MAX_CHARACTERS = 10_000
"""The longest wording, note or title that is taken."""

DEFAULT_SALIENCE = 500_000
"""The salience of a line where no other line tells what is usual, in millionths."""

Timed = TypeVar("Timed", Cue, Silence, Opening, Scene)


def one_step(label: str, steps: Iterable[Step]) -> Step | None:
    """The steps as one action: itself where there is one only, None where there is none."""
    made = tuple(steps)
    if len(made) < 2:
        return made[0] if made else None
    return Several(label, made)


def lines_of(script: Script, identities: Iterable[str]) -> list[Eventuality]:
    """The eventualities of these ids in textual order, each once.

    Raises:
        EditRefused: where one is not in the script.
    """
    places = {place_of(script, identity) for identity in identities}
    return [script.eventualities[place] for place in sorted(places)]


def place_of(script: Script, identity: str) -> int:
    """Where an eventuality stands in textual order; refused where it is not in the script."""
    place = script.eventuality_index.get(identity)
    if place is None:
        raise EditRefused("That line is not in the script any more.")
    return place


def line_of(script: Script, identity: str) -> Eventuality:
    """The eventuality of that id; refused where it is not in the script."""
    return script.eventualities[place_of(script, identity)]


def edited(
    script: Script, identities: Iterable[str], label: str, edit: Callable[[Eventuality], Eventuality]
) -> Step | None:
    """The step that edits each of these lines; `label`, with `{}` for their number, is for more than one."""
    lines = lines_of(script, identities)
    pairs = [(line, edit(line)) for line in lines]
    steps = [Replace(old, new) for old, new in pairs if new != old]
    return one_step(label.format(len(steps)), steps)


def by_hand(old: Eventuality, new: Eventuality) -> Eventuality:
    """The new state of a line that a person made of the old one, marked as worked on where it differs at all."""
    if new == old or new.origin is Origin.HUMAN:
        return new
    return replace(new, worked=True)


def following(script: Script, place: int, without: Iterable[str] = ()) -> str | None:
    """The id of the eventuality that stands after a place, passing over some."""
    skipped = frozenset(without)
    return next((e.id for e in script.eventualities[place + 1 :] if e.id not in skipped), None)


def removals(script: Script, identities: Iterable[str]) -> list[Step]:
    """Takes these eventualities out, the last first, so that each step finds its follower."""
    gone: set[str] = set()
    steps: list[Step] = []
    for line in reversed(lines_of(script, identities)):
        steps.append(Remove(line, following(script, script.eventuality_index[line.id], gone)))
        gone.add(line.id)
    return steps


def with_rules(script: Script, rules: Rules) -> list[Step]:
    """The step to other rules, where they differ."""
    return [SetRules(script.rules, rules)] if rules != script.rules else []


def timed_steps(
    items: tuple[Timed, ...], changed: Mapping[str, Timed | None], new: Sequence[Timed] | None = None
) -> list[Step]:
    """Steps that change, remove (None) and add items of a collection that stands in order of time."""
    steps: list[Step] = []
    order = list(items)
    for item in items:
        if item.id not in changed:
            continue
        place = next(i for i, each in enumerate(order) if each.id == item.id)
        before, after = _id_at(order, place + 1), changed[item.id]
        del order[place]
        if after is None:
            steps.append(Remove(item, before))
            continue
        if after != item:
            steps.append(Replace(item, after))
        target = _place_in(order, start_of(after), place)
        if target != place:
            steps.append(Move(after, before, _id_at(order, target)))
        order.insert(target, after)
    for item in new or ():
        target = _place_in(order, start_of(item))
        steps.append(Insert(item, _id_at(order, target)))
        order.insert(target, item)
    return steps


def start_of(item: Cue | Silence | Opening | Scene) -> int:
    """When something of a time begins."""
    return item.start if isinstance(item, Cue) else item.span.start


def _id_at(order: Sequence[Cue | Silence | Opening | Scene], place: int) -> str | None:
    return order[place].id if place < len(order) else None


def _place_in(order: Sequence[Cue | Silence | Opening | Scene], start: int, now: int | None = None) -> int:
    """Where an item that starts then belongs: where it is now, if its neighbours allow that, else behind its equals."""
    if now is not None:
        behind = now == 0 or start_of(order[now - 1]) <= start
        if behind and (now == len(order) or start <= start_of(order[now])):
            return now
    return next((place for place, each in enumerate(order) if start_of(each) > start), len(order))


def usual_salience(script: Script) -> int:
    """The middle one of the lines' saliences, in millionths: a new line is like the rest on whatever scale."""
    found = [line.salience for line in script.eventualities if line.salience is not None]
    return median_high(found) if found else DEFAULT_SALIENCE


def bounded(script: Script, t: int) -> int:
    """A time brought into the film."""
    return max(0, min(t, script.film.end))


def said(text: str) -> str:
    """A wording as it may be kept.

    Raises:
        EditRefused: for one that is empty or of absurd length.
    """
    if not text.strip():
        raise EditRefused("A wording needs words: write some, or delete the line.")
    return written(text)


def written(text: str) -> str:
    """A text as it may be kept; refused where it is of absurd length."""
    if len(text) > MAX_CHARACTERS:
        raise EditRefused(f"That text has {len(text):,} characters; {MAX_CHARACTERS:,} are the most.")
    return text
