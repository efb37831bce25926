"""Lines whose starts were set aside, shown where the describer put them: what the rest of the film leaves to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from adstudio.core.plan import Delivery
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.planning.problem import Element, Problem

BEYOND = 1 << 44
"""Later than any time in a film."""


def as_put(element: Element) -> Delivery:
    """A line with a start as the describer put it: in the held wording, else in the shortest."""
    lengths = element.durations
    variant = element.pin.variant
    if variant is None:
        variant = min(range(len(lengths)), key=lengths.__getitem__)
    start = element.pin.start or 0
    return Delivery(element.id, variant, start, start + lengths[variant])


def without_spans(gaps: Sequence[Span], spans: Iterable[Span]) -> tuple[Span, ...]:
    """The gaps with these spans cut out."""
    left = list(gaps)
    for span in spans:
        pieces: list[Span] = []
        for gap in left:
            if span.end <= gap.start or gap.end <= span.start:
                pieces.append(gap)
                continue
            if gap.start < span.start:
                pieces.append(Span(gap.start, span.start))
            if span.end < gap.end:
                pieces.append(Span(span.end, gap.end))
        left = pieces
    return tuple(left)


def keep_to_sides(
    problem: Problem, elements: list[Element], place: int, delivery: Delivery, must: frozenset[str]
) -> None:
    """Bound the free neighbours of a line shown apart to their side of it, where it lies near what it describes."""
    occurrence = elements[place].occurrence
    delta, pause = problem.delta_max, problem.min_pause
    if occurrence is None or abs(delivery.span.doubled_midpoint - occurrence.doubled_midpoint) > 2 * delta:
        return
    for step in (-1, 1):
        at = place + step
        while 0 <= at < len(elements):
            element = elements[at]
            happens = element.occurrence
            if happens is not None:
                if step < 0 and happens.end < delivery.start - 2 * delta:
                    break
                if step > 0 and happens.start > delivery.end + 2 * delta:
                    break
                if not element.must and element.id not in must:
                    side = Span(0, max(0, delivery.start - pause)) if step < 0 else Span(delivery.end + pause, BEYOND)
                    elements[at] = replace(element, within=bounded(element.within, side))
            at += step


def keep_off(problem: Problem, elements: list[Element], delivery: Delivery, must: frozenset[str]) -> None:
    """Bound what is free to its own side, in time, of a line shown apart whose span is left in the gaps."""
    reach = problem.delta_max + delivery.span.length + problem.min_pause
    for place, element in enumerate(elements):
        happens = element.occurrence
        if happens is None or element.must or element.id in must:
            continue
        far = reach + max(element.durations)
        if happens.end + far < delivery.start or delivery.end + far < happens.start:
            continue
        if happens.doubled_midpoint < delivery.span.doubled_midpoint:
            side = Span(0, max(0, delivery.start - problem.min_pause))
        else:
            side = Span(delivery.end + problem.min_pause, BEYOND)
        elements[place] = replace(element, within=bounded(element.within, side))


def bounded(within: Span | None, side: Span) -> Span:
    """The limits on a delivery, and those of `side` too; of no length where the two exclude each other."""
    within = within or Span(0, MAX_TIME_MS)
    start = max(within.start, side.start)
    return Span(start, max(start, min(within.end, side.end)))
