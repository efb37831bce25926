"""Whether a parse looks wrong: the parser is a small one, and what it got wrong is not to be shortened by its word."""

from __future__ import annotations

from adstudio.drafting.text.compress import lexicon
from adstudio.drafting.text.compress.words import Clause
from adstudio.drafting.text.language.grammar import verb_lemmas

_SUBJECTS = frozenset(("nsubj", "nsubjpass", "expl", "csubj"))
_AFTER_VERBS = frozenset(("ADP", "ADV", "PART", "ADJ"))
_OBJECTS = frozenset(("pobj", "pcomp", "prep", "advmod", "amod"))


def in_doubt(clause: Clause) -> bool:
    """Whether the parse looks wrong: then nothing is left out but what is harmless in any case."""
    root = clause.top(clause.root)
    if _conditional(clause):
        return True
    if not fragment(clause) and not (
        root.pos in lexicon.VERBAL and root.tag[:2] in {"VB", "MD"} and _has_subject(clause, clause.root)
    ):
        return True
    if root.tag in {"VBN", "VBG"} and not relations(clause, clause.root) & {"aux", "auxpass"}:
        return True
    return any(_odd(clause, at) for at in range(len(clause.words)))


def fragment(clause: Clause) -> bool:
    """As in "A dark street at night.": a noun with its own; a plural may be a verb that was taken for a noun."""
    return clause.top(clause.root).tag == "NN" and not any(
        clause.top(at).pos in lexicon.VERBAL or clause.top(at).dep == "npadvmod" or _hidden_verb(clause, at)
        for at in range(len(clause.words))
    )


def _hidden_verb(clause: Clause, at: int) -> bool:
    """As in "a charge on the brake cable detonates": a plural at the end that may be the verb of it all."""
    word = clause.top(at)
    after_noun = at > 0 and clause.top(at - 1).tag == "NN" and not clause.after[at - 1]
    last = at == len(clause.words) - 1
    return last and word.tag == "NNS" and after_noun and word.text.islower() and bool(verb_lemmas(word.text))


def _has_subject(clause: Clause, at: int) -> bool:
    return bool(relations(clause, at) & _SUBJECTS)


def relations(clause: Clause, at: int) -> frozenset[str]:
    """How the tokens under a word depend on it, its own other parts ("it's") among them."""
    counted, sentence = clause.words[at], clause.sentence
    below = {sentence.words[child].dep for token in counted.tokens for child in sentence.children[token]}
    return frozenset(below | {sentence.words[token].dep for token in counted.tokens if token != counted.top})


def _odd(clause: Clause, at: int) -> bool:
    word = clause.top(at)
    below = relations(clause, at)
    if word.dep == "cc" and at and not _joins(clause, at):
        return True
    if word.dep == "conj" and word.tag in {"VBZ", "VBP", "VBD"} and _its_own_subject(clause, at):
        return True
    if singular_plural(clause, at):
        return True
    if not clause.words[at].firm or word.dep in {"dep", "meta", "parataxis"} or noun_for_verb(clause, at):
        return True
    return (
        (word.dep == "npadvmod" and word.entity == "PERSON")
        or (word.dep in {"nsubj", "dobj", "pobj", "compound"} and word.tag in {"VBZ", "VBP", "VBD", "MD"})
        or (word.dep == "prep" and not below & _OBJECTS and not _stranded(clause, at))
        or (word.dep in _SUBJECTS and clause.top(clause.words[at].head).pos not in lexicon.VERBAL | {"ADJ"})
        or (word.dep in {"advcl", "relcl"} and word.tag in {"VBZ", "VBP", "VBD"} and not below & _SUBJECTS)
        or (word.dep == "ccomp" and clause.words[at].head > at)
        or (word.dep == "dobj" and word.pos in {"ADV", "ADJ"})
    )


def singular_plural(clause: Clause, at: int) -> bool:
    """As in "a woman in a black dress glides": a plural with "a" is a verb that was taken for a noun."""
    below = (at, *clause.below(at, "compound", "amod"))
    singular = any(clause.words_below(word) & {"a", "an"} for word in below)
    counted = clause.words_below(at) & {"few", "couple", "dozen", "hundred", "thousand"} or clause.below(at, "nummod")
    return clause.top(at).tag == "NNS" and singular and not counted


def _its_own_subject(clause: Clause, at: int) -> bool:
    """As in "pulls the trigger and blood splatters", where the parser takes blood for a second object."""
    before = clause.top(at - 1)
    return at > 0 and before.dep == "conj" and before.pos in lexicon.NOMINAL and not clause.after[at - 1]


def noun_for_verb(clause: Clause, at: int) -> bool:
    """Whether a plural is more likely a verb: "and floods the carpet", "the tree and strides into"."""
    word = clause.top(at)
    if word.pos not in lexicon.NOMINAL:
        return False
    head = clause.top(clause.words[at].head)
    if word.dep == "conj" and head.pos in lexicon.VERBAL:
        return True
    if word.tag not in {"NNS", "NNPS"}:
        return False
    if at + 1 < len(clause.words) and not clause.after[at] and word.dep != "dative":
        following = clause.top(at + 1)
        if following.tag in {"DT", "PRP$", "PRP"} or following.entity == "PERSON":
            return following.dep not in {"predet", "nsubj"}
    bare = not clause.below(at, "det", "amod", "nummod", "poss", "compound")
    named = bool(clause.below(clause.words[at].head, "det", "poss"))
    goes_on = at + 1 < len(clause.words) and not clause.after[at] and clause.top(at + 1).pos in _AFTER_VERBS
    compound = bare or (named and goes_on and word.text.islower() and _only_compound(clause, at))
    return word.dep == "conj" and compound and (head.tag == "NN" or (named and goes_on))


def _only_compound(clause: Clause, at: int) -> bool:
    """As in "pulls the trigger and blood splatters onto the wall"."""
    return {clause.top(child).dep for child in clause.children[at] if child < at} == {"compound"}


def _stranded(clause: Clause, at: int) -> bool:
    """As in "the man she looks at": the object precedes the preposition."""
    return clause.top(clause.words[at].head).dep in {"relcl", "ccomp", "pcomp"}


def _joins(clause: Clause, at: int) -> bool:
    """Whether a conjunction has something after it to join."""
    return any(child > at for child in clause.below(clause.words[at].head, "conj"))


def _conditional(clause: Clause) -> bool:
    """Whether the sentence is hypothetical: would have fallen, had Anna not caught him."""
    texts = {word.text.lower() for word in clause.words}
    inverted = any(
        clause.lower(at) in {"had", "were", "should"}
        and clause.after[at - 1]
        and any(child > at for child in clause.below(clause.words[at].head, "nsubj"))
        for at in range(1, len(clause.words))
    )
    return inverted or bool(texts & {"would", "could", "might"} and texts & {"if", "unless", "had", "were"})
