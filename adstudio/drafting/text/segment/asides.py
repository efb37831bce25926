"""What commas set off, and the parser takes for a verb or its subject: hands in his pockets; whose hat is gone."""

from __future__ import annotations

from adstudio.drafting.text.language.grammar import Word, word_set

_LEADING = word_set("as while when where how until that")
_HELD = word_set("hands fists eyes arms fingers palms shoulders elbows knees legs thumbs brows lips")
"""Parts of somebody that are held somehow; as verbs all of them need an object."""


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
    after = words[at + 1] if at + 1 < len(words) else None
    held = words[at].text.lower() in _HELD and words[at - 1].text == "," and after is not None
    return held and after is not None and (after.tag in ("IN", "JJ", "VBN") or after.text.lower() in ("up", "down"))
