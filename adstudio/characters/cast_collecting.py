"""Collecting a cast: found people become entries, and those that mean one person are merged by rules that are named.

Only what is new is ever merged, into an entry that is there or another new one; what a describer has split stays split.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from adstudio.characters.cast_names import merge_rule, own_words, pronouns_of_title, spelling_key
from adstudio.characters.cast_sources import FoundPerson
from adstudio.core.cast import (
    MAX_ALIASES,
    MAX_PEOPLE,
    CharacterSource,
    MergeRule,
    People,
    Person,
    Pronouns,
    name_key,
    person_id,
)
from adstudio.core.cast_merging import with_merged
from adstudio.core.errors import Oddity


@dataclass(frozen=True)
class Merger:
    """A name that was merged into a person, and by which rule."""

    name: str
    into: str
    rule: MergeRule


@dataclass(frozen=True)
class CollectedCast:
    """The cast with what was found, what is new in it, what was merged, and what could not be taken."""

    people: People
    added: tuple[str, ...] = ()
    mergers: tuple[Merger, ...] = ()
    oddities: tuple[Oddity, ...] = ()
    completed: tuple[str, ...] = ()
    """Who was known, and has further names, a description or pronouns now."""


@dataclass
class _Entry:
    person: Person
    count: int
    is_new: bool
    completed: bool = False
    listed: set[str] = field(default_factory=set[str])
    """The further names (`spelling_key`) that a cast list gives."""


def collected(people: People, found: Sequence[FoundPerson]) -> CollectedCast:
    """The cast with found people in it: known ones get sources and further names, others become entries or are merged.

    Of two new entries that are one person the name that is said more often stays, the fuller one where none is.
    """
    entries = [_Entry(person, 0, is_new=False) for person in people]
    oddities: list[Oddity] = []
    for each in found:
        entry = _called(entries, each.name)
        if entry is None and len(entries) >= MAX_PEOPLE:
            oddities.append(Oddity(f"“{each.name}” was left out: a cast has at most {MAX_PEOPLE} people"))
            continue
        if entry is None:
            entry = _new(each, entries)
            entries.append(entry)
        entry.count += each.count
        if each.source is CharacterSource.CAST_LIST:
            entry.listed |= set(map(spelling_key, each.aliases))
        person = _enriched(entry.person, each, entries)
        entry.completed = entry.completed or (not entry.is_new and _details(person) != _details(entry.person))
        entry.person = person
    mergers = _merge(entries)
    oddities += _not_taken(entries, found)
    before = {person.id for person in people}
    cast = tuple(entry.person for entry in entries)
    return CollectedCast(
        cast,
        tuple(person.name for person in cast if person.id not in before),
        tuple(mergers),
        tuple(oddities),
        tuple(entry.person.name for entry in entries if entry.completed),
    )


def _details(person: Person) -> tuple[object, ...]:
    return person.aliases, person.described_as, person.pronouns


def _not_taken(entries: Sequence[_Entry], found: Sequence[FoundPerson]) -> Iterator[Oddity]:
    """The further names that a cast list gives to somebody, and that another character goes by."""
    for each in found:
        owner = _called(entries, each.name)
        if owner is None or not each.aliases:
            continue
        taken = set(map(name_key, owner.person.names))
        for alias in each.aliases:
            other = next((entry for entry in entries if name_key(entry.person.name) == name_key(alias)), None)
            if name_key(alias) not in taken and other is not None:
                yield Oddity(f"“{alias}” is not taken as a further name of {each.name}: another character is called so")


def _called(entries: Sequence[_Entry], name: str) -> _Entry | None:
    key = spelling_key(name)
    own = [entry for entry in entries if spelling_key(entry.person.name) == key]
    further = [entry for entry in entries if key in map(spelling_key, entry.person.names)]
    return own[0] if own else further[0] if len(further) == 1 else None


def _new(found: FoundPerson, entries: Sequence[_Entry]) -> _Entry:
    taken = {entry.person.id for entry in entries}
    person = Person(person_id(found.name, taken), found.name, pronouns=pronouns_of_title(found.name))
    return _Entry(person, 0, is_new=True)


def _enriched(person: Person, found: FoundPerson, entries: Sequence[_Entry]) -> Person:
    """A person with what a source tells, where the describer has not said otherwise."""
    known = set(map(name_key, person.names))
    others = {name_key(entry.person.name) for entry in entries if entry.person.id != person.id}
    new = [name for name in found.aliases if name_key(name) not in known | others]
    return replace(
        person,
        aliases=(*person.aliases, *new)[:MAX_ALIASES],
        described_as=person.described_as or found.described_as,
        pronouns=found.pronouns if person.pronouns is Pronouns.UNKNOWN else person.pronouns,
        sources=person.sources | {found.source},
    )


def _merge(entries: list[_Entry]) -> list[Merger]:
    """Merge new entries, those with the fewest words first, where a rule lets them mean just one other.

    Who meant one of two before may mean one person after, so it is tried again while anything is merged.
    """
    mergers: list[Merger] = []
    before = -1
    while before != len(mergers):
        before = len(mergers)
        mergers.extend(
            merger
            for entry in sorted(entries, key=lambda entry: len(own_words(entry.person.name)))
            if any(entry is each for each in entries) and (merger := _merger_of(entry, entries)) is not None
        )
    return mergers


def _merger_of(entry: _Entry, entries: list[_Entry]) -> Merger | None:
    """Merge an entry with the only other one that it may mean; None if there is none, or several."""
    key, nameless = spelling_key(entry.person.name), not own_words(entry.person.name)
    rules = [
        (other, rule)
        for other in entries
        if other is not entry and (not nameless or key in other.listed) and (rule := _rule(entry, other)) is not None
    ]
    listed = [each for each in rules if each[1] is MergeRule.CAST_LIST]
    if len(listed or rules) != 1:
        return None
    other, rule = (listed or rules)[0]
    rare, usual = (entry, other) if _stays(other, entry) else (other, entry)
    if not rare.is_new:
        return None
    usual.person = with_merged(usual.person, rare.person, rule)
    usual.count += rare.count
    usual.listed |= rare.listed
    entries[:] = [each for each in entries if each is not rare]
    return Merger(rare.person.name, usual.person.name, rule)


def _stays(fuller: _Entry, shorter: _Entry) -> bool:
    """Whether the fuller of two names is the one that a person goes by."""
    if fuller.is_new is not shorter.is_new:
        return not fuller.is_new
    return CharacterSource.DESCRIBER in fuller.person.sources or fuller.count >= shorter.count


def _rule(short: _Entry, full: _Entry) -> MergeRule | None:
    """Why a name may be that of a fuller entry; one source does not call one person by name and short form."""
    if not short.is_new and not full.is_new:
        return None
    one, other = short.person, full.person
    if spelling_key(one.name) in full.listed:
        return MergeRule.CAST_LIST
    if Pronouns.UNKNOWN not in (one.pronouns, other.pronouns) and one.pronouns is not other.pronouns:
        return None
    rules = [rule for name in other.names if (rule := merge_rule(one.name, name)) is not None]
    if one.sources & other.sources:
        rules = [rule for rule in rules if rule is not MergeRule.NICKNAME]
    return rules[0] if rules else None
