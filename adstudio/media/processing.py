"""Stages of long-running work on a film."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from adstudio.core.errors import BadInputError

T = TypeVar("T")

UNKNOWN = -1.0
"""The fraction done if the length is unknown."""


class DamagedCacheError(BadInputError):
    """Cached data of a film is damaged and has to be computed again."""


@dataclass(frozen=True)
class Stage(Generic[T]):
    """A stage of the work: the fraction done (0..1, or `UNKNOWN`), and a function that returns the result so far.

    The last stage's result is complete.
    """

    fraction: float
    take: Callable[[], T]


def fraction_done(at: int, length: Fraction | None) -> float:
    """How far film time `at` (ms) is through a film of `length` seconds."""
    return min(max(at / (1000 * float(length)), 0.0), 1.0) if length else UNKNOWN
