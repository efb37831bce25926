"""From chosen variants to a timed plan, for every engine."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.planning.engines.timing import NO_GAP, Line, best_starts, deviation
from adstudio.planning.problem import NO_SHARE_LIMIT, Problem, gap_of, objective_of, start_windows

Choice = tuple[int, int]
"""An element's position in textual order, and the variant chosen for it."""


def capacities(problem: Problem) -> list[int] | None:
    """The most that may be narrated in each gap, in milliseconds; None if gaps may be filled."""
    if problem.max_share >= NO_SHARE_LIMIT:
        return None
    return [gap.length * problem.max_share // NO_SHARE_LIMIT for gap in problem.gaps]


def line_of(problem: Problem, choice: Choice) -> Line:
    """A choice as a line to be timed."""
    place, variant = choice
    element = problem.elements[place]
    length = element.durations[variant]
    windows = start_windows(problem, element, variant)
    gaps = (
        (NO_GAP,) * len(windows)
        if element.pin.override
        else tuple(NO_GAP if (gap := gap_of(problem, lo, lo + length)) is None else gap for lo, _ in windows)
    )
    target = None if element.occurrence is None else element.occurrence.doubled_midpoint
    return Line(length, windows, gaps, target)


def timed_plan(
    problem: Problem, choices: Sequence[Choice], *, backend: str, status: Status = Status.OPTIMAL
) -> Plan | None:
    """The optimally timed plan of these choices (in textual order), as if proven; None if they cannot be placed."""
    lines = [line_of(problem, choice) for choice in choices]
    starts = best_starts(lines, problem.min_pause, capacities(problem))
    if starts is None:
        return None
    objective = objective_of(problem, {problem.elements[place].id: variant for place, variant in choices})
    return Plan(
        status=status,
        backend=backend,
        objective=objective,
        bound=objective,
        deviation=deviation(lines, starts),
        deliveries=tuple(
            Delivery(problem.elements[place].id, variant, start, start + line.length)
            for (place, variant), line, start in zip(choices, lines, starts, strict=True)
        ),
    )
