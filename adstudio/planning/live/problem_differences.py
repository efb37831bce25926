"""What an edit may have touched: the problems before and after it compared, without planning either.

Edits leave nearly everything as it was, down to the identity of objects, so all of this is fast.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from adstudio.core.timebase import Span
from adstudio.planning.problem import Problem


def common_prefix(before: Sequence[object], after: Sequence[object]) -> int:
    """The length of the common prefix, found by comparing ever smaller slices."""
    same, shorter = 0, min(len(before), len(after))
    step = shorter
    while step:
        if same + step <= shorter and before[same : same + step] == after[same : same + step]:
            same += step
        else:
            step //= 2
    return same


def merged_spans(changed: Iterable[Span], delta: int) -> list[tuple[int, int]]:
    """The spans in which gaps have changed, in order, those close to each other merged."""
    spans: list[tuple[int, int]] = []
    for gap in sorted(changed):
        if spans and gap.start <= spans[-1][1] + delta:
            spans[-1] = (spans[-1][0], max(spans[-1][1], gap.end))
        else:
            spans.append((gap.start, gap.end))
    return spans


def places_reached(before: Problem, after: Problem) -> set[int]:
    """The places of the elements of `after` whose windows the changed gaps may touch, and of fusions' ends."""
    if before.gaps == after.gaps and before.counted_gaps == after.counted_gaps:
        return set()
    delta = after.farthest
    changed = set(before.gaps) ^ set(after.gaps) | set(before.counted_gaps) ^ set(after.counted_gaps)
    spans = merged_spans(changed, delta)
    ends = [end for _, end in spans]
    found: set[int] = set()
    longest = delta + max(map(max, [element.durations for element in after.elements]), default=0)
    since, until = spans[0][0] - longest, ends[-1] + longest
    for place, element in enumerate(after.elements):
        occurrence = element.occurrence
        if occurrence is None or occurrence.end < since or occurrence.start > until:
            continue
        reach = delta + max(element.durations)
        near = bisect_left(ends, occurrence.start - reach)
        if near < len(ends) and spans[near][0] <= occurrence.end + reach:
            found.add(place)
    for line in after.fused.values():
        occurrence, reach = line.fusion.occurrence, delta + max(line.fusion.durations)
        near = bisect_left(ends, occurrence.start - reach)
        if near < len(ends) and spans[near][0] <= occurrence.end + reach:
            found.update((line.first, line.last))
    return found


def changed_range(before: Problem, after: Problem) -> tuple[int, int]:
    """Where elements were replaced, as first and one past the last; (count, 0) where none were.

    Only where there are as many elements as before.
    """
    old, new = before.elements, after.elements
    count = len(new)
    if old is new or len(old) != count:
        return count, 0
    head = common_prefix(old, new)
    return (head, count - common_prefix(old[::-1], new[::-1])) if head < count else (count, 0)
