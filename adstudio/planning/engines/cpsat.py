"""OR-Tools CP-SAT on the strong model: the engine for rules, and a second opinion otherwise."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd
from time import perf_counter
from typing import TYPE_CHECKING

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Conflict, Plan, Status
from adstudio.core.script import Rules
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.engines.conflicts import irreducible, pin_conflict, pins_fail
from adstudio.planning.engines.exact import solve_exact, with_seconds
from adstudio.planning.engines.mip_model import StrongModel, strong_model
from adstudio.planning.engines.repair import repaired
from adstudio.planning.problem import Problem

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

BACKEND = "cpsat"

SEED_SECONDS = 1.0
"""The minimum time for the ruleless optimum, on which the first plan is based (a scene takes 2 ms)."""


@dataclass(frozen=True)
class _Model:
    strong: StrongModel
    model: cp_model.CpModel
    taken: list[cp_model.IntVar]
    unit: int


def workers() -> int:
    """Threads for a search: all cores but one, and at least one."""
    return max(1, (os.cpu_count() or 2) - 1)


def solve_cpsat(problem: Problem, time_limit: float | None = None, known: Plan | None = None) -> Plan:
    """The best plan CP-SAT finds, proven unless the limit (seconds) ends the search.

    With rules the search starts from the plan and the bound that are `known`, else from a repaired plan and the
    ruleless optimum; without rules it is unbounded, so that it can disagree with the exact engine.

    Raises:
        BadInputError: if the objective's numbers are too large for CP-SAT.
    """
    began = perf_counter()
    if pins_fail(problem):
        return Plan(Status.INFEASIBLE, BACKEND, seconds=perf_counter() - began, conflict=conflict_of(problem))
    ceiling, seed = None, None
    if known is not None:
        ceiling, seed = known.bound, None if known.objective is None else known
    elif not problem.plain:
        free = solve_exact(_ruleless(problem), None if time_limit is None else max(SEED_SECONDS, time_limit))
        if free.objective is not None:
            ceiling, seed = free.objective, repaired(problem, free)
    built = _build(strong_model(problem), ceiling)
    if seed is not None:
        _hint(built, seed)
    limit = None if time_limit is None else max(0.01, time_limit - (perf_counter() - began))
    plan = _search(built, seed, limit)
    if plan.status is Status.INFEASIBLE:
        plan = replace(plan, conflict=conflict_of(problem))
    return with_seconds(plan, perf_counter() - began)


def _ruleless(problem: Problem) -> Problem:
    return replace(problem, rules=Rules(), previous=())


def conflict_of(problem: Problem) -> tuple[Conflict, ...]:
    """The irreducible conflict of an infeasible problem, including rules.

    CP-SAT tests ever smaller problems, in which only elements that are pinned in or under a rule need a place, and what
    a fusion says with them.
    """
    if pins_fail(problem):
        return pin_conflict(problem)

    def infeasible(candidate: Problem) -> bool:
        needed = candidate.rules.mentioned | {element.id for element in candidate.elements if element.must}
        fused = {name for each in candidate.fusions if not needed.isdisjoint(each.of) for name in each.of}
        elements = tuple(e for e in candidate.elements if e.id in needed or e.id in fused)
        return not _feasible(strong_model(replace(candidate, elements=elements)))

    return irreducible(problem, infeasible)


def _feasible(strong: StrongModel) -> bool:
    from ortools.sat.python import cp_model

    if strong.hopeless:
        return False
    solver = _solver(None)
    return solver.solve(_build(strong, None, objective=False).model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def _solver(time_limit: float | None) -> cp_model.CpSolver:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers()
    solver.parameters.catch_sigint_signal = False
    if time_limit is not None:
        solver.parameters.max_time_in_seconds = time_limit
    return solver


def _build(strong: StrongModel, ceiling: int | None, *, objective: bool = True) -> _Model:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in strong.placements]
    _chain(model, strong, taken)
    for terms, limit in strong.fits:
        model.add(_weighted([taken[b] for b, _ in terms], [c for _, c in terms]) <= limit)
    costs = _rules(model, strong, taken)
    unit = 1
    if objective:
        gains = [b.worth for b in strong.placements] + [-cost for _, cost in costs]
        unit = gcd(*gains) or 1
        total = _weighted([*taken, *(both for both, _ in costs)], [g // unit for g in gains])
        if ceiling is not None and not strong.hopeless:
            model.add(total <= ceiling // unit)
        model.maximize(total)
    return _Model(strong, model, taken, unit)


def _chain(model: cp_model.CpModel, strong: StrongModel, taken: list[cp_model.IntVar]) -> None:
    before: cp_model.IntVar | int = strong.earliest
    for link in strong.links:
        booleans = taken[link.first : link.last]
        placements = strong.placements[link.first : link.last]
        saying = [taken[b] for b in link.saying]
        if link.must:
            model.add_exactly_one(saying)
        else:
            model.add_at_most_one(saying)
        latest = link.latest_before
        ready = model.new_int_var(strong.earliest, link.latest, "")
        model.add(ready >= before + _weighted(booleans, [b.shift for b in placements]))
        model.add(
            ready >= strong.earliest + _weighted(booleans, [b.lo + b.shift - strong.earliest for b in placements])
        )
        slack = [max(0, latest - b.hi) for b in placements]
        if any(slack):
            model.add(before + _weighted(booleans, slack) <= latest)
        before = ready


def _weighted(variables: Sequence[cp_model.IntVar], coefficients: Sequence[int]) -> cp_model.LinearExpr:
    from ortools.sat.python import cp_model

    # OR-Tools does not type its coefficients.
    return cp_model.LinearExpr.weighted_sum(variables, coefficients)  # pyright: ignore[reportUnknownMemberType]


def _rules(
    model: cp_model.CpModel, strong: StrongModel, taken: list[cp_model.IntVar]
) -> list[tuple[cp_model.IntVar, int]]:
    """Add the rules as constraints; returns the penalties' Booleans with their costs."""

    def said(name: str) -> cp_model.LinearExpr:
        saying = strong.saying[name]
        return _weighted([taken[b] for b in saying], [1] * len(saying))

    for group in strong.rules.alternatives:
        saying = [b for name in group for b in strong.saying[name]]
        model.add_at_most_one([taken[b] for b in dict.fromkeys(saying)])
        # A fusion that says two of them is never spoken.
        for b, count in Counter(saying).items():
            if count > 1:
                model.add(taken[b] == 0)
    for first, second in strong.rules.requires:
        model.add(said(first) <= said(second))
    for group in strong.rules.together:
        for name in group[1:]:
            model.add(said(group[0]) == said(name))
    costs: list[tuple[cp_model.IntVar, int]] = []
    for penalty in strong.rules.penalties:
        both = model.new_bool_var("")
        model.add(both + 1 >= said(penalty.first) + said(penalty.second))
        costs.append((both, 1000 * penalty.cost))
    return costs


def _hint(built: _Model, seed: Plan) -> None:
    chosen = seed.by_element
    for number, b in enumerate(built.strong.placements):
        delivery = chosen.get(b.fusion or built.strong.problem.elements[b.place].id)
        fits = delivery is not None and delivery.variant == b.variant and b.lo <= delivery.start <= b.hi
        built.model.add_hint(built.taken[number], fits)


def _search(built: _Model, seed: Plan | None, time_limit: float | None) -> Plan:
    from ortools.sat.python import cp_model

    if built.strong.hopeless:
        return Plan(Status.INFEASIBLE, BACKEND)
    solver = _solver(time_limit)
    outcome = solver.solve(built.model)
    if outcome == cp_model.MODEL_INVALID:
        raise BadInputError(
            "the problem’s numbers are too large for CP-SAT: use smaller saliences or the exact backend"
        )
    if outcome == cp_model.INFEASIBLE:
        return Plan(Status.INFEASIBLE, BACKEND)
    if outcome == cp_model.UNKNOWN:
        return Plan(Status.TIMEOUT, BACKEND) if seed is None else replace(seed, backend=BACKEND)
    taken = [number for number, b in enumerate(built.taken) if solver.boolean_value(b)]
    proven = outcome == cp_model.OPTIMAL
    plan = timed_plan(
        built.strong.problem,
        built.strong.choices(taken),
        backend=BACKEND,
        status=Status.OPTIMAL if proven else Status.FEASIBLE,
    )
    if plan is None:
        raise AssertionError("CP-SAT's choice cannot be timed")
    if proven:
        return plan
    bound = int(solver.best_objective_bound) * built.unit
    if seed is not None and seed.bound is not None:
        bound = min(bound, seed.bound)
    return replace(plan, bound=max(bound, plan.objective or 0))
