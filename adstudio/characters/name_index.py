"""What the people of a cast may be called: full names, parts of them, titles, short forms, roles and descriptions.

After the paper's cascade (appendix on speaker identification): full names and further names first, then their parts,
then usual short forms; a form means somebody only if nobody else claims it, and a role (OLD MAN) is only known whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from adstudio.characters.name_lists import (
    FUNCTION_WORDS,
    GENERIC,
    HER_TITLES,
    HIS_TITLES,
    NICKNAMES,
    ROLES,
    TITLES,
    TITLES_OF_LANGUAGES,
    WORD_NAMES,
)
from adstudio.characters.name_words import plain_key, words_of_name
from adstudio.core.cast import Person, Pronouns
from adstudio.core.language_tags import primary_subtag

_PARTICLES = "de la le du des van der den von zu of the al el bin ibn di da y e st"
PARTICLES = frozenset(_PARTICLES.split())
"""Small words of names, which are none by themselves."""
_ARTICLES = {
    "en": "the a an this that",
    "de": "der die das den dem des ein eine einen einem einer eines dieser diese dieses",
    "fr": "le la les un une ce cet cette",
    "es": "el la los las un una este esta",
    "it": "il lo la gli un uno una",
    "pt": "o a os as um uma",
    "nl": "de het een",
}
_DEFINITE = {
    "en": "the",
    "de": "der die das den dem des",
    "fr": "le la",
    "es": "el la",
    "it": "il lo la",
    "pt": "o a",
    "nl": "de het",
}
_ALL_ARTICLES = frozenset(word for each in _ARTICLES.values() for word in each.split())
_GENDER = {Pronouns.HE: HIS_TITLES, Pronouns.SHE: HER_TITLES}


class Claim(IntEnum):
    """How a form means somebody, the surest first."""

    WHOLE = 0
    """A name or a further name as the cast has it."""
    PART = 1
    SHORT = 2
    """A usual short form of the first name."""


@dataclass(frozen=True, slots=True)
class Claimant:
    """Somebody whom a form may mean; `given` and `family` say whether it has the first or the last name in it."""

    person: Person
    claim: Claim
    given: bool = False
    family: bool = False


def articles(language: str) -> frozenset[str]:
    """What a role stands behind in a language: the guard."""
    return frozenset(_ARTICLES.get(primary_subtag(language), "").split())


def definite_articles(language: str) -> frozenset[str]:
    """Of `articles` those that mean somebody who is known: the guard, not a guard."""
    return frozenset(_DEFINITE.get(primary_subtag(language), "").split())


def is_role(name: str) -> bool:
    """Whether a character is called by what they are: GUARD 2, OLD MAN, WOMAN IN HAT, the clerk."""
    keys = words_of_name(name)
    letters = [key for key in keys if not key.isdigit()]
    if not letters:
        return True
    if keys[0] in _ALL_ARTICLES and len(keys) > 1 and name[0].islower():
        return True
    first, last = letters[0], letters[-1]
    if all(key in ROLES or key in FUNCTION_WORDS for key in letters):
        return len(letters) > 1 or first in GENERIC or first not in WORD_NAMES or first in ROLES
    # “Woman in Hat”, “Guard with Gun”: no name has these within.
    return first in ROLES and bool({"in", "with", "at", "on"} & set(letters[1:-1])) and last not in PARTICLES


class NameIndex:
    """The forms of a cast, by the keys of their words."""

    def __init__(self, people: Iterable[Person]) -> None:
        self.people = tuple(people)
        self.forms: dict[tuple[str, ...], list[Claimant]] = {}
        self._claimants: dict[tuple[str, ...], tuple[Claimant, ...]] = {}
        self.roles: dict[tuple[str, ...], list[Person]] = {}
        """Roles and descriptions, without article."""
        self.phrases: dict[tuple[str, ...], list[Person]] = {}
        """Descriptions as they are written, with article."""
        for person in self.people:
            self._add(person)
        for person in self.people:
            self._add_short_forms(person)
        self.plain: dict[tuple[str, ...], list[Claimant]] = {}
        """Forms without accents, where nobody is called so."""
        for keys, claimants in self.forms.items():
            plain = tuple(map(plain_key, keys))
            if plain not in self.forms:
                self.plain.setdefault(plain, []).extend(claimants)

    @cached_property
    def starts(self) -> frozenset[str]:
        """The keys with which a form begins."""
        return frozenset(keys[0] for keys in (*self.forms, *self.roles, *self.phrases, *self.plain))

    def may_start(self, key: str) -> bool:
        """Whether a form begins with a word; whether there is one, `claimants` says."""
        return key in self.starts or (not key.isascii() and plain_key(key) in self.starts)

    @cached_property
    def longest(self) -> int:
        """Words of the longest form."""
        return max(map(len, (*self.forms, *self.roles, *self.phrases)), default=0)

    def claimants(self, keys: tuple[str, ...]) -> tuple[Claimant, ...]:
        """Whom a form may mean: those who claim it in the surest way."""
        known = self._claimants.get(keys)
        if known is None:
            found = self.forms.get(keys) or self.plain.get(tuple(map(plain_key, keys))) or []
            best = min((each.claim for each in found), default=None)
            known = tuple({each.person.id: each for each in found if each.claim is best}.values())
            if known:
                self._claimants[keys] = known
        return known

    def bearers(self, keys: tuple[str, ...]) -> list[Person]:
        """Whom a form may mean after a title: all of that surname; where it is none, those who claim it otherwise."""
        known = self.forms.get(keys) or self.plain.get(tuple(map(plain_key, keys))) or []
        people = [each.person for each in known if each.family and each.claim is not Claim.SHORT]
        return people or [each.person for each in self.claimants(keys)]

    def called(self, label: str) -> Person | None:
        """Whom a label means, as of a speaker in subtitles (TOM, MISS VALE, GUARD #2); None where that is not sure."""
        keys = words_of_name(label)
        proper = _without_titles(keys)
        people = [each.person for each in self.claimants(keys)]
        if not people and proper != keys:
            people = fitting(self.bearers(proper), keys[: -len(proper)])
        if not people:
            people = self.roles.get(keys) or self.phrases.get(keys) or []
        return people[0] if len(people) == 1 else None

    def _add(self, person: Person) -> None:
        for name in person.names:
            keys = words_of_name(name)
            if not keys:
                continue
            if is_role(name):
                self._add_role(person, keys)
                continue
            proper = _without_titles(keys)
            self._claim(keys, Claimant(person, Claim.WHOLE, given=True, family=True))
            self._claim(proper, Claimant(person, Claim.WHOLE, given=len(proper) > 1, family=True))
            for start in range(len(proper)):
                for end in range(start + 1, len(proper) + 1):
                    part = proper[start:end]
                    if part != proper and _is_form(part):
                        parts = Claimant(person, Claim.PART, given=start == 0, family=end == len(proper))
                        self._claim(part, parts)
        if described := words_of_name(person.described_as):
            self.phrases.setdefault(described, []).append(person)
            if len(described) > 1 and described[0] in _ALL_ARTICLES:
                self._add_role(person, described)

    def _add_role(self, person: Person, keys: tuple[str, ...]) -> None:
        bare = keys[1:] if len(keys) > 1 and keys[0] in _ALL_ARTICLES else keys
        people = self.roles.setdefault(bare, [])
        if person not in people:
            people.append(person)

    def _add_short_forms(self, person: Person) -> None:
        if is_role(person.name):
            return
        proper = _without_titles(words_of_name(person.name))
        for short in _short_forms(proper[0]) if proper else ():
            forms = [(short,)] + ([(short, *proper[1:])] if len(proper) > 1 else [])
            for form in forms:
                if not any(each.claim is not Claim.SHORT for each in self.forms.get(form, ())):
                    self._claim(form, Claimant(person, Claim.SHORT, given=True, family=len(form) > 1))

    def _claim(self, keys: tuple[str, ...], claimant: Claimant) -> None:
        known = self.forms.setdefault(keys, [])
        if all(each.person.id != claimant.person.id or each.claim > claimant.claim for each in known):
            known.append(claimant)


def fitting(people: Sequence[Person], titles: Iterable[str]) -> list[Person]:
    """Of people whom a name may mean those whom the titles before it fit; Miss Vale is nobody who is a he."""
    wanted = {who for title in titles for who, those in _GENDER.items() if title in those}
    return [person for person in people if person.pronouns not in _GENDER or not wanted or person.pronouns in wanted]


def title_of(key: str, language: str) -> str:
    """The title (of `TITLES`) that a word is in a language; empty for any other word."""
    return TITLES_OF_LANGUAGES.get(primary_subtag(language), {}).get(key, key if key in TITLES else "")


def _without_titles(keys: tuple[str, ...]) -> tuple[str, ...]:
    start = 0
    while start < len(keys) - 1 and keys[start] in TITLES:
        start += 1
    return keys[start:]


def _is_form(part: tuple[str, ...]) -> bool:
    """Whether a part of a name may stand for somebody: no particle alone or at its end, no initial, no number."""
    if part[-1] in PARTICLES or (len(part) == 1 and ((len(part[0]) < 2 and part[0].isascii()) or part[0].isdigit())):
        return False
    return not all(key in PARTICLES for key in part)


_FULL_OF_SHORT: dict[str, list[str]] = {}
for _full, _short in NICKNAMES.items():
    for _each in _short:
        _FULL_OF_SHORT.setdefault(_each, []).append(_full)


def _short_forms(first: str) -> tuple[str, ...]:
    """Other usual forms of a first name; of a short one the full names too: Tom Finch may be called Thomas."""
    plain = plain_key(first)
    full = _FULL_OF_SHORT.get(plain, [])
    # Who is called Tom can only be a Thomas, and so a Tommy; a Bert may be many.
    alike = NICKNAMES[full[0]] if len(full) == 1 else ()
    return tuple(form for form in dict.fromkeys((*NICKNAMES.get(plain, ()), *full, *alike)) if form != plain)
