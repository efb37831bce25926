"""What commas set off, and the parser takes for a verb or its subject: hands in his pockets; whose hat is gone."""

from __future__ import annotations

from adstudio.drafting.text.language.grammar import Sentence, Word, word_set
from adstudio.drafting.text.segment.verbs import finite

_LEADING = word_set("as while when where how until that")
_HELD = word_set("hands fists eyes arms fingers palms shoulders elbows knees legs thumbs brows lips")
"""Parts of somebody that are held somehow; as verbs all of them need an object."""
_ASIDE = 16
"""Words and commas of an aside after a conjunction."""


def goes_on_behind_aside(words: tuple[Word, ...], verb: int, place: int) -> bool:
    """Whether what an aside is about may go on behind it: The crowd cheers as Tom, whose hat is gone, (walks up)."""
    asides = [
        at
        for at in range(max(verb, 0) + 1, place)
        if words[at - 1].text == "," and words[at].text.lower() in ("who", "whose", "which")
    ]
    return (
        bool(asides)
        and words[place - 1].text == ","
        and any(words[at].text.lower() in _LEADING for at in range(max(verb, 0) + 1, asides[-1]))
    )


def is_held(words: tuple[Word, ...], at: int) -> bool:
    """Whether a part of somebody, taken for a verb, is where or how a comma says: he waits, hands in his pockets."""
    if at + 1 >= len(words) or words[at].text.lower() not in _HELD or words[at - 1].text != ",":
        return False
    how = words[at + 1].text.lower()
    # She steps forward, hands out; but: she steps forward, hands out leaflets.
    out = how == "out" and not any(word.text[0].isalnum() for word in words[at + 2 :])
    return out or how in ("up", "down") or words[at + 1].tag in ("IN", "JJ", "VBN")


def past_aside(sentence: Sentence, place: int) -> int:
    """Behind what commas set off after a conjunction: and, with one finger, strokes it."""
    words = sentence.words
    if place < len(words) and words[place].text.lower() == "then":
        place += 1
    if place >= len(words) or words[place].text != ",":
        return place
    end = next((at for at in range(place + 1, min(place + _ASIDE, len(words))) if words[at].text == ","), None)
    if end is None or any(finite(sentence, at) for at in range(place, end)):
        return place
    return end + 1
