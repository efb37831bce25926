"""Whom the pronouns of a scene's lines mean, where that is certain, so that a line can say the name instead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from adstudio.drafting.text.language.grammar import Sentence, Word, verb_lemmas, word_set
from adstudio.drafting.text.language.people import PROPER, Gender, person_noun, pronoun
from adstudio.drafting.text.segment.subject import named_again

SURE_SHARE = 0.8
"""A name is of the gender that so many of the pronouns have that can only mean it."""
_SHORT = re.compile(r"(?P<short>['’]s) (?P<after>\w+)")
REACH = 8
"""A pronoun means nobody who was last spoken of more lines before."""
_NOBODY = word_set("somebody someone nobody everybody everyone anyone no-one figure people crowd audience person")
_SINGULAR = (Gender.HE, Gender.SHE)
_NO_OBJECTS = frozenset({"he", "she", "himself", "herself"})
_SUBJECTS = ("nsubj", "nsubjpass", "expl")
_HELPING = frozenset({"is", "has", "does", "’s", "'s"})
_OPEN_POSSESSIVES = frozenset({"his", "her"})


@dataclass(frozen=True)
class Mention:
    """Somebody whom a line speaks of: as he is named again, and his gender, ANY if unknown."""

    name: str
    gender: Gender


@dataclass(frozen=True)
class Reference:
    """The pronoun that opens a line, by its place in the text, and whom it means.

    `start` and `end` are 0 for a line that says no subject, as directions do: Checks his watch.
    """

    start: int
    end: int
    name: str

    def named(self, text: str, possessive: str) -> str:
        """A text that begins as the line does, with the name for the pronoun; `possessive` ends it, as in “Nora’s”."""
        if self.start == self.end:
            return f"{self.name} {text[0].lower()}{text[1:]}"
        ending = possessive.removesuffix("s") if self.name.endswith("s") else possessive
        if not possessive and (short := _SHORT.match(text, self.end)):
            # “She’s” is no “Nora’s”.
            verb = " has" if short["after"].endswith(("been", "got", "had", "gone")) else " is"
            return text[: self.start] + self.name + verb + text[short.end("short") :]
        return text[: self.start] + self.name + ending + text[self.end :]


def genders_of(lines: Sequence[Sequence[Sentence]], names: Collection[str]) -> dict[str, Gender]:
    """The gender of each name, by the pronouns of the sentences that speak of nobody else.

    For a name that has none there, by those of the sentences after them that speak of nobody by name.
    """
    inside: dict[str, Counter[Gender]] = {}
    after: dict[str, Counter[Gender]] = {}
    before = ""
    for sentence in (each for line in lines for each in line):
        found = {each.name for each in mentions(sentence, {}, names)}
        # "Nora watches him", "By his feet, hidden from Nora": an object, or what precedes the name, is somebody else.
        named = next((place for place, word in enumerate(sentence.words) if found and _is_name(word, names)), 0)
        own = [word for word in sentence.words[named:] if word.tag == "PRP$" or word.text.lower() in _NO_OBJECTS]
        pronouns = {gender for word in own if (gender := pronoun(word)) in _SINGULAR}
        if len(pronouns) == 1 and len(found) == 1:
            inside.setdefault(next(iter(found)), Counter())[next(iter(pronouns))] += 1
        elif len(pronouns) == 1 and not found and before:
            after.setdefault(before, Counter())[next(iter(pronouns))] += 1
        if found or not pronouns:
            before = next(iter(found)) if len(found) == 1 else ""
    votes = after | inside
    genders: dict[str, Gender] = {}
    for name, counts in votes.items():
        gender, count = counts.most_common(1)[0]
        if count >= SURE_SHARE * counts.total():
            genders[name] = gender
    return genders


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
        elif (gender := person_noun(word)) is not None and word.lemma.lower() not in _NOBODY:
            of = words[word.head]
            if word.dep in ("appos", "compound", "attr") and (_is_name(of, names) or of.lemma == "be") and found:
                continue  # “Tom Finch, the clerk”, “Tom is the clerk” is one person
            again = named_again(sentence, place)
            name = again.text if again is not None and again.text.startswith("The ") else ""
            found.setdefault(name or word.text, Mention(name, gender))
    return list(found.values())


def _is_name(word: Word, names: Collection[str]) -> bool:
    if not word.text[:1].isupper() or word.text == "I":
        return False
    return word.text in names or (word.tag in PROPER and word.entity == "PERSON")


def _first_name(sentence: Sentence, place: int, names: Collection[str]) -> str:
    """The first word of a name: Nora for Vale in Nora Vale; with a title both words: Mr. Hoff; "" for an initial."""
    words = sentence.words
    first = place
    while first and words[first - 1].tag in PROPER and words[first - 1].end + 1 == words[first].start:
        first -= 1
    if words[first].text.rstrip(".").lower() in ("mr", "mrs", "ms", "miss", "dr", "sir", "lady", "lord", "captain"):
        return " ".join(word.text for word in words[first : place + 1])
    if len(words[first].text.rstrip(".")) == 1:
        return ""  # “N. Vale” stands on a label
    return words[first].text if _is_name(words[first], names) else words[place].text


def references(
    lines: Sequence[Sequence[Sentence]], genders: Mapping[str, Gender], names: Collection[str]
) -> tuple[Reference | None, ...]:
    """For each line of a scene, in order, the pronoun that opens it and whom it means; None if there is none, or doubt.

    A pronoun means the person of its gender of whom the line before is about, if no other is in that line, or the only
    one that the scene has spoken of.
    """
    found: list[Reference | None] = []
    latest: dict[str, int] = {}
    known: dict[str, Mention] = {}
    subject: Mention | None = None
    for number, line in enumerate(lines):
        opening = _opening_pronoun(line)
        meant: Mention | None = None
        if opening is not None:
            gender = pronoun(opening)
            # Whom a line itself names is not its “he” (“He aims at Nak”), but may be its “his” (“His hat gone, Nak …”).
            named = {each.name for each in mentions(line[0], genders, names)}
            near = [each for name, each in known.items() if number - latest[name] <= REACH]
            if not is_possessive(line):
                near = [each for each in near if each.name not in named]
            fitting = [each for each in near if each.gender in (gender, Gender.ANY)]
            sure = [each for each in fitting if each.gender is gender]
            last = [each for each in fitting if latest[each.name] == number - 1]
            if len(fitting) == 1 and (fitting == sure or latest[fitting[0].name] == number - 1):
                meant = fitting[0]
            elif subject is not None and subject in sure and all(each == subject for each in last):
                meant = subject
            elif len(sure) == 1 and not [each for each in last if each not in sure]:
                meant = sure[0]
        elif _says_no_subject(line) and subject is not None and subject.name in names:
            # Stage directions leave out whom the line before is about, if that line speaks of no one else.
            around = {name for name in latest if latest[name] == number - 1}
            if around == {subject.name}:
                found.append(Reference(0, 0, subject.name))
                latest[subject.name] = number
                continue
        usable = meant is not None and meant.name != "" and opening is not None
        found.append(Reference(opening.start, opening.end, meant.name) if usable and opening and meant else None)
        spoken = [each for sentence in line for each in mentions(sentence, genders, names)]
        for each in spoken:
            known[each.name] = each
            latest[each.name] = number
        if meant is not None:
            latest[meant.name] = number
            subject = meant
        else:
            subject = next((each for each in spoken if _opens_with(line, each)), None)
    return tuple(found)


def _says_no_subject(line: Sequence[Sentence]) -> bool:
    """Whether a line is one sentence that begins with its verb: Checks his watch."""
    if len(line) != 1 or not line[0].words:
        return False
    words = line[0].words
    first, second = words[0], next(iter(words[1:]), None)
    if (
        first.dep != "ROOT"
        or first.text.lower() in _HELPING
        or any(word.dep in _SUBJECTS and word.head == 0 for word in words)
    ):
        return False
    # "Stuffs it in his pocket": no plural has an article or a pronoun right after it.
    taken_for_plural = first.tag == "NNS" and bool(verb_lemmas(first.text.lower()))
    taken = taken_for_plural and second is not None and second.tag in ("DT", "PRP", "PRP$")
    return first.tag == "VBZ" or taken


def _opens_with(line: Sequence[Sentence], who: Mention) -> bool:
    return bool(line) and line[0].text.lower().startswith((who.name or "\0").lower())


def _opening_pronoun(line: Sequence[Sentence]) -> Word | None:
    """He or she at the beginning of a line, or his or her before the line's subject; None if it opens otherwise."""
    if not line:
        return None
    sentence = line[0]
    first = sentence.words[0]
    if pronoun(first) not in _SINGULAR:
        return None
    lower = first.text.lower()
    return first if lower in ("he", "she") or lower in _OPEN_POSSESSIVES else None


def is_possessive(line: Sequence[Sentence]) -> bool:
    """Whether a line opens with his or her."""
    return bool(line) and line[0].words[0].text.lower() in _OPEN_POSSESSIVES
