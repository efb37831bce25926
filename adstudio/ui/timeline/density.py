"""Far out, items are narrower than a pixel: then each column says how much of it is covered, and how salient that is.

Covered time up to t is piecewise linear in t, so a column's share is the difference of two interpolated values: the
cost is that of the columns, however many items there are. numpy is imported when first needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEAST_WIDTH = 4.0
"""Pixels: below this mean width items are shown as a density."""


@dataclass(frozen=True, eq=False)
class Density:
    """Covered time, and covered time weighted, as functions of time."""

    edges: Floats
    covered: Floats
    weighted: Floats

    def columns(self, start: float, ms_per_px: float, count: int) -> tuple[Floats, Floats]:
        """Of each column the share covered (above 1 where spans overlap) and the mean weight of what covers it."""
        import numpy as np

        bounds = start + np.arange(count + 1) * ms_per_px
        covered = np.diff(np.interp(bounds, self.edges, self.covered))
        weighted = np.diff(np.interp(bounds, self.edges, self.weighted))
        mean = np.divide(weighted, covered, out=np.zeros(count), where=covered > 0)
        return covered / ms_per_px, mean


def density_of(starts: Sequence[int], ends: Sequence[int], weights: Sequence[float] | None = None) -> Density:
    """The density of spans; those of no length count as a millisecond, so that none is lost."""
    import numpy as np

    if not len(starts):
        zeros = np.zeros(1)
        return Density(zeros, zeros, zeros)
    first = np.asarray(starts, dtype=np.float64)
    last = np.maximum(np.asarray(ends, dtype=np.float64), first + 1)
    weight = np.ones(len(first)) if weights is None else np.asarray(weights, dtype=np.float64)
    times = np.concatenate((first, last))
    order = np.argsort(times, kind="stable")
    edges = times[order]
    steps = np.diff(edges, prepend=edges[0])

    def grown(change: Floats) -> Floats:
        slope = np.cumsum(np.concatenate((change, -change))[order])
        return np.cumsum(steps * np.concatenate(((0.0,), slope[:-1])))

    return Density(edges, grown(np.ones(len(first))), grown(weight))
