"""Whether a cut leaves whole what it parts: where the parse leaves a doubt, there is none."""

from __future__ import annotations

from adstudio.drafting.text.language.grammar import Sentence, Word, word_set
from adstudio.drafting.text.segment.asides import past_aside
from adstudio.drafting.text.segment.piece import Kind, Start
from adstudio.drafting.text.segment.verbs import finite

_BOUND = word_set(
    "det amod compound poss pobj dobj aux auxpass neg nummod xcomp mark case attr acomp agent prt expl quantmod predet "
    "dative oprd appos pcomp prep nsubj nsubjpass csubj"
)
"""Relations that a cut may not part: the words need one another."""
_LEADING_IN = frozenset({"as", "while", "when", "until"})
_NOMINAL = frozenset({"DT", "PRP$", "JJ", "NN", "NNS", "NNP", "NNPS", "POS", "CD"})
_DANGLING = frozenset({"DT", "CC", "PRP$", "TO", "MD", "WDT", "WP", "WRB"})


def _awaits_its_verb(words: tuple[Word, ...], verb: int, place: int) -> bool:
    """Whether a second clause has begun whose verb comes later: the door opens and Kate, (wearing black, enters)."""
    if words[place - 1].text != "," or verb < 0:
        return False
    conjunctions = [
        at for at in range(verb + 1, place - 1) if words[at].tag == "CC" or words[at].text.lower() in _LEADING_IN
    ]
    if not conjunctions:
        return False
    comma = next(at for at in range(conjunctions[-1], place) if words[at].text == ",")
    led = words[conjunctions[-1]]
    if led.text.lower() in _LEADING_IN and comma == place - 1:
        return False
    tail = words[conjunctions[-1] + 1 : comma]
    return (
        bool(tail)
        and all(word.tag in _NOMINAL for word in tail)
        and (tail[-1].dep not in ("dobj", "pobj") or words[tail[-1].head] is led)
    )


def parts_cleanly(sentence: Sentence, first: int, place: int, left: Start, begins: Start) -> bool:
    """Whether no word that needs another is parted from it by a cut at a place."""
    words = sentence.words
    last = next((word for word in reversed(words[first:place]) if word.text[0].isalnum()), None)
    if last is None or last.tag in _DANGLING or last.dep in ("aux", "auxpass", "mark"):
        return False
    if words[place - 1].text == "," and place > 1 and words[place - 2].tag == "CC":
        return False  # "and, (smiling, opens the door)"
    joined = next((at for at in range(place - 1, first - 1, -1) if words[at].tag == "CC"), None)
    if joined is not None and past_aside(sentence, joined + 1) == place:
        return False  # "and, with one finger, (strokes it)"
    if _awaits_its_verb(words, left.verb, place):
        return False
    mended = finite(sentence, begins.verb) is None and begins.kind in (Kind.VERB_PHRASE, Kind.CLAUSE)
    for child, word in enumerate(words):
        low, high = min(child, word.head), max(child, word.head)
        if not first <= low < place <= high or word.dep not in _BOUND:
            continue
        if begins.kind is Kind.ABSOLUTE and high <= begins.verb:
            continue  # the parser takes "her hands" for an apposition
        shared = word.dep == "nsubj" and left.form is not None and child < left.verb < place
        if mended or shared or child == left.verb or finite(sentence, child):
            continue  # the subject is that of both, or a verb that was taken for a noun drags its neighbours along
        return False
    return True
