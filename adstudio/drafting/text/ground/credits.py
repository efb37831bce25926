"""Which elements at the beginning and the end of a description are the film's titles and credits."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_OPENING = 8
"""Elements at the beginning that may be titles."""
_ROLES = (
    r"director|produc(?:ed|ers?|tion)|screenplay|writ(?:ten|er)|directed|music|composer|cinematograph\w*|photography"
    r"|edit(?:ed|or)|sound design|cast|starring|thanks|concept|animation|regie|kamera|musik|schnitt|buch|réalisation"
    r"|réalisé|musique|montage|dirigida|dirección|guion|música|producción"
)
_CREDIT = re.compile(
    rf"\b(?:closing |end )?credits?\b|\b(?:abspann|générique|créditos)\b"
    rf"|\b(?:{_ROLES})\b[^.]{{0,30}}(?:\bby\b|:|\bto\b)"
    r"|©|\bcopyright\b|\bthe end\b\W*$|^\W*\w+: \w+ \w+\W*$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\bcredits?\b|\bpresents?\b|\btitles?\b|\ba film (?:by|of)\b|\blogo\b|\b(?:directed|written|produced) by\b"
    r"|^\W*(?:the )?(?:words?|text|caption)s?\b.{0,20}(?:\bappears?\b|\breads?\b|:)"
    r"|\b(?:vorspann|générique|créditos)\b",
    re.IGNORECASE,
)


def titles_and_credits(texts: Sequence[str]) -> tuple[int, int]:
    """How many elements at the beginning are titles, and how many at the end are credits, with at most one in between.

    An element that may be both is one of the credits.
    """
    closing = _run(list(reversed(texts)), _CREDIT)
    return _run(texts[: min(MOST_OPENING, len(texts) - closing)], _OPENING), closing


def _run(texts: Sequence[str], what: re.Pattern[str]) -> int:
    last = 0
    for place, text in enumerate(texts, 1):
        if what.search(text):
            last = place
        elif place - last > 1:
            break
    return last
