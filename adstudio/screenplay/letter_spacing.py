"""Text in which letters are set apart: T i t l e :  T h i n g s. Told by the whole file, and joined to words again.

Where a program draws letters one by one, or sets them apart within a row, text that is taken from a PDF has a space
between any two of them. Words are then what has two spaces or more between, or a wider gap than letters have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from statistics import median

_MOSTLY = 0.5
_TOKENS_TO_TELL = 20
_LETTERS_OF_A_ROW = 3
_WIDEST_GAP = 3.0
"""Pitches between two letters of one row; more is between columns."""
_BETWEEN_WORDS = re.compile(r"\s{2,}")
_WORDS_A_RUN = 12
"""Letters in a run without a word's gap: no text has so many words of one letter in a row."""


def are_set_apart(texts: Sequence[str]) -> bool:
    """Whether most of what stands between spaces is one letter; each text is a run of a PDF."""
    tokens = [token for text in texts for token in text.split() if token[0].isalpha()]
    return len(tokens) >= _TOKENS_TO_TELL and sum(len(token) == 1 for token in tokens) > _MOSTLY * len(tokens)


def is_lost(texts: Iterable[str]) -> bool:
    """Whether letters within runs are set apart and nothing shows where words begin."""
    long = [text for text in texts if len(text.split()) >= _WORDS_A_RUN]
    return bool(long) and sum(_BETWEEN_WORDS.search(text.strip()) is None for text in long) > _MOSTLY * len(long)


def with_letters_joined(text: str, *, apart: bool) -> str:
    """A run with its letters joined to words; `apart`: those of the whole file are set apart.

    In another file only a run of nothing but letters is joined, such as a title or a name.
    """
    tokens = text.split()
    if not apart and not (
        len(tokens) >= _LETTERS_OF_A_ROW and all(len(token) == 1 and token.isupper() for token in tokens)
    ):
        return text
    if len(tokens) == 1 and len(tokens[0]) == 1:
        return tokens[0]  # its gaps tell where its word begins
    words = (word.replace(" ", "") for word in _BETWEEN_WORDS.split(text.strip()))
    return text[: len(text) - len(text.lstrip())][:1] + " ".join(words) + text[len(text.rstrip()) :][:1]


def letter_gap(gaps: Iterable[float]) -> float:
    """What is usually between two letters of one word, in pitches; 0 if hardly any are drawn one by one."""
    found = [gap for gap in gaps if -1 < gap < _WIDEST_GAP]
    return max(0.0, median(found)) if len(found) >= _TOKENS_TO_TELL else 0.0
