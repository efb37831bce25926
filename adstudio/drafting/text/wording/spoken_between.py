"""What is said between two lines of action, of which a pronoun after it may speak: “Where is the bag?” Tom hugs it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from adstudio.drafting.text.language.grammar import Sentence, Word, noun_lemmas, parsed, word_count, word_set
from adstudio.drafting.text.language.people import gender_by_name, person_noun

NOT_CALLED_IT = word_set(
    "rain snow wind storm light dark darkness"
    " moment beat second minute hour day night time way side back front top bottom end edge middle distance air floor"
    " ground direction hand head face eye arm leg foot finger mouth lot bit"
)
"""What is where something happens, or a part of somebody, and hardly what the next line calls it."""
_NOT_THINGS = NOT_CALLED_IT | word_set(
    "morning evening afternoon week month year today tomorrow tonight yesterday thanks thank god"
    " everything something anything nothing course please"
)
LONGEST_DIALOGUE = 2_000
"""Characters of dialogue between two lines that are looked at."""
_OF_THINGS = re.compile(r"\b(?:it|its|they)\b", re.IGNORECASE)
LONGEST_SAID = 25
"""Words of dialogue after which nobody remembers of what the action spoke before."""


@dataclass(frozen=True)
class Said:
    """The things, and whether several of anything, that dialogue names, and how many words it has."""

    things: frozenset[str] = frozenset()
    several: bool = False
    words: int = 0

    def __or__(self, other: Said) -> Said:
        return Said(self.things | other.things, self.several or other.several, self.words + other.words)

    def diverts_from(self, thing: str) -> bool:
        """Whether “it” after the dialogue may be something else than a thing that was spoken of before."""
        return self.words > LONGEST_SAID or bool(self.things - set(thing.lower().split()))


NOTHING_SAID = Said()


def said_before(
    scenes: Sequence[Sequence[str]], dialogue: Sequence[Sequence[str]], names: Collection[str] = ()
) -> list[list[Said]]:
    """For each line of each scene what the `dialogue` right before it names; a scene's dialogue may be unknown.

    `names` are those of people, which name no things. Only what is near a pronoun that may mean a thing is parsed: a
    film has far more dialogue than that.
    """
    wanted: list[list[str]] = []
    for lines, texts in zip(scenes, dialogue, strict=True):
        of_things = [_OF_THINGS.search(line) is not None for line in lines]
        near = [one or other for one, other in zip(of_things, [*of_things[1:], False], strict=False)]
        known = texts or ("",) * len(near)
        wanted.append([text[:LONGEST_DIALOGUE] if each else "" for text, each in zip(known, near, strict=True)])
    once = list(dict.fromkeys(text for texts in wanted for text in texts if text))
    found = {"": NOTHING_SAID} | dict(zip(once, (said_in(each, names) for each in parsed(once)), strict=True))
    return [[found[text] for text in texts] for texts in wanted]


def said_in(dialogue: Sequence[Sentence], names: Collection[str] = ()) -> Said:
    """What dialogue names that action after it may go on about."""
    words = [word for sentence in dialogue for word in sentence.words]
    named = [
        word for sentence in dialogue for place, word in enumerate(sentence.words) if _is_thing(word, place, names)
    ]
    several = any(
        word.tag == "NNS" and not _is_single(word) and _NOT_THINGS.isdisjoint(noun_lemmas(word.text.lower()))
        for word in words
    )
    things = frozenset(word.text.lower() for word in named)
    return Said(things, several, sum(word_count(sentence.text) for sentence in dialogue))


def _is_thing(word: Word, place: int, names: Collection[str]) -> bool:
    lower = word.text.lower()
    known = word.text in names or word.entity == "PERSON" or gender_by_name(lower) is not None
    if known and word.text[:1].isupper():
        return False  # “Rose!”
    # “Bag?” by itself is taken for a name.
    opening = word.tag == "NNP" and not place and bool(noun_lemmas(lower))
    single = word.tag == "NN" or (word.tag == "NNS" and _is_single(word))
    return (single or opening) and person_noun(word) is None and lower not in _NOT_THINGS


def _is_single(word: Word) -> bool:
    """Whether what the parser takes for a plural has the form of a singular: And my umbrella?"""
    return word.text.lower() in noun_lemmas(word.text.lower())
