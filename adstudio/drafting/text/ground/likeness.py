"""How much each of a text's elements has in common with what is said in a film: words, names, meaning, quotations.

A likeness is a number that is added to the logarithm of a chance: 0 says nothing. What was set was set on short clips
with their own description and on the sample film (tests/bench/prose_placement.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from adstudio.core.script import Cue
from adstudio.core.words import composed, folded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

Encode = Callable[[Sequence[str]], "Numbers"]
"""A row of unit length for each text, zeros for a text without words."""

SHARED_WORD = 4.0
"""For a word that one element and one cue share and no other has; of words that more of them have it is less."""
MOST_SHARED = 8.0
MEANING = 1.0
"""For each standard deviation by which meanings are more alike than `LIKE` of them."""
LIKE = 2.5
MOST_MEANING = 3.0
WORDS_NEAR_MS = 4_000.0
MEANING_NEAR_MS = 5_000.0
"""How far from a cue it still says something about the film (a standard deviation)."""
LEAST_LETTERS = 4
STEM = 6
"""Letters of a word that are compared: telephone and telephones are one word."""
_WORD = re.compile(r"[^\W\d_]+")


def likeness(texts: Sequence[str], cues: Sequence[Cue], encode: Encode | None) -> tuple[Numbers, Numbers]:
    """For each text (a row) and each cue (a column) what they have in common by their words, and by their meaning."""
    by_words = _shared_words(
        [_words(text) for text in texts], [_words(f"{cue.text} {cue.speaker or ''}") for cue in cues]
    )
    by_meaning = np.zeros_like(by_words)
    if encode is not None and by_words.size:
        by_meaning = _alike(texts, [cue.text for cue in cues], encode)
    return by_words, by_meaning


def _words(text: str) -> frozenset[str]:
    words = (folded(word) for word in _WORD.findall(composed(text)))
    return frozenset(word[:STEM] for word in words if len(word) >= LEAST_LETTERS)


def _shared_words(texts: Sequence[frozenset[str]], cues: Sequence[frozenset[str]]) -> Numbers:
    shared = np.zeros((len(texts), len(cues)))
    in_texts, in_cues = (Counter(word for words in side for word in words) for side in (texts, cues))
    cues_of: dict[str, list[int]] = {}
    for place, words in enumerate(cues):
        for word in words:
            cues_of.setdefault(word, []).append(place)
    for row, words in enumerate(texts):
        for word in sorted(words & in_cues.keys()):
            # Of several elements with a word most are elsewhere; of several cues with it one is as good as another.
            shared[row, cues_of[word]] += SHARED_WORD / (in_texts[word] ** 0.75 * in_cues[word] ** 0.5)
    return shared


def _alike(texts: Sequence[str], cues: Sequence[str], encode: Encode) -> Numbers:
    """Likeness of meaning, of each text with its neighbours to each cue with its own, above what is usual for both."""
    around = [" ".join(texts[max(0, place - 1) : place + 2]) for place in range(len(texts))]
    said = [" ".join(cues[max(0, place - 1) : place + 2]) for place in range(len(cues))]
    own = encode(texts) + encode(around)
    own /= np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-9)
    alike = own @ encode(said).T
    alike = alike - alike.mean(axis=1, keepdims=True) - alike.mean(axis=0, keepdims=True) + alike.mean()
    return MEANING * np.clip(alike / max(float(alike.std()), 1e-9) - LIKE, 0.0, MOST_MEANING)


def at_times(found: tuple[Numbers, Numbers], cues: Sequence[Cue], times: Numbers) -> Numbers:
    """The likeness of each text (a row) to what is said around each time (ms; a column)."""
    by_words, by_meaning = found
    if not cues:
        return np.zeros((len(by_words), len(times)))
    middles = np.array([(cue.start + cue.end) / 2 for cue in cues])
    away = times[None, :] - middles[:, None]
    near_words = np.exp(-0.5 * (away / WORDS_NEAR_MS) ** 2)
    near_meaning = np.exp(-0.5 * (away / MEANING_NEAR_MS) ** 2)
    total = np.minimum(by_words @ near_words, MOST_SHARED)
    for row, values in enumerate(by_meaning):
        said = np.flatnonzero(values)
        if len(said):
            total[row] += (values[said, None] * near_meaning[said]).max(axis=0)
    return total
