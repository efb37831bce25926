"""Where a variant may start: gaps, distance from the action, `reach`, `within` and pins as windows of starts.

The paper's constraints (3) and (4), and what a house asks beyond them (DESIGN section 4): the distance before and after
the action limited separately, gaps near the action only, and two tiers, near and far, which count differently.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from adstudio.core.timebase import Span
from adstudio.planning.problem import Element, Problem, far_worth

Window = tuple[int, int]
"""The first and last start that a delivery may have in one gap."""

NO_GAP = -1
"""The gap of an overridden line, which uses no gap's share."""


class Tier(NamedTuple):
    """Windows in which a variant gains the same, `worth` a millisecond; `gaps` are their gaps' numbers."""

    far: bool
    worth: int
    windows: tuple[Window, ...]
    gaps: tuple[int, ...]


def start_windows(problem: Problem, element: Element, variant: int) -> tuple[Window, ...]:
    """Where a variant may start, near its action or far: one window per gap, in order of time.

    The delivery lies inside one gap and |2d + L − (τ + τ+γ)| ≤ 2Δ, with Δ of its side. An override lifts both and
    `reach`, but not `within`; a start lifts none.
    """
    return _windows(problem, element, variant)[0]


def window_tiers(problem: Problem, element: Element, variant: int) -> tuple[Tier, ...]:
    """The windows of `start_windows` by what they gain: those near the action, then those far from it."""
    windows, gaps = _windows(problem, element, variant)
    if not windows:
        return ()
    worth, further = element.worth, far_worth(problem, element)
    near, occurrence = problem.near, element.occurrence
    if near is None or occurrence is None or further == worth:
        return (Tier(far=False, worth=worth, windows=windows, gaps=gaps),)
    middle = occurrence.doubled_midpoint - element.durations[variant]
    first, last = -((2 * near.early - middle) // 2), (middle + 2 * near.late) // 2
    inside: list[tuple[Window, int]] = []
    outside: list[tuple[Window, int]] = []
    for (lo, hi), gap in zip(windows, gaps, strict=True):
        if lo < first:
            outside.append(((lo, min(hi, first - 1)), gap))
        if max(lo, first) <= min(hi, last):
            inside.append(((max(lo, first), min(hi, last)), gap))
        if hi > last:
            outside.append(((max(lo, last + 1), hi), gap))
    found = ((False, worth, inside), (True, further, outside))
    return tuple(
        Tier(far, gain, tuple([window for window, _ in placed]), tuple([gap for _, gap in placed]))
        for far, gain, placed in found
        if placed
    )


def _windows(problem: Problem, element: Element, variant: int) -> tuple[tuple[Window, ...], tuple[int, ...]]:
    pin, length = element.pin, element.durations[variant]
    if pin.selected is False or (pin.variant is not None and pin.variant != variant):
        return (), ()
    within, start = element.within, pin.start
    if pin.override and start is not None:
        inside = within is None or within.start <= start <= within.end - length
        return (((start, start),), (NO_GAP,)) if inside else ((), ())
    occurrence = element.occurrence
    if occurrence is None:
        return (), ()
    middle = occurrence.start + occurrence.end - length
    earliest, latest = -((2 * problem.early - middle) // 2), (middle + 2 * problem.late) // 2
    if within is not None:
        earliest, latest = max(earliest, within.start), min(latest, within.end - length)
    if start is not None:
        earliest, latest = max(earliest, start), min(latest, start)
    edges = problem.gap_edges
    place, beyond = bisect_left(problem.gap_ends, earliest + length), len(edges)
    if problem.reach is not None:
        nearest = gaps_in_reach(problem, occurrence, problem.reach)
        place, beyond = max(place, nearest.start), min(beyond, nearest.stop)
    windows: list[Window] = []
    gaps: list[int] = []
    for gap in range(place, beyond):
        first, last = edges[gap]
        last -= length
        if first > latest:
            break
        first = max(first, earliest)
        last = min(last, latest)
        if first <= last:
            windows.append((first, last))
            gaps.append(gap)
    return tuple(windows), tuple(gaps)


def gaps_in_reach(problem: Problem, occurrence: Span, reach: int) -> range:
    """The numbers of the gaps at most `reach` places away from those that the occurrence overlaps.

    Where it overlaps none, from the nearest one before and the nearest one after it.
    """
    first = bisect_right(problem.gap_ends, occurrence.start)
    last = bisect_left(problem.gap_starts, occurrence.end) - 1
    if first > last:
        first, last = first - 1, last + 1
    return range(max(0, first - reach), last + reach + 1)
