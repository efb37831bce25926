"""How sure a grounding is: the error to expect of it, and what that is worth."""

from __future__ import annotations

from math import erf, sqrt

NEAR_MS = 5_000
"""An occurrence's middle this far from the truth is still right: a line about it is heard while it matters."""
WINDOW_MS = 10_000
"""Δmax as the paper sets it: beyond it a line would not belong to its event any more."""
LEAST_CHANCE = 1 / 3
"""Below this chance of lying within the window an occurrence is not given.

Two of three such lines would be told outside the window of what they tell, some of them a minute away. A line that is
not there can be placed by hand; one that tells a blind audience what is not happening does harm.
"""
ORDERED = 0.45
"""How sure order alone is: a text takes its time where it likes, so a line is never called sure for its order."""
SURE_MS = 900.0
"""The error where everything is known: a reader's idea of when something is seen differs by as much."""
SPREAD = 0.85
"""Of the spread that parts of random length have, what is left where words and cuts tell something of their length."""


def expected_error(length: float, share: float, count: int) -> float:
    """The standard deviation (ms) of the middle of one of `count` parts that fill a stretch of `length` ms in order.

    `share` (0..1) is where in the stretch the middle lies. Parts of random length (a flat Dirichlet distribution) put
    a boundary at the share f with variance f(1−f)/(count+1): most in the middle, less where more parts pin it down.
    """
    return SURE_MS + SPREAD * length * sqrt(share * (1 - share) / (count + 1))


def chance_within(error: float, reach: int) -> float:
    """The chance (0..1) that a normal error of that deviation stays within `reach` ms."""
    return erf(reach / (error * sqrt(2)))


def is_footing(error: float, sure: float) -> bool:
    """Whether an occurrence with that expected error, between times that are that sure (0..1), is worth giving."""
    return sure * chance_within(error, WINDOW_MS) >= LEAST_CHANCE


def confidence(error: float, sure: float) -> int:
    """The chance, in thousandths, that the middle is right within `NEAR_MS`."""
    return max(0, min(1000, round(1000 * sure * chance_within(error, NEAR_MS))))
