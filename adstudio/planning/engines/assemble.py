"""From chosen variants to a timed plan, for every engine."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.planning.engines.timing import Line, best_starts, deviation
from adstudio.planning.problem import Choice, Element, Problem, objective_of
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


def delivery_of(problem: Problem, line: Element, variant: int, start: int) -> Delivery:
    """The delivery of an element, or of a fusion as one."""
    end = start + line.durations[variant]
    return Delivery(line.id, variant, start, end, members=problem.fused_members.get(line.id, ()))


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
            delivery_of(problem, problem.line(choice), choice.variant, start)
            for choice, start in zip(choices, starts, strict=True)
        ),
    )
