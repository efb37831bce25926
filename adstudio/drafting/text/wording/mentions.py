"""Whom a sentence speaks of, by name or by what they are, and of which gender they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from adstudio.drafting.text.language.grammar import Sentence, Word, word_set
from adstudio.drafting.text.language.people import PROPER, Gender, gender_by_name, person_noun, pronoun
from adstudio.drafting.text.segment.subject import named_again
from adstudio.drafting.text.wording.somebody import does_as_people_do

SURE_SHARE = 0.8
"""A name is of the gender that so many of the pronouns have that can only mean it."""
SURE_VOTES = 2
"""So many pronouns say of which gender a name is that stands in a sentence before them."""
_NOBODY = word_set("somebody someone nobody everybody everyone anyone no-one figure people crowd audience person")
_TITLES = word_set(
    "mr mrs ms miss dr sir lady lord captain queen king prince princess detective officer inspector sergeant lieutenant"
    " colonel general father sister brother mother professor judge mayor president agent sheriff aunt uncle nurse"
    " young old older younger little big adult teenage elderly baby"
)
"""What is said with a name, not in place of one."""
_WRITINGS = word_set("say read ledger label sign letter note page card list calendar notebook diary caption headline")
"""After these a colon leads to what is written, not to who is there."""
_NO_OBJECTS = frozenset({"he", "she", "himself", "herself"})
SINGULAR = (Gender.HE, Gender.SHE)
SUBJECTS = ("nsubj", "nsubjpass", "expl")


@dataclass(frozen=True)
class Mention:
    """Somebody whom a line speaks of: as he is named again, and his gender, ANY if unknown."""

    name: str
    gender: Gender


def genders_of(lines: Sequence[Sequence[Sentence]], names: Collection[str]) -> dict[str, Gender]:
    """The gender of each name, by the pronouns of the sentences that speak of nobody else.

    For a name that has none there, by those of the sentences after them that speak of nobody by name. A name that is
    one gender’s says so by itself.
    """
    inside: dict[str, Counter[Gender]] = {}
    after: dict[str, Counter[Gender]] = {}
    everybody: set[str] = set()
    before = ""
    for sentence in (each for line in lines for each in line):
        found = {each.name for each in mentions(sentence, {}, names)}
        everybody |= found
        # "Nora watches him", "By his feet, hidden from Nora": an object, or what precedes the name, is somebody else.
        named = next((place for place, word in enumerate(sentence.words) if found and _is_name(word, names)), 0)
        own = [word for word in sentence.words[named:] if word.tag == "PRP$" or word.text.lower() in _NO_OBJECTS]
        pronouns = {gender for word in own if (gender := pronoun(word)) in SINGULAR}
        if len(pronouns) == 1 and len(found) == 1:
            inside.setdefault(next(iter(found)), Counter())[next(iter(pronouns))] += 1
        elif len(pronouns) == 1 and not found and before:
            after.setdefault(before, Counter())[next(iter(pronouns))] += 1
        if found or not pronouns:
            before = next(iter(found)) if len(found) == 1 else ""
    genders: dict[str, Gender] = {}
    # A single pronoun in the sentence after may mean somebody whom the text left out.
    for name, counts in ({name: each for name, each in after.items() if each.total() >= SURE_VOTES} | inside).items():
        gender, count = counts.most_common(1)[0]
        if count >= SURE_SHARE * counts.total():
            genders[name] = gender
    by_name = {name: gender for name in everybody if (gender := gender_by_name(name)) is not None}
    # What the text says of somebody himself weighs more than how others of his name are mostly called.
    shown = {name: counts for name, counts in inside.items() if counts.total() >= SURE_VOTES and name in genders}
    by_name = {name: gender for name, gender in by_name.items() if name not in shown}
    return genders | by_name


def mentions(sentence: Sentence, genders: Mapping[str, Gender], names: Collection[str]) -> list[Mention]:
    """The people whom a sentence speaks of by name or by what they are, in order, each once."""
    found: dict[str, Mention] = {}
    words = sentence.words
    for place, word in enumerate(words):
        if _is_name(word, names):
            name = _first_name(sentence, place, names)
            if name == "":
                continue
            found.setdefault(name, Mention(name, genders.get(name, Gender.ANY)))
        elif (
            gender := person_noun(word) or (Gender.ANY if does_as_people_do(sentence, place) else None)
        ) is not None and word.lemma.lower() not in _NOBODY:
            if _is_written(sentence, place):
                continue
            gender = _shown_by_its_own(sentence, place) if gender is Gender.ANY else gender
            of = words[word.head]
            named = _is_name(of, names)
            titled = word.dep == "compound" and named
            if titled or (word.dep in ("appos", "compound", "attr") and (named or of.lemma == "be") and found):
                continue  # “Sir Tom”, “Tom Finch, the clerk”, “Tom is the clerk” is one person
            again = named_again(sentence, place)
            name = again.text if again is not None and again.text.startswith("The ") else ""
            found.setdefault(name or word.text, Mention(name, gender))
        elif _is_called_so(sentence, place):
            found.setdefault(f"The {word.text}", Mention(f"The {word.text}", Gender.ANY))
    return list(found.values())


def _is_called_so(sentence: Sentence, place: int) -> bool:
    """Whether somebody is called by what he is, as by a name, and does something: The Miller waves."""
    words = sentence.words
    word = words[place]
    led = place > 0 and words[place - 1].text.lower() == "the"
    acting = word.dep in SUBJECTS or (word.dep == "compound" and words[word.head].dep == "ROOT")
    return led and acting and word.tag == "NNP" and word.text[:1].isupper() and not word.text.isupper()


def _is_written(sentence: Sentence, place: int) -> bool:
    """Whether somebody is only part of what stands somewhere: It says: supper for two; the ledger: one owner."""
    words = sentence.words[:place]
    colon = next((at for at, word in enumerate(words) if word.text == ":"), 0)
    return bool(colon) and words[colon - 1].lemma.lower() in _WRITINGS


def _shown_by_its_own(sentence: Sentence, place: int) -> Gender:
    """The gender of a subject by what is its own: A guard holds out his hand; ANY where there is nothing."""
    words = sentence.words
    if words[place].dep not in SUBJECTS:
        return Gender.ANY
    things = [at for at in sentence.children[words[place].head] if words[at].dep == "dobj"]
    own = [words[at] for thing in things for at in sentence.children[thing] if words[at].dep == "poss"]
    shown = {gender for word in own if (gender := pronoun(word)) in SINGULAR}
    return shown.pop() if len(shown) == 1 else Gender.ANY


def _is_name(word: Word, names: Collection[str]) -> bool:
    if not word.text[:1].isupper() or word.text == "I":
        return False
    return word.text in names or (word.tag in PROPER and word.entity == "PERSON")


def _first_name(sentence: Sentence, place: int, names: Collection[str]) -> str:
    """The first word of a name: Nora for Vale in Nora Vale; "" for an initial.

    With a title both words, Mr. Hoff, and all of what somebody is called by who he is: Young Waitress.
    """
    words = sentence.words
    first = last = place
    while last + 1 < len(words) and _joins(words[last], words[last + 1], names):
        last += 1
    while first and _joins(words[first], words[first - 1], names):
        first -= 1
    if words[first].text.rstrip(".").lower() in _TITLES:
        return " ".join(word.text for word in words[first : min(last, max(place, first + 1)) + 1])
    if len(words[first].text.rstrip(".")) == 1:
        return ""  # “N. Vale” stands on a label
    if first < last and person_noun(words[last]) is not None and gender_by_name(words[first].text) is None:
        return " ".join(word.text for word in words[first : last + 1])
    return words[first].text if _is_name(words[first], names) else words[place].text


def _joins(word: Word, other: Word, names: Collection[str]) -> bool:
    """Whether a word next to a name is part of it."""
    near = min(word.end, other.end) + 1 == max(word.start, other.start)
    titled = other.text[:1].isupper() and other.text.rstrip(".").lower() in _TITLES
    return near and (other.tag in PROPER or other.text in names or titled)
