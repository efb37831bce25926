"""The true peak after ITU-R BS.1770-5, annex 2: the greatest value between samples, at four times their rate."""

from __future__ import annotations

from math import log10
from typing import cast

import numpy as np
from numpy.typing import NDArray

from adstudio.mix.film_sound import Block

OVERSAMPLING = 4
_PART = 480
"""Samples that are looked at together for whether they may have a new peak."""
REACH = 16
"""Samples on either side from which a value between two of them is interpolated."""


def _phases() -> NDArray[np.float32]:
    """A windowed sinc for the three places between two samples, a row each."""
    places = np.arange(1 - REACH, REACH + 1)
    rows: list[NDArray[np.float64]] = []
    for phase in range(1, OVERSAMPLING):
        distance = phase / OVERSAMPLING - places
        taps = np.sinc(distance) * np.i0(6.0 * np.sqrt(1 - (distance / (REACH + 1)) ** 2))
        rows.append(taps / taps.sum())
    return np.array(rows, np.float32)


PHASES = _phases()
GREATEST_RISE = float(np.abs(PHASES).sum(axis=1).max())
"""How many times greater than every sample near it a value between samples can be at most."""


def between(samples: Block) -> NDArray[np.float32]:
    """The greatest absolute value at or after each sample, before the next, over all channels.

    The first `REACH` − 1 and the last `REACH` samples only lend their values: the result is shorter by them.
    """
    count = samples.shape[1] - 2 * REACH + 1
    greatest = cast("NDArray[np.float32]", np.abs(samples[:, REACH - 1 : REACH - 1 + count]).max(axis=0))
    for channel in samples:
        for row in PHASES:
            # Convolution turns the row over; it is given turned.
            np.maximum(greatest, np.abs(np.convolve(channel, row[::-1], "valid")), out=greatest)
    return greatest


class TruePeakMeter:
    """The true peak of sound that comes in blocks. Only parts of it are interpolated that may have a new peak."""

    def __init__(self, channels: int) -> None:
        self._before = np.zeros((channels, 2 * REACH), np.float32)
        self._peak = 0.0

    def add(self, samples: Block) -> None:
        """Take in a block."""
        whole = np.concatenate([self._before, samples], axis=1)
        for part in self._loud_parts(whole):
            self._peak = max(self._peak, float(between(whole[:, part]).max()))
        self._before = whole[:, -2 * REACH :]

    def _loud_parts(self, samples: Block) -> list[slice]:
        """Stretches that may have a value beyond the peak so far, with the samples that they are interpolated from."""
        size = samples.shape[1]
        if float(np.abs(samples).max(initial=0.0)) * GREATEST_RISE <= self._peak:
            return []
        height: NDArray[np.float32] = np.abs(samples).max(axis=0)
        loud = np.maximum.reduceat(height, list(range(0, size, _PART))) * GREATEST_RISE > self._peak
        starts, ends = (np.flatnonzero(np.diff(loud, prepend=False, append=False)).reshape(-1, 2) * _PART).T
        around = zip((starts - 2 * REACH).tolist(), (ends + 2 * REACH).tolist(), strict=True)
        return [slice(max(min(start, size - 2 * REACH), 0), min(end, size)) for start, end in around]

    @property
    def peak(self) -> float | None:
        """DBTP of all samples so far; None while all are zero."""
        self.add(np.zeros_like(self._before[:, :REACH]))
        return 20 * log10(self._peak) if self._peak else None
