"""Stretches of a film whose dialogue the screenplay does not have: a missing half, another cut, other subtitles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from adstudio.core.timebase import Span
from adstudio.drafting.text.align.spoken_words import MatchedWords

LEAST_WORDS = 60
"""A stretch has at least so many words more than it has matches, weighed; fewer are a speech that was rewritten."""
LEAST_OF_A_SHORT_FILM = 20
_SHARE = 0.25
"""In a film with little dialogue a stretch is at least this share of it."""
_OF_A_MATCH = 4
"""Unmatched words that one match in a stretch weighs as much as."""
_ENDS_A_STRETCH = 16


class Stretch(NamedTuple):
    """A stretch of the film in milliseconds, the words of its dialogue, and how many of them the screenplay has."""

    span: Span
    words: int
    matched: int


def uncovered(words: MatchedWords) -> tuple[Stretch, ...]:
    """The stretches of the film, in order, of whose dialogue the screenplay has next to nothing."""
    found = {j for _, j in words.matches}
    return tuple(
        Stretch(
            Span(words.film[first].start, max(words.film[last].end, words.film[first].start + 1)),
            last + 1 - first,
            sum(j in found for j in range(first, last + 1)),
        )
        for first, last in _stretches([j in found for j in range(len(words.film))])
    )


def _stretches(matched: list[bool]) -> Iterator[tuple[int, int]]:
    """The first and last places of runs where unmatched words outweigh matched ones by enough."""
    least = min(LEAST_WORDS, max(LEAST_OF_A_SHORT_FILM, _SHARE * len(matched)))
    start, best, value, last = 0, 0, 0, -1
    for at, hit in enumerate(matched):
        value += -_OF_A_MATCH if hit else 1
        if value > best:
            best, last = value, at
        if value < 0 or value < best - _ENDS_A_STRETCH:
            if best >= least:
                yield start, last
            start, best, value, last = at + 1, 0, 0, -1
    if best >= least:
        yield start, last
