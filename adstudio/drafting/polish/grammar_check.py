"""What a parser says of a polished line: whether it tells of the present, and whether it has a subject."""

from __future__ import annotations

import re
from collections.abc import Callable

from adstudio.core.errors import OutsideFailureError
from adstudio.drafting.text.language import grammar as parser

Grammar = Callable[[str], tuple[str, str]]
"""What is wrong with a sentence’s tense, behind “it”, and a remark on what it lacks; empty where nothing is amiss."""
NO_SUBJECT = "It has no subject."
NO_VERB = "It has no verb."
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]*[\"”“»]")
_WILL = frozenset({"will", "’ll", "'ll", "wo"})
_VERBS = frozenset({"VERB", "AUX"})


def grammar_for(language: str) -> Grammar:
    """The one for a language; where there is no parser nothing is ever amiss."""
    return english if language.lower().split("-")[0] == "en" else _unknown


def _unknown(_text: str) -> tuple[str, str]:
    return "", ""


def english(text: str) -> tuple[str, str]:
    """See `Grammar`. The parser errs, so what may be a present form, such as “put”, is taken for one."""
    try:
        (found,) = parser.parsed([_QUOTED.sub("“so”", text)])
    except OutsideFailureError:
        return "", ""
    for sentence in found:
        tense = _tense(sentence)
        if tense:
            return f"is not in the present tense: “{tense}”", ""
    return "", _lack(found[0]) if len(found) == 1 else ""


def _tense(sentence: parser.Sentence) -> str:
    """The verb of a main clause that tells of the past or the future."""
    for root in sentence.roots:
        verb = sentence.words[root]
        helpers = [word for at in sentence.children[root] if (word := sentence.words[at]).dep in {"aux", "auxpass"}]
        for word in helpers:
            if word.text.lower() in _WILL or word.tag == "VBD":
                return word.text
        if verb.tag == "VBD" and not helpers and verb.text.lower() != verb.lemma.lower():
            return verb.text
    return ""


def _lack(sentence: parser.Sentence) -> str:
    if not any(word.pos in _VERBS or _may_be_verb(word) for word in sentence.words):
        return NO_VERB
    has_subject = any(word.dep.startswith("nsubj") or word.dep == "expl" for word in sentence.words)
    roots = [sentence.words[root] for root in sentence.roots]
    # A sentence whose main word is no verb was not understood: nothing is said of it.
    return NO_SUBJECT if not has_subject and all(word.pos in _VERBS for word in roots) else ""


def _may_be_verb(word: parser.Word) -> bool:
    """Whether what the parser takes for a plural may be a verb, as “parks” in “She parks”."""
    return word.tag in {"NNS", "NNPS"} and bool(parser.verb_lemmas(word.text.lower()))
