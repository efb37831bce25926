"""Deletions: which word of a sentence can be left out, with all that depends on it.

The rules err on the side of keeping: whatever is not known to be left out safely stays with its governor.
"""

from __future__ import annotations

from collections.abc import Collection

from adstudio.drafting.text.compress import lexicon
from adstudio.drafting.text.compress.complements import informative_modifiers
from adstudio.drafting.text.compress.film_colours import ColouredThings, is_coloured
from adstudio.drafting.text.compress.firm_modifiers import makes_another_thing
from adstudio.drafting.text.compress.frames import is_frame
from adstudio.drafting.text.compress.multiword import absolutes, after_colon, announced, idioms, written
from adstudio.drafting.text.compress.noun_complements import completes_noun
from adstudio.drafting.text.compress.parse_sanity import fragment, relations, singular_plural
from adstudio.drafting.text.compress.words import Clause

_ARGUMENTS = frozenset(("nsubj", "nsubjpass", "dobj", "dative", "attr", "poss"))
_POSSESSIVES = frozenset(("her", "his", "its", "their", "my", "our", "your"))
_QUOTES = '"“”«»„()[]'


def can_be_deleted(clause: Clause, at: int) -> bool:
    """Whether a word can be left out, with all under it, by its relation alone."""
    word = clause.top(at)
    _, last, whole = clause.spans[at]
    if not whole or at == clause.root or word.tag.startswith("W") or clause.top(last).dep in {"cc", "det", "mark"}:
        return False
    if word.dep == "agent":
        return True
    rule = _RULES.get(word.dep)
    if rule is None or not rule(clause, at):
        return False
    return not (completes_noun(clause, at) or is_frame(clause, at))


def can_be_deleted_safely(clause: Clause, at: int) -> bool:
    """As `can_be_deleted` where the parse is in doubt: an adjective before its noun, or an adverb of manner, alone."""
    first, last, _ = clause.spans[at]
    word = clause.top(at)
    if first != last or at == 0 or clause.after[at] or clause.after[at - 1]:
        return False
    if word.dep == "amod" and word.tag == "JJ":
        head = clause.words[at].head
        between = range(at + 1, head)
        return (
            at < head
            and (head != clause.root or any(clause.top(other).tag == "NN" for other in between) or fragment(clause))
            and clause.top(head).tag in {"NN", "NNS"}
            and all(clause.top(other).tag in {"JJ", "NN"} for other in between)
            and _adjective(clause, at)
            and not singular_plural(clause, head)
            and not informative_modifiers(clause, head)
        )
    return word.dep == "advmod" and word.text.endswith("ly") and _undenied_adverb(clause, at)


def _adjective(clause: Clause, at: int) -> bool:
    word, head = clause.top(at), clause.words[at].head
    if not at < head or clause.top(head).pos != "NOUN" or clause.top(head).text.lower() in {"one", "ones"}:
        return False
    noun = clause.top(head).text.lower()
    twice = [clause.lower(other) for other in range(len(clause.words))].count(noun) > 1
    if word.tag in {"JJR", "JJS", "CD", "NN", "NNS"} or word.entity == "ORDINAL" or word.pos == "PROPN" or twice:
        return False  # twice: "the alien woman walks away from the vampire woman"
    if at and clause.top(at - 1).dep == "cc" and clause.top(clause.words[at - 1].head).dep in {"amod", "compound"}:
        return False  # "empty and half-empty cups"
    before = clause.top(at - 1).pos if at and not clause.after[at - 1] else ""
    if word.tag in {"VBG", "VBN"} and before in lexicon.VERBAL | lexicon.NOMINAL:
        return False  # "stands peeling potatoes", "a building marked Police"
    compared = bool(clause.words_below(at) & lexicon.COMPARISONS)
    pair = f"{word.text.lower()}-{noun}" in lexicon.FIRM_PAIRS or makes_another_thing(word.text, noun)
    pair = pair or makes_another_thing(word.text, clause.lower(at + 1))  # "the big top tent"
    if pair or noun in lexicon.COLOURS or _needs_its_adjective(clause, head):
        return False
    # "can't make out specific words", "her gloved hand over the bare one"
    firm = _denied(clause, head) or _distinguishes(clause)
    return not (firm or compared or word.text.lower() in lexicon.FIRM_ADJECTIVES)


def _needs_its_adjective(clause: Clause, at: int) -> bool:
    """Whether a noun says too little without its adjective: a condo cluster, on a good day, in bright colours."""
    noun, beside = clause.top(at).lemma.lower(), clause.words_below(at)
    gathered = noun in lexicon.GATHERED and "of" not in beside
    definite = _definite(clause, at) or bool(beside & {"no", "any", "every", "each"})
    return gathered or (noun in lexicon.UNSAID_ALONE and not definite)


def _denied(clause: Clause, at: int) -> bool:
    """Whether a word is denied, so that less of it would deny more: not happy, does not run, no or any words.

    What has the, his and the like is not denied, only what is said of it.
    """
    if relations(clause, at) & {"neg"}:
        return True
    if clause.top(at).pos not in {"NOUN", "ADJ"}:
        return False
    objects = clause.top(at).dep in {"dobj", "attr", "acomp"}
    return objects and not _definite(clause, at) and "neg" in relations(clause, clause.words[at].head)


def _definite(clause: Clause, at: int) -> bool:
    return clause.top(at).pos == "NOUN" and bool(clause.below(at, "poss") or clause.words_below(at) & lexicon.DEFINITE)


def _distinguishes(clause: Clause) -> bool:
    """Whether an adjective says which of two."""
    return any(clause.lower(at) in {"one", "ones"} and clause.below(at, "amod") for at in range(len(clause.words)))


def _adverb(clause: Clause, at: int) -> bool:
    word, head = clause.top(at), clause.top(clause.words[at].head)
    text = word.text.lower()
    leads_in = at == 0 and text in lexicon.STATIC_ADVERBS and not clause.after[0]  # "underneath it lies a card"
    if leads_in or text in lexicon.FIRM_ADVERBS or word.tag in {"RBR", "RBS", "RP"} or text in lexicon.COMPARISONS:
        return False
    bright = head.dep == "amod" and text not in lexicon.INTENSIFIERS
    set_off = at > 0 and bool(clause.after[at - 1])
    manner = head.lemma.lower() in lexicon.NEEDING_MANNER and clause.words[at].head == at - 1 and not set_off
    joining = text == "then" and (set_off or head.pos not in lexicon.VERBAL)
    joining = joining or (text == "now" and at + 1 < len(clause.words) and clause.lower(at + 1) == "that")
    if bright or manner or head.tag in {"RBR", "JJR"} or head.text.lower() == "so" or joining:
        return False  # "brightly lit", "slightly more awake", "rightly so", "left, then right", "now that"
    if head.pos in {"ADP", "SCONJ", "NUM", "DET"} or (word.pos == "ADP" and text not in lexicon.DIRECTIONS):
        return False
    if text in lexicon.DIRECTIONS and head.pos in lexicon.VERBAL:
        return at < clause.words[at].head and bool(clause.after[clause.spans[at][1]])
    if word.pos not in {"ADV", "ADJ"}:
        return False
    return not (text in lexicon.DIRECTIONS and head.pos == "ADV")


def _undenied_adverb(clause: Clause, at: int) -> bool:
    """Whether it is an adverb that may go and is not negated: is not very happy, does not speak loudly."""
    return _adverb(clause, at) and not _denied(clause, clause.words[at].head)


def _prepositional(clause: Clause, at: int) -> bool:
    governor = clause.words[at].head
    word, head = clause.top(at), clause.top(governor)
    text = word.text.lower()
    whole = clause.below(at, "pobj", "pcomp", "prep")
    tied = text in {"of", "than", "as", "like", "instead"} or lexicon.is_governed(head, text)
    about_a_thing = any(_definite(clause, child) for child in clause.below(governor, "dobj"))
    denied = _denied(clause, governor) and not about_a_thing  # but "does not answer the telephone (on the desk)"
    if denied or clause.words_below(at) & lexicon.IN_VIEW or _is_of_the_other(clause, at) or _moves_body(clause, at):
        return False
    tied = tied or (text in {"with", "of"} and at > 0 and clause.lower(at - 1) in lexicon.FULL_OF)
    tied = tied or (at > 0 and clause.lower(at - 1) in lexicon.STATES and not clause.after[at - 1])
    tied = tied or _says_how_long(clause, at) or _with_somebody(clause, at)
    tied = tied or (text == "to" and at > 0 and clause.lower(at - 1) == "up" and head.lemma == "come")
    tied = tied or (head.lemma in lexicon.EMPTY_NOUNS and text in {"for", "to", "in"})
    if head.dep == "dobj":  # the parser may hang the place on the object
        tied = tied or lexicon.is_governed(clause.top(clause.words[governor].head), text)
    measured = head.dep == "npadvmod"  # "a few feet from his window"
    first, last, _ = clause.spans[at]
    relative = any(
        clause.top(other).dep == "pobj" and clause.top(other).tag[0] == "W" for other in range(first, last + 1)
    )
    if not whole or tied or measured or relative:  # relative: "inside of which"
        return False
    if head.pos in lexicon.VERBAL:
        beside = clause.words_below(governor)
        after_adjective = at > 0 and clause.top(at - 1).dep in {"acomp", "oprd"}
        completes = after_adjective and text in {"with", "of", "to", "for", "from", "about"}
        return not completes and not (text in {"from", "to"} and {"from", "to"} <= beside)
    if head.pos in lexicon.NOMINAL:
        at_a_time = text == "at" and "time" in clause.words_below(at)
        return head.pos != "PRON" and head.lemma != "way" and not at_a_time
    after_verb = governor > clause.words[governor].head  # not: "back in the hut, she ..."
    return after_verb and head.pos == "ADV" and head.text.lower() in lexicon.LOOSE_DIRECTIONS


def _says_how_long(clause: Clause, at: int) -> bool:
    """As in "has been here for hours", which says little without."""
    perfect = {"has", "have", "had"} & clause.words_below(clause.words[at].head)
    return bool(perfect) and clause.lower(at) in {"for", "since"}


def _with_somebody(clause: Clause, at: int) -> bool:
    """As in "with Tom in hot pursuit": it says what somebody does, and not with whom one comes."""
    name = at - 1
    while name >= 0 and clause.top(name).pos == "PROPN" and not clause.after[name]:
        name -= 1
    return 0 <= name < at - 1 and clause.lower(name) == "with" and not clause.after[name]


def _is_of_the_other(clause: Clause, at: int) -> bool:
    """As in "a candle in one hand and a poker in the other"."""
    other = any(clause.lower(child) == "other" for child in clause.below(at, "pobj"))
    return other and "one" in map(clause.lower, range(at))


def _moves_body(clause: Clause, at: int) -> bool:
    """Whether a phrase says whither a part of the body, just named, is moved: swings her feet off the desk."""
    limb = at - 1
    part = clause.top(limb) if limb >= 0 and not clause.after[limb] else None
    if part is None or part.dep != "dobj" or part.lemma.lower() not in lexicon.BODY:
        return False
    return clause.lower(at) in lexicon.GOALS | {"over", "on", "around", "round", "in", "between", "behind", "under"}


def _noun_clause(clause: Clause, at: int) -> bool:
    head = clause.words[at].head
    if any(clause.lower(child) == "to" for child in clause.children[at] if child < at):
        return False  # "a second to react"
    if clause.top(head).lemma in lexicon.EMPTY_NOUNS:
        return False  # "the spot where it stood"
    restrictive = clause.top(at).dep == "relcl" and not clause.after[clause.spans[at][0] - 1]
    if restrictive and "neg" in relations(clause, clause.root):
        return False  # "doesn't see the man who follows her"
    if clause.top(at).dep == "relcl" and _described_after(clause, clause.spans[at][1]):
        return False
    return head < clause.spans[at][0] and clause.top(head).pos in {"NOUN", "PROPN"}


def _described_after(clause: Clause, last: int) -> bool:
    """As in "turns to Eli, who smiles at her, unaware": without the clause it would be somebody else who is so."""
    describes = last + 1 < len(clause.words) and clause.top(last + 1).tag in {"JJ", "VBN", "VBG", "RB"}
    return describes and "," in clause.after[last]


def _apposition(clause: Clause, at: int) -> bool:
    first = clause.spans[at][0]
    return _noun_clause(clause, at) and first > 0 and bool(clause.after[first - 1])


def _adverbial_clause(clause: Clause, at: int) -> bool:
    head = clause.top(clause.words[at].head)
    marks = {clause.lower(child) for child in clause.below(at, "mark")}
    denied = _denied(clause, clause.words[at].head)  # "does not leave until she comes"
    if head.pos not in lexicon.VERBAL or denied or marks & {"if", "unless", "than", "that", "as though", "whether"}:
        return False
    if clause.words[at].head == at - 1 and _participle(clause, at) and not clause.after[at - 1]:
        return False  # "sit closed", "stands staring"
    if "when" in clause.words_below(at) and _goes_on(clause):
        return False  # "is about to speak when a gun goes off"
    first = clause.spans[at][0]
    if [clause.lower(other) for other in range(max(0, first - 2), first)] == ["in", "time"]:
        return False
    governor = clause.words[at].head
    purpose = "to" in clause.words_below(at)
    if purpose and not any(child < at for child in clause.below(governor, "dobj", "prep", "nsubjpass")):
        return False  # "hurries to pick it up"
    return not clause.words_below(governor) & {"so", "too", "such"}


def _goes_on(clause: Clause) -> bool:
    """Whether the sentence is about something that was imminent or in progress when something else happens."""
    texts = {word.text.lower() for word in clause.words}
    root = clause.top(clause.root)
    in_progress = root.lemma == "be" or (relations(clause, clause.root) & {"aux"} and root.tag == "VBG")
    return bool(in_progress) or bool(texts & {"about", "just", "still", "already"})


def _participle(clause: Clause, at: int) -> bool:
    """Whether the parser takes a word for a participle."""
    return clause.top(at).tag in {"VBG", "VBN"}


def _measure(clause: Clause, at: int) -> bool:
    head = clause.top(clause.words[at].head)
    return head.pos in lexicon.VERBAL and head.dep != "relcl" and clause.top(at).pos == "NOUN"


_RULES = {
    "amod": _adjective,
    "advmod": _undenied_adverb,
    "prep": _prepositional,
    "acl": _noun_clause,
    "relcl": _noun_clause,
    "appos": _apposition,
    "advcl": _adverbial_clause,
    "npadvmod": _measure,
}


def colours(clause: Clause, things: ColouredThings) -> tuple[int, ...]:
    """The colours that stay as long as their nouns, since the film knows a thing by them."""
    return tuple(
        at
        for at, counted in enumerate(clause.words)
        if clause.lower(at) in lexicon.COLOURS and is_coloured(clause.lower(at), clause.lower(counted.head), things)
    )


def undeletable(clause: Clause, names: Collection[str]) -> frozenset[int]:
    """The words that stay in any case: negations, people's names, and what an inverted verb needs."""
    given = {part for name in names for part in _plain(name).split()} - {"the", "a", "an", "of", "and"}
    found: set[int] = set()
    for at, counted in enumerate(clause.words):
        word = clause.top(at)
        if _negates(clause, at) or word.dep in {"neg", "expl"}:
            found.add(at)
        if counted.text.lstrip(_QUOTES)[:1].isupper() and set(_plain(counted.text).split()) & given:
            found.add(at)
        if len(counted.text) > 2 and counted.text.isupper():
            found.add(at)  # a screenplay's own emphasis: a name at its first coming, a sign, a sound
        if word.pos == "PROPN" or word.entity == "PERSON":
            place = word.entity in lexicon.PLACE_NAMES and word.dep not in _ARGUMENTS
            if not place and counted.text[:1].isupper():
                found.add(at)
    inverted = clause.below(clause.root, "nsubj", "nsubjpass")
    if inverted and inverted[0] > clause.root and clause.children[clause.root][0] < clause.root:
        found.update(child for child in clause.children[clause.root] if child < clause.root)
    return frozenset(found)


def _negates(clause: Clause, at: int) -> bool:
    texts = {clause.sentence.words[token].text.lower() for token in clause.words[at].tokens}
    return bool((texts | {clause.lower(at)}) & lexicon.NEGATIONS)


def _plain(text: str) -> str:
    text = text.lower().replace("’s", "").replace("'s", "")
    return "".join(letter if letter.isalnum() else " " for letter in text)


def blocks(clause: Clause) -> tuple[tuple[range, bool], ...]:
    """Runs of words that go or stay as one, and whether they must stay.

    Quotations and brackets must; "with her head bowed" and "side by side" may go.
    """
    found: list[tuple[range, bool]] = [(run, False) for run in (*absolutes(clause), *after_colon(clause))]
    found += [(run, True) for run in (*written(clause), *announced(clause), *idioms(clause))]
    opened: int | None = None
    for at, counted in enumerate(clause.words):
        marks = sum(counted.text.count(mark) for mark in _QUOTES)
        if marks and marks % 2 == 0:
            found.append((range(at, at + 1), True))
        if marks % 2:
            if opened is None:
                opened = at
            else:
                found.append((range(opened, at + 1), True))
                opened = None
        text = counted.text.lower()
        following = clause.lower(at + 1) if at + 1 < len(clause.words) else ""
        if text in {"with", "without"} and (following in _POSSESSIVES):
            found.append((range(at, _end_of_run(clause, at) + 1), False))
        twice = at + 2 < len(clause.words) and text == clause.lower(at + 2)
        if twice and (following == "to" or clause.top(at + 1).pos == "ADP"):
            found.append((range(at, at + 3), False))
    return tuple(found)


def _end_of_run(clause: Clause, at: int) -> int:
    """The last word before a comma, a conjunction of verbs or a finite verb."""
    last, prepositions, in_progress = at + 1, 0, False
    while last + 1 < len(clause.words) and not clause.after[last]:
        word = clause.top(last + 1)
        in_progress = (
            in_progress or word.tag in {"VBN", "VBG", "VBD"} or word.text.lower() in {"open", "shut", "closed", "wide"}
        )
        prepositions += word.pos == "ADP" and word.text.lower() != "of"
        if prepositions > 1 and not in_progress:
            break  # "with her hands on a table | in a shop"
        if (
            word.tag in {"VBZ", "VBP", "MD"}
            or word.dep == "mark"
            or (word.dep == "cc" and _verbal_cc(clause, last + 1))
        ):
            break
        last += 1
    return last


def _verbal_cc(clause: Clause, at: int) -> bool:
    return any(
        clause.top(other).dep == "conj" and clause.top(other).pos in lexicon.VERBAL
        for other in range(at, min(at + 4, len(clause.words)))
    )
