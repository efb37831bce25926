"""Whether a shortened sentence still says what it must: judged by its words and by the full sentence's parse.

Nothing here knows how the sentence was shortened.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from enum import Enum
from itertools import pairwise

from adstudio.drafting.text.compress.lexicon import NEGATIONS
from adstudio.drafting.text.language import grammar
from adstudio.drafting.text.language.grammar import word_set
from adstudio.drafting.text.language.sentence_ends import is_ended

_DETERMINERS = word_set("a an the his its their my our your every")
_PREPOSITIONS = word_set("of with from at into onto for to beside behind beneath towards toward upon against")
_JOINERS = word_set("and or but nor")
_WAITING = word_set("who which that while because although as than if when where whose very too so")
_MARKS = "\"'“”‘’«»„()[].,;:!?…–—-"
_CORE = frozenset(
    ("nsubj", "nsubjpass", "expl", "dobj", "attr", "acomp", "prt", "neg", "aux", "auxpass", "xcomp", "ccomp")
)


class FormFault(Enum):
    """What is wrong with a text by its capitals and marks alone, in a few words."""

    NO_CAPITAL = "no capital"
    NO_FULL_STOP = "no full stop"
    DISORDERED_MARKS = "marks in disorder"
    UNBALANCED_QUOTES = "quotes that do not balance"
    CUT_QUOTATION = "a quotation is cut"


def word_faults(full: str, compressed: str, names: Collection[str] = ()) -> tuple[str, ...]:
    """What is wrong by the words alone, each thing in a few words; none where the sentence passes.

    Looked at: order and words (it only leaves out, but for a/an, capitals, marks and the place of "and"); capital, last
    mark, balanced quotes, quotations whole; negations, names and numbers; nothing left dangling.
    """
    before, after = bare_words(full), bare_words(compressed)
    found = [*(fault.value for fault in form_faults(full, compressed)), *_dangling(before, after, compressed)]
    if len(after) >= len(before):
        found.append("not shorter")
    if not _left_out_only(before, after):
        found.append("words that the full sentence has not, or in another order")
    if _negations(before) != _negations(after):
        found.append("a negation is lost")
    remaining = set(after)
    for name in names:
        parts = set(bare_words(name)) - {"the", "a", "an", "of", "and"}
        if parts & _capitalised(full) - remaining:
            found.append(f"the name {name} is lost")
    units = {(one, other) for one, other in pairwise(before) if one.isdigit()}
    if any(one in remaining and other not in remaining for one, other in units):
        found.append("a number without what it counts")
    return tuple(found)


def bare_words(text: str) -> list[str]:
    """A text's words without marks, in small letters, the possessive taken off."""
    plain = text.lower().replace("’", "'")
    words = (word.strip(_MARKS) for word in plain.split())
    return [word.removesuffix("'s").removesuffix("s'") if word.endswith("'s") else word for word in words if word]


def _capitalised(text: str) -> set[str]:
    """Its words that are written with a capital, in small letters."""
    return {word for part in text.split() if part.strip(_MARKS)[:1].isupper() for word in bare_words(part)}


def form_faults(full: str, compressed: str) -> list[FormFault]:
    """The part that goes by capitals and marks alone: a full stop, order among marks, quotations whole, as in full."""
    found: list[FormFault] = []
    first = next((letter for letter in compressed if letter.isalnum()), "")
    if first != first.upper():
        found.append(FormFault.NO_CAPITAL)
    if not is_ended(compressed):
        found.append(FormFault.NO_FULL_STOP)
    if re.search(r"[,;:]\s*[,;:.!?]|\s[,;.:!?]|\s{2}|^\W*[,;:]|\.\.(?!\.)", compressed):
        found.append(FormFault.DISORDERED_MARKS)
    if compressed.count('"') % 2 or compressed.count("“") != compressed.count("”"):
        found.append(FormFault.UNBALANCED_QUOTES)
    said = re.findall(r"[\"“]([^\"“”]*)[\"”]", full)
    if any(quote not in said for quote in re.findall(r"[\"“]([^\"“”]*)[\"”]", compressed)):
        found.append(FormFault.CUT_QUOTATION)
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
    for article, word in pairwise(after):
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
    return Counter(word if word in NEGATIONS else "n't" for word in words if word in NEGATIONS or "n't" in word)


def grammar_faults(full: grammar.Sentence, compressed: str) -> tuple[str, ...]:
    """The part that goes by the full sentence's parse.

    Verb, subject, objects and complements, people, and whether two nouns or two verbs run together now.
    """
    found: list[str] = []
    remaining = Counter(bare_words(compressed))
    for root in full.roots:
        for at in (root, *full.children[root]):
            word = full.words[at]
            between = {other.text.lower() for other in full.words[min(root, at) : max(root, at)]}
            if at != root and between & _JOINERS:
                continue  # more likely it belongs to a second verb
            if (at == root or word.dep in _CORE) and word.pos != "PUNCT" and not _is_present(word.text, remaining):
                found.append(f"“{word.text}” ({word.dep}) is lost")
    for word in full.words:
        role = word.dep in {"nsubj", "nsubjpass", "dobj", "dative"}
        if word.entity == "PERSON" and role and not _is_present(word.text, remaining):
            found.append(f"{word.text} is lost")
    return (*found, *_run_together(full, compressed))


def _run_together(full: grammar.Sentence, compressed: str) -> list[str]:
    places = _places(full, compressed)
    out: list[str] = []
    for one, other in pairwise(places):
        left, right = full.words[one], full.words[other]
        gap = full.words[one + 1 : other]
        side_by_side = re.search(rf"\b{re.escape(left.text)} {re.escape(right.text)}\b", compressed, re.IGNORECASE)
        if not side_by_side or all(word.pos == "PUNCT" for word in gap):
            continue
        nouns = left.tag in {"NN", "NNS", "NNP"} and right.tag in {"DT", "PRP$"} and right.dep != "predet"
        verbs = {left.tag, right.tag} <= {"VBZ", "VBP", "VBD"} and left.pos == right.pos == "VERB"
        if (nouns and left.dep not in {"dative", "npadvmod"}) or verbs:
            out.append(f"“{left.text} {right.text}” run together")
    for at in places:
        objects = [child for child in full.children[at] if full.words[child].dep in {"pobj", "pcomp"}]
        if full.words[at].dep == "prep" and objects and not set(objects) & set(places):
            out.append(f"“{full.words[at].text}” has lost its noun")
    return out


def _places(full: grammar.Sentence, compressed: str) -> list[int]:
    """The positions of the short sentence's words in the full one, as far as they are found from left to right."""
    places: list[int] = []
    at = 0
    for text in bare_words(compressed):
        found = next(
            (place for place in range(at, len(full.words)) if bare_words(full.words[place].text) == [text]), None
        )
        if found is not None:
            places.append(found)
            at = found + 1
    return places


def _is_present(text: str, remaining: Counter[str]) -> bool:
    plain = text.lower().replace("’", "'").strip(_MARKS)
    return not plain or plain in remaining or any(plain in word for word in remaining)
