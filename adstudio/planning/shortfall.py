"""Why a line can be spoken nowhere, other lines aside: the gap that comes closest to taking it, and what it lacks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from adstudio.core.timebase import Span
from adstudio.planning.problem import Element, Problem
from adstudio.planning.windows import gaps_in_reach, window_tiers

EXAMINED = 12
"""Gaps on either side of the action, besides those in reach, that are examined for the closest fit."""


class Limit(Enum):
    """What a line would exceed in a gap."""

    LENGTH = "length"
    SHARE = "share"
    EARLY = "early"
    LATE = "late"
    REACH = "reach"
    WITHIN = "within"


@dataclass(frozen=True, slots=True)
class Excess:
    """A limit that would be exceeded, and by how much: by milliseconds, or for `REACH` by so many gaps."""

    limit: Limit
    by: int


@dataclass(frozen=True, slots=True)
class Shortfall:
    """The gap that comes closest, how much of it may be narrated, and how long the line's shortest wording takes.

    Without `excesses` the line could be spoken somewhere if the other lines allowed it. Times in milliseconds.
    """

    gap: Span
    capacity: int
    length: int
    excesses: tuple[Excess, ...] = ()


def shortfall(problem: Problem, element: Element) -> Shortfall | None:
    """Why an element, were it not locked out, can be spoken nowhere; None where it has no action or there is no gap."""
    free = replace(element, pin=replace(element.pin, selected=None, start=None, override=False))
    occurrence = free.occurrence
    if occurrence is None or not problem.gaps:
        return None
    variants = range(len(free.durations)) if free.pin.variant is None else (free.pin.variant,)
    length = min(free.durations[variant] for variant in variants)
    for tier in window_tiers(problem, free):
        for place in tier.gaps:
            if free.durations[tier.variant] <= problem.capacities[place]:
                return Shortfall(problem.gaps[place], problem.capacities[place], length)
    beyond = EXAMINED + (problem.reach or 0) + 1
    first, last = bisect_right(problem.gap_ends, occurrence.start), bisect_left(problem.gap_starts, occurrence.end)
    examined = range(max(0, first - beyond), min(len(problem.gaps), last + beyond))
    found = [fit_in_gap(problem, free, place, length) for place in examined]
    middle = occurrence.doubled_midpoint // 2
    return min(found, key=lambda each: (len(each.excesses), max(each.gap.start - middle, middle - each.gap.end)))


def fit_in_gap(problem: Problem, element: Element, place: int, length: int) -> Shortfall:
    """What a line of this length would exceed in a gap; nothing where it has no action."""
    occurrence = element.occurrence
    excesses = () if occurrence is None else tuple(_excesses(problem, element, occurrence, place, length))
    return Shortfall(problem.gaps[place], problem.capacities[place], length, excesses)


def _excesses(problem: Problem, element: Element, occurrence: Span, place: int, length: int) -> Iterator[Excess]:
    gap, capacity, within = problem.gaps[place], problem.capacities[place], element.within
    first, last = gap.start, gap.end - length
    if length > gap.length:
        yield Excess(Limit.LENGTH, length - gap.length)
        first = last = (gap.start + gap.end - length) // 2
    elif length > capacity:
        yield Excess(Limit.SHARE, length - capacity)
    middle = occurrence.doubled_midpoint - length
    earliest, latest = -((2 * problem.early - middle) // 2), (middle + 2 * problem.late) // 2
    # A single limit in the way is measured from the starts that the other one leaves.
    near = max(first, earliest) <= min(last, latest)
    if near:
        first, last = max(first, earliest), min(last, latest)
    if within is not None:
        if max(first, within.start) > min(last, within.end - length):
            yield Excess(Limit.WITHIN, max(within.start - last, first + length - within.end, length - within.length))
        else:
            first, last = max(first, within.start), min(last, within.end - length)
    if not near:
        early = earliest > last
        yield Excess(Limit.EARLY, earliest - last) if early else Excess(Limit.LATE, max(first, earliest) - latest)
    own = gaps_in_reach(problem, occurrence, 0)
    number = bisect_right(problem.counted_edges[0], gap.start) - 1
    away = max(own.start - number, number - own.stop + 1)
    if problem.reach is not None and away > problem.reach:
        yield Excess(Limit.REACH, away - problem.reach)
