"""What a script is checked for, in whole numbers, and the permitted ranges."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class QualitySettings:
    """The limits that the rules of quality control use; times are in milliseconds."""

    length_tolerance: int = 100
    """By how much a line may take longer to speak than the time it has."""
    most_words_per_minute: int = 200
    """The quickest that a line may be spoken."""
    least_rated_words: int = 8
    """Lines of fewer words are not judged by their pace: a short one says little about it."""
    collar_before: int = 0
    """How long before dialogue a line ends, at least."""
    collar_after: int = 0
    """How long after dialogue a line starts, at least."""
    least_gap: int = 1000
    """The shortest gap that is used."""
    names_after_introduction: bool = True
    """Whether a name is used only once the dialogue has said it."""


GREATEST_TOLERANCE = 5_000
"""Milliseconds: a line that overruns by more has not the length that it was planned with."""
MOST_RATED_WORDS = 100
"""Words of a line; one of so many is long enough to be judged by its pace."""
