"""What `capped` does with options, with numpy, for long frontiers; most dominated states are left out at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from adstudio.planning.engines.options import OWED, OWED_BITS, Option, Row

Array = np.ndarray[Any, np.dtype[np.int64]]

_NONE: Array = np.empty(0, dtype=np.int64)

CELLS = 48
"""The grid on which candidates are compared has this many cells a side."""


def candidates(states: list[int], values: list[int], row: Row, floor: int) -> tuple[list[int], list[int]]:
    """The states after one more eventuality, ascending, with their values; most dominated ones are left out.

    Arguments as in `capped.advance`. Of the same state twice, the first has the greater value.
    """
    frontier = _Frontier(states, values)
    pieces = [] if row.must else [(frontier.ready, frontier.owed, frontier.values)]
    for option in row.options:
        frontier.take(option, pieces)
    if not pieces:
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
        packed = np.array(states, dtype=np.int64)
        self.ready, self.owed = packed >> OWED_BITS, packed & OWED
        self.clock = self.ready + self.owed
        self.values = np.array(values, dtype=np.int64)

    def take(self, option: Option, pieces: list[tuple[Array, Array, Array]]) -> None:
        """Append what an option leads to, as `capped` does, but not clamped."""
        if option.gaps is None:
            ((start, _),) = option.windows
            self._append(pieces, option, np.flatnonzero(self.ready <= start), start, None)
            return
        here: int | None = None
        handled = 0
        refused: Array = _NONE
        refused_here: Array = _NONE
        for (lo, hi), (start, end, capacity) in zip(option.windows, option.gaps, strict=True):
            last, full = end - option.length, end - capacity
            if start != here:
                refused, refused_here, here = np.concatenate((refused, refused_here)), _NONE, start
            inside, until = (int(place) for place in np.searchsorted(self.ready, (start, hi + 1)))
            if handled < inside:
                refused = np.concatenate((refused, np.arange(handled, inside)))
                handled = inside
            if len(refused) and max(lo, full) <= last:
                best = refused[np.argmax(self.values[refused])]
                self._append(pieces, option, best[None], lo, full)
                refused = _NONE
            if handled < until:
                places = np.arange(handled, until)
                fits = np.maximum(self.clock[places], max(lo, full)) <= last
                self._append(pieces, option, places[fits], lo, full)
                refused_here = np.concatenate((refused_here, places[~fits]))
                handled = until

    def _append(
        self, pieces: list[tuple[Array, Array, Array]], option: Option, places: Array, lo: int, full: int | None
    ) -> None:
        """Append the states that some states lead to, at or after `lo`; `full` is None for an override."""
        begin = np.maximum(self.ready[places], lo)
        clock = self.clock[places]
        ready = begin + option.shift
        if full is not None:
            clock = np.maximum(np.maximum(clock, begin), full) + option.length
        pieces.append((ready, np.maximum(clock - ready, 0), self.values[places] + option.gain))
