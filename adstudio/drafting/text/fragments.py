"""Sentences that say nothing by themselves: Badly; Flashing on the screen; To glory!; This is no accident. English."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.drafting.text.language.grammar import Sentence, Word, is_word, noun_lemmas, verb_lemmas
from adstudio.drafting.text.language.people import is_name, person_noun


def says_nothing(sentence: Sentence) -> bool:
    """Whether a sentence tells neither what there is nor who does what: Badly; Flashing on the screen; Krumf."""
    words = [word for word in sentence.words if word.text[0].isalnum()]
    if words and words[0].text.lower() in ("this", "that", "these", "those") and _remarks(sentence):
        return True
    if _points_back(words) or _opens_without_subject(sentence):
        return True  # "Flashing on the screen"
    if sentence.text.endswith("!") and not any(word.pos in ("VERB", "AUX") for word in words):
        return True  # "To glory!"
    remark = bool(words) and words[0].tag in ("JJR", "RBR", "RB") and not any(_tells(word) for word in words)
    if remark or (words and words[0].tag == "JJ" and words[1:] and words[1].text.lower() == "enough"):
        return True  # "Longer than is funny"
    if len(words) != 1:
        return False
    (word,) = words
    lower = word.text.lower()
    directs = word.tag in ("NNS", "VBZ") and bool(verb_lemmas(lower))  # "Watches."
    strange = not noun_lemmas(lower) or (is_name(word) and not is_word(lower))
    return directs or strange or word.tag in ("RB", "VBG", "UH", "JJ") or lower == "nothing"


def _opens_without_subject(sentence: Sentence) -> bool:
    """Whether a sentence is a participle’s alone, or some quality’s: Finally seeing who she is; Something softer."""
    first = next((word for word in sentence.words if word.tag not in ("RB", "JJ") and word.text[0].isalnum()), None)
    if first is None:
        return False
    others = [word for word in sentence.words if word is not first and word.text[0].isalnum()]
    of_a_kind = first.text.lower() == "something" and all(word.tag in ("JJ", "JJR", "RB", "RBR") for word in others)
    return (first.tag in ("VBG", "VBN") and first.dep == "ROOT") or of_a_kind


def _points_back(words: Sequence[Word]) -> bool:
    """Whether it is about one of two, or one more, of what was said before: The latter weeps; And then another."""
    texts = [word.text.lower() for word in words]
    if texts[:2] in (["the", "latter"], ["the", "former"]):
        return True
    plain = [text for text in texts if text not in ("and", "then", "but")]
    return plain in (["another"], ["one", "more"], ["again"], ["others"], ["so", "on"])


def _remarks(sentence: Sentence) -> bool:
    """Whether this or that by itself is a sentence's subject, unless it says who somebody is: This is Nora."""
    words = sentence.words
    if words[0].dep not in ("nsubj", "nsubjpass"):
        return False
    verb = words[words[0].head]
    others = words[1:]
    somebody = any(is_name(word) or person_noun(word) is not None for word in others)
    return verb.lemma.lower() != "be" or not somebody


def _tells(word: Word) -> bool:
    return word.tag in ("NN", "NNS", "NNP", "NNPS", "PRP") or (word.tag in ("VBZ", "VBP") and word.lemma != "be")
