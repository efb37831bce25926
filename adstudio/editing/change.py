"""Building one undoable step from the new states of items, and the checks shared by all edits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median_high
from typing import TypeVar

from adstudio.core.errors import BadInputError
from adstudio.core.longest_rise import longest_rise
from adstudio.core.narration import LineVoice
from adstudio.core.script import Cue, Eventuality, Item, Opening, Origin, Rules, Scene, Script, Silence
from adstudio.core.steps import Insert, Move, Remove, Replace, SetRules, Several, Step

MAX_CHARACTERS = 10_000
"""The longest wording, note or title."""

DEFAULT_SALIENCE = 500_000
"""The salience of a new line if no other line has one, in millionths."""

Timed = TypeVar("Timed", Cue, Silence, Opening, Scene)
Listed = TypeVar("Listed", bound=Item)


class EditRefused(BadInputError):  # noqa: N818 - an answer to the describer, not an error
    """An edit that cannot be made; the message says why, and what to do instead."""


def one_step(label: str, steps: Iterable[Step]) -> Step | None:
    """The steps as one action: a single step as it is, None if there are none."""
    found = tuple(steps)
    if len(found) < 2:
        return found[0] if found else None
    return Several(label, found)


def lines_of(script: Script, identities: Iterable[str]) -> list[Eventuality]:
    """The eventualities with these ids in textual order, each once.

    Raises:
        EditRefused: if one is not in the script.
    """
    places = {position_of(script, identity) for identity in identities}
    return [script.eventualities[place] for place in sorted(places)]


def position_of(script: Script, identity: str) -> int:
    """An eventuality's position in textual order; refused if it is not in the script."""
    place = script.eventuality_index.get(identity)
    if place is None:
        raise EditRefused("That line is no longer in the script.")
    return place


def line_of(script: Script, identity: str) -> Eventuality:
    """The eventuality with that id; refused if it is not in the script."""
    return script.eventualities[position_of(script, identity)]


def item_of(items: Iterable[Listed], identity: str, what: str) -> Listed:
    """The item with that id; `what` names it where it is not in the script, which is refused."""
    found = next((item for item in items if item.id == identity), None)
    if found is None:
        raise EditRefused(f"That {what} is no longer in the script.")
    return found


def edit_lines(
    script: Script, identities: Iterable[str], label: str, edit: Callable[[Eventuality], Eventuality]
) -> Step | None:
    """The step that edits each of these lines; `label`, with `{}` for their number, names it if there are several."""
    lines = lines_of(script, identities)
    pairs = [(line, edit(line)) for line in lines]
    steps = [Replace(old, new) for old, new in pairs if new != old]
    return one_step(label.format(len(steps)), steps)


def marked_as_worked(old: Eventuality, new: Eventuality) -> Eventuality:
    """The new state of a line edited by a person, marked as worked on if it differs."""
    if new == old or new.origin is Origin.HUMAN:
        return new
    return replace(new, worked=True)


def with_open_length(old: Eventuality, new: Eventuality) -> Eventuality:
    """The new state of a line; if what was accepted is spoken otherwise now, its length at that time counts no more."""
    if new.approval is None or new.approval.duration is None or _as_spoken(new) == _as_spoken(old):
        return new
    return replace(new, approval=replace(new.approval, duration=None))


def _as_spoken(line: Eventuality) -> tuple[object, ...]:
    """What the length of the wording that was accepted depends on, as far as it is the line's own."""
    if line.approval is None or line.approval.variant >= len(line.variants):
        return ()
    wording = line.variants[line.approval.variant]
    take = wording.chosen_take
    voice = replace(line.voice or LineVoice(), volume=None)
    return wording.text, wording.duration, None if take is None else take.duration, voice


def id_after(script: Script, place: int, without: Iterable[str] = ()) -> str | None:
    """The id of the next eventuality after a position, skipping those in `without`."""
    skipped = frozenset(without)
    return next((e.id for e in script.eventualities[place + 1 :] if e.id not in skipped), None)


def removal_steps(script: Script, identities: Iterable[str]) -> list[Step]:
    """Steps that remove these eventualities, the last first, so that each names a follower that still exists."""
    gone: set[str] = set()
    steps: list[Step] = []
    for line in reversed(lines_of(script, identities)):
        steps.append(Remove(line, id_after(script, script.eventuality_index[line.id], gone)))
        gone.add(line.id)
    return steps


def rules_steps(script: Script, rules: Rules) -> list[Step]:
    """The step to these rules, if they differ."""
    return [SetRules(script.rules, rules)] if rules != script.rules else []


def timed_steps(
    items: tuple[Timed, ...], changed: Mapping[str, Timed | None], new: Sequence[Timed] | None = None
) -> list[Step]:
    """Steps that change, remove (None) and add items of a collection in order of time."""
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
        target = _position_in(order, start_of(after), place)
        if target != place:
            steps.append(Move(after, before, _id_at(order, target)))
        order.insert(target, after)
    for item in new or ():
        target = _position_in(order, start_of(item))
        steps.append(Insert(item, _id_at(order, target)))
        order.insert(target, item)
    return steps


def collection_steps(before: Sequence[Item], after: Sequence[Item]) -> list[Step]:
    """Steps that lead from one state of a collection to another, in any order: what is not in the other goes or comes.

    As few items as possible are moved.
    """
    left = {item.id: item for item in after}
    steps: list[Step] = []
    follower: str | None = None
    for item in reversed(before):
        if item.id in left:
            follower = item.id
        else:
            steps.append(Remove(item, follower))
    order = [item.id for item in before if item.id in left]
    steps += [Replace(item, left[item.id]) for item in before if item.id in left and left[item.id] != item]
    places = {identity: place for place, identity in enumerate(order)}
    wanted = [item.id for item in after if item.id in places]
    still = {wanted[place] for place in longest_rise([places[identity] for identity in wanted])}
    following: str | None = None
    for identity in reversed(wanted):
        if identity not in still:
            place = order.index(identity)
            now = order[place + 1] if place + 1 < len(order) else None
            if now != following:
                steps.append(Move(left[identity], now, following))
                del order[place]
                order.insert(len(order) if following is None else order.index(following), identity)
        following = identity
    following = None
    for item in reversed(after):
        if item.id not in places:
            steps.append(Insert(item, following))
        following = item.id
    return steps


def start_of(item: Cue | Silence | Opening | Scene) -> int:
    """When an item starts."""
    return item.start if isinstance(item, Cue) else item.span.start


def _id_at(order: Sequence[Cue | Silence | Opening | Scene], place: int) -> str | None:
    return order[place].id if place < len(order) else None


def _position_in(order: Sequence[Cue | Silence | Opening | Scene], start: int, now: int | None = None) -> int:
    """The position for an item with this start: its current one if its neighbours allow, else after equal starts."""
    if now is not None:
        behind = now == 0 or start_of(order[now - 1]) <= start
        if behind and (now == len(order) or start <= start_of(order[now])):
            return now
    return next((place for place, each in enumerate(order) if start_of(each) > start), len(order))


def median_salience(script: Script) -> int:
    """The median salience, in millionths: a sensible value for a new line, whatever the scale."""
    found = [line.salience for line in script.eventualities if line.salience is not None]
    return median_high(found) if found else DEFAULT_SALIENCE


def clamped(script: Script, t: int) -> int:
    """A time clamped to the film."""
    return max(0, min(t, script.film.end))


def checked_wording(text: str) -> str:
    """A wording that may be stored.

    Raises:
        EditRefused: if it is empty or too long.
    """
    if not text.strip():
        raise EditRefused("A wording cannot be empty: write some text, or delete the line.")
    return checked_text(text)


def checked_text(text: str) -> str:
    """A text that may be stored; refused if it is too long."""
    if len(text) > MAX_CHARACTERS:
        raise EditRefused(f"That text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are allowed.")
    return text
