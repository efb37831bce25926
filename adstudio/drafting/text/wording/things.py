"""Which thing “it” means, where that is certain, so that a line says it: lays it down → lays the glove down.

No one knows which lines a plan will speak: a line that says “it” is without its thing where the line before is left
out. Only the line right before is looked at, which a line follows in the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adstudio.drafting.text.language.grammar import Sentence, Word, verb_lemmas, word_set
from adstudio.drafting.text.language.people import person_noun, pronoun
from adstudio.drafting.text.unfilmable import has_no_body
from adstudio.drafting.text.wording.short_forms import written_out
from adstudio.drafting.text.wording.spoken_between import NOT_CALLED_IT, NOTHING_SAID, Said
from adstudio.drafting.text.wording.unnamed_things import (
    BESIDE,
    OBJECTS,
    SUBJECTS,
    is_being,
    is_compared,
    is_said_again,
    unnamed_thing,
)

_PLACED = (*OBJECTS, *SUBJECTS, "attr", "conj", "appos")
_SHORTEST = 3
"""Words, with the full stop, of a sentence that only says of “it” that it is."""
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
_BRINGING_IN = _LAYING | _LOOKING | word_set("take pick lift pull draw produce grab get fetch have hold carry wear")
"""Verbs whose object is what is spoken of from there on, whatever has been before."""
_SAYING = frozenset({"say", "read"})
_OPENING = word_set("open close shut lock unlock bolt slam")


@dataclass(frozen=True)
class Thing:
    """Where “it” stands in a line’s text, and what it means: the glove; "" where it may be one thing or another."""

    start: int
    end: int
    text: str

    def named(self, text: str) -> str:
        """The line with the thing in place of the pronoun."""
        capital = self.text[0].upper() if self.start == 0 else self.text[0]
        return text[: self.start] + capital + self.text[1:] + written_out(text[self.end :])


def things(
    lines: Sequence[Sequence[Sentence]], said: Sequence[Said] = (), goes_on: Sequence[bool] = ()
) -> tuple[Thing | None, ...]:
    """For each line of a scene, in order, what its “it” means; None where it has none, or nothing is known of it.

    `said` is what the dialogue right before each line names: after “Where is the bag?” it may be that. `goes_on`:
    whether the source says a line in one sentence with the line before.
    """
    said = said or (NOTHING_SAID,) * len(lines)
    goes_on = goes_on or (False,) * len(lines)
    found: list[Thing | None] = []
    for number, line in enumerate(lines):
        word = unnamed_thing(line)
        sure = word is not None and (_is_labelled(line[0], word) or _is_manipulated(line[0], word))
        vague = word is not None and (
            is_compared(line[0], word) or is_said_again(line[0], word) or _is_of_all(line[0], word)
        )
        thing: Thing | None = None
        if word is not None and sure and number and not vague:
            before = found[-1]
            if before is not None:
                meant, between, rivalled = before.text, said[number], not before.text
            else:
                place = _speaking_of_things(word, lines[:number])
                beside = word.dep == "pobj" and line[0].words[word.head].text.lower() in BESIDE
                meant = _meant(word, lines[place], beside=beside)
                between = said[number] if place == number - 1 else said[place + 1] | said[number]
                verb = line[0].words[word.head].lemma.lower()
                rivalled = _is_rivalled(word, lines, place, goes_on) and not _undoes(verb, lines[place])
            doubted = rivalled or (bool(meant) and between.diverts_from(meant))
            if meant or doubted:
                thing = Thing(word.start, word.end, "" if doubted else meant)
        found.append(thing)
    # “Its tag” stays: the line says enough.
    return tuple(
        thing if thing is not None and line[0].text[thing.start : thing.end].lower() == "it" else None
        for thing, line in zip(found, lines, strict=True)
    )


def _is_labelled(sentence: Sentence, word: Word) -> bool:
    """Whether a line only says what is written on something, which the next goes on about: Its tag says N. Vale."""
    words = sentence.words
    return word is words[0] and word.text.lower() == "its" and any(words[at].lemma in _SAYING for at in sentence.roots)


def _is_rivalled(word: Word, lines: Sequence[Sequence[Sentence]], place: int, goes_on: Sequence[bool]) -> bool:
    """Whether “it” may be what the line before the one at `place` handles.

    Tom lifts the glove. He opens the box. He drops it. Not where the line at `place` brings in its thing, or the source
    says that line and “it” in one sentence.
    """
    if word.dep in SUBJECTS or not place or place + 1 >= len(lines) or not lines[place] or not lines[place - 1]:
        return False
    if goes_on[place + 1] and not goes_on[place]:
        return False
    before, handled = _handled(lines[place - 1][0]), _handled(lines[place][0])
    brought_in = not _BRINGING_IN.isdisjoint(handled.values())
    return bool(before) and bool(handled) and not brought_in and before.keys().isdisjoint(handled)


def _undoes(verb: str, line: Sequence[Sentence]) -> bool:
    """Whether a verb belongs to what a line does: Nora opens the window. Tom closes it."""
    return verb in _OPENING and any(not _OPENING.isdisjoint(_handled(sentence).values()) for sentence in line)


def _handled(sentence: Sentence) -> dict[str, str]:
    """The things that are objects of a sentence’s verbs, in small letters, each with its verb."""
    words = sentence.words
    objects = [words[at] for at in _things(sentence) if words[at].dep == "dobj"]
    return {each.text.lower(): words[each.head].lemma.lower() for each in objects}


def _speaking_of_things(word: Word, lines: Sequence[Sequence[Sentence]]) -> int:
    """The line in which what “it” means is looked for: of what a sentence is about, only the last line speaks."""
    return len(lines) - 1 if word.dep in SUBJECTS else _latest_with_things(lines)


def _latest_with_things(lines: Sequence[Sequence[Sentence]]) -> int:
    """The last line, or the one before it where that speaks of no thing: Tom lifts a glove, sees Nora, and waves it."""
    last = lines[-1]
    plain = len(last) == 1 and not _things(last[0]) and ":" not in last[0].text
    return len(lines) - 2 if plain and len(lines) > 1 else len(lines) - 1


def _is_of_all(sentence: Sentence, word: Word) -> bool:
    """Whether “it” may be all that happens, or somebody: It is war; It’s no good; It’s Ann; It hits her like a blow."""
    words = sentence.words
    if word.dep != "nsubj":
        return False
    below = [words[at] for at in sentence.children[word.head]]
    if not is_being(words[word.head]):
        return any(each.dep == "prep" and each.text.lower() == "like" for each in below)
    said = [each for each in below if each.dep == "attr"]
    without = [
        each
        for each in said
        if not any(words[at].dep in ("det", "poss", "nummod") for at in sentence.children[words.index(each)])
    ]
    denied = any(each.text.lower() == "no" for each in words)
    return denied or bool(without) or len(words) <= _SHORTEST


def _is_manipulated(sentence: Sentence, word: Word) -> bool:
    if word.text.lower() != "it":
        return False
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
    if len(before) != 1:
        return ""
    sentence = before[0]
    if ":" in sentence.text:
        shown = _shown_somewhere(sentence)
        return _again(sentence, shown) if shown is not None else ""  # else after a colon stands what is written
    again = any(each.text.lower() in ("it", "its") for each in sentence.words)
    candidates = _things(sentence) if not again else []
    alike = SUBJECTS if word.dep in SUBJECTS else ("dobj",)
    if len(candidates) > 1:
        focus = [at for at in candidates if _is_focus(sentence, at)] if beside else []
        candidates = [at for at in candidates if sentence.words[at].dep in alike] if word.dep != "pobj" else focus
    if any(sentence.words[below].dep == "conj" for at in candidates for below in sentence.children[at]):
        return ""  # the lamp and the vase
    named = any(_is_called_by_name(each) for each in sentence.words if each.dep == "dobj")
    apart = named or any(_is_left(sentence, at) for at in candidates)
    if apart or (word.dep in SUBJECTS and not all(_may_be_subject(sentence, at) for at in candidates)):
        return ""
    sure = len(candidates) == 1 and (
        (word.dep != "pobj" and not _is_surface(sentence, candidates[0]))
        or sentence.words[candidates[0]].dep in ("dobj", *SUBJECTS)
        or (beside and _is_focus(sentence, candidates[0]))
    )
    return _again(sentence, candidates[0]) if sure else ""


def _shown_somewhere(sentence: Sentence) -> int | None:
    """The one thing that a sentence without a verb shows at a place: By his feet: a hat; On the wall, a map: Ruhn."""
    words = sentence.words
    (root, *others) = sentence.roots
    near = {":"} & {each.text for each in words[root + 1 : root + 2]} or ":" in sentence.text[: words[root].start]
    new = any(words[at].text.lower() in ("a", "an") for at in sentence.children[root])
    joined = any(words[at].dep == "conj" for at in sentence.children[root])
    thing = words[root].tag == "NN" and person_noun(words[root]) is None and not has_no_body(words[root])
    return root if not others and words[0].tag == "IN" and near and new and thing and not joined else None


def _is_left(sentence: Sentence, at: int) -> bool:
    """Whether a thing is only what something comes out of: Nora wakes from a dream; Tom snaps out of a trance."""
    words = sentence.words
    led = words[words[at].head]
    return words[at].dep == "pobj" and (
        led.text.lower() == "from" or (led.text.lower() == "of" and words[led.head].text.lower() == "out")
    )


def _is_called_by_name(word: Word) -> bool:
    """Whether an object is written as a name is, and nobody’s: Tom draws a black Beretta."""
    return word.tag == "NNP" and not word.text.islower() and word.entity != "PERSON" and person_noun(word) is None


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
        if place != at and each.dep in SUBJECTS and pronoun(each) is None and person_noun(each) is None
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
        and each.lemma.lower() not in NOT_CALLED_IT
        and not has_no_body(each)
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
