"""Scores texts by the words that they share, where tests are not about METEOR, which needs Java."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence


class WordScorer:
    """Twice the shared words over all words: 1 for the same words, 0 for none in common."""

    def tokens(self, texts: Sequence[str]) -> list[str]:
        """The words in lower case."""
        return [" ".join(re.findall(r"\w+", text.lower())) for text in texts]

    def meteor(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The share of common words."""
        return [_shared(Counter(one.split()), Counter(other.split())) for one, other in pairs]


def _shared(one: Counter[str], other: Counter[str]) -> float:
    whole = one.total() + other.total()
    return 2 * (one & other).total() / whole if whole else 0.0
