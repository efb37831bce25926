"""SODA-M and SODA-T: the descriptions of a sequence aligned with a reference's, and what the alignment is worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adstudio.core.timebase import Span
from adstudio.evaluation.material import TAU_MS

_UP, _DIAGONAL, _LEFT = 0, 1, 2


def alignment(scores: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The pairs, as (row, column) in order, whose scores sum to the most while both numbers rise.

    A row is a generated description, a column one of the reference. Of alignments that are worth the same the one is
    taken that, from the end, pairs two descriptions before it leaves a generated one unpaired, and does that before it
    leaves one of the reference unpaired: so also pairs of no worth are paired, as the benchmark has it.
    """
    rows, columns = scores.shape
    moves = np.full((rows, columns), _LEFT, dtype=np.int8)
    above = np.zeros(columns + 1)
    for row in range(rows):
        diagonal = above[:-1] + scores[row]
        here = np.zeros(columns + 1)
        np.maximum.accumulate(np.maximum(diagonal, above[1:]), out=here[1:])
        up, left = above[1:], here[:-1]
        moves[row][up >= left] = _UP
        moves[row][(diagonal >= up) & (diagonal >= left)] = _DIAGONAL
        above = here
    pairs: list[tuple[int, int]] = []
    row, column = rows, columns
    while row and column:
        move = moves[row - 1, column - 1]
        row -= move != _LEFT
        column -= move != _UP
        if move == _DIAGONAL:
            pairs.append((int(row), int(column)))
    pairs.reverse()
    return pairs


def soda_m(total: float, references: int, descriptions: int) -> float:
    """SODA-M per cent: the summed METEOR of the pairs over the mean number of descriptions of the two sides."""
    return 100 * total / ((references + descriptions) / 2)


def soda_t(pairs: Sequence[tuple[Span, Span]], references: int) -> float:
    """SODA-T per cent: how many of the reference's descriptions have a partner less than τ away."""
    near = sum(abs(one.doubled_midpoint - other.doubled_midpoint) < 2 * TAU_MS for one, other in pairs)
    return 100 * near / references
