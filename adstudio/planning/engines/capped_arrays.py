"""What `capped` does with options, with numpy, for long frontiers; most dominated states are left out at once."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import numpy as np

from adstudio.planning.engines.options import OWED, OWED_BITS, Option, Row

Array = np.ndarray[Any, np.dtype[np.int64]]

_NONE: Array = np.empty(0, dtype=np.int64)

CELLS = 32
"""The grid on which candidates are compared has this many cells a side."""


def candidates(states: list[int], values: list[int], row: Row, floor: int) -> tuple[list[int], list[int]]:
    """The states after one more eventuality, ascending, with their values; most dominated ones are left out.

    Arguments as in `capped.advance`. Of the same state twice, the first has the greater value.
    """
    frontier = _Frontier(states, values)
    pieces = [] if row.must else [(frontier.ready, frontier.owed, frontier.values)]
    for option in row.options:
        frontier.take(option, pieces)
    if not any(len(gained) for _, _, gained in pieces):
        return [], []
    ready, owed, gained = (np.concatenate(each) for each in zip(*pieces, strict=True))
    then = np.maximum(ready, floor)
    owed = np.maximum(owed - (then - ready), 0)
    left = _undominated_cells(then, then + owed, gained)
    packed, gained = (then[left] << OWED_BITS) | owed[left], gained[left]
    order = np.lexsort((-gained, packed))
    return packed[order].tolist(), gained[order].tolist()


def _undominated_cells(ready: Array, clock: Array, gained: Array) -> Array:
    """Which candidates are not bettered by one in a cell below theirs on both clocks."""
    across, up = _cell(ready), _cell(clock)
    most = np.full((CELLS + 1, CELLS + 1), np.iinfo(np.int64).min)
    np.maximum.at(most, (across + 1, up + 1), gained)
    most = np.maximum.accumulate(np.maximum.accumulate(most, axis=0), axis=1)
    return np.flatnonzero(most[across, up] < gained)


def _cell(times: Array) -> Array:
    low, high = int(times.min()), int(times.max())
    return (times - low) * CELLS // (high - low + 1)


class _Frontier:
    """A frontier as arrays."""

    def __init__(self, states: list[int], values: list[int]) -> None:
        self._states = states
        packed = np.array(states, dtype=np.int64)
        self.ready, self.owed = packed >> OWED_BITS, packed & OWED
        self.clock = self.ready + self.owed
        self.values = np.array(values, dtype=np.int64)

    def take(self, option: Option, pieces: list[tuple[Array, Array, Array]]) -> None:
        """Append what an option leads to, as `capped` does, but not clamped."""
        if option.gaps is None:
            ((start, _),) = option.windows
            self._append(pieces, option, slice(0, self._before(start + 1)), start, None)
            return
        here: int | None = None
        handled = 0
        refused, refused_here = _NONE, _NONE
        for (lo, hi), (start, end, capacity) in zip(option.windows, option.gaps, strict=True):
            full, last = end - capacity, end - option.length
            if start != here:
                refused, refused_here, here = np.concatenate((refused, refused_here)), _NONE, start
            inside = max(handled, self._before(start))
            if handled < inside:
                refused = np.concatenate((refused, np.arange(handled, inside)))
            if len(refused) and max(lo, full) <= last:
                self._append(pieces, option, refused[[np.argmax(self.values[refused])]], lo, full)
                refused = _NONE
            handled = max(inside, self._before(hi + 1))
            if inside < handled:
                within = slice(inside, handled)
                fits = self.clock[within] <= last
                if lo <= last and full <= last and fits.all():
                    self._append(pieces, option, within, lo, full)
                else:
                    fits &= lo <= last and full <= last
                    self._append(pieces, option, np.flatnonzero(fits) + inside, lo, full)
                    refused_here = np.concatenate((refused_here, np.flatnonzero(~fits) + inside))

    def _before(self, time: int) -> int:
        """How many states are ready before a time."""
        return bisect_left(self._states, time << OWED_BITS)

    def _append(
        self, pieces: list[tuple[Array, Array, Array]], option: Option, some: Array | slice, lo: int, full: int | None
    ) -> None:
        """Append what some of the states lead to at or after `lo`; `full` is None for an override."""
        begin = np.maximum(self.ready[some], lo)
        clock = self.clock[some]
        ready = begin + option.shift
        if full is not None:
            clock = np.maximum(clock, np.maximum(begin, full)) + option.length
        pieces.append((ready, np.maximum(clock - ready, 0), self.values[some] + option.gain))
