"""Who is somebody although no list of persons has him: by what he does, and by his name. English."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from adstudio.drafting.text.language.grammar import Sentence, word_set
from adstudio.drafting.text.language.people import (
    PROPER,
    Gender,
    acts_on,
    gender_by_name,
    is_name,
    person_noun,
    pronoun,
)

NOTHING_KNOWN: Mapping[str, Gender] = MappingProxyType({})
_HUMAN = word_set(
    "nod smile frown yell say whisper shout laugh cry stare glance gaze watch hesitate shrug kneel sit walk run speak"
    " listen read write drink eat grin sigh swallow blink think wince wink yawn salute kiss hug beckon gesture pace"
)


def does_as_people_do(sentence: Sentence, place: int) -> bool:
    """Whether a noun that need not be a person does what only people do: The usher shrugs."""
    words = sentence.words
    word = words[place]
    acting = word.tag in ("NN", *PROPER) and word.dep in ("nsubj", "nsubjpass")
    return acting and words[word.head].lemma.lower() in _HUMAN


def names_its_owner(
    sentence: Sentence, place: int, names: Collection[str], genders: Mapping[str, Gender] = NOTHING_KNOWN
) -> bool:
    """Whether somebody whom the film knows by name stands before a pronoun that may mean him: Leo pockets his keys.

    The parser may take the name for that of a place, or for no name. `genders` are those of the names, where known.
    """
    meant = pronoun(sentence.words[place])
    return any(
        each.text in names
        and each.tag in ("NN", *PROPER)
        and not acts_on(sentence, at, place)
        and (genders.get(each.text) or gender_by_name(each.text) or meant) in (meant, Gender.ANY)
        for at, each in enumerate(sentence.words[:place])
    )


def is_somebody_else(sentence: Sentence, place: int, genders: Mapping[str, Gender]) -> bool:
    """Whether all whom a sentence names before a pronoun are of another gender: Leo refills her cup."""
    meant = pronoun(sentence.words[place])
    before = [word for word in sentence.words[:place] if is_name(word) or person_noun(word) is not None]
    shown = [genders.get(word.text) or gender_by_name(word.text) or person_noun(word) for word in before]
    return bool(before) and all(each in (Gender.HE, Gender.SHE) and each is not meant for each in shown)
