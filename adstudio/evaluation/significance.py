"""Whether two systems differ, and how certain a mean is: by permuting, and by drawing, the sequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

ROUNDS = 10_000
"""R of the paper; where all arrangements are fewer, each of them is looked at."""
ALPHA = 0.05
"""A difference whose p is below is called significant."""
_SEED = 2026
_CHUNK = 500
"""Rounds at once: of a thousand differences in a thousand sequences these take some megabytes."""
_TOLERANCE = 1e-9

Matrix = NDArray[np.float64]


def weights(counts: Sequence[int]) -> Matrix:
    """What each sequence weighs in the mean over films of their means; `counts` are the films' numbers of sequences."""
    return np.concatenate([np.full(count, 1 / (count * len(counts))) for count in counts])


def least_p(sequences: int) -> float:
    """The smallest p that so many sequences can give: two of all arrangements are as extreme as a difference can be."""
    return min(1.0, 2.0 ** (1 - sequences))


def permutation_p(differences: Matrix, counts: Sequence[int], rounds: int = ROUNDS) -> Matrix:
    """The two-tailed p of each column of differences between two systems, by sequence (rows).

    Under the null hypothesis either system could have had either score in each sequence, so that the sign of each
    difference is open. p is the part of all arrangements of signs, or of `rounds` drawn ones with the observed one
    (Phipson & Smyth 2010), whose mean is at least as far from 0 as the observed mean. `counts` are the numbers of
    sequences of each film: the mean is that of the reports, over sequences in films, then over films.
    """
    weighted = differences * weights(counts)[:, None]
    observed = np.abs(weighted.sum(axis=0))
    # Sums of the same numbers in another order differ in their last digits.
    least = observed - _TOLERANCE * np.abs(weighted).sum(axis=0)
    exact = len(differences) < 60 and 2 ** len(differences) <= rounds
    chunks = _all_signs(len(differences)) if exact else _random_signs(len(differences), rounds)
    extreme, arrangements = np.zeros(differences.shape[1]), 0
    for signs in chunks:
        extreme += (np.abs(signs @ weighted) >= least).sum(axis=0)
        arrangements += len(signs)
    return extreme / arrangements if exact else (extreme + 1) / (arrangements + 1)


def intervals(scores: Matrix, counts: Sequence[int], rounds: int = ROUNDS) -> Matrix:
    """The 95 % interval of the mean of each column (low, high), with sequences drawn anew within their films.

    These are the percentiles of the bootstrap; `scores` and `counts` as in `permutation_p`.
    """
    generator = np.random.default_rng(_SEED)
    means: list[Matrix] = []
    for start in range(0, rounds, _CHUNK):
        number = min(_CHUNK, rounds - start)
        drawn = [generator.multinomial(count, np.full(count, 1 / count), number) for count in counts]
        means.append((np.concatenate(drawn, axis=1) * weights(counts)) @ scores)
    return np.percentile(np.concatenate(means), (2.5, 97.5), axis=0).T


def _all_signs(number: int) -> Iterator[Matrix]:
    for start in range(0, 2**number, _CHUNK):
        every = np.arange(start, min(start + _CHUNK, 2**number), dtype=np.int64)
        yield _signs(every[:, None] >> np.arange(number, dtype=np.int64) & 1)


def _random_signs(number: int, rounds: int) -> Iterator[Matrix]:
    generator = np.random.default_rng(_SEED)
    for start in range(0, rounds, _CHUNK):
        yield _signs(generator.integers(0, 2, (min(_CHUNK, rounds - start), number), dtype=np.int64))


def _signs(bits: NDArray[np.int64]) -> Matrix:
    return 1.0 - 2.0 * bits.astype(np.float64)
