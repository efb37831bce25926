"""Loudness after ITU-R BS.1770-5: K-weighting, powers of tenths of a second, and the gated mean of a programme.

FFmpeg's biquad filters weight the samples; powers are summed here. They are linear in the samples, so that of a mix
follows exactly from that of its parts at any gains.
"""

from __future__ import annotations

from fractions import Fraction
from math import log10
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from adstudio.mix.layout import BLOCK, RATE, Layout

if TYPE_CHECKING:
    from av.filter.graph import Graph

Powers = NDArray[np.float64]
"""The weighted power of each tenth of a second, all channels together."""

STEP = RATE // 10
"""Samples of a tenth of a second: gating blocks of 0.4 s begin at each."""
OFFSET = -0.691
"""LUFS of a full-scale power of 1 (BS.1770-5, annex 1)."""
ABSOLUTE_GATE = -70.0
"""LUFS under which a gating block does not count."""
RELATIVE_GATE = 10.0
"""LU below the mean of the others under which it does not count either."""

_SHELF = "b0=1.53512485958697:b1=-2.69169618940638:b2=1.19839281085285:a0=1:a1=-1.69065929318241:a2=0.73248077421585"
_RLB = "b0=1:b1=-2:b2=1:a0=1:a1=-1.99004745483398:a2=0.99007225036621"
"""Both for 48 kHz (BS.1770-5, annex 1, tables 1 and 2)."""
_FLOOR = np.tile([1e-12, -1e-12], BLOCK // 2)
"""240 dB below full scale: in digital silence the filters would come to denormal numbers, which take thirty times as
long."""


class KWeighting:
    """The filter that weights sound as it is heard; it goes on where the last samples ended."""

    def __init__(self, layout: Layout) -> None:
        from av.filter.graph import Graph

        self._layout = layout
        self._graph: Graph = Graph()
        # Handing the channels of so short a block to threads takes longer than filtering them.
        self._graph.threads = 1
        tick = Fraction(1, RATE)
        first = self._graph.add_abuffer(sample_rate=RATE, format="dblp", layout=layout.name, time_base=tick)
        for each in (_SHELF, _RLB):
            then = self._graph.add("biquad", each)
            first.link_to(then)
            first = then
        first.link_to(self._graph.add("abuffersink"))
        self._graph.configure()
        self._count = 0

    def __call__(self, samples: NDArray[np.floating]) -> NDArray[np.float64]:
        """The weighted samples, a row for each channel, of a second at most."""
        from av.audio.frame import AudioFrame

        whole = np.ascontiguousarray(samples + _FLOOR[: samples.shape[1]], np.float64)
        frame = AudioFrame.from_ndarray(whole, format="dblp", layout=self._layout.name)
        frame.sample_rate = RATE
        frame.pts = self._count
        self._count += frame.samples
        self._graph.push(frame)
        return cast("NDArray[np.float64]", cast("AudioFrame", self._graph.pull()).to_ndarray())


class LoudnessMeter:
    """The integrated loudness of sound that comes in blocks, each of whole tenths of a second but the last."""

    def __init__(self, layout: Layout) -> None:
        self._weighting = KWeighting(layout)
        self._weights = np.array(layout.weights)
        self._powers: list[Powers] = []

    def add(self, samples: NDArray[np.floating]) -> None:
        """Take in a block."""
        weighted = self._weighting(samples)
        self._powers.append(powers(weighted, weighted, self._weights))

    @property
    def loudness(self) -> float | None:
        """LUFS; None while nothing sounds."""
        return integrated(np.concatenate(self._powers)) if self._powers else None


def powers(one: NDArray[np.float64], other: NDArray[np.float64], weights: NDArray[np.float64]) -> Powers:
    """The mean product of two weighted sounds in each tenth of a second; what is left over at the end does not count.

    Of a sound with itself that is its power, and of the sum of two: that of each, and twice that of both.
    """
    channels, length = one.shape
    count = length // STEP
    parts = (channels, count, STEP)
    product = np.einsum("cns,cns->cn", *(each[:, : count * STEP].reshape(parts) for each in (one, other)))
    return weights @ product / STEP


def integrated(steps: Powers) -> float | None:
    """The gated loudness of a programme in LUFS; None where all of it is below the absolute gate.

    What is shorter than a gating block counts as one with silence after it.
    """
    if not len(steps):
        return None
    blocks = np.convolve(np.maximum(steps, 0.0), np.full(4, 0.25), "valid" if len(steps) >= 4 else "full")
    loud = blocks[blocks > _power(ABSOLUTE_GATE)]
    if not len(loud):
        return None
    counted = loud[loud > loud.mean() * 10 ** (-RELATIVE_GATE / 10)]
    return OFFSET + 10 * log10(counted.mean())


def _power(loudness: float) -> float:
    return 10 ** ((loudness - OFFSET) / 10)
