"""A quick valid plan under rules or shares: the ruleless optimum without what breaks them.

The editor shows it, and CP-SAT starts from it, while the optimum is being searched for.
"""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.plan import Plan, Status
from adstudio.core.script import Rules
from adstudio.planning.engines.assemble import capacities, timed_plan
from adstudio.planning.problem import Problem, gap_of, penalties_due


def repaired(problem: Problem, plan: Plan) -> Plan | None:
    """`plan` without the eventualities that break rules or overfill gaps; None if pins do not allow that.

    `plan` must be the optimum without rules and shares: its objective becomes the bound.
    """
    said = {delivery.element: delivery.variant for delivery in plan.deliveries}
    for name in _overfilling(problem, plan):
        del said[name]
    while breaking := _breaking(problem, said):
        for name in breaking:
            del said[name]
    if any(element.must and element.id not in said for element in problem.elements):
        return None
    choices = [(problem.index[name], said[name]) for name in sorted(said, key=problem.index.__getitem__)]
    sound = timed_plan(problem, choices, backend=plan.backend, status=Status.FEASIBLE)
    return None if sound is None else replace(sound, bound=plan.objective)


def _breaking(problem: Problem, said: dict[str, int]) -> set[str]:
    """The eventualities to remove because of rules, or because they cost more than they gain."""

    def value(name: str) -> int:
        element = problem.elements[problem.index[name]]
        return element.worth * element.durations[said[name]]

    def rank(name: str) -> tuple[bool, int]:
        return problem.elements[problem.index[name]].must, value(name)

    rules: Rules = problem.rules
    gone: set[str] = set()
    for group in rules.alternatives:
        present = sorted((name for name in group if name in said), key=rank)
        gone.update(present[:-1])
    gone.update(first for first, second in rules.requires if first in said and second not in said)
    for group in rules.together:
        present = [name for name in group if name in said]
        if len(present) < len(group):
            gone.update(present)
    if gone:
        return gone
    for penalty in penalties_due(rules, set(said)):
        lesser = min(penalty.first, penalty.second, key=rank)
        if value(lesser) < 1000 * penalty.cost and not problem.elements[problem.index[lesser]].must:
            return {lesser}
    return set()


def _overfilling(problem: Problem, plan: Plan) -> list[str]:
    """The least salient eventualities of each gap that exceeds its share."""
    shares = capacities(problem)
    if shares is None:
        return []
    by_gap: dict[int, list[tuple[bool, int, int, str]]] = {}
    for delivery in plan.deliveries:
        element = problem.elements[problem.index[delivery.element]]
        gap = gap_of(problem, delivery.start, delivery.end)
        if gap is not None and not element.pin.override:
            length = delivery.end - delivery.start
            by_gap.setdefault(gap, []).append((element.must, element.worth, length, element.id))
    gone: list[str] = []
    for gap, lines in by_gap.items():
        used = sum(length for _, _, length, _ in lines)
        for _, _, length, name in sorted(lines):
            if used <= shares[gap]:
                break
            used -= length
            gone.append(name)
    return gone
