"""The checklist that a shortened sentence must pass, looked at from outside: by its words and by a parse of its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from adstudio.drafting.text.compress.checklist import bare_words, grammar_faults, word_faults
from adstudio.drafting.text.language import grammar


def faults(full: str, compressed: str, rate: Fraction, names: Collection[str] = ()) -> tuple[str, ...]:
    """What is wrong with a shortened sentence, each thing in a few words; none where it passes.

    Looked at: its length against round(rate · words) within one word; order and words (it only leaves out, but for
    a/an, capitals, marks and the place of "and"); capital, last mark, balanced quotes, quotations whole; negations,
    names and numbers; nothing left dangling; and, by a parse of the full sentence, the verb with its subject, objects
    and complements; by a parse of the short one, that it still has a verb and a subject.
    """
    return faults_of_all([(full, compressed, rate)], names)[0]


def faults_of_all(
    wordings: Sequence[tuple[str, str, Fraction]], names: Collection[str] = ()
) -> tuple[tuple[str, ...], ...]:
    """As `faults`, of many (full, compressed, rate): faster than one by one."""
    texts = list(dict.fromkeys(text for full, compressed, _ in wordings for text in (full, compressed)))
    parses = dict(zip(texts, grammar.parsed(texts), strict=True))
    return tuple(
        (
            *_length_faults(full, compressed, rate),
            *word_faults(full, compressed, names),
            *_parsed_faults(parses[full], parses[compressed], compressed),
        )
        for full, compressed, rate in wordings
    )


def _length_faults(full: str, compressed: str, rate: Fraction) -> tuple[str, ...]:
    length, aim = grammar.word_count(compressed), int(grammar.word_count(full) * rate + Fraction(1, 2))
    return () if abs(length - aim) <= 1 else (f"{length} words where {aim} are wanted",)


def _parsed_faults(
    whole: Sequence[grammar.Sentence], short: Sequence[grammar.Sentence], compressed: str
) -> tuple[str, ...]:
    if len(whole) != 1:
        return ("the full text is not one sentence",)
    found = [*grammar_faults(whole[0], compressed)]
    if len(short) != 1:
        found.append("not one sentence")
    had_verb = any(whole[0].words[root].pos in {"VERB", "AUX"} for root in whole[0].roots)
    verbs = [word for sentence in short for word in sentence.words if word.pos in {"VERB", "AUX"}]
    if had_verb and not verbs and not _in_order(whole[0], compressed):
        found.append("no verb any more")
    return tuple(found)


def _in_order(full: grammar.Sentence, compressed: str) -> bool:
    """Whether the verb stands in the short sentence after its subject, where it does in the full one."""
    words = bare_words(compressed)
    for root in full.roots:
        verb = full.words[root].text.lower()
        subjects = [full.words[at].text.lower() for at in full.children[root] if full.words[at].dep.startswith("nsubj")]
        if verb in words and any(subject in words[: words.index(verb)] for subject in subjects):
            return True
    return False
