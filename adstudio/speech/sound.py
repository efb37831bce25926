"""Sound as numbers: one channel of floats in −1…1, its silences and its rate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.floating[Any]]

SILENCE = 10 ** (-50 / 20)
"""What lies this far below a line's own peak, before and after it, counts as silence."""

_ODD = (1, 3, 5, 9, 15, 25, 27, 45, 75, 81, 125, 135, 225, 243)


@dataclass(frozen=True, eq=False)
class Sound:
    """One channel of sound: its samples and how many of them make a second."""

    samples: Samples
    rate: int

    @property
    def ms(self) -> int:
        """Milliseconds, rounded up: nothing sounds beyond them."""
        return -(-len(self.samples) * 1000 // self.rate)

    @cached_property
    def peak(self) -> float:
        """The greatest size of a sample."""
        return float(np.max(np.abs(self.samples), initial=0.0))

    @cached_property
    def _audible(self) -> tuple[int, int]:
        if self.peak <= 0:
            return len(self.samples), len(self.samples)
        loud = np.flatnonzero(np.abs(self.samples) > self.peak * SILENCE)
        return int(loud[0]), int(loud[-1]) + 1

    @property
    def leading(self) -> int:
        """Samples of silence before the first that is heard; all of them where nothing is."""
        return self._audible[0]

    @property
    def trailing(self) -> int:
        """Samples of silence after the last that is heard."""
        return len(self.samples) - self._audible[1]

    def trimmed(self) -> Sound:
        """The same sound without the silence before and after it; empty where nothing is heard."""
        start, end = self._audible
        return Sound(self.samples[start:end], self.rate)

    def at_rate(self, rate: int) -> Sound:
        """The same sound at another sample rate."""
        return Sound(resampled(self.samples, self.rate, rate), rate)


def resampled(samples: Samples, rate: int, target: int) -> Samples:
    """The same sound at `target` samples a second, band-limited by way of its spectrum."""
    length = round(len(samples) * target / rate)
    if rate == target or not length:
        return samples[:length].astype(np.float32)
    # Silence is added up to lengths of small factors, in the exact ratio of the rates: those transform fast.
    common = gcd(rate, target)
    blocks = _fast_length(-(-len(samples) * common // rate))
    before, after = blocks * (rate // common), blocks * (target // common)
    spectrum = np.fft.rfft(samples, before)
    other = np.zeros(after // 2 + 1, dtype=spectrum.dtype)
    shared = min(len(spectrum), len(other))
    other[:shared] = spectrum[:shared]
    return (np.fft.irfft(other, after)[:length] * (after / before)).astype(np.float32)


def _fast_length(least: int) -> int:
    # The smallest of 2^n times a few odd numbers of small factors.
    return min(odd << (-(-least // odd) - 1).bit_length() for odd in _ODD)
