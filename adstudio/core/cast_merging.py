"""Merging an entry of a cast into another one, and taking it out again as it was."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import fields, replace

from adstudio.core.cast import GIVEN, CastEntry, Merged, MergeRule, Person, Pronouns, person_id

_EMPTY = {"described_as": "", "pronouns": Pronouns.UNKNOWN, "colour": ""}
"""What fields are of which nothing is known; others are None then."""


def with_merged(person: Person, other: Person, rule: MergeRule) -> Person:
    """A person with another as a merged entry, and with what the other knows where this one is empty."""
    gave = tuple(
        name for name in GIVEN if getattr(person, name) == _EMPTY.get(name) and getattr(other, name) != _EMPTY.get(name)
    )
    filled = {name: getattr(other, name) for name in gave}
    entry = CastEntry(**{each.name: getattr(other, each.name) for each in fields(CastEntry)})
    merged = (*person.merged, Merged(entry, rule, gave), *other.merged)
    return replace(person, merged=merged, sources=person.sources | other.sources, **filled)


def without_merged(person: Person, merged: Merged) -> Person:
    """A person without a merged entry, and without what only that one gave, unless it was changed since."""
    taken_back = {
        name: _EMPTY.get(name) for name in merged.gave if getattr(person, name) == getattr(merged.entry, name)
    }
    rest = tuple(each for each in person.merged if each is not merged)
    return replace(person, merged=rest, **taken_back)  # pyright: ignore[reportArgumentType] - of the fields' types


def person_from(entry: CastEntry, taken: Container[str]) -> Person:
    """A merged entry as a person again, with its own id unless somebody has that."""
    person = Person(**{each.name: getattr(entry, each.name) for each in fields(CastEntry)})
    return person if person.id not in taken else replace(person, id=person_id(person.name, taken))
