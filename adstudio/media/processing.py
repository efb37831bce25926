"""What long work on a film hands out while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from adstudio.core.errors import BadInputError

T = TypeVar("T")

UNKNOWN = -1.0
"""The fraction done of what nobody knows the length of."""


class DamagedCacheError(BadInputError):
    """What was kept of a film on the disk is damaged: it is to be made again."""


@dataclass(frozen=True)
class Stage(Generic[T]):
    """A moment of the work: how far it is (0..1, or `UNKNOWN`), and a way to take what there is so far.

    The result of the last stage is the complete one.
    """

    fraction: float
    take: Callable[[], T]


def fraction_done(at: int, length: Fraction | None) -> float:
    """How far film time `at` (ms) is through a film of `length` seconds."""
    return min(max(at / (1000 * float(length)), 0.0), 1.0) if length else UNKNOWN
