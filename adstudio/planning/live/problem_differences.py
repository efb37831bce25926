"""What an edit may have touched: the problem before it beside the one after it, without planning either.

Edits leave nearly everything as it was, the very same objects, so all of this is quick where little has changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from adstudio.core.timebase import Span
from adstudio.planning.problem import Problem


def equal_ahead(before: Sequence[object], after: Sequence[object]) -> int:
    """How many things are the same ones from the start, by comparing ever smaller stretches."""
    same, shorter = 0, min(len(before), len(after))
    step = shorter
    while step:
        if same + step <= shorter and before[same : same + step] == after[same : same + step]:
            same += step
        else:
            step //= 2
    return same


def reached_by(changed: Iterable[Span], delta: int) -> list[tuple[int, int]]:
    """The stretches in which gaps have changed, those near each other as one, in order of time."""
    stretches: list[tuple[int, int]] = []
    for gap in sorted(changed):
        if stretches and gap.start <= stretches[-1][1] + delta:
            stretches[-1] = (stretches[-1][0], max(stretches[-1][1], gap.end))
        else:
            stretches.append((gap.start, gap.end))
    return stretches


def reached_by_gaps(before: Problem, after: Problem) -> set[int]:
    """The places of the elements of `after` whose windows its other gaps may touch."""
    if before.gaps == after.gaps:
        return set()
    delta = after.delta_max
    stretches = reached_by(set(before.gaps) ^ set(after.gaps), delta)
    ends = [end for _, end in stretches]
    found: set[int] = set()
    longest = delta + max(map(max, [element.durations for element in after.elements]), default=0)
    since, until = stretches[0][0] - longest, ends[-1] + longest
    for place, element in enumerate(after.elements):
        occurrence = element.occurrence
        if occurrence is None or occurrence.end < since or occurrence.start > until:
            continue
        far = delta + max(element.durations)
        near = bisect_left(ends, occurrence.start - far)
        if near < len(ends) and stretches[near][0] <= occurrence.end + far:
            found.add(place)
    return found


def others_in_place(before: Problem, after: Problem) -> tuple[int, int]:
    """Where elements stand in the place of others: the first and one past the last; (count, 0) where there are none.

    None are looked for where there are more elements than before, or fewer.
    """
    old, new = before.elements, after.elements
    count = len(new)
    if old is new or len(old) != count:
        return count, 0
    head = equal_ahead(old, new)
    return (head, count - equal_ahead(old[::-1], new[::-1])) if head < count else (count, 0)
