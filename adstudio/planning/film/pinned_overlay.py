"""Lines whose starts were set aside, shown where the describer put them: what the rest of the film leaves to them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    left: list[Span] = []
    cuts = deque(sorted(spans))
    for gap in gaps:
        start = gap.start
        while cuts and cuts[0].start < gap.end:
            if start < cuts[0].start:
                left.append(Span(start, cuts[0].start))
            start = max(start, cuts[0].end)
            if cuts[0].end > gap.end:
                break
            cuts.popleft()
        if start < gap.end:
            left.append(Span(start, gap.end))
    return tuple(left)


def limits_beside(
    problem: Problem, elements: Sequence[Element], shown: Mapping[int, Delivery], uncut: Iterable[Delivery]
) -> dict[int, Span]:
    """Bounds that keep elements off lines shown apart; `shown` gives these by the place of their element.

    Neighbours in textual order keep to their side of a line that lies near what it describes. Off the lines `uncut`,
    whose spans are left in the gaps, everything keeps to its own side in time.
    """
    limits: dict[int, Span] = {}
    for place, delivery in shown.items():
        for other, side in _sides_in_text(problem, elements, place, delivery):
            limits[other] = bounded(limits.get(other), side)
    for other, side in _sides_in_time(problem, elements, sorted(uncut, key=lambda line: line.start)):
        limits[other] = bounded(limits.get(other), side)
    return limits


def _before(problem: Problem, delivery: Delivery) -> Span:
    return Span(0, max(0, delivery.start - problem.min_pause))


def _after(problem: Problem, delivery: Delivery) -> Span:
    return Span(delivery.end + problem.min_pause, BEYOND)


def _sides_in_text(
    problem: Problem, elements: Sequence[Element], place: int, delivery: Delivery
) -> Iterator[tuple[int, Span]]:
    occurrence, far = elements[place].occurrence, 2 * problem.delta_max
    if occurrence is None or abs(delivery.span.doubled_midpoint - occurrence.doubled_midpoint) > far:
        return
    for other in range(place - 1, -1, -1):
        happens = elements[other].occurrence
        if happens is not None and happens.end < delivery.start - far:
            break
        yield other, _before(problem, delivery)
    for other in range(place + 1, len(elements)):
        happens = elements[other].occurrence
        if happens is not None and happens.start > delivery.end + far:
            break
        yield other, _after(problem, delivery)


def _sides_in_time(
    problem: Problem, elements: Sequence[Element], lines: Sequence[Delivery]
) -> Iterator[tuple[int, Span]]:
    if not lines:
        return
    starts = [line.start for line in lines]
    longest = max(line.end - line.start for line in lines)
    for place, element in enumerate(elements):
        happens = element.occurrence
        if happens is None:
            continue
        far = problem.delta_max + problem.min_pause + max(element.durations)
        first = bisect_left(starts, happens.start - far - longest)
        for line in lines[first : bisect_right(starts, happens.end + far)]:
            early = happens.doubled_midpoint < line.start + line.end
            yield place, _before(problem, line) if early else _after(problem, line)


def bounded(within: Span | None, side: Span) -> Span:
    """The limits on a delivery, and those of `side` too; of no length where the two exclude each other."""
    within = within or Span(0, MAX_TIME_MS)
    start = max(within.start, side.start)
    return Span(start, max(start, min(within.end, side.end)))
