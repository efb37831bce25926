"""Clauses that a conjunction or a relative pronoun opens: each still has to say what is done."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from adstudio.drafting.text.language.grammar import Word, word_set

_FINITE = word_set("VBZ VBP VBD MD")


def clause_lost_its_verb(whole: Sequence[Word], rest: set[int]) -> bool:
    """Whether a clause is left without its verb, as in "watches as Tom, not bothering to turn, (stalks off)".

    `whole` is the full sentence without its marks, and `rest` the places of the words that are left.
    """
    openers = [at for at in range(len(whole)) if _opens_clause(whole, at)]
    for opener, end in pairwise([*openers, len(whole)]):
        inside = range(opener + 1, end)
        finite = {at for at in inside if whole[at].tag in _FINITE}
        if opener in rest and finite and not finite & rest and not rest.isdisjoint(inside):
            return True
    return False


def _opens_clause(whole: Sequence[Word], at: int) -> bool:
    """Whether a word opens a clause; the parser takes "as" for a preposition where a comma parts it from its verb."""
    word = whole[at]
    if word.dep == "mark" or word.tag in {"WDT", "WP", "WRB"}:
        return True
    verb = next((to for to in range(at + 1, len(whole)) if whole[to].tag in _FINITE), None)
    if word.text.lower() != "as" or word.tag != "IN" or verb is None or whole[verb].dep != "conj":
        return False
    return next((whole[to].tag for to in range(verb - 1, at, -1) if whole[to].tag != "RB"), "CC") != "CC"
