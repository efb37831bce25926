"""Whether a shortened sentence still says what it must: looked at from outside, by its words and by a parse of its own.

Nothing here knows how the sentence was shortened.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from fractions import Fraction

from adstudio.candidates.text import grammar

_NEGATIONS = frozenset(
    "no not never nobody none nothing nowhere neither nor without cannot no-one hardly barely scarcely seldom rarely "
    "few little unable nearly almost".split()
)
_DETERMINERS = frozenset("a an the his its their my our your every".split())
_PREPOSITIONS = frozenset("of with from at into onto for to beside behind beneath towards toward upon against".split())
_JOINERS = frozenset("and or but nor".split())
_WAITING = frozenset("who which that while because although as than if when where whose very too so".split())
_MARKS = "\"'“”‘’«»„()[].,;:!?…–—-"
_CORE = frozenset(("nsubj", "nsubjpass", "expl", "dobj", "attr", "acomp", "prt", "neg", "aux", "auxpass", "xcomp", "ccomp"))


def faults(full: str, compressed: str, rate: Fraction, names: Collection[str] = ()) -> tuple[str, ...]:
    """What is wrong with a shortened sentence, each thing in a few words; none where it passes.

    Looked at: its length against round(rate · words) within one word; order and words (it only leaves out, but for
    a/an, capitals, marks and the place of "and"); capital, last mark, balanced quotes, quotations whole; negations,
    names and numbers; nothing left dangling; and, by a parse of the full sentence, the verb with its subject, objects
    and complements; by a parse of the short one, that it still has a verb and a subject.
    """
    words = grammar.word_count(full)
    length = grammar.word_count(compressed)
    aim = int(words * rate + Fraction(1, 2))
    found: list[str] = []
    if abs(length - aim) > 1:
        found.append(f"{length} words where {aim} are wanted")
    return (*found, *spoken_faults(full, compressed, names), *_grammar_faults(full, compressed))


def spoken_faults(full: str, compressed: str, names: Collection[str] = ()) -> tuple[str, ...]:
    """The part of the checklist that needs no parser and no rate."""
    before, after = _bare(full), _bare(compressed)
    found = [*_form(full, compressed), *_dangling(before, after, compressed)]
    if len(after) >= len(before):
        found.append("not shorter")
    if not _left_out_only(before, after):
        found.append("words that the full sentence has not, or in another order")
    if _negations(before) != _negations(after):
        found.append("a negation is lost")
    kept = set(after)
    for name in names:
        parts = set(_bare(name))
        if parts & set(before) - kept:
            found.append(f"the name {name} is lost")
    units = {(one, other) for one, other in zip(before, before[1:], strict=False) if one.isdigit()}
    if any(one in kept and other not in kept for one, other in units):
        found.append("a number without what it counts")
    return tuple(found)


def _bare(text: str) -> list[str]:
    """Its words without marks, in small letters, the possessive taken off."""
    plain = text.lower().replace("’", "'")
    words = (word.strip(_MARKS) for word in plain.split())
    return [word.removesuffix("'s").removesuffix("s'") if word.endswith("'s") else word for word in words if word]


def _form(full: str, compressed: str) -> list[str]:
    found: list[str] = []
    first = next((letter for letter in compressed if letter.isalnum()), "")
    if first != first.upper():
        found.append("no capital")
    if not re.search(r"[.!?…][\"'”’»)\]]*$", compressed):
        found.append("no full stop")
    if re.search(r"[,;:]\s*[,;:.!?]|\s[,;.:!?]|\s{2}|^\W*[,;:]|\.\.(?!\.)", compressed):
        found.append("marks in disorder")
    if compressed.count('"') % 2 or compressed.count("“") != compressed.count("”"):
        found.append("quotes that do not balance")
    said = re.findall(r"[\"“]([^\"“”]*)[\"”]", full)
    if any(quote not in said for quote in re.findall(r"[\"“]([^\"“”]*)[\"”]", compressed)):
        found.append("a quotation is cut")
    return found


def _dangling(before: list[str], after: list[str], compressed: str) -> list[str]:
    found: list[str] = []
    pairs = set(zip(before, [*before[1:], ""], strict=True))
    for one, other in zip(after, [*after[1:], ""], strict=True):
        if (one, other) in pairs:
            continue
        if one == other:
            found.append(f"“{one}” twice")
        open_end = one in _DETERMINERS or one in _PREPOSITIONS or one in _JOINERS or one in _WAITING
        if open_end and (other == "" or other in _JOINERS):
            found.append(f"“{one}” is left hanging")
        if one in _DETERMINERS and other in _PREPOSITIONS | _DETERMINERS:
            found.append(f"“{one}” is left without its noun")
    if re.search(r"\b(?:a|an|the|of|with|and|or|into|from)[,;:.!?]", compressed, re.IGNORECASE):
        found.append("a small word before a mark")
    for article, word in zip(after, after[1:], strict=False):
        if (article == "a" and word[0] in "aio") or (article == "an" and word[0] in "bcdfgjkpqtvwz"):
            found.append(f"“{article} {word}”")
    if after and after[0] in _JOINERS and before[0] not in _JOINERS:
        found.append("it begins with a conjunction")
    return found


def _left_out_only(before: list[str], after: list[str]) -> bool:
    def same(words: list[str]) -> list[str]:
        return ["a" if word == "an" else word for word in words if word not in {"and", "or"}]

    def joiners(words: list[str]) -> Counter[str]:
        return Counter(word for word in words if word in {"and", "or"})

    rest = iter(same(before))
    return all(word in rest for word in same(after)) and not joiners(after) - joiners(before)


def _negations(words: list[str]) -> Counter[str]:
    return Counter(word if word in _NEGATIONS else "n't" for word in words if word in _NEGATIONS or "n't" in word)


def _grammar_faults(full: str, compressed: str) -> list[str]:
    whole, short = grammar.parsed([full, compressed])
    if len(whole) != 1:
        return ["the full text is not one sentence"]
    found: list[str] = []
    if len(short) != 1:
        found.append("not one sentence")
    kept = Counter(_bare(compressed))
    sentence = whole[0]
    for root in sentence.roots:
        for at in (root, *sentence.children[root]):
            word = sentence.words[at]
            wanted = at == root or word.dep in _CORE
            name = word.dep == "conj" and (word.entity == "PERSON")
            if (wanted or name) and word.pos != "PUNCT" and not _still_there(word.text, kept):
                found.append(f"“{word.text}” ({word.dep}) is lost")
    for word in sentence.words:
        subject_or_object = word.dep in {"nsubj", "nsubjpass", "dobj", "dative"}
        if word.entity == "PERSON" and subject_or_object and not _still_there(word.text, kept):
            found.append(f"{word.text} is lost")
    if _has_clause(sentence) and not any(map(_has_clause, short)):
        found.append("no verb with a subject any more")
    return found


def _still_there(text: str, kept: Counter[str]) -> bool:
    plain = text.lower().replace("’", "'").strip(_MARKS)
    return not plain or plain in kept or any(plain in word for word in kept)


def _has_clause(sentence: grammar.Sentence) -> bool:
    return any(
        word.dep in {"nsubj", "nsubjpass", "expl"} and sentence.words[word.head].pos in {"VERB", "AUX"}
        for word in sentence.words
    )
