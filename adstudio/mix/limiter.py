"""A limiter for true peaks: it looks ahead, goes down before a peak, and comes up slowly after it.

All channels get the same gain, so that the picture of the sound stays in its place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from adstudio.mix.film_sound import Block
from adstudio.mix.layout import RATE
from adstudio.mix.true_peak import GREATEST_RISE, REACH, between

AHEAD = RATE * 5 // 1000
"""Samples in which it goes down before a peak: 5 ms."""
RELEASE = 20.0 / RATE
"""Decibels a sample by which it comes up: 20 dB in a second, too slow to bend a low tone."""
MARGIN = 0.2
"""Decibels below the ceiling that peaks are limited to: meters differ by as much, and gain in motion adds to it."""
DELAY = REACH + AHEAD
"""Samples that come out after all those that went in."""


class Limiter:
    """Keeps the true peak of sound that comes in blocks; what goes in comes out `DELAY` samples later."""

    def __init__(self, channels: int, ceiling: float) -> None:
        """`ceiling`: dBTP."""
        self._ceiling = ceiling - MARGIN
        self._linear = 10 ** (self._ceiling / 20)
        # As if silence had gone in before: the samples still wanted, and the levels from `AHEAD` before those on.
        self._samples = np.zeros((channels, DELAY + REACH - 1), np.float32)
        self._levels = np.zeros(2 * AHEAD, np.float64)
        self.most = 0.0
        """By how many decibels it has gone down at most."""

    def __call__(self, samples: Block) -> Block:
        """The next samples that come out: as many as go in."""
        count = samples.shape[1]
        whole = np.concatenate([self._samples, samples], axis=1)
        self._samples = whole[:, count:]
        # Levels are known up to `REACH` samples before the last that went in.
        levels = np.concatenate([self._levels, self._needed(whole, count)])
        self._levels = levels[count:]
        out = whole[:, REACH - 1 : REACH - 1 + count]
        if not levels.any():
            return out
        # The lowest of what follows, and the mean of that over what came before, which is never above what is needed.
        lowest = _lowest_ahead(levels, AHEAD)
        total = np.cumsum(np.concatenate([[0.0], lowest]))
        mean = (total[AHEAD + 1 :] - total[: -AHEAD - 1]) / (AHEAD + 1)
        self.most = max(self.most, -float(mean[:count].min()))
        return out * (10 ** (mean[:count] / 20)).astype(np.float32)

    def _needed(self, samples: Block, count: int) -> NDArray[np.float64]:
        """The level in decibels that each of the next samples may have at most, coming up no faster than it may."""
        last = float(self._levels[-1])
        peaks = samples[:, -(count + 2 * REACH - 1) :]
        needed = np.zeros(count, np.float64)
        if float(np.abs(peaks).max(initial=0.0)) * GREATEST_RISE > self._linear:
            greatest = between(peaks).astype(np.float64)
            over = greatest > self._linear
            needed[over] = self._ceiling - 20 * np.log10(greatest[over])
        elif last == 0.0:
            return needed
        climb = RELEASE * np.arange(count + 1)
        lowest = np.minimum.accumulate(np.concatenate([[last], needed]) - climb)
        return np.minimum(lowest + climb, 0.0)[1:]


def _lowest_ahead(levels: NDArray[np.float64], ahead: int) -> NDArray[np.float64]:
    """The least of each level and the `ahead` that follow it; shorter by as many."""
    found, reach = levels, 1
    while reach < ahead + 1:
        step = min(reach, ahead + 1 - reach)
        found = np.minimum(found[:-step], found[step:])
        reach += step
    return found
