"""Colours that a film comes back to, or by which it tells two things apart: they are never left out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from adstudio.drafting.text.compress import lexicon
from adstudio.drafting.text.language.grammar import noun_lemmas, word_set

_NEAR = 3
"""Words between which a colour and a thing are taken to belong together: a red silk umbrella; umbrella, red."""
_NO_THINGS = word_set(
    "a an the his her its their my your our of in on at to with and or but is are was were by from for it he she they "
    "one that this under over into behind beside near against"
)

_MOTIF = 3
"""Texts that say a colour of one thing from which on it is the film's own: Tom's tie is red as her umbrella is."""


@dataclass(frozen=True)
class ColouredThings:
    """Colours with the things, in the singular, that they stay with, and the colours that stay with anything."""

    pairs: frozenset[tuple[str, str]] = frozenset()
    motifs: frozenset[str] = frozenset()


NO_COLOURS = ColouredThings()


def coloured_things(texts: Iterable[str]) -> ColouredThings:
    """The colours that must stay with a thing: said of it in more than one text, or where another colour is too.

    Goes by words alone: a colour and each word near it in a text. What one text says often counts once.
    """
    counts: Counter[tuple[str, str]] = Counter()
    colours_of: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        near = set(_near(text))
        counts.update(near)
        for colour, thing in near:
            colours_of[thing].add(colour)
    several = {thing for thing, colours in colours_of.items() if len(colours) > 1}
    return ColouredThings(
        frozenset(pair for pair, count in counts.items() if count > 1 or pair[1] in several),
        frozenset(colour for (colour, _), count in counts.items() if count >= _MOTIF),
    )


def mentions_colour(text: str) -> bool:
    """Whether a text has a bearing on what colours must stay."""
    return not lexicon.COLOURS.isdisjoint(re.findall(r"[^\W\d_]+", text.lower()))


def is_coloured(colour: str, noun: str, things: ColouredThings) -> bool:
    """Whether a colour must stay with a noun."""
    colour = colour.lower()
    return colour in things.motifs or any((colour, each) in things.pairs for each in _singular(noun.lower()))


def _near(text: str) -> Iterable[tuple[str, str]]:
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text.lower())
    for at, colour in enumerate(words):
        if colour not in lexicon.COLOURS:
            continue
        for other in words[max(0, at - _NEAR) : at + _NEAR + 1]:
            if other not in _NO_THINGS and other not in lexicon.COLOURS:
                yield from ((colour, thing) for thing in _singular(other))


def _singular(word: str) -> tuple[str, ...]:
    return noun_lemmas(word) or (word,)
