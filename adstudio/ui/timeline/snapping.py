"""Snapping: an edge that comes near another sticks to it. Distances are in pixels. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

REACH = 8
"""Pixels from which an edge is drawn to another."""


@dataclass(frozen=True)
class Snap:
    """How far to move, in milliseconds, and the time of the edge that caught it (None: nothing near)."""

    shift: int = 0
    edge: int | None = None


def targets(*groups: Iterable[int | None], without: Iterable[int] = ()) -> tuple[int, ...]:
    """The times that something can stick to, in order; its own edges are `without`."""
    left_out = set(without)
    return tuple(sorted({ms for group in groups for ms in group if ms is not None} - left_out))


def snapped(edges: Sequence[int], onto: Sequence[int], ms_per_px: float) -> Snap:
    """How to move the edges, all by the same, so that the one nearest to a target lies on it."""
    best = Snap()
    least = REACH * ms_per_px
    for edge in edges:
        place = bisect_left(onto, edge)
        for target in onto[max(0, place - 1) : place + 1]:
            if abs(target - edge) < least:
                least, best = abs(target - edge), Snap(target - edge, target)
    return best
