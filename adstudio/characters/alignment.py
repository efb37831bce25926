"""What an aligner does: words that are known to be said are found in a stretch of sound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Protocol

from adstudio.characters.pronunciation import CueWord

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CERTAIN = 1000
"""A confidence of 1, in thousandths."""


@dataclass(frozen=True, slots=True)
class WordSpan:
    """When a word is spoken, in ms from the start of the sound; `squeezed` if it has no time to be pronounced in."""

    start: int
    end: int
    squeezed: bool = False


@dataclass(frozen=True, slots=True)
class Alignment:
    """The words in order, and how sure it is (thousandths) that they are what is said."""

    words: tuple[WordSpan, ...]
    confidence: int


class Aligner(Protocol):
    """An engine that finds words in sound."""

    def prepare(self, words: Sequence[CueWord]) -> None:
        """Learn the words of a film before the first of them is looked for."""
        ...

    def align(self, sound: NDArray[np.float32], words: Sequence[CueWord]) -> Alignment | None:
        """The words in a sound (±1, 16 kHz); None where they cannot be in it, as when it is too short."""
        ...


def logistic(value: float) -> int:
    """A value on the logistic scale as a confidence, in thousandths."""
    return round(CERTAIN / (1 + exp(-max(min(value, 50.0), -50.0))))
