"""Whom the pronouns of a scene's lines mean, where that is certain, so that a line can say the name instead."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from adstudio.drafting.text.language.grammar import Sentence, Word, noun_lemmas, verb_lemmas, word_set
from adstudio.drafting.text.language.people import (
    PROPER,
    Gender,
    could_be_named,
    gender_by_name,
    person_noun,
    pronoun,
)
from adstudio.drafting.text.segment.verbs import SURE
from adstudio.drafting.text.wording.mentions import SINGULAR, SUBJECTS, Mention, mentions
from adstudio.drafting.text.wording.short_forms import written_out
from adstudio.drafting.text.wording.somebody import (
    NOTHING_KNOWN,
    is_somebody_else,
    names_its_owner,
)
from adstudio.drafting.text.wording.spoken_between import NOT_CALLED_IT, Said

_CONJUNCTION = re.compile(r"^(?:and|but) (?=\w)", re.IGNORECASE)
REACH = 8
"""A pronoun means nobody who was last spoken of more lines before."""
_TWO = 2
_HELPING = frozenset({"is", "has", "does", "’s", "'s"})
_OF_THE_BODY = word_set("lip knee shoulder cheek hair tear elbow fist thumb brow breath step seat place goodbye")
"""What somebody has several of, which a “they” after it hardly means."""
_FIRST = frozenset({"he", "she", "him", "her", "his", "they", "their"})


@dataclass(frozen=True)
class Reference:
    """The first pronoun of a line, by its place in the text, and whom it means.

    `start` and `end` are 0 for a line that says no subject, as directions do: Checks his watch. `possessive`: it is his
    or her before a noun.
    """

    start: int
    end: int
    name: str
    possessive: bool = False

    def named(self, text: str, possessive: str) -> str:
        """A text that begins as the line does, with the name for the pronoun; `possessive` ends it, as in “Nora’s”."""
        if self.start == self.end:
            text = _CONJUNCTION.sub("", text)
            return f"{self.name} {text[0].lower()}{text[1:]}"
        possessive = possessive if self.possessive else ""
        ending = possessive.removesuffix("s") if self.name.endswith("s") else possessive
        if self.start and self.name.startswith("The "):
            return f"{text[: self.start]}the {self.name[4:]}{ending}{text[self.end :]}"
        after = text[self.end :] if possessive else written_out(text[self.end :])
        return text[: self.start] + self.name + ending + after


def references(
    lines: Sequence[Sequence[Sentence]],
    genders: Mapping[str, Gender],
    names: Collection[str],
    speakers: Sequence[str] = (),
    said: Sequence[Said] = (),
) -> tuple[Reference | None, ...]:
    """For each line of a scene, in order, the pronoun that opens it and whom it means; None if there is none, or doubt.

    A pronoun means the person of its gender of whom the line before is about, if no other is in that line, or the only
    one that the scene has spoken of. Where somebody else of that gender has just spoken, whom `speakers` has for each
    line, it may mean him, which is in doubt; “they” may mean what the line before has several of, or the dialogue right
    before a line, which is in `said`.
    """
    found: list[Reference | None] = []
    scene = _Known(genders, names)
    for number, line in enumerate(lines):
        reference: Reference | None = None
        meant: Mention | None = None
        directs = says_no_subject(line)
        first = None if directs else first_pronoun(line, names, genders)
        if first is not None:
            meant = scene.meant(line, first, number)
            gender = pronoun(first)
            if gender is Gender.THEY and number < len(said) and said[number].several:
                meant = None
            speaker = speakers[number] if number < len(speakers) else ""
            spoke = bool(speaker) and _may_mean(speaker, line, meant, gender, genders)
            if spoke:
                meant = _speaking(speaker, gender, genders, names) if meant is None and _opens(line, first) else None
            lost = _is_lost(line, genders, names) or (_opens(line, first) and _is_subject(first))
            if meant is None and gender in SINGULAR and lost and not spoke:
                scene.unnamed[gender] = number
            if (
                meant is not None
                and meant.name
                and _plain(meant.name) not in line[0].text.lower()
                and not _will(line[0].text, first)
            ):
                reference = Reference(first.start, first.end, meant.name, _owns(first))
        elif directs and (name := scene.only_subject(number)):
            reference, meant = Reference(0, 0, name), scene.subject
        found.append(reference)
        spoken = [each for sentence in line for each in mentions(sentence, genders, names)]
        single = meant is not None and meant.gender is not Gender.THEY
        for each in (*spoken, *([meant] if single and meant is not None else ())):
            scene.known[each.name] = each
            scene.latest[each.name] = number
        about_meant = meant is not None and (directs or (first is not None and _opens(line, first)))
        scene.pair = _pair_of(line, names)
        if any(word.tag == "NNS" and _is_subject(word) for sentence in line for word in sentence.words):
            scene.several = number
        scene.things = any(map(_handles_several, line))
        scene.passing = _in_passing(line, spoken, names)
        scene.subject = meant if about_meant else next((each for each in spoken if _is_about(line, each)), None)
    return tuple(found)


def _may_mean(
    speaker: str, line: Sequence[Sentence], meant: Mention | None, gender: Gender | None, genders: Mapping[str, Gender]
) -> bool:
    """Whether a pronoun that seems to mean somebody, or is in doubt, may mean another, who has just spoken."""
    words = speaker.lower().split()
    spoken_of = {word.text.lower() for word in line[0].words}
    spoken_of |= set(meant.name.lower().split()) if meant is not None else set()
    if gender not in SINGULAR or set(words) & spoken_of:
        return False
    shown = genders.get(words[0].capitalize()) or gender_by_name(speaker) or Gender.ANY
    return shown in (gender, Gender.ANY)


def _speaking(
    speaker: str, gender: Gender | None, genders: Mapping[str, Gender], names: Collection[str]
) -> Mention | None:
    """Who has just spoken, where that is a name of the gender of a pronoun after his speech."""
    name = speaker.split(maxsplit=1)[0].capitalize()
    return (
        Mention(name, genders[name]) if name in names and gender is not None and genders.get(name) is gender else None
    )


def _is_lost(line: Sequence[Sentence], genders: Mapping[str, Gender], names: Collection[str]) -> bool:
    """Whether a line whose pronoun is in doubt names nobody at all."""
    return not any(mentions(sentence, genders, names) for sentence in line)


@dataclass
class _Known:
    """Who a scene has spoken of so far: each by name, in which line last, and whom the line before is about.

    `passing` is whom that line mentions first and in passing. `several` is the last line about several who, or which,
    have no names: two ewes. `things`: somebody does something to several things in the line before.
    `unnamed` has the last line that speaks of somebody of a gender only by a pronoun: whoever that is, the next one may
    mean him too.
    """

    genders: Mapping[str, Gender]
    names: Collection[str]
    latest: dict[str, int] = field(default_factory=dict[str, int])
    known: dict[str, Mention] = field(default_factory=dict[str, Mention])
    subject: Mention | None = None
    pair: str = ""
    passing: Mention | None = None
    unnamed: dict[Gender, int] = field(default_factory=dict[Gender, int])
    several: int = -REACH
    things: bool = False

    def meant(self, line: Sequence[Sentence], first: Word, number: int) -> Mention | None:
        """Whom a pronoun of line `number` means; None if in doubt."""
        gender = pronoun(first)
        if gender is Gender.THEY:
            return self._both(number)
        near = [each for name, each in self.known.items() if number - self.latest[name] <= REACH]
        lost = self.unnamed.get(gender, -REACH) if gender is not None else -REACH
        if lost == number - 1:
            return None
        if number - lost <= REACH:
            near = [each for each in near if each.name in self.names]
        if not _opens(line, first) or not _owns(first):
            # Whom a line itself names is not its “he” (“He aims at Nak”), but may be its “his” (“His hat gone, Nak …”).
            named = {_plain(each.name) for each in mentions(line[0], self.genders, self.names)}
            near = [each for each in near if _plain(each.name) not in named]
        fitting = [each for each in near if each.gender in (gender, Gender.ANY)]
        sure = [each for each in fitting if each.gender is gender]
        last = [each for each in fitting if self.latest[each.name] == number - 1]
        if len(fitting) == 1 and fitting == sure:
            return fitting[0]
        others = [each for each in last if each != self.subject]
        if _opens(line, first) and _is_subject(first):
            others = [each for each in others if each != self.passing]
        if self.subject is not None and self.subject in sure and not others:
            return self.subject
        return sure[0] if len(sure) == 1 and not [each for each in last if each not in sure] else None

    def _both(self, number: int) -> Mention | None:
        """The two with whom the line before opens, or whom the scene or the film names, and nobody else."""
        if self.pair:
            return Mention(self.pair, Gender.THEY)
        if self.several == number - 1 or self.things:
            return None
        near = [each for name, each in self.known.items() if number - self.latest[name] <= REACH]
        named = [each for each in near if each.name in self.names]
        if len(named) == _TWO and named == near:
            return Mention(f"{named[0].name} and {named[1].name}", Gender.THEY)
        film = sorted(name for name in self.genders if name in self.names)
        return Mention(" and ".join(film), Gender.THEY) if len(film) == _TWO and named and named == near else None

    def only_subject(self, number: int) -> str:
        """The name that a stage direction leaves out: whom the line before is about, if it speaks of no one else."""
        if self.subject is None or self.subject.name not in self.names:
            return ""
        around = {name for name in self.latest if self.latest[name] == number - 1}
        return self.subject.name if around == {self.subject.name} else ""


def _handles_several(sentence: Sentence) -> bool:
    """Whether somebody does something to several things: Tom drops the coins; but not: Tom opens his eyes."""
    return any(
        word.tag == "NNS"
        and word.dep == "dobj"
        and person_noun(word) is None
        and not {*noun_lemmas(word.text.lower())} & (NOT_CALLED_IT | _OF_THE_BODY)
        for word in sentence.words
    )


def _plain(name: str) -> str:
    return name.lower().removeprefix("the ")


def _in_passing(line: Sequence[Sentence], spoken: Sequence[Mention], names: Collection[str]) -> Mention | None:
    """Whom a line introduces as the object of its subject’s verb: At the train, Nora meets a guard.

    What goes on with a pronoun as its subject goes on about the subject. None where anything else could be meant.
    """
    if len(line) != 1 or len(spoken) != _TWO or spoken[1].name in names or spoken[1].gender is not Gender.ANY:
        return None
    words = line[0].words
    met = any(
        person_noun(word) is not None
        and word.dep == "dobj"
        and words[word.head].dep == "ROOT"
        and any(words[at].text.lower() in ("a", "an") for at in line[0].children[place])
        for place, word in enumerate(words)
    )
    return spoken[1] if met and _is_about(line, spoken[0]) else None


def _pair_of(line: Sequence[Sentence], names: Collection[str]) -> str:
    """The two names that a line opens with: Tom and Leo; "" where it does not."""
    first, joined, second, *_ = [*(line[0].text.split() if line else ()), "", "", ""]
    return f"{first} and {second}" if joined == "and" and first in names and second in names else ""


_DIRECTIONS = SURE | word_set(
    "slips drives grabs leans kneels bends nods shrugs stares glances glares stumbles climbs drinks looks walks waits"
    " eats works hits checks smokes reads writes fires rolls begins"
)
_LED_BY = word_set("then and but")
_AFTER_A_VERB = word_set("from at to into toward towards through over up down back away around out off past across")


def says_no_subject(line: Sequence[Sentence]) -> bool:
    """Whether a line is one sentence that begins with its verb: Checks his watch; Then goes inside."""
    if len(line) != 1 or not line[0].words:
        return False
    words = line[0].words
    led = (words[0].text.lower() in _LED_BY or words[0].tag == "RB") and len(words) > 1 and words[1].tag == "VBZ"
    first, second = words[led], next(iter(words[1 + led :]), None)
    if (
        first.dep != "ROOT"
        or first.text.lower() in _HELPING
        or any(word.dep in SUBJECTS and word.head == led for word in words)
    ):
        return False
    if first.tag == "VBZ" or (first.tag == "VB" and first.text.lower() not in verb_lemmas(first.text.lower())):
        return True
    if first.tag != "NNS" or second is None or not verb_lemmas(first.text.lower()):
        return False
    # "Stuffs it in his pocket": no plural has an article or a pronoun right after it.
    third = next(iter(words[2 + led :]), None)
    several = second.text.lower() == "and" and third is not None and bool(verb_lemmas(third.text.lower()))
    if second.tag in ("DT", "PRP", "PRP$") or (several and third is not None and third.text.lower().endswith("s")):
        return True
    return first.text.lower() in _DIRECTIONS and (second.tag in ("RB", "RP") or second.text.lower() in _AFTER_A_VERB)


def _is_about(line: Sequence[Sentence], who: Mention) -> bool:
    """Whether a line opens with somebody, or he is the subject of its verb: At the train, Nora meets a guard."""
    if not line or not who.name:
        return False
    subjects = [word for word in line[0].words if _is_subject(word) and line[0].words[word.head].dep == "ROOT"]
    return line[0].text.lower().startswith(who.name.lower()) or (
        len(line) == 1 and [word.text for word in subjects] == [who.name]
    )


def first_pronoun(
    line: Sequence[Sentence], names: Collection[str] = (), genders: Mapping[str, Gender] = NOTHING_KNOWN
) -> Word | None:
    """The he, she, him, her or his of a line, or They at its beginning, that a name is to replace; None if it has none.

    It is the first, whose person the line does not name, unless it only leads to the sentence's subject: With the back
    of her hand she wipes her cheek. One that opens the line may be named after it: His hat gone, Tom shivers.
    """
    if not line:
        return None
    sentence = line[0]
    for place, word in enumerate(sentence.words):
        gender = pronoun(word)
        if gender is None:
            continue
        if gender is Gender.THEY:
            # "The window goes dark, and they come out": of what precedes it, nothing is several or somebody.
            freely = not any(each.tag in ("NNS", *PROPER) or person_noun(each) for each in sentence.words[:place])
            return word if word.text.lower() in _FIRST and (place == 0 or (freely and _is_subject(word))) else None
        own = names_its_owner(sentence, place, names, genders)
        if word.text.lower() not in _FIRST or (
            place
            and (own or could_be_named(sentence, place, gender))
            and not is_somebody_else(sentence, place, genders)
        ):
            return None
        later = (each for each in sentence.words[place + 1 :] if each.dep == "nsubj" and pronoun(each) is gender)
        leads = word.dep not in SUBJECTS and not (place == 0 and _owns(word))
        return next(later, word) if leads else word
    return None


def names_its_own(line: Sequence[Sentence], names: Collection[str]) -> bool:
    """Whether a line names the person of its first pronoun before it, whatever the parser takes the name for."""
    for sentence in line[:1]:
        first = next((at for at, word in enumerate(sentence.words) if pronoun(word) in SINGULAR), None)
        return first is not None and names_its_owner(sentence, first, names)
    return False


def _will(text: str, word: Word) -> bool:
    """Whether a pronoun is part of he’ll or she’d, which no name takes."""
    after = text[word.end : word.end + 2]
    return after[:1] in ("'", "’") and after[1:] != "s"


def _is_subject(word: Word) -> bool:
    return word.dep in SUBJECTS


def _opens(line: Sequence[Sentence], word: Word) -> bool:
    return line[0].words[0] == word


def _owns(word: Word) -> bool:
    """Whether a pronoun is his or her before a noun."""
    return word.text.lower() in ("his", "their") or word.tag == "PRP$"
