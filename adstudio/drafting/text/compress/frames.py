"""What says that something is only seen in a picture, a mirror or a dream: without it, it would happen."""

from __future__ import annotations

from adstudio.drafting.text.compress.words import Clause
from adstudio.drafting.text.language.grammar import noun_lemmas, word_set

PICTURES = word_set(
    "photograph photo picture snapshot snap portrait painting drawing sketch poster postcard image screen monitor "
    "television tv telly video film movie footage tape recording reel broadcast newspaper "
    "mirror reflection dream nightmare vision memory flashback imagination mind fantasy daydream hallucination "
    "map plan chart x-ray display viewfinder lens binoculars telescope microscope scope cartoon comic hologram "
    "projection mural fresco tapestry cover page album puddle radar webcam "
    "keyhole peephole crystal simulation"
)
"""Things that show what is not there, or not here."""
_IN = word_set("in on through within inside at")
_SHOWING = word_set("display show develop print project play zoom enlarge switch imagine remember dream close look")


def is_frame(clause: Clause, at: int) -> bool:
    """Whether a phrase or clause, if it went, would make what a picture shows, or a dream, happen."""
    word = clause.top(at)
    if word.dep == "prep" and clause.lower(at) in _IN:
        return _is_in_picture(clause, at)
    if word.dep == "advcl" and at < clause.words[at].head:
        shown = any(clause.lower(child) in {"when", "as", "while", "once"} for child in clause.children[at])
        verb = word.lemma.lower() in _SHOWING
        objects = [child for child in clause.children[at] if clause.top(child).dep in {"dobj", "prep"}]
        return shown and (verb or any(_names_picture(clause, child) for child in objects))
    return False


def _is_in_picture(clause: Clause, at: int) -> bool:
    governor = clause.words[at].head
    fronted = at < governor and not any(child < at for child in clause.below(governor, "nsubj", "nsubjpass"))
    if any(clause.lower(child) in {"it", "them"} for child in clause.below(at, "pobj")):
        return fronted
    if not fronted and clause.lower(at) == "at":
        return False
    return any(_names_picture(clause, child) for child in clause.below(at, "pobj", "pcomp"))


def _names_picture(clause: Clause, at: int) -> bool:
    inside = [at, *(low for child in clause.children[at] for low in (child, *clause.children[child]))]
    nouns = [clause.lower(word) for word in inside if clause.top(word).pos in {"NOUN", "PROPN"}]
    return any({noun, *noun_lemmas(noun)} & PICTURES for noun in nouns)
