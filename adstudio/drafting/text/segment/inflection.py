"""Forms of English verbs: the present third person of a verb, the verb that a participle comes from."""

from __future__ import annotations

from adstudio.drafting.text.language.grammar import verb_lemmas

_THIRD = {"be": "is", "have": "has", "do": "does", "go": "goes", "undergo": "undergoes", "forgo": "forgoes"}
_PLURAL = {"be": "are"}
_VOWELS = "aeiou"


def present(lemma: str, *, plural: bool) -> str:
    """The present tense of a verb for a third person: look → looks, carry → carries, be → are in the plural."""
    if plural:
        return _PLURAL.get(lemma, lemma)
    if lemma in _THIRD:
        return _THIRD[lemma]
    if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
        return lemma[:-1] + "ies"
    if lemma in ("quiz", "whiz"):
        return lemma + "zes"
    if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) and not lemma.endswith(("oo", "eo", "io", "stomach")):
        return lemma + "es"
    return lemma + "s"


def participle(lemma: str) -> frozenset[str]:
    """The present participles that a verb may have: hop → hopping; travel → travelling, traveling."""
    if lemma.endswith("ie"):
        return frozenset({lemma[:-2] + "ying"})
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")) and lemma != "be":
        soft = lemma.endswith("nge") and lemma in {"singe", "tinge", "swinge", "binge"}
        return frozenset({lemma + "ing"} if soft else {lemma[:-1] + "ing"})
    if lemma.endswith("c"):
        return frozenset({lemma + "king"})
    plain, doubled = lemma + "ing", lemma + lemma[-1:] + "ing"
    closed = lemma[-1:] not in _VOWELS + "wxy" and lemma[-2:-1] in _VOWELS and lemma[-3:-2] not in _VOWELS
    syllables = sum(
        letter in _VOWELS and before not in _VOWELS for before, letter in zip(" " + lemma, lemma, strict=False)
    )
    if closed and syllables == 1:
        return frozenset({doubled})
    return frozenset({plain, doubled}) if closed else frozenset({plain})


def verb_of_participle(form: str) -> str:
    """The verb of a present participle (staring → stare, starring → star), or "" where it is none that is known."""
    form = form.lower()
    if not form.endswith("ing"):
        return ""
    lemmas = [lemma for lemma in verb_lemmas(form) if lemma != form]
    fitting = [lemma for lemma in lemmas if form in participle(lemma)]
    return next(iter(fitting or lemmas), "")
