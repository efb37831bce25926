"""What texts tell of people: full names, what they are, he or she. What is not certain is left open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

from adstudio.characters.cast_mentions import CastMentions
from adstudio.characters.described_as import descriptions
from adstudio.characters.mentions import MentionForm
from adstudio.characters.name_index import is_role
from adstudio.characters.name_lists import FUNCTION_WORDS, HER_TITLES, HIS_TITLES, PART_OF_PLACES, ROLES
from adstudio.characters.name_words import Case, TextCase, text_words, words_of_name
from adstudio.core.cast import MAX_ALIASES, MAX_NAME_LENGTH, People, Person, Pronouns, name_key
from adstudio.core.language_tags import primary_subtag

SURE_SHARE = 0.8
"""Somebody is he or she where so many of the pronouns that can only mean them are."""
_SENTENCE = re.compile(r"[^.!?…]+")
_PRONOUNS = {
    "he": (Pronouns.HE, 3),
    "himself": (Pronouns.HE, 3),
    "his": (Pronouns.HE, 1),
    "she": (Pronouns.SHE, 3),
    "herself": (Pronouns.SHE, 3),
    "her": (Pronouns.SHE, 1),
}
"""What they show of whom a sentence is about, and how much that weighs: his and her may be somebody else’s."""
_HAS_PRONOUN = re.compile(rf"\b(?:{'|'.join(_PRONOUNS)})\b", re.IGNORECASE)
_TITLE_WEIGHT = 6
SURE = 2
"""So much must show it before it is proposed."""


class ShownPronouns(NamedTuple):
    """He or she, and the sentence that shows it: the place of its text, None for dialogue, and how much it weighs."""

    pronouns: Pronouns
    sentence: str
    text: int | None
    weight: int


def introduced(people: People, texts: Sequence[str], dialogue: Sequence[str], language: str) -> People:
    """The people with what texts that introduce them tell, where nothing is known: full names and, in English, looks.

    That somebody is a woman is no description to be noted: it tells her from nobody.
    """
    named = with_full_names(people, texts)
    if primary_subtag(language) != "en":
        return named
    found = descriptions(named, texts, pronouns_of(named, texts, dialogue))
    return tuple(
        replace(person, described_as=described.full)
        if not person.described_as and (described := found.get(person.id)) is not None and not described.is_general
        else person
        for person in named
    )


def with_full_names(people: People, texts: Iterable[str]) -> People:
    """The people with their full names as further ones, where texts have one for them and for nobody else.

    NORA, who speaks, is Nora Vale in “NORA VALE, in a mustard coat, hurries along the wall”.
    """
    first: dict[str, Person] = {}
    for person in people:
        if len(words := words_of_name(person.name)) == 1 and not is_role(person.name):
            first[words[0]] = person
    surnames: dict[str, Counter[str]] = {}
    for text in texts if first else ():
        read = text_words(text)
        if read.case is not TextCase.MIXED:
            continue
        for word, following in zip(read.words, read.words[1:], strict=False):
            known = first.get(word.key)
            one_run = text[word.tail : following.start] == " " and word.tail == word.end
            alike = word.case is following.case and word.case in (Case.CAPITAL, Case.SHOUTED)
            if known is not None and one_run and alike and _is_surname(following.key, following.written):
                surnames.setdefault(known.id, Counter())[following.written.capitalize()] += 1
    taken = {name_key(name) for person in people for name in person.names} if surnames else set[str]()
    found: list[Person] = []
    for person in people:
        counts = surnames.get(person.id, Counter[str]())
        full = f"{person.name} {next(iter(counts))}" if len(counts) == 1 else ""
        add = (
            full and len(full) <= MAX_NAME_LENGTH and len(person.aliases) < MAX_ALIASES and name_key(full) not in taken
        )
        found.append(replace(person, aliases=(*person.aliases, full)) if add else person)
    return tuple(found)


def _is_surname(key: str, written: str) -> bool:
    return len(written) > 1 and key not in FUNCTION_WORDS and key not in PART_OF_PLACES and key not in ROLES


def pronouns_of(people: People, texts: Sequence[str], dialogue: Sequence[str]) -> dict[str, Pronouns]:
    """He or she for each person (id) of whom texts or a title in dialogue show it; the cast's own word goes first.

    A sentence counts that names one person before its pronouns, and nobody else. Who “runs after her” is not her, or it
    would say herself.
    """
    votes = {person: _counted(found) for person, found in _votes(people, texts, dialogue).items()}
    found_pronouns = {person.id: person.pronouns for person in people if person.pronouns is not Pronouns.UNKNOWN}
    return _agreed(votes) | found_pronouns


def proposed_pronouns(people: People, texts: Sequence[str], dialogue: Sequence[str]) -> dict[str, ShownPronouns]:
    """He or she, with the sentence that shows it best, for people (ids) of whom nobody has said it and texts are sure.

    One his or her is not sure: it may be somebody else’s hat.
    """
    every = {
        person: [*{(each.sentence, each.pronouns): each for each in reversed(found)}.values()][::-1]
        for person, found in _votes(people, texts, dialogue).items()
    }
    agreed = _agreed({person: votes for person, found in every.items() if (votes := _counted(found)).total() >= SURE})
    unknown = {person.id for person in people if person.pronouns is Pronouns.UNKNOWN}
    return {
        person: max((each for each in every[person] if each.pronouns is pronouns), key=lambda each: each.weight)
        for person, pronouns in agreed.items()
        if person in unknown
    }


def _counted(found: Iterable[ShownPronouns]) -> Counter[Pronouns]:
    votes = Counter[Pronouns]()
    for each in found:
        votes[each.pronouns] += each.weight
    return votes


def _votes(people: People, texts: Sequence[str], dialogue: Sequence[str]) -> dict[str, list[ShownPronouns]]:
    votes: dict[str, list[ShownPronouns]] = {}
    cast = CastMentions(people, dialogue, "en")
    for place, text in enumerate(texts):
        for sentence in filter(_HAS_PRONOUN.search, _SENTENCE.findall(text)):
            found = [each for each in cast.mentions(sentence) if each.names]
            if len({each.people for each in found}) != 1 or found[0].person is None:
                continue
            read = text_words(sentence).words
            for word, following in zip_longest(read, read[1:]):
                is_object = word.key == "her" and (following is None or sentence[word.tail : following.start] != " ")
                if word.start > found[0].end and word.key in _PRONOUNS and not is_object:
                    shown, weight = _PRONOUNS[word.key]
                    votes.setdefault(found[0].person, []).append(
                        ShownPronouns(shown, " ".join(sentence.split()), place, weight)
                    )
    for text in dialogue:
        for each in cast.mentions(text):
            title = words_of_name(text[each.start : each.end])[0] if each.form is MentionForm.TITLE else ""
            titled = Pronouns.SHE if title in HER_TITLES else Pronouns.HE if title in HIS_TITLES else None
            if titled is not None and each.person is not None:
                shown_in = ShownPronouns(titled, " ".join(text.split()), None, _TITLE_WEIGHT)
                votes.setdefault(each.person, []).append(shown_in)
    return votes


def _agreed(votes: Mapping[str, Counter[Pronouns]]) -> dict[str, Pronouns]:
    agreed: dict[str, Pronouns] = {}
    for person, counts in votes.items():
        pronouns, count = counts.most_common(1)[0]
        if count >= SURE_SHARE * counts.total():
            agreed[person] = pronouns
    return agreed
