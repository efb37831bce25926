"""Dialogue and cuts for the tests of conforming: cues with words of their own, and new cuts made from parts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from adstudio.conform.time_map import Piece, TimeMap, time_map
from adstudio.core.script import Cue
from adstudio.core.timebase import Span

_SYLLABLES = ("ka", "lo", "mi", "ren", "tas", "vu", "por", "del", "shi", "gan", "bel", "tor", "nim", "sed", "rux")


def dialogue(length: int, seed: int = 1, every: int = 4000) -> tuple[Cue, ...]:
    """Cues of five words from a vocabulary of some hundred, about one in so many milliseconds, up to a length (ms)."""
    rng = random.Random(seed)
    vocabulary = ["".join(rng.choices(_SYLLABLES, k=2)) for _ in range(150)]
    found: list[Cue] = []
    at = rng.randrange(500, 2000)
    while at + 2000 < length:
        text = " ".join(rng.choices(vocabulary, k=5)).capitalize() + "."
        found.append(Cue(f"c{len(found)}", at, at + rng.randrange(1200, 2000), text))
        at += rng.randrange(every // 2 + 1000, every * 3 // 2)
    return tuple(found)


def cut_of(length: int, *parts: tuple[int, int] | int, ratio: Fraction = Fraction(1)) -> TimeMap:
    """The true map of a cut that has these parts of a film (from and to, ms), or so much other film, in this order."""
    pieces: list[Piece] = []
    at = 0
    for part in parts:
        if isinstance(part, int):
            at += part
            continue
        old = Span(*part)
        pieces.append(Piece(old, Span(round(at * ratio), round((at + old.length) * ratio))))
        at += old.length
    return time_map(pieces, length, round(at * ratio), ratio)


def dialogue_in(cues: Sequence[Cue], true: TimeMap) -> tuple[Cue, ...]:
    """The cues that are wholly in a cut, at their times there."""
    found: list[Cue] = []
    for cue in cues:
        span = true.span(Span(cue.start, cue.end))
        if span is not None and true.is_whole(Span(cue.start, cue.end)):
            found.append(replace(cue, id=f"n-{cue.id}", start=span.start, end=span.end))
    return tuple(sorted(found, key=lambda cue: cue.start))
