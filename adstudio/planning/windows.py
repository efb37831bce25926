"""Where a variant may start: gaps, distance from the action, `reach`, `within` and pins as windows of starts.

The paper's constraints (3) and (4), and what a house asks beyond them (DESIGN section 4): the distance before and after
the action limited separately, gaps near the action only, and two tiers, near and far, which count differently.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from adstudio.core.timebase import Span
from adstudio.planning.problem import Element, Problem, far_worth

Window = tuple[int, int]
"""The first and last start that a delivery may have in one gap."""

NO_GAP = -1
"""The gap of an overridden line, which uses no gap's share."""


class Tier(NamedTuple):
    """Windows in which a variant gains the same, `worth` a millisecond; `gaps` are their gaps' numbers."""

    variant: int
    far: bool
    worth: int
    windows: tuple[Window, ...]
    gaps: tuple[int, ...]


def start_windows(problem: Problem, element: Element, variant: int) -> tuple[Window, ...]:
    """Where a variant may start, near its action or far: at most one window per gap and tier, in order of time.

    The delivery lies inside one gap and |2d + L − (τ + τ+γ)| ≤ 2Δ, with Δ of its side. An override lifts both and
    `reach`, but not `within`; a start lifts none.
    """
    return tuple(sorted(window for tier in window_tiers(problem, element, (variant,)) for window in tier.windows))


def window_tiers(problem: Problem, element: Element, variants: Iterable[int] | None = None) -> list[Tier]:
    """The windows of all variants, or of these, by what they gain: of each those near the action, then those far."""
    pin, start, within = element.pin, element.pin.start, element.within
    if pin.selected is False:
        return []
    numbers = range(len(element.durations)) if variants is None else variants
    if pin.variant is not None:
        numbers = [variant for variant in numbers if variant == pin.variant]
    if pin.override and start is not None:
        ends = [(variant, start + element.durations[variant]) for variant in numbers]
        return [
            Tier(variant, far=False, worth=element.worth, windows=((start, start),), gaps=(NO_GAP,))
            for variant, end in ends
            if within is None or (within.start <= start and end <= within.end)
        ]
    occurrence = element.occurrence
    if occurrence is None:
        return []
    twice, early, late = occurrence.start + occurrence.end, 2 * problem.early, 2 * problem.late
    reached = reached_span(problem, occurrence)
    if reached is not None:
        within = reached if within is None else within.overlap(reached)
        if within is None:
            return []
    near, further = problem.near, far_worth(problem, element)
    found: list[Tier] = []
    for variant in numbers:
        length = element.durations[variant]
        middle = twice - length
        earliest, latest = (middle - early + 1) // 2, (middle + late) // 2
        if within is not None:
            earliest, latest = max(earliest, within.start), min(latest, within.end - length)
        if start is not None:
            earliest, latest = max(earliest, start), min(latest, start)
        windows, gaps = _windows(problem, length, earliest, latest)
        if not windows:
            continue
        if near is None or further == element.worth:
            found.append(Tier(variant, far=False, worth=element.worth, windows=tuple(windows), gaps=tuple(gaps)))
        else:
            first, last = (middle - 2 * near.early + 1) // 2, (middle + 2 * near.late) // 2
            found += _split(variant, element.worth, further, windows, gaps, first, last)
    return found


def _windows(problem: Problem, length: int, earliest: int, latest: int) -> tuple[list[Window], list[int]]:
    edges = problem.gap_edges
    windows: list[Window] = []
    gaps: list[int] = []
    for gap in range(bisect_left(problem.gap_ends, earliest + length), len(edges)):
        first, last = edges[gap]
        last -= length
        if first > latest:
            break
        first = max(first, earliest)
        last = min(last, latest)
        if first <= last:
            windows.append((first, last))
            gaps.append(gap)
    return windows, gaps


def _split(
    variant: int, worth: int, further: int, windows: Sequence[Window], gaps: Sequence[int], first: int, last: int
) -> Iterator[Tier]:
    """The near windows, whose starts are from `first` to `last`, and the others."""
    near: list[Window] = []
    near_gaps: list[int] = []
    far: list[Window] = []
    far_gaps: list[int] = []
    for (lo, hi), gap in zip(windows, gaps, strict=True):
        if lo < first:
            far.append((lo, hi if hi < first else first - 1))
            far_gaps.append(gap)
        if first <= last and lo <= last and first <= hi:  # a midpoint can lie between two starts
            near.append((max(lo, first), min(hi, last)))
            near_gaps.append(gap)
        if hi > last:
            far.append((lo if lo > last else last + 1, hi))
            far_gaps.append(gap)
    if near:
        yield Tier(variant, far=False, worth=worth, windows=tuple(near), gaps=tuple(near_gaps))
    if far:
        yield Tier(variant, far=True, worth=further, windows=tuple(far), gaps=tuple(far_gaps))


def reached_span(problem: Problem, occurrence: Span) -> Span | None:
    """From the first to the last of the gaps that a line about an occurrence may use; None where it may use any."""
    if problem.reach is None or not problem.gaps:
        return None
    starts, ends = problem.counted_edges
    reached = gaps_in_reach(problem, occurrence, problem.reach)
    return Span(starts[reached.start], ends[min(reached.stop, len(ends)) - 1])


def gaps_in_reach(problem: Problem, occurrence: Span, reach: int) -> range:
    """The numbers of the gaps (`counted_gaps`) at most `reach` places away from those that the occurrence overlaps.

    Where it overlaps none, from the nearest one before and the nearest one after it. The last may be beyond the list.
    """
    starts, ends = problem.counted_edges
    first = bisect_right(ends, occurrence.start)
    last = bisect_left(starts, occurrence.end) - 1
    if first > last:
        first, last = first - 1, last + 1
    return range(max(0, first - reach), last + reach + 1)
