"""What a screenplay says that “we see”, as the sentence that it is without us: we see him run → he runs."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.drafting.text.language.grammar import Sentence, verb_lemmas
from adstudio.drafting.text.segment.subject import NAMES, joined, named_again
from adstudio.drafting.text.segment.verbs import finite, present, verb_of_participle

SEEN = frozenset({"see", "watch", "notice", "glimpse"})
_AS_SUBJECT = {"him": ("he", False), "her": ("she", False), "them": ("they", True)}
_DOING = frozenset({"VB", "VBP", "VBG", "VBZ"})


@dataclass(frozen=True)
class Shown:
    """What follows "we see": where it begins, and the subject and verb of what it does, if it does something."""

    first: int
    subject: int | None = None
    verb: int | None = None


def shown_to_us(sentence: Sentence, begin: int, last: int) -> Shown | None:
    """What a clause from `begin` to before `last` says that we see; None where it says no such thing, or how we see."""
    words = sentence.words
    first = begin + 2
    if first >= last or words[begin].text.lower() != "we" or words[begin + 1].text.lower() not in SEEN:
        return None
    if words[first].tag in ("WRB", "WP", ".", "WDT") or words[first].dep == "mark":
        return None
    for verb in range(first + 1, last):
        subjects = [below for below in sentence.children[verb] if words[below].dep == "nsubj" and first <= below < verb]
        if subjects and words[verb].tag in _DOING and min(sentence.subtree(subjects[0])) == first:
            return Shown(first, subjects[0], verb)
    for verb in range(first + 1, last):
        named = words[verb - 1].tag in NAMES and words[verb - 1].text[0].isupper()
        if named and words[verb].tag == "NN" and words[verb].text in verb_lemmas(words[verb].text):
            return Shown(first, verb - 1, verb)  # "we see Mia crawl", crawl taken for a noun
    if any(finite(sentence, verb) or words[verb].tag == "VB" for verb in range(first, last)):
        return None
    return _described_apart(sentence, begin + 1, first, last) or Shown(first)


def _described_apart(sentence: Sentence, seeing: int, first: int, last: int) -> Shown | None:
    """What is seen with a participle after a comma that says what it does: we see a boy, Danny, watching."""
    words = sentence.words
    things = [at for at in sentence.children[seeing] if words[at].dep == "dobj" and at >= first]
    if len(things) != 1 or min(sentence.subtree(things[0])) != first:
        return None
    for verb in range(things[0] + 1, last):
        word = words[verb]
        if word.tag == "VBG" and words[verb - 1].text == "," and word.head in (seeing, things[0]):
            between = words[first : verb - 1]
            plain = not any(one.pos in ("VERB", "AUX") or one.tag in ("CC", "WP", "WDT") for one in between)
            return Shown(first, things[0], verb) if plain else None
    return None


def as_sentence(sentence: Sentence, shown: Shown, last: int) -> str:
    """What is shown, up to before `last`, with a finite verb where it does something: we see him run → he runs."""
    words = sentence.words
    if shown.subject is None or shown.verb is None:
        return joined(words[shown.first : last])
    who, word = named_again(sentence, shown.subject), words[shown.verb]
    several = who.plural if who is not None else words[shown.subject].tag in ("NNS", "NNPS")
    said = joined(words[shown.first : shown.verb])
    if said.count(",") == 1:
        said = said.removesuffix(",")
    said, several = _AS_SUBJECT.get(said.lower(), (said, several))
    after = joined(words[shown.verb + 1 : last])
    lemma = verb_of_participle(word.text) if word.tag == "VBG" else word.lemma
    doing = present(lemma, plural=several) if lemma else f"{present('be', plural=several)} {word.text}"
    return f"{said} {doing} {after}"
