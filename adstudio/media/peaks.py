"""Waveform peaks: the film's loudness in bins of ten milliseconds, ready to be drawn at any zoom."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adstudio.core.timebase import MAX_TIME_MS
from adstudio.media.cache import DamagedCacheError, Kind
from adstudio.media.cached_data import CachedData, Stage, joined, parted
from adstudio.media.opening import opened
from adstudio.media.sound_runs import SoundRun, measure
from adstudio.media.sound_tracks import sound_stream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE = 100
"""Bins a second."""
BIN_MS = 1000 // RATE
FACTOR = 4
"""Bins of one level that are one bin of the next."""
MOST_BINS = MAX_TIME_MS // BIN_MS
FURTHEST_MS = 1e10
EDGE = 1e-5
"""Bins or samples by which an edge may lie before that of another and be taken for it, as floats are not exact."""
FINE = 16
"""Bins in one column, at least, where there is a choice of levels."""


@dataclass(frozen=True, eq=False)
class Peaks:
    """The greatest amplitude in each hundredth of a second of film time, of the loudest channel.

    0 is silence and 255 full scale, linearly; channels are not mixed, as that would cancel what is out of phase and
    drown dialogue that lies in one of six. `duration` (ms of film time) is how far the sound is known; it goes on
    behind that where the peaks are not `complete`.
    """

    bins: NDArray[np.uint8]
    duration: int
    complete: bool = True

    @cached_property
    def _levels(self) -> tuple[NDArray[np.uint8], ...]:
        """Level 0 are the bins, a bin of each next one the maximum of four; each with the silence behind the end."""
        import numpy as np

        levels = [np.append(self.bins, np.uint8(0))]
        while len(levels[-1]) > FACTOR:
            below = levels[-1][:-1]
            padded = np.zeros(-(-len(below) // FACTOR) * FACTOR, np.uint8)
            padded[: len(below)] = below
            levels.append(np.append(padded.reshape(-1, FACTOR).max(axis=1), np.uint8(0)))
        return tuple(levels)

    def window(self, start_ms: float, end_ms: float, columns: int) -> NDArray[np.uint8]:
        """The maximum in each of `columns` equal parts of a span of film time; 0 where there is no sound.

        The neighbours of a part never show in it by more than a sixteenth of its width, or by one bin.
        """
        import numpy as np

        result = np.zeros(max(columns, 0), np.uint8)
        start, end = (min(max(float(time), -FURTHEST_MS), FURTHEST_MS) for time in (start_ms, end_ms))
        if not len(result) or not end > start:
            return result
        level, unit = 0, float(BIN_MS)
        while unit * FACTOR * FINE <= (end - start) / columns and level + 1 < len(self._levels):
            level, unit = level + 1, unit * FACTOR
        values = self._levels[level]
        edges = np.floor(np.linspace(start / unit, end / unit, columns + 1) + EDGE).astype(np.int64)
        first, behind = edges[:-1], np.maximum(edges[1:], edges[:-1] + 1)
        last = len(values) - 1
        inside = (behind > 0) & (first < last)
        if not inside.any():
            return result
        pairs = np.stack((first[inside].clip(0), behind[inside].clip(None, last)), axis=1).ravel()
        result[inside] = np.maximum.reduceat(values[: pairs[-1] + 1], pairs)[::2]
        return result


def make_peaks(video: Path, track: int | None = None) -> Iterator[Stage[Peaks]]:
    """Measure a film's sound from end to end: a sound track by its number, or the one that is used.

    A film without sound has peaks of no length.

    Raises:
        MediaError: for what is no film that can be read.
        OutsideFailureError: when the file may not be read.
    """
    with opened(video) as container:
        meter = _Meter()
        stream = sound_stream(container, track)
        if stream is not None:
            yield from measure(container, stream, meter.add, lambda: meter.peaks(complete=False))
    yield Stage(1.0, lambda: meter.peaks(complete=True))


@dataclass(frozen=True)
class _Head:
    rate: int
    duration: int
    complete: bool


def encode_peaks(peaks: Peaks) -> bytes:
    """The peaks as a line of JSON and the bytes of level 0."""
    return joined(_Head(RATE, peaks.duration, peaks.complete), peaks.bins.tobytes())


def parse_peaks(data: bytes) -> Peaks:
    """The inverse of `encode_peaks`; raises as `CachedData.parse` does."""
    import numpy as np

    head, body = parted(data, _Head)
    if head.rate != RATE or head.duration < 0 or len(body) > MOST_BINS or len(body) != -(-head.duration // BIN_MS):
        raise DamagedCacheError
    return Peaks(np.frombuffer(body, np.uint8), head.duration, head.complete)


PEAKS = CachedData(Kind.PEAKS, make_peaks, encode_peaks, parse_peaks)


class _Meter:
    """Bins that fill as sound comes by."""

    def __init__(self) -> None:
        import numpy as np

        self._bins = np.zeros(60 * RATE, np.uint8)
        self.end_ms = 0

    def add(self, run: SoundRun) -> int:
        """Measure a run; returns `end_ms`."""
        import numpy as np

        first, length = run.start * RATE, run.count * RATE / run.rate
        last = min(math.ceil(first + length - EDGE), MOST_BINS)
        bins = np.arange(max(math.floor(first + EDGE), 0), last, dtype=np.int64)
        if not len(bins):
            return self.end_ms
        starts = np.ceil((bins - first) * (run.rate / RATE) - EDGE).astype(np.int64).clip(0, run.count - 1)
        loudest = _loudest(run.samples, starts)
        self._reserve(int(bins[-1]) + 1)
        here = self._bins[bins[0] : bins[-1] + 1]
        np.maximum(here, loudest, out=here)
        self.end_ms = min(max(self.end_ms, round(run.end * 1000)), MAX_TIME_MS)
        return self.end_ms

    def peaks(self, *, complete: bool) -> Peaks:
        """What was measured so far."""
        count = -(-self.end_ms // BIN_MS)
        self._reserve(count)
        return Peaks(self._bins[:count].copy(), self.end_ms, complete)

    def _reserve(self, count: int) -> None:
        import numpy as np

        if count > len(self._bins):
            longer = np.zeros(max(count, min(2 * len(self._bins), MOST_BINS)), np.uint8)
            longer[: len(self._bins)] = self._bins
            self._bins = longer


def _loudest(samples: NDArray[Any], starts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The greatest amplitude of any channel from each start to the next, in 255ths of full scale."""
    import numpy as np

    high = np.maximum.reduceat(samples, starts, axis=1).max(axis=0).astype(np.float64)
    low = np.minimum.reduceat(samples, starts, axis=1).min(axis=0).astype(np.float64)
    match samples.dtype.kind:
        case "u":
            high, low, full = high - 128, low - 128, 128.0
        case "i":
            full = float(1 << (8 * samples.dtype.itemsize - 1))
        case _:
            full = 1.0
    loud = np.nan_to_num(np.maximum(high, -low), nan=0.0) / full
    return np.rint(loud.clip(0, 1) * 255).astype(np.uint8)
