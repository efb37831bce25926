"""Modifiers that lose their commas after "a woman": a woman in a mustard coat hurries along. English.

Beside a name "in a mustard coat" only adds, and stands between commas; of somebody who is not known yet it says which.
"""

from __future__ import annotations

import re

from adstudio.drafting.text.language.grammar import verb_lemmas, word_set

_MODIFIER = re.compile(
    r",? (?P<said>(?P<opens>in|with|without|wearing|carrying|holding|clutching|dressed in|clad in)"
    r" (?P<what>[^,.:;!?()–—]+))"
    r",(?P<rest> .*)",
    re.DOTALL,
)
_ENDS_NOUN = re.compile(
    r" (?:and|or|but|as|while|in|on|at|of|to|from|with|without|under|over|behind|round|around|against|between|for) "
)
_DETERMINERS = word_set("a an the his her their its no any one two three four five six several")
_WORN_WITHOUT_ARTICLE = word_set("uniform hair black white red green blue grey gray brown yellow pink tweed denim")
_MANNER = word_set(
    "hurry rush panic rage fury anger fright fear surprise shock silence turn fact end meantime moment second minute "
    "instant flash time movement motion move gesture stroke go sweep leap bound step steps stride strides smile grin "
    "frown nod sigh shrug glance look stare laugh start jerk effort difficulty care voice whisper way breath word "
    "words flourish kick push pull tug hand hands foot feet finger fingers thumb elbow fist warning doubt sound noise "
    "haste thought hesitation pause"
)
"""Nouns of how somebody does a thing, or what with: the verb's, not the person's."""
_PART_OF_BODY = re.compile(r"the \w+ of (?:his|her|their) ")
"""With the back of his hand, with the tip of her shoe: what somebody does something with."""
_GOVERNS = re.compile(
    r"\b(?:at|to|of|for|from|with|by|on|in|into|onto|behind|beside|before|above|below|beneath|under|over|near|past|after"
    r"|towards?|around|round|against|between|opposite|through|and|or) \Z",
    re.IGNORECASE,
)
"""What stands before somebody who is not the subject, or not alone: beside Tom, in a suitcase, lies a glove."""
_MOST_WORDS = 16
_FIRST_WORDS = re.compile(r" (?:\w+ly )?(?P<verb>[a-z]+)\b(?P<after>.*)", re.DOTALL)


def without_commas(before: str, rest: str) -> str:
    """What follows "a woman" in a line, without commas around modifiers of hers; as it is where it has none.

    `before` is what comes before the woman. “, in a coat, hurries along” → “ in a coat hurries along”. A list (“, in a
    coat, a hat and gloves, hurries”) and what says how something is done (“, with a nod, sits”) keep theirs.
    """
    found = _MODIFIER.match(rest)
    if found is None or len(found["what"].split()) > _MOST_WORDS or _GOVERNS.search(before):
        return rest
    if not _is_of_person(found["opens"], found["what"]):
        return rest
    if goes_on_with_verb(found["rest"]):
        return f" {found['said']}{found['rest']}"
    others = without_commas(before, f",{found['rest']}")
    return f" {found['said']}{others}" if not others.startswith(",") else rest


def goes_on_with_verb(rest: str) -> bool:
    """Whether a finite verb follows, and no more of a list: hurries along, slowly turns."""
    found = _FIRST_WORDS.match(rest)
    if found is None or not found["verb"].endswith("s") or not verb_lemmas(found["verb"]):
        return False
    in_list = found["after"].startswith(",") or (found["after"].startswith(" and ") and "," in found["after"])
    return not in_list


def _is_of_person(opens: str, what: str) -> bool:
    """Whether a phrase is of what somebody wears, has or carries."""
    if opens not in ("in", "with", "without"):
        return True
    words = _ENDS_NOUN.split(f" {what} ", maxsplit=1)[0].lower().split()
    if not words or words[-1] in _MANNER or _PART_OF_BODY.match(what):
        return False
    return words[0] in _DETERMINERS or words[-1] in _WORN_WITHOUT_ARTICLE
