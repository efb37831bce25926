"""What dialogue and sound of two cuts have in common."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from adstudio.conform.runs import Run
from adstudio.conform.time_map import Piece
from adstudio.core.timebase import Span


@dataclass(frozen=True)
class TextMatch:
    """What the dialogue of two cuts has in common.

    `matched` of the words of either are the same speech. `only_old` and `only_new` are the spans of cues in no run, in
    order.
    """

    runs: tuple[Run, ...]
    ratio: Fraction
    matched: int
    old_words: int
    new_words: int
    only_old: tuple[Span, ...] = ()
    only_new: tuple[Span, ...] = ()
    cues: int = 0
    """How many cues have the same start in both."""

    @property
    def share(self) -> float:
        """The share of the shorter dialogue that matches, from 0 to 1."""
        shorter = min(self.old_words, self.new_words)
        return self.matched / shorter if shorter else 0.0


@dataclass(frozen=True)
class SoundMatch:
    """What the sound of two cuts has in common: pieces in order, and spans of the former cut in which it is unsure.

    `shared` (ms of the former cut) is in both. `old_length` and `new_length` are those of the sound.
    """

    pieces: tuple[Piece, ...]
    ratio: Fraction
    shared: int
    old_length: int
    new_length: int
    unsure: tuple[Span, ...] = ()

    @property
    def share(self) -> float:
        """The share of the shorter cut that is in both, from 0 to 1."""
        shorter = min(self.old_length, self.new_length)
        return self.shared / shorter if shorter else 0.0
