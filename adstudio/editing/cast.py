"""Edits of the cast: people added, changed, merged, split and deleted with all that is theirs; who speaks a cue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from adstudio.core.cast import (
    CharacterSource,
    MergeRule,
    NamedFace,
    People,
    Person,
    Portrait,
    SpeakerSource,
    name_key,
    people_error,
    person_id,
    require_name,
)
from adstudio.core.cast_merging import person_from, with_merged, without_merged
from adstudio.core.script import Cue, Script
from adstudio.core.steps import Insert, Move, Remove, Replace, SetPeople, Step
from adstudio.core.words import composed
from adstudio.editing.change import EditRefused, item_of, one_step
from adstudio.editing.named_faces import removals
from adstudio.editing.names import quoted


@dataclass(frozen=True)
class Belongings:
    """What goes when everything of a person is deleted."""

    person: Person
    faces: tuple[NamedFace, ...]
    """Those named as the person's."""
    cues: tuple[Cue, ...]
    """Those whose speaker was found by a machine or set by the describer; what subtitles say themselves stays."""


def add_person(script: Script, name: str) -> Step | None:
    """Add somebody to the end of the cast.

    Raises:
        EditRefused: for an invalid name, or one that somebody has.
    """
    new = _checked_name(name)
    _require_free(script.people, new, "")
    person = Person(person_id(new, script.person_by_id), new, sources=frozenset({CharacterSource.DESCRIBER}))
    _require_cast((*script.people, person))
    return Insert(person)


def change_person(script: Script, identity: str, changes: Mapping[str, object]) -> Step | None:
    """Give fields of a person other values.

    Raises:
        EditRefused: where a value cannot be, or the person is no longer in the cast.
    """
    old = person_of(script, identity)
    try:
        new = replace(old, **dict(changes))  # pyright: ignore[reportArgumentType] - of the fields' types
    except ValueError as error:
        raise EditRefused(_sentence(str(error))) from error
    if new == old:
        return None
    _require_cast(tuple(new if each is old else each for each in script.people))
    return Replace(old, new)


def rename_person(script: Script, identity: str, name: str) -> Step | None:
    """Give a person another name; cues that have the old one still mean them, as it becomes a further name.

    Raises:
        EditRefused: for an invalid name, or one that somebody else has.
    """
    old, new = person_of(script, identity), _checked_name(name)
    if new == old.name:
        return None
    _require_free(script.people, new, identity)
    others = tuple(alias for alias in old.aliases if name_key(alias) != name_key(new))
    spoken = any(cue.speaker is not None and name_key(cue.speaker) == name_key(old.name) for cue in script.cues)
    if spoken and name_key(old.name) != name_key(new):
        others = (*others, old.name)
    return change_person(script, identity, {"name": new, "aliases": others})


def set_aliases(script: Script, identity: str, names: Iterable[str]) -> Step | None:
    """Set a person's further names.

    Raises:
        EditRefused: for an invalid one, or the name of somebody else.
    """
    person = person_of(script, identity)
    found: dict[str, str] = {}
    for name in map(_checked_name, names):
        _require_free(script.people, name, identity)
        if name_key(name) != name_key(person.name):
            found.setdefault(name_key(name), name)
    return change_person(script, identity, {"aliases": tuple(found.values())})


def add_portrait(script: Script, identity: str, portrait: Portrait, *, first: bool = True) -> Step | None:
    """Add a picture of a person, before the others or after them; raises as `change_person` does."""
    portraits = person_of(script, identity).portraits
    return change_person(script, identity, {"portraits": (portrait, *portraits) if first else (*portraits, portrait)})


def choose_portrait(script: Script, identity: str, image: bytes) -> Step | None:
    """Make a picture of a person the one that is shown and that models are sent; one of a merged entry joins the own.

    Raises:
        EditRefused: where the picture is no longer there, or they would be too many.
    """
    person = person_of(script, identity)
    chosen = next((each for each in person.all_portraits if each.image == image), None)
    if chosen is None:
        raise EditRefused("That picture is no longer there.")
    others = tuple(each for each in person.portraits if each.image != image)
    return change_person(script, identity, {"portraits": (chosen, *others)})


def remove_portrait(script: Script, identity: str, image: bytes) -> Step | None:
    """Remove a picture of a person, also from the entries that were merged into it; raises as `change_person` does."""
    person = person_of(script, identity)
    merged = tuple(
        replace(each, entry=replace(each.entry, portraits=_without(each.entry.portraits, image)))
        for each in person.merged
    )
    return change_person(script, identity, {"portraits": _without(person.portraits, image), "merged": merged})


def _without(portraits: Sequence[Portrait], image: bytes) -> tuple[Portrait, ...]:
    return tuple(each for each in portraits if each.image != image)


def move_person(script: Script, identity: str, by: int) -> Step | None:
    """Show a person earlier or later in the cast; None at its ends."""
    person = person_of(script, identity)
    ids = [each.id for each in script.people]
    place = ids.index(identity)
    if not 0 <= place + by < len(ids):
        return None
    following = [*ids, None]
    rest = [*(each for each in ids if each != identity), None]
    return Move(person, following[place + 1], rest[place + by])


def merge_people(script: Script, identities: Iterable[str], into: str) -> Step | None:
    """Merge people into another one, who gets the names and pictures, and what was not known; faces go along.

    Raises:
        EditRefused: for nobody but the one that they are merged into, or one who is no longer there.
    """
    target = person_of(script, into)
    others = [person_of(script, identity) for identity in dict.fromkeys(identities) if identity != into]
    if not others:
        raise EditRefused("A character cannot be merged with itself: select another one.")
    merged, rest = target, list(script.people)
    steps: list[Step] = []
    for person in others:
        merged = with_merged(merged, person, MergeRule.DESCRIBER)
        steps.append(_removal(rest, person))
        rest.remove(person)
    gone = {person.id for person in others}
    faces = [Replace(face, replace(face, person=into)) for face in script.named_faces if face.person in gone]
    names = quoted(others[0].name) if len(others) == 1 else f"{len(others)} characters"
    return one_step(f"Merge {names} into {quoted(target.name)}", [*steps, Replace(target, merged), *faces])


def split_person(script: Script, identity: str, merged: str) -> Step | None:
    """Make an entry that was merged into a person (`merged` is its id) a person of its own again, as it was.

    Raises:
        EditRefused: if it is not there, or its name is somebody else's now.
    """
    person = person_of(script, identity)
    found = next((each for each in person.merged if each.entry.id == merged), None)
    if found is None:
        raise EditRefused("That name is no longer merged with the character.")
    rest = without_merged(person, found)
    new = person_from(found.entry, taken=script.person_by_id)
    _require_free(script.people, new.name, identity)
    _require_cast((*(rest if each is person else each for each in script.people), new))
    ids = [each.id for each in script.people]
    place = ids.index(identity) + 1
    before = ids[place] if place < len(ids) else None
    return one_step(
        f"Split {quoted(new.name)} from {quoted(person.name)}", [Replace(person, rest), Insert(new, before)]
    )


def delete_person(script: Script, identity: str) -> Step | None:
    """Delete everything of a person, as `belongings` lists it.

    Raises:
        EditRefused: if the person is no longer in the cast.
    """
    own = belongings(script, identity)
    steps: list[Step] = [_removal(script.people, own.person)]
    steps += removals(script, {face.id for face in own.faces})
    steps += [Replace(cue, _spoken_by(cue, None)) for cue in own.cues]
    return one_step(f"Delete {quoted(own.person.name)} and everything of this character", steps)


def belongings(script: Script, identity: str) -> Belongings:
    """What is a person's alone in a project: the entry with its pictures, named faces, cues that were assigned."""
    person = person_of(script, identity)
    own = (None, SpeakerSource.LABEL, SpeakerSource.SCREENPLAY)
    cues = (cue for cue in script.cues if cue.speaker_source not in own)
    return Belongings(
        person,
        tuple(face for face in script.named_faces if face.person == identity),
        tuple(cue for cue in cues if script.person_named(cue.speaker) is person),
    )


def set_speaker(script: Script, cues: Iterable[str], name: str | None) -> Step | None:
    """Say who speaks cues, as the describer; None: nobody of whom it is known.

    Raises:
        EditRefused: for an invalid name, or a cue that is no longer there.
    """
    speaker = None if name is None else _checked_name(name)
    found = [item_of(script.cues, identity, "cue") for identity in dict.fromkeys(cues)]
    pairs = [(cue, _spoken_by(cue, speaker)) for cue in found]
    to = quoted(speaker) if speaker else "nobody"
    return one_step(
        f"Set speaker of {len(found)} cues to {to}", [Replace(*pair) for pair in pairs if pair[0] != pair[1]]
    )


def set_people(script: Script, people: People) -> Step | None:
    """Replace the whole cast, as after collecting; None if nothing changes.

    Raises:
        EditRefused: for a cast that cannot be.
    """
    _require_cast(people)
    return None if people == script.people else SetPeople(script.people, people)


def person_of(script: Script, identity: str) -> Person:
    """The person with that id; refused if nobody of the cast has it."""
    person = script.person_by_id.get(identity)
    if person is None:
        raise EditRefused("That character is no longer in the cast.")
    return person


def _spoken_by(cue: Cue, speaker: str | None) -> Cue:
    source = None if speaker is None else SpeakerSource.DESCRIBER
    return replace(cue, speaker=speaker, speaker_source=source, speaker_confidence=None)


def _removal(people: Sequence[Person], person: Person) -> Remove:
    place = people.index(person)
    return Remove(person, people[place + 1].id if place + 1 < len(people) else None)


def _checked_name(name: str) -> str:
    found = composed(" ".join(name.split()))
    try:
        require_name(found)
    except ValueError as error:
        raise EditRefused(_sentence(str(error))) from error
    return found


def _require_free(people: People, name: str, identity: str) -> None:
    key = name_key(name)
    there = next((each for each in people if each.id != identity and key == name_key(each.name)), None)
    if there is not None:
        raise EditRefused(f"“{there.name}” is already in the cast: merge the two, or choose another name.")


def _require_cast(people: People) -> None:
    if wrong := people_error(people):
        raise EditRefused(_sentence(wrong))


def _sentence(problem: str) -> str:
    return f"{problem[:1].upper()}{problem[1:]}."
