"""What the people of a screenplay are called in its action: names, and roles that are no names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from adstudio.core.words import composed

_WORD = re.compile(r"[^\W\d_]+")
_SHOUTED = re.compile(r"[^\W\d_a-z]{2,}(?:[ ]+[^\W\d_a-z]{2,})+")
_ARTICLES = frozenset({"the", "a", "an"})


def names_of(speakers: Iterable[str], paragraphs: Iterable[str]) -> tuple[str, ...]:
    """The words of people's names, in order: the speakers', and what stands beside them in capitals.

    NORA, who speaks, makes VALE a name in “NORA VALE hurries along the wall”. A speaker whom the action calls “the
    guard” more often than “Guard” has a role and no name.
    """
    spoken = {word.lower() for speaker in speakers for word in _WORD.findall(composed(speaker)) if len(word) > 1}
    alone, with_article = Counter[str](), Counter[str]()
    beside: set[str] = set()
    for paragraph in map(composed, paragraphs):
        words = [word.lower() for word in _WORD.findall(paragraph)]
        for before, word in zip(["", *words], words, strict=False):
            if word in spoken:
                (with_article if before in _ARTICLES else alone)[word] += 1
        if any(letter.islower() for letter in paragraph):
            for run in _SHOUTED.findall(paragraph):
                parts = [part.lower() for part in run.split()]
                if len(parts) <= 3 and parts[0] in spoken:
                    beside.update(part.strip("'’.-") for part in parts)
    names = {word for word in spoken if with_article[word] <= alone[word]}
    surnames = {word for word in beside if word not in spoken and len(word) > 1}
    return tuple(word.capitalize() for word in sorted(names | surnames))
