"""Two hours of a film that there is not, and ADs of it with 900 lines each, in other words: for tests of time bases."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

LENGTH = 7_200_000
LINES = 900
_EVENTS = 1_300
_SYLLABLES = [
    a + b for a in ("b", "d", "f", "gr", "k", "l", "m", "n", "p", "st", "t", "v") for b in ("a", "e", "i", "ou")
]
_NAMES = ("Ruth", "Martin", "Helene", "Jonas", "Amira", "Oskar")
_FORMS = {
    "en": "The {} and the {} are on a {}, and {} with her {} is at the {}.",
    "de": "Der {} und die {} sind auf einem {}, und {} mit ihrem {} ist an der {}.",
}
Line = tuple[int, int, str]


def _words() -> list[str]:
    drawn = random.Random(1)
    # Each once, and in the same order in every process.
    return list(dict.fromkeys("".join(drawn.choices(_SYLLABLES, k=drawn.choice((2, 3, 3)))) for _ in range(6_000)))


_WORDS = _words()
_WEIGHTS = [1 / (rank + 8) for rank in range(len(_WORDS))]
"""How often each is said: as in any language, most of them hardly ever."""


@dataclass(frozen=True)
class Event:
    """What happens, and the words for it."""

    at: float
    words: Sequence[str]


@cache
def events(film: int) -> list[Event]:
    """What happens in a film; equal numbers are the same film."""
    drawn = random.Random(film)
    return [Event(drawn.uniform(0, LENGTH), drawn.choices(_WORDS, _WEIGHTS, k=7)) for _ in range(_EVENTS)]


def ad(
    film: int, author: int, *, alike: float = 0.5, later: int = 0, speed: float = 1.0, language: str = "en"
) -> list[Line]:
    """An AD of a film: an author's choice of what happens, within some seconds of it, partly in words of their own.

    So much of what is said is `alike` that of any other; its times are `later` ms, at a `speed` that stretches them.
    """
    drawn = random.Random(author)
    lines: list[Line] = []
    for event in drawn.sample(events(film), LINES):
        said = [
            word if drawn.random() < alike else drawn.choices(_WORDS, _WEIGHTS)[0]
            for word in drawn.sample(event.words, 5)
        ]
        start = max(0, round((event.at + drawn.gauss(0, 2_500)) * speed + later))
        lines.append((start, start + 2_500, _FORMS[language].format(*said[:3], drawn.choice(_NAMES), *said[3:])))
    return sorted(lines)
