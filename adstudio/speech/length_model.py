"""How long a voice probably speaks a text: a linear model of its letters, words and pauses, fitted to that voice.

A model is for one voice at one rate and pitch. It is fitted by ridge regression to relative errors, since a long line
may be wrong by more than a short one. Letters are drawn towards the average letter, so that the calibration sentences
suffice to begin with; each further text that was measured makes it better (`tests/bench/length_model.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from unicodedata import category, normalize
from zlib import crc32

from adstudio.core.language_tags import primary_subtag
from adstudio.core.words import UNSPACED
from adstudio.system.locations import resource

CALIBRATED = ("en", "de", "es", "fr", "it")
"""The languages with calibration sentences of their own (`resources/calibration`)."""
LEAST_TEXTS = 8
"""Without so many texts nothing is predicted."""
MOST_TEXTS = 2_000
"""Texts that a model is fitted to; with more it hardly gets better."""
SHORTEST_MS = 50
"""No text is predicted to be shorter."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_PAIRS = ("th", "sh", "ch", "ck", "gh", "ph", "wh", "qu", "ng", "er", "ar", "or", "ee", "oo", "ou", "ow", "ea", "ai")
_ENDINGS = ("e ", "es ", "ed ", "ted ", "ded ", "le ", "y ", "ing ", "s ")
_LIGHT_WORDS = (
    "a an the of to in on at and or is as by for from with his her its he she it they their him them that this into "
    "der die das ein eine einen und in im auf an am mit sich den dem des von zu er sie es "
    "le la les un une des et de du dans sur en au à il elle se son sa ses l d "
    "el los las una y del en con su sus se lo il i gli uno e di da che per si al"
)
"""Words that are spoken without stress, as far as letters go."""
_LIGHT = frozenset(_LIGHT_WORDS.split())
_FREQUENT_WORDS = "a an the and of to in is it its at on as he she his her with for from by they their"
_FREQUENT = tuple(_FREQUENT_WORDS.split())
_PLACES = 512
_PAIR_PLACES = 512
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+")
_DOUBLED = re.compile(r"([^\W\d_])\1")
_VOWELS = re.compile(r"[aeiouy]+")
_SPELT = re.compile(r"\b(?:[A-Z]{2,3}|[B-DF-HJ-NP-TV-XZ]{4,6})\b")
_SILENT = re.compile(r"[aeiouy][^aeiouy\s]e[sd]? ")
_CLUSTERS = re.compile(r"[^aeiouy\W\d_]{2,}")
_END = re.compile(r"[\W_]+\Z")
_STOP = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+(?=\S)")
_LONG_PAUSE = re.compile(r"[;:](?=\s)|[–—]|\s-+\s|--")
_SHORT_PAUSE = re.compile(r",(?=\s)|[()“”\"«»]")
_UNSPACED_CHAR = re.compile(f"[{UNSPACED}]")

_EASY = {
    "edges": 0.05,
    "letters": 0.002,
    "syllables": 0.02,
    "words": 0.02,
    "stops": 0.02,
    "long": 0.1,
    "short": 0.05,
    "light": 0.1,
    "light letters": 0.1,
    "silent": 0.1,
    "clusters": 0.1,
}
"""How little the weights are drawn to zero of what nearly all texts consist of."""
_HARD = 1.0
"""How strongly the others are."""
_SINGLE = 2.0
"""How strongly those of single words are."""
_PAIR = 15.0
"""How strongly those of pairs of letters are."""
_KINDS = {"word": _SINGLE, "pair": _PAIR}
_PULL = 0.01
_SCALE = 100.0
"""Milliseconds: about how much a weight is."""

FEATURES: tuple[str, ...] = (
    *("edges", "letters", "syllables", "words", "stops", "long", "short"),
    *("light", "light letters", "silent", "clusters", "doubled", "digits", "numbers", "spelt", "unspaced", "foreign"),
    *(f"“{word}”" for word in _FREQUENT),
    *_LETTERS,
    *_PAIRS,
    *_ENDINGS,
    *(f"word {place}" for place in range(_PLACES)),
    *(f"pair {place}" for place in range(_PAIR_PLACES)),
)


def features(text: str) -> list[float]:
    """What is counted in a text, by `FEATURES`."""
    text = _END.sub("", text)
    lower = _without_marks(text.lower())
    words = _WORD.findall(lower)
    light = [word for word in words if word in _LIGHT]
    joined = " ".join(word for word in words if word not in _LIGHT) + " "
    letters = sum(map(len, words)) - sum(map(len, light))
    count = joined.count
    plain = [float(count(letter)) for letter in _LETTERS]
    digits = _NUMBER.findall(text)
    return [
        1.0,
        float(letters),
        float(len(_VOWELS.findall(joined))),
        float(len(words) + len(digits)),
        float(len(_STOP.findall(text))),
        float(len(_LONG_PAUSE.findall(text))),
        float(len(_SHORT_PAUSE.findall(text))),
        float(len(light)),
        float(sum(map(len, light))),
        float(len(_SILENT.findall(joined))),
        float(sum(len(found) - 1 for found in _CLUSTERS.findall(joined))),
        float(len(_DOUBLED.findall(joined))),
        float(sum(map(len, digits))),
        float(len(digits)),
        float(sum(map(len, _SPELT.findall(text)))),
        float(len(_UNSPACED_CHAR.findall(text))),
        letters - sum(plain),
        *(float(light.count(word)) for word in _FREQUENT),
        *plain,
        *(float(count(pair)) for pair in _PAIRS),
        *(float(count(ending)) for ending in _ENDINGS),
        *_places(words, _PLACES),
        *_places(_letter_pairs(words), _PAIR_PLACES),
    ]


def _without_marks(text: str) -> str:
    """The text without accents and vowel signs, which are no letters and would end a word."""
    return text if text.isascii() else "".join(c for c in normalize("NFD", text) if category(c)[0] != "M")


def _letter_pairs(words: Iterable[str]) -> Iterator[str]:
    """Pairs of neighbouring letters, a word's edges being letters too."""
    for word in words:
        framed = f"<{word}>"
        for place in range(len(word) + 1):
            yield framed[place : place + 2]


def _places(parts: Iterable[str], count: int) -> list[float]:
    """Words or pairs of letters, which share places: what is particular to one is learned once it was spoken."""
    found = [0.0] * count
    for part in parts:
        found[crc32(part.encode()) % count] += 1
    return found


@dataclass(frozen=True)
class LengthModel:
    """A voice's model: the milliseconds of each of `FEATURES`."""

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != len(FEATURES):
            raise ValueError(f"a model has {len(FEATURES)} weights")

    def predict(self, spoken: str) -> int:
        """How long a text probably is, in milliseconds; `spoken` is as the voice is given it (`spoken_text`)."""
        length = sum(weight * found for weight, found in zip(self.weights, features(spoken), strict=True) if found)
        return max(SHORTEST_MS, round(length))


def fit(lengths: Mapping[str, int]) -> LengthModel | None:
    """The model of a voice that has spoken these texts in so many milliseconds; None where they are too few."""
    known = [(text, ms) for text, ms in lengths.items() if ms > 0][-MOST_TEXTS:]
    if len(known) < LEAST_TEXTS:
        return None
    # Only where a voice is measured: whoever reads a plan needs no linear algebra.
    import numpy as np

    spoken = np.array([float(ms) for _, ms in known])
    counted = np.array([features(text) for text, _ in known]) / spoken[:, None] * _SCALE
    pulls = np.array([_EASY.get(name, _KINDS.get(name.partition(" ")[0], _HARD)) for name in FEATURES]) * _PULL
    weights = np.linalg.solve(counted.T @ counted + np.diag(pulls), counted.T @ np.ones(len(known)))
    return LengthModel(tuple(round(float(weight) * _SCALE, 3) for weight in weights))


def calibration_sentences(language: str) -> tuple[str, ...]:
    """Sentences by which a voice of a language is got to know; the English ones for a language without its own."""
    main = primary_subtag(language)
    known = main if main in CALIBRATED else CALIBRATED[0]
    path = resource("calibration", f"{known}.txt")
    return tuple(line.strip() for line in path.read_text("utf-8").splitlines() if line.strip())
