"""A quick valid plan under rules: the ruleless optimum without what breaks them.

The editor shows it, and CP-SAT starts from it, while the optimum is being searched for.
"""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.plan import Plan, Status
from adstudio.core.script import Rules
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.problem import Choice, Problem, choice_of, penalties_due


def repaired(problem: Problem, plan: Plan) -> Plan | None:
    """`plan` without the eventualities that break rules; None if pins do not allow that.

    `plan` must be the optimum without rules: its objective becomes the bound.
    """
    chosen = [choice_of(problem, delivery) for delivery in plan.deliveries]
    said = {name: choice for choice in chosen for name in problem.members(problem.line(choice).id)}
    while breaking := _breaking(problem, said):
        gone = {said[name] for name in breaking}
        said = {name: choice for name, choice in said.items() if choice not in gone}
    if any(element.must and element.id not in said for element in problem.elements):
        return None
    choices = sorted(set(said.values()))
    sound = timed_plan(problem, choices, backend=plan.backend, status=Status.FEASIBLE)
    return None if sound is None else replace(sound, bound=plan.objective)


def _breaking(problem: Problem, said: dict[str, Choice]) -> set[str]:
    """The eventualities to remove because of rules, or because they cost more than they gain.

    `said` are those that are said, with what says them.
    """

    def value(name: str) -> int:
        line = problem.line(said[name])
        return line.worth * line.durations[said[name].variant]

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
