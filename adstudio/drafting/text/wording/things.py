"""Which thing “it” means, where that is certain, so that a line says it: lays it down → lays the glove down.

No one knows which lines a plan will speak: a line that says “it” is without its thing where the line before is left
out. Only the line right before is looked at, which a line follows in the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.drafting.text.language.grammar import Sentence, Word, verb_lemmas, word_set
from adstudio.drafting.text.language.people import PROPER, person_noun, pronoun
from adstudio.drafting.text.wording.short_forms import written_out

_OBJECTS = ("dobj", "pobj")
_SUBJECTS = ("nsubj", "nsubjpass")
_PLACED = (*_OBJECTS, *_SUBJECTS, "attr", "conj", "appos")
_NO_THINGS = word_set(
    "rain snow wind storm light dark darkness"
    " moment beat second minute hour day night time way side back front top bottom end edge middle distance air floor"
    " ground direction hand head face eye arm leg foot finger mouth lot bit"
)
"""What is where something happens, or a part of somebody, and hardly what the next line calls it."""

_IDLE = word_set("be rain snow hail pour thunder drizzle dawn seem appear look take turn happen get begin start stop")
"""Verbs whose “it” may stand for nothing: It rains; It takes a while."""

_OF_NOTHING = word_set("laugh make lose floor get call mean beat leg wing shrug bluff tough rough")
"""Verbs whose object “it” may stand for nothing: She laughs it off; He makes it."""
_TIMES = word_set(
    "morning night day evening afternoon noon midnight dawn dusk sunset sunrise winter summer spring autumn fall rain"
    " snow weather time o'clock weekend birthday"
)
_SHORTEST = 3
"""Words, with the full stop, of a sentence that only says of “it” that it is."""
_SOME_OF_THEM = word_set("none some any another neither others")
"""Of what these are, the line before says: She finds none."""
_PARTS_OF_THEM = word_set("some others one another each most several many none neither")
_FELT = word_set(
    "cold hot warm dark light bright late early quiet silent still foggy windy sunny rainy wet dry noisy crowded empty"
)
"""What “it is” may be said of a place or a time."""
_BESIDE = word_set("beside behind near by under beneath")
_LAYING = word_set("lay put place set drop find see notice spot leave hang lean stand")
_LOOKING = word_set("look stare gaze glance peer point see notice spot find watch study")
_MANIPULATING = word_set(
    "pick take put lay lift open close shut lock unlock hold drop throw toss fling hurl hand pass give place set read"
    " turn flip unfold fold tear rip light pull push slide tuck hide carry raise lower examine inspect study press wipe"
    " grab snatch catch kick hit smash break stuff fill empty pour drink eat sip smoke stub hang unwrap wrap untie tie"
    " cut draw drag roll shake sniff kiss touch wave point aim load fire start stop plant bury dig wear remove insert"
    " replace return show offer clutch grip squeeze crumple crush burn extinguish blow answer dial check write sign"
    " seal see watch notice find spot follow enter leave climb mount cross circle approach reach board park drive ride"
    " steer free lean prop nail hammer fix mend polish clean scrub wash dry stir taste bite swallow chew spit"
)
"""What is done with a thing; with other verbs “it” may stand for nothing: She laughs it off; He makes it."""


@dataclass(frozen=True)
class Thing:
    """Where “it” stands in a line’s text, and what it means: the glove."""

    start: int
    end: int
    text: str

    def named(self, text: str) -> str:
        """The line with the thing in place of the pronoun."""
        capital = self.text[0].upper() if self.start == 0 else self.text[0]
        return text[: self.start] + capital + self.text[1:] + written_out(text[self.end :])


def lacks_a_thing(line: Sequence[Sentence]) -> bool:
    """Whether a line says “it”, or “some”, of what it does not name: She picks it up; Others weep; not: It rains.

    A line before it may say what, but no one knows whether a plan will speak that.
    """
    word = _unnamed(line)
    return (word is not None and word.text.lower() != "its") or (bool(line) and _opens_with_a_part(line[0]))


def _opens_with_a_part(sentence: Sentence) -> bool:
    """Whether a sentence is about some of those whom another names: Others bow; One hits a guard; Two more fall."""
    words = sentence.words
    first = words[0]
    counted = first.tag == "CD" and len(words) > 1 and words[1].text.lower() == "more"
    partial = first.text.lower() in _PARTS_OF_THEM and first.dep in _SUBJECTS and not _of_what(sentence, first)
    return counted or partial


def things(lines: Sequence[Sequence[Sentence]]) -> tuple[Thing | None, ...]:
    """For each line of a scene, in order, what its “it” means; None where it has none, or there is doubt."""
    found: list[Thing | None] = []
    for number, line in enumerate(lines):
        word = _unnamed(line)
        meant = ""
        sure = word is not None and word.text.lower() == "it" and _is_manipulated(line[0], word)
        vague = word is not None and (
            _is_compared(line[0], word) or _is_said_again(line[0], word) or _is_of_all(line[0], word)
        )
        if word is not None and sure and number and not vague:
            before = found[-1]
            beside = word.dep == "pobj" and line[0].words[word.head].text.lower() in _BESIDE
            meant = (
                before.text
                if before is not None
                else _meant(word, _speaking_of_things(word, lines[:number]), beside=beside)
            )
        found.append(Thing(word.start, word.end, meant) if word is not None and meant else None)
    return tuple(found)


def _speaking_of_things(word: Word, lines: Sequence[Sequence[Sentence]]) -> Sequence[Sentence]:
    """The line in which what “it” means is looked for: of what a sentence is about, only the last line speaks."""
    return lines[-1] if word.dep in _SUBJECTS else _latest_with_things(lines)


def _latest_with_things(lines: Sequence[Sequence[Sentence]]) -> Sequence[Sentence]:
    """The last line, or the one before it where that speaks of no thing: Tom lifts a glove, sees Nora, and waves it."""
    last = lines[-1]
    plain = len(last) == 1 and not _things(last[0]) and ":" not in last[0].text
    return lines[-2] if plain and len(lines) > 1 else last


def _unnamed(line: Sequence[Sentence]) -> Word | None:
    """The first “it”, “its” or “none” of a line that stands for a thing which the line does not name before it."""
    if not line:
        return None
    words = line[0].words
    for word in words:
        if word.text.lower() in _SOME_OF_THEM and word.dep == "dobj" and not _of_what(line[0], word):
            return word
        thing = word.tag == "NN" or (word.tag == "NNP" and word.dep in _OBJECTS)
        if thing and person_noun(word) is None and word.entity != "PERSON":
            return None
        if word.text.lower() in ("it", "its"):
            idiom = word.dep == "dobj" and words[word.head].lemma.lower() in _OF_NOTHING
            real = word.dep in ("dobj", "pobj", "poss", "nsubjpass") or (
                word.dep == "nsubj" and words[word.head].lemma not in _IDLE
            )
            real = real and not idiom and not (word.dep == "nsubj" and _is_of_a_place(line[0]))
            real = real and not _is_somebody(line[0], word)
            real = real or _is_said_again(line[0], word)
            return word if real or _is_identified(line[0], word) or _is_described(line[0], word) else None
    return None


def _of_what(sentence: Sentence, word: Word) -> bool:
    """Whether what follows says of what: none of the letters."""
    place = sentence.words.index(word)
    return any(sentence.words[at].dep == "prep" for at in sentence.children[place])


def _is_somebody(sentence: Sentence, word: Word) -> bool:
    """Whether a sentence says of “it” only who it is: It’s Ann, the miller."""
    words = sentence.words
    return _is_being(words[word.head]) and any(
        words[at].dep == "attr" and words[at].tag in PROPER for at in sentence.children[word.head]
    )


def _is_being(word: Word) -> bool:
    return word.lemma == "be" or word.text.lower() in ("'s", "’s")


def _is_identified(sentence: Sentence, word: Word) -> bool:
    """Whether a sentence says of “it” which or what it is: It’s one of his men; but not: It is night, it is Tom."""
    words = sentence.words
    if word.dep != "nsubj" or words[word.head].lemma != "be" or _is_compared(sentence, word):
        return False
    said = [words[at] for at in sentence.children[word.head] if words[at].dep == "attr"]
    return any(each.tag in ("NN", "NNS", "CD") and each.lemma.lower() not in _TIMES for each in said)


def _is_said_again(sentence: Sentence, word: Word) -> bool:
    """Whether a sentence says “it” twice, or what it is like: It stops as it began; It looks like a library."""
    words = sentence.words
    like = any(words[at].text.lower() in ("like", "more") for at in sentence.children[word.head])
    again = any(each.text.lower() == "it" and each is not word for each in words)
    return again or (like and word.dep == "nsubj" and words[word.head].lemma in ("look", "seem", "appear", "feel"))


def _is_of_all(sentence: Sentence, word: Word) -> bool:
    """Whether “it” may be all that happens, or somebody: It is war; It’s no good; It’s Ann; It hits her like a blow."""
    words = sentence.words
    if word.dep != "nsubj":
        return False
    below = [words[at] for at in sentence.children[word.head]]
    if not _is_being(words[word.head]):
        return any(each.dep == "prep" and each.text.lower() == "like" for each in below)
    said = [each for each in below if each.dep == "attr"]
    without = [
        each
        for each in said
        if not any(words[at].dep in ("det", "poss", "nummod") for at in sentence.children[words.index(each)])
    ]
    denied = any(each.text.lower() == "no" for each in words)
    return denied or bool(without) or len(words) <= _SHORTEST


def _is_of_a_place(sentence: Sentence) -> bool:
    """Whether a sentence says where or when “it” is so: It is still light outside."""
    return any(word.text.lower() in ("outside", "inside", "here", "now") for word in sentence.words)


def _is_described(sentence: Sentence, word: Word) -> bool:
    """Whether a sentence says how “it” is or looks, of a thing: It is old and worn; not: It is cold."""
    words = sentence.words
    if word.dep != "nsubj" or words[word.head].lemma not in ("be", "look", "seem"):
        return False
    below = [words[at] for at in sentence.children[word.head] if at > words.index(word)]
    how = any(each.dep == "acomp" and each.text.lower() not in _FELT for each in below)
    more = any(each.dep in ("ccomp", "csubj", "advcl", "xcomp") for each in below)
    return (
        how and not more and not _is_of_a_place(sentence)
    )  # “It is clear that …”, “It is blue outside” is about nothing


def _is_compared(sentence: Sentence, word: Word) -> bool:
    """Whether “it” may be the place or all that happens: It is louder here; It does not look good."""
    verb = sentence.words[word.head]
    looks = word.dep == "nsubj" and verb.lemma in ("look", "seem", "appear", "feel")
    return looks or any(sentence.words[at].tag in ("JJR", "RBR") for at in sentence.children[word.head])


def _is_manipulated(sentence: Sentence, word: Word) -> bool:
    return word.dep != "dobj" or sentence.words[word.head].lemma.lower() in _MANIPULATING


def _is_surface(sentence: Sentence, at: int) -> bool:
    """Whether a thing is only what something is written or shown on: names engraved on a plaque."""
    words = sentence.words
    led = words[words[at].head]
    return words[at].dep == "pobj" and led.text.lower() in ("on", "in") and words[led.head].tag == "VBN"


def _is_focus(sentence: Sentence, at: int) -> bool:
    """Whether a thing is what somebody lays down or looks at, beside which the next line finds another."""
    words = sentence.words
    verb = words[words[at].head]
    laid = words[at].dep == "dobj" and verb.lemma.lower() in _LAYING | _LOOKING
    looked_at = words[at].dep == "pobj" and verb.text.lower() == "at" and words[verb.head].lemma.lower() in _LOOKING
    return laid or looked_at


def _meant(word: Word, before: Sequence[Sentence], *, beside: bool = False) -> str:
    """What “it” means by the line before: its only thing, or its object where “it” is one too; or "".

    `beside` it stands something else: then it is what was laid down or looked at.
    """
    if len(before) != 1 or ":" in before[0].text:
        return ""  # after a colon stands what is written
    sentence = before[0]
    candidates = _things(sentence)
    if any(each.text.lower() == "it" for each in sentence.words):
        return ""
    alike = _SUBJECTS if word.dep in _SUBJECTS else ("dobj",)
    if len(candidates) > 1:
        focus = [at for at in candidates if _is_focus(sentence, at)] if beside else []
        candidates = [at for at in candidates if sentence.words[at].dep in alike] if word.dep != "pobj" else focus
    if any(sentence.words[below].dep == "conj" for at in candidates for below in sentence.children[at]):
        return ""  # the lamp and the vase
    if word.dep in _SUBJECTS and not all(_may_be_subject(sentence, at) for at in candidates):
        return ""
    sure = len(candidates) == 1 and (
        (word.dep != "pobj" and not _is_surface(sentence, candidates[0]))
        or sentence.words[candidates[0]].dep in ("dobj", *_SUBJECTS)
        or (beside and _is_focus(sentence, candidates[0]))
    )
    return _again(sentence, candidates[0]) if sure else ""


def _may_be_subject(sentence: Sentence, at: int) -> bool:
    """Whether the next sentence may be about a thing, as it is about “it”: no other thing does anything in this one.

    What something is in, at or on is hardly what is spoken of: She notices something in the yard. It is a mask.
    """
    words = sentence.words
    led = words[words[at].head] if words[at].dep == "pobj" else None
    looked_at = led is not None and led.text.lower() == "at" and words[led.head].lemma.lower() in _LOOKING
    others = [
        place
        for place, each in enumerate(words)
        if place != at and each.dep in _SUBJECTS and pronoun(each) is None and person_noun(each) is None
    ]
    things = [place for place in others if words[place].tag in ("NN", "NNS", "CD") and words[place].entity != "PERSON"]
    return (led is None or looked_at) and not things


def _things(sentence: Sentence) -> list[int]:
    """The things that a sentence speaks of, which the next may call it."""
    return [
        at
        for at, each in enumerate(sentence.words)
        if each.tag in ("NN", "NNP")
        and each.text.islower()
        and each.lemma.lower() not in ("everything", "something", "anything", "nothing")
        and (not at or sentence.words[at - 1].text != "-")
        and (each.dep in _PLACED or _acts(sentence, each))
        and person_noun(each) is None
        and each.lemma.lower() not in _NO_THINGS
    ]


def _acts(sentence: Sentence, word: Word) -> bool:
    """Whether a noun is the subject of what the parser takes for a plural: A telephone rings."""
    root = sentence.words[word.head]
    return word.dep == "compound" and root.dep == "ROOT" and root.tag == "NNS" and bool(verb_lemmas(root.text.lower()))


def _again(sentence: Sentence, noun: int) -> str:
    """A thing as it is named a second time: a red leather glove → the leather glove."""
    words = sentence.words
    own = [words[at].text for at in sentence.children[noun] if words[at].dep == "compound" and at < noun]
    return " ".join(["the", *own, words[noun].text])
