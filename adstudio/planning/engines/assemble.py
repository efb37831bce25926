"""From chosen variants to a timed plan, for every engine."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.planning.engines.timing import Line, best_starts, deviation
from adstudio.planning.problem import Choice, Problem, objective_of
from adstudio.planning.windows import window_tiers


def line_of(problem: Problem, choice: Choice) -> Line:
    """A choice as a line to be timed: it stays as near to its action, or as far from it, as it was counted."""
    element = problem.line(choice)
    tier = next((tier for tier in window_tiers(problem, element, (choice.variant,)) if tier.far == choice.far), None)
    target = None if element.occurrence is None else element.occurrence.doubled_midpoint
    if tier is None:
        return Line(element.durations[choice.variant], (), None, target)
    shared = problem.capped and not element.pin.override
    gaps = tuple([problem.gap_caps[gap] for gap in tier.gaps]) if shared else None
    return Line(element.durations[choice.variant], tier.windows, gaps, target)


def delivery_of(problem: Problem, choice: Choice, start: int, length: int) -> Delivery:
    """A choice that is spoken from a time on."""
    members = problem.fused[choice.fusion].fusion.of if choice.fusion else ()
    return Delivery(problem.line(choice).id, choice.variant, start, start + length, members=members)


def timed_plan(
    problem: Problem, choices: Sequence[Choice], *, backend: str, status: Status = Status.OPTIMAL
) -> Plan | None:
    """The optimally timed plan of these choices (in textual order), as if proven; None if they cannot be placed."""
    lines = [line_of(problem, choice) for choice in choices]
    starts = best_starts(lines, problem.min_pause)
    if starts is None:
        return None
    objective = objective_of(problem, choices)
    return Plan(
        status=status,
        backend=backend,
        objective=objective,
        bound=objective,
        deviation=deviation(lines, starts),
        deliveries=tuple(
            delivery_of(problem, choice, start, line.length)
            for choice, line, start in zip(choices, lines, starts, strict=True)
        ),
    )
