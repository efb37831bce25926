"""Coordination: "a, b and c" as one list with its members, so that any of b and c may go and "and" finds its place."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.drafting.text.compress.lexicon import JOINING, TWO_OF
from adstudio.drafting.text.compress.words import Clause

_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj"))
_CARRIED = frozenset(("dobj", "prep", "prt", "attr", "acomp", "ccomp", "xcomp", "dative"))
_NOUNS = frozenset(("NOUN", "PROPN", "PRON", "NUM"))
_VERBS = frozenset(("VERB", "AUX"))


@dataclass(frozen=True)
class Enumeration:
    """A list: its first member, the others in order, for each of them its conjunction or None.

    `together`: all go and stay as one. In a `movable` one the only conjunction stands before whichever member is now
    the last.
    """

    head: int
    members: tuple[int, ...]
    conjunctions: tuple[int | None, ...]
    together: bool

    @property
    def movable(self) -> bool:
        """Whether it is "a, b and c": more than two, and one conjunction before the last."""
        return len(self.members) > 1 and self.conjunctions[-1] is not None and not any(self.conjunctions[:-1])


def enumerations(clause: Clause) -> tuple[Enumeration, ...]:
    """The lists of a sentence, from left to right."""
    found: list[Enumeration] = []
    for head in range(len(clause.words)):
        if clause.top(head).dep == "conj" or not _below(clause, head, "conj"):
            continue
        members: list[int] = []
        words: list[int] = []
        waiting = [head]
        while waiting:
            at = waiting.pop()
            words += _below(clause, at, "cc")
            members += (under := _below(clause, at, "conj"))
            waiting += under
        members.sort()
        marks: list[int | None] = [None] * len(members)
        for word in sorted(words):
            after = next((number for number, member in enumerate(members) if member > word), None)
            if after is not None:
                marks[after] = word
        found.append(Enumeration(head, tuple(members), tuple(marks), _together(clause, head, members, words)))
    return tuple(found)


def _below(clause: Clause, at: int, dep: str) -> list[int]:
    return [child for child in clause.children[at] if clause.top(child).dep == dep]


def _together(clause: Clause, head: int, members: list[int], words: list[int]) -> bool:
    first = clause.top(head)
    kinds = {clause.top(member).pos for member in members}
    if any(_below(clause, at, "preconj") for at in (head, *members)) or any(member < head for member in members):
        return True
    if any(clause.words[word].text.lower() not in {"and", "or", "but"} for word in words):
        return True
    if first.pos in _VERBS:
        return not kinds <= _VERBS or _shares_what_follows(clause, head, members)
    if first.pos in _NOUNS:
        return not kinds <= _NOUNS or _counted_together(clause, head)
    return first.pos != "ADP" or kinds != {"ADP"}


def _shares_what_follows(clause: Clause, head: int, members: list[int]) -> bool:
    """As in "opens and closes the door": without its second verb the first has lost the door."""
    follows = [child for child in clause.children[head] if child > head]
    bare = not any(clause.top(child).dep not in {"cc", "conj", "punct"} for child in follows)
    negated = any(clause.top(child).dep == "neg" for child in clause.children[head])
    contrast = any(clause.words[child].text.lower() == "but" for child in follows)
    carries = any(clause.top(child).dep in _CARRIED for member in members for child in clause.children[member])
    return (bare and carries) or (negated and contrast)


def _counted_together(clause: Clause, head: int) -> bool:
    """The verb agrees with all of a subject, and "between a and b" and "each other" need both."""
    word, governor = clause.top(head), clause.words[head].head
    texts = {other.text.lower() for other in clause.words}
    plural = word.tag in {"NNS", "NNPS"}
    if word.pos == "NUM":
        return True
    agrees = {clause.sentence.words[token].tag for token in clause.words[governor].tokens} & {"VBZ"} or any(
        clause.words[child].text.lower() in {"is", "was", "has"} for child in clause.children[governor]
    )
    if word.dep in _SUBJECTS and (not plural or agrees):
        return True
    if word.dep == "attr" and not plural:
        there_is = word.dep == "attr" and clause.words[governor].text.lower() in {"is", "was"}
        return not there_is
    if word.dep == "dobj" and clause.top(governor).lemma in JOINING:
        return True
    if word.dep == "pobj" and clause.top(clause.words[governor].head).lemma in TWO_OF:
        return True
    return clause.words[governor].text.lower() == "between" or bool({"other", "together", "both"} & texts)
