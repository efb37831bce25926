"""Caps that are left out until they are needed: those of long gaps, which a plan seldom fills (DESIGN section 4).

With a cap, frontiers grow with the length of the gap; without it they do not. So long gaps are planned as if they could
be filled. If the lines chosen so can be timed under all caps, no plan is better: the one with fewer constraints is the
best, and it keeps them all. Where they cannot, the cap is put back, and that stretch is planned again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from adstudio.planning.engines.options import Row
from adstudio.planning.engines.timing import Line
from adstudio.planning.problem import Problem

LONG_MS = 40_000
"""From this length on, a gap's cap is lifted at first."""

Lifted = frozenset[int]
"""The starts of the gaps whose cap is lifted."""

NONE_LIFTED: Lifted = frozenset()


def long_gaps(problem: Problem) -> Lifted:
    """The gaps whose caps are lifted at first."""
    if not problem.capped:
        return NONE_LIFTED
    return frozenset(gap.start for gap in problem.gaps if gap.length >= LONG_MS)


def lifted_after(before: Problem, lifted: Lifted, after: Problem) -> Lifted:
    """What is lifted after an edit: of gaps that are the same, what was; of new ones, the long ones."""
    if before.gaps is after.gaps or before.gaps == after.gaps:
        return lifted
    unchanged = {gap.start for gap in set(before.gaps).intersection(after.gaps)}
    return (lifted & unchanged) | (long_gaps(after) - unchanged)


def exceeded(lines: Sequence[Line], lifted: Lifted) -> Lifted:
    """Of lines that cannot be timed together, the lifted gaps whose caps may be the reason.

    They are those that must be overfull, if there are any, else all that the lines reach.
    """
    reached = {start: cap for line in lines for start, _, cap in line.gaps or () if start in lifted}
    narrated = Counter[int]()
    for line in lines:
        own = {start for start, _, _ in line.gaps or ()}
        if len(own) == 1:
            narrated[own.pop()] += line.length
    return frozenset(start for start, cap in reached.items() if narrated[start] > cap) or frozenset(reached)


def rows_reaching(rows: Sequence[Row], gaps: Lifted) -> list[int]:
    """The places of the rows with an option in any of these gaps."""
    return [
        place
        for place, row in enumerate(rows)
        if any(
            start in gaps
            for option in (*row.options, *row.fused_from, *row.fused_to)
            for start, _, _ in option.gaps or ()
        )
    ]
