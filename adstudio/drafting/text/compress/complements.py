"""Complements: what a word that stays needs: a verb its place, a noun its modifiers, a pronoun whom it means."""

from __future__ import annotations

from adstudio.drafting.text.compress import lexicon
from adstudio.drafting.text.compress.parse_sanity import relations
from adstudio.drafting.text.compress.words import Clause

_COMPLETE = frozenset(("dobj", "dative", "attr", "acomp", "xcomp", "ccomp", "prt", "oprd", "conj"))


def place_complements(clause: Clause, at: int) -> tuple[int, ...]:
    """Of a verb that says little without one, the complements of place or manner that could serve."""
    word = clause.top(at)
    deps = clause.relations_below(at)
    if word.pos not in lexicon.VERBAL:
        return ()
    pronoun = any(clause.top(child).pos == "PRON" for child in clause.below(at, "dobj"))
    bare = word.dep in {"relcl", "acl", "advcl", "conj", "pcomp"} and not deps & {"dobj", "dative"}
    bare = bare or (word.dep == "xcomp" and "auxpass" in deps)  # "seems to be taken with a webcam"
    things = clause.below(at, "dobj")
    ways = [clause.lower(way) for over in (at, *things) for way in clause.below(over, "prep")]
    moved = bool(things) and not lexicon.INTO.isdisjoint(ways)
    looks = lexicon.is_looking(word)
    if not (word.lemma.lower() in lexicon.PLACE_VERBS or pronoun or bare or moved or looks):
        return ()
    if deps & {"acomp", "xcomp", "ccomp", "prt", "oprd"}:
        return ()
    if deps & {"attr"} or (word.lemma == "be" and deps & {"dobj"}):
        return ()
    if looks:
        return _looked_whither(clause, at)
    return tuple(child for child in clause.children[at] if child > at and _is_place(clause, child, strict=not bare))


def _looked_whither(clause: Clause, at: int) -> tuple[int, ...]:
    """What says where somebody looks; not "in horror" beside "after the train"."""
    places = tuple(
        child
        for child in clause.below(at, "prep", "advmod")
        if child > at and clause.lower(child) in lexicon.LOOKED_WHITHER
    )
    return tuple(child for child in places if clause.lower(child) not in {"in", "on"}) or places


def rest_of_bare(clause: Clause, at: int) -> tuple[int, ...]:
    """Of a main verb that has nothing else, what follows it: "a sheet feeds" alone would be too little."""
    if at != clause.root or clause.top(at).pos not in lexicon.VERBAL or relations(clause, at) & _COMPLETE:
        return ()
    return tuple(child for child in clause.below(at, "prep", "advmod", "advcl", "agent") if child > at)


def _is_place(clause: Clause, at: int, *, strict: bool) -> bool:
    word, text = clause.top(at), clause.lower(at)
    if word.dep == "advmod":
        return text in lexicon.DIRECTIONS or bool(clause.children[at])
    return word.dep == "agent" or (word.dep == "prep" and not (strict and text in lexicon.NO_PLACE))


def informative_modifiers(clause: Clause, at: int) -> tuple[int, ...]:
    """Of a noun that would say nothing alone, its informative modifiers: "with a stern face", "he is a bald man"."""
    word, governor = clause.top(at), clause.words[at].head
    deps = clause.relations_below(at)
    wanted = ("amod", "prep", "acl", "relcl")
    if _is_of_something(clause, at) or _is_had(clause, at):
        return clause.below(at, "amod")
    set_phrase = word.tag == "NN" and not deps & {"det"} and clause.lower(governor) != "of"  # "at low tide"
    if word.dep == "pobj" and (clause.lower(governor) in {"with", "in"} or (set_phrase and deps & {"amod"})):
        definite = "the" in clause.words_below(at)
        wanted = ("amod",) if clause.below(at, "amod") else (*wanted, "advmod")
    elif word.dep == "appos" or (word.dep == "attr" and "expl" not in relations(clause, governor)):
        definite = False
    else:
        return ()
    return () if definite or deps & {"poss", "compound", "nummod"} else clause.below(at, *wanted)


def _is_of_something(clause: Clause, at: int) -> bool:
    """As in "a ceiling of peeling paint"; a bag of white feathers is one of feathers all the same."""
    word, governor = clause.top(at), clause.words[at].head
    if word.dep != "pobj" or clause.lower(governor) != "of" or clause.below(at, "det", "poss", "compound", "nummod"):
        return False
    whole = clause.top(clause.words[governor].head)
    return whole.pos == "NOUN" and whole.lemma.lower() not in lexicon.CONTAINERS


def _is_had(clause: Clause, at: int) -> bool:
    """As in "she has long hair and a broken nose"."""
    first = clause.words[at].head if clause.top(at).dep == "conj" else at
    definite = clause.words_below(at) & lexicon.DEFINITE
    if definite or clause.below(at, "poss", "compound", "nummod", "prep", "acl", "relcl"):
        return False
    return clause.top(first).dep == "dobj" and clause.top(clause.words[first].head).lemma == "have"


def antecedents(clause: Clause, at: int) -> tuple[int, ...]:
    """A pronoun's possible antecedents that could be left out: the object before it, or the nearest noun."""
    word = clause.top(at)
    text = word.text.lower()
    if text not in lexicon.REFERRING or word.dep == "expl" or (text == "her" and word.tag == "PRP$"):
        return ()
    if text in {"their", "they", "themselves"} and _many(clause):
        return ()
    plural = text in {"them", "their", "they", "themselves"}
    tags = {"NNS", "NNPS"} if plural else {"NN", "NNP"}
    before = [
        other
        for other in range(at)
        if clause.top(other).dep in {"dobj", "pobj", "attr", "conj"}
        and clause.top(other).tag in tags
        and not _aside(clause, other)
    ]
    objects = [other for other in before if clause.top(other).dep == "dobj"]
    return tuple((objects or before)[-1:])


def _many(clause: Clause) -> bool:
    """Whether the sentence is about several: then "their" is most likely theirs."""
    return any(
        clause.top(at).tag in {"NNS", "NNPS"} or clause.below(at, "conj")
        for at in clause.below(clause.root, "nsubj", "nsubjpass")
    )


def _aside(clause: Clause, at: int) -> bool:
    """Whether a word is in a clause that only describes another word."""
    while at != clause.root:
        if clause.top(at).dep in {"relcl", "acl", "appos"}:
            return True
        at = clause.words[at].head
    return False
