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

LEAST_WIDTH = 12.0
"""Pixels: below this mean width items are shown as a density."""


@dataclass(frozen=True, eq=False)
class Density:
    """The edges of some spans in order of time; `order` says which edge each is, starts first and then ends."""

    edges: Floats
    order: NDArray[np.intp]

    def grown(self, weights: Floats) -> Floats:
        """At each edge the time covered up to there, each span counted with its weight."""
        import numpy as np

        slopes = np.cumsum(np.concatenate((weights, -weights))[self.order])
        found = np.zeros(len(self.edges))
        np.cumsum(np.diff(self.edges) * slopes[:-1], out=found[1:])
        return found

    def columns(self, grown: Floats, start: float, ms_per_column: float, count: int) -> Floats:
        """Of each column the share that is covered, above 1 where spans overlap."""
        import numpy as np

        if not len(self.edges):
            return np.zeros(count)
        bounds = start + np.arange(count + 1) * ms_per_column
        return np.diff(np.interp(bounds, self.edges, grown)) / ms_per_column


def density_of(starts: Sequence[int], ends: Sequence[int]) -> Density:
    """The density of spans; those of no length count as a millisecond, so that none is lost."""
    import numpy as np

    first = np.asarray(starts, dtype=np.float64)
    last = np.maximum(np.asarray(ends, dtype=np.float64), first + 1)
    times = np.concatenate((first, last))
    order = np.argsort(times, kind="stable")
    return Density(times[order], order)
