"""The monotone path of a text's elements through a stretch of film: where each may lie, and how likely.

The elements follow one another on the action's clock. From the middle of one to the middle of the next passes a time
that varies (a gamma distribution) around what their words take at the text's pace; now and then a text passes over some
of the film (an exponential distribution). Besides, each element has places that suit it better than others: its hints.
The forward and backward passes over all paths give, for each element, the chance of every place: exact, in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Chances = NDArray[np.float64]

SHAPE = 3.0
"""Of the gamma distribution: times between neighbours have a standard deviation of 1/√3 of their mean."""
SKIPS = 0.08
"""How often a text passes over film between two elements."""
SKIP_MS = 15_000.0
"""How much film it passes over then, on average, on the action's clock."""
LEAST = 1e-9
"""No place is impossible: the least chance of a hint relative to the best, so that a wrong one cannot stop a path."""

TINY = 1e-300


@dataclass(frozen=True)
class Steps:
    """How a text goes through a stretch.

    `lengths` are those of the elements (ms) at a pace of 1; a stretch may begin at a pace of its own (`first`, if not
    0). `before` and `after` are the chances that film is passed over ahead of the first element and behind the last.
    """

    lengths: tuple[float, ...]
    pace: float
    before: float
    after: float
    first: float = 0.0


def fit(steps: Steps, cell: float, cells: int, hints: Chances) -> float:
    """How well a stretch of `cells` of `cell` ms fits all paths together: the logarithm of their likelihood.

    `hints` has a row for each element with a weight for each cell, on any positive scale.
    """
    log, reached = 0.0, 0.0
    last = _last(steps, cell, cells)
    for now, total in _forward(steps, cell, cells, hints):
        log += float(np.log(total))
        reached = float(now @ last)
    return log + float(np.log(max(reached, TINY)))


def chances(steps: Steps, cell: float, cells: int, hints: Chances) -> Chances:
    """Each element's chance of each cell, of all paths that are as in `fit`: a row for each."""
    count = len(steps.lengths)
    found = np.empty((count, cells))
    for place, (now, _) in enumerate(_forward(steps, cell, cells, hints)):
        found[place] = now
    backward = _last(steps, cell, cells)
    for place in range(count - 1, -1, -1):
        if place < count - 1:
            coming = backward * _weights(hints[place + 1])
            backward = np.convolve(coming[::-1], _between(steps, place, cell, cells))[:cells][::-1]
            backward = backward / max(float(backward.sum()), TINY)
        both = found[place] * backward
        total = float(both.sum())
        # A pace that does not fit at all leaves no path: then its start alone says where an element is.
        found[place] = both / total if total > TINY else found[place]
    return found


def _forward(steps: Steps, cell: float, cells: int, hints: Chances) -> Iterator[tuple[Chances, float]]:
    """For each element its chance of each cell by what is ahead of it, and what that adds to the likelihood."""
    first = steps.lengths[0] * (steps.first or steps.pace) / 2
    now = _kernel(first, steps.before, cell, cells, full=True)
    for place, row in enumerate(hints):
        if place:
            now = np.convolve(now, _between(steps, place - 1, cell, cells))[:cells]
        now = now * _weights(row)
        total = max(float(now.sum()), TINY)
        now = now / total
        yield now, total


def _weights(hints: Chances) -> Chances:
    return np.maximum(hints, LEAST * hints.max())


def _between(steps: Steps, place: int, cell: float, cells: int) -> Chances:
    return _kernel(steps.pace * (steps.lengths[place] + steps.lengths[place + 1]) / 2, SKIPS, cell, cells)


def _last(steps: Steps, cell: float, cells: int) -> Chances:
    return _kernel(steps.pace * steps.lengths[-1] / 2, steps.after, cell, cells, full=True)[::-1]


def _kernel(mean: float, skips: float, cell: float, cells: int, *, full: bool = False) -> Chances:
    """The chance of each number of cells from one point to the next; `full`: up to the whole stretch."""
    most = cells if full else min(cells, int(max(12 * mean, 6 * SKIP_MS) / cell) + 2)
    at = (np.arange(most) + 0.25) * cell
    scale = max(mean, cell / 2) / SHAPE
    near = (at / scale) ** (SHAPE - 1) * np.exp(-at / scale)
    far = np.exp(-at / SKIP_MS)
    return (1 - skips) * near / near.sum() + skips * far / far.sum() + 1e-30


def middles(found: Chances) -> Sequence[float]:
    """The cell, as a number with a fraction, at the middle of each element's chances: never going back."""
    passed = np.cumsum(found, axis=1)
    at = np.argmax(passed >= 0.5, axis=1)
    rows = np.arange(len(found))
    below = passed[rows, at] - found[rows, at]
    return [float(each) for each in at + (0.5 - below) / np.maximum(found[rows, at], 1e-12)]
