"""Lines with suspended starts, shown where the describer put them, and the limits that keep other lines off them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from adstudio.core.plan import Delivery
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.planning.problem import Element, Problem

BEYOND = 1 << 44
"""Later than any time in a film."""


def pinned_delivery(element: Element) -> Delivery:
    """A line at its pinned start, in the pinned wording, else in the shortest."""
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


def limits_around(
    problem: Problem, elements: Sequence[Element], overlay: Mapping[int, Delivery], uncut: Iterable[Delivery]
) -> dict[int, Span]:
    """Limits that keep elements off the overlaid lines, which are given by the place of their element.

    Neighbours in textual order stay on their side of a line that is close to its action. The spans of the lines
    `uncut` are still in the gaps: there every element stays on its side in time.
    """
    limits: dict[int, Span] = {}
    for place, delivery in overlay.items():
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
    occurrence, reach = elements[place].occurrence, 2 * problem.farthest
    if occurrence is None or abs(delivery.span.doubled_midpoint - occurrence.doubled_midpoint) > reach:
        return
    for other in range(place - 1, -1, -1):
        other_occurrence = elements[other].occurrence
        if other_occurrence is not None and other_occurrence.end < delivery.start - reach:
            break
        yield other, _before(problem, delivery)
    for other in range(place + 1, len(elements)):
        other_occurrence = elements[other].occurrence
        if other_occurrence is not None and other_occurrence.start > delivery.end + reach:
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
        other_occurrence = element.occurrence
        if other_occurrence is None:
            continue
        reach = problem.farthest + problem.min_pause + max(element.durations)
        first = bisect_left(starts, other_occurrence.start - reach - longest)
        for line in lines[first : bisect_right(starts, other_occurrence.end + reach)]:
            early = other_occurrence.doubled_midpoint < line.start + line.end
            yield place, _before(problem, line) if early else _after(problem, line)


def bounded(within: Span | None, side: Span) -> Span:
    """The overlap of the limits on a delivery with `side`; of no length where the two exclude each other."""
    within = within or Span(0, MAX_TIME_MS)
    start = max(within.start, side.start)
    return Span(start, max(start, min(within.end, side.end)))
