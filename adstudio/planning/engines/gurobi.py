"""Gurobi on the strong model: an optional alternative to CP-SAT (extra `gurobi`; its licence allows 2,000 variables).

Gurobi computes in floating point with tolerances, so its choice is timed and scored again in integers, and must agree
with its own objective within 10⁻⁶.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from adstudio.core.errors import OutsideFailureError
from adstudio.core.optional_parts import install_part
from adstudio.core.plan import Plan, Status
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.engines.conflicts import pins_fail
from adstudio.planning.engines.cpsat import conflict_of
from adstudio.planning.engines.exact import with_seconds
from adstudio.planning.engines.mip_model import StrongModel, strong_model
from adstudio.planning.problem import Problem

if TYPE_CHECKING:
    import gurobipy

BACKEND = "gurobi"
_TOO_LARGE = 10010
_BILLION = 10**9


def solve_gurobi(problem: Problem, time_limit: float | None = None) -> Plan:
    """The best plan Gurobi finds, proven (MIPGap 0) unless the limit (seconds) ends the search.

    Raises:
        OutsideFailureError: if gurobipy is not installed or licensed, the problem exceeds the licence, or the plan is
            not valid in integers.
    """
    began = perf_counter()
    try:
        import gurobipy
    except ImportError:
        raise OutsideFailureError(f"Gurobi is not installed: {install_part('gurobi')}, or use cpsat") from None
    strong = strong_model(problem)
    try:
        if pins_fail(problem):
            plan = Plan(Status.INFEASIBLE, BACKEND)
        else:
            with gurobipy.Env(params={"OutputFlag": 0}) as env, gurobipy.Model(env=env) as model:
                plan = _solve(strong, model, time_limit)
    except gurobipy.GurobiError as error:
        if error.errno == _TOO_LARGE:
            raise OutsideFailureError(
                f"the Gurobi licence is too small for this problem ({len(strong.placements)} placements; it allows "
                "2,000 variables and constraints): use cpsat or exact"
            ) from None
        raise OutsideFailureError(f"Gurobi failed: {error.message}") from None
    if plan.status is Status.INFEASIBLE:
        plan = replace(plan, conflict=conflict_of(problem))
    return with_seconds(plan, perf_counter() - began)


def _solve(strong: StrongModel, model: gurobipy.Model, time_limit: float | None) -> Plan:
    from gurobipy import GRB

    if strong.hopeless:
        return Plan(Status.INFEASIBLE, BACKEND)
    model.Params.MIPGap = 0
    model.Params.MIPGapAbs = 0
    model.Params.IntFeasTol = 1e-9
    model.Params.FeasibilityTol = 1e-9
    model.Params.OptimalityTol = 1e-9
    model.Params.IntegralityFocus = 1
    if time_limit is not None:
        model.Params.TimeLimit = time_limit
    taken = _write(strong, model)
    model.optimize()
    if model.Status in (GRB.INFEASIBLE, GRB.INF_OR_UNBD):
        return Plan(Status.INFEASIBLE, BACKEND)
    if model.SolCount == 0:
        return Plan(Status.TIMEOUT, BACKEND)
    proven = model.Status == GRB.OPTIMAL
    plan = timed_plan(
        strong.problem,
        strong.choices([number for number, b in enumerate(taken) if b.X > 0.5]),
        backend=BACKEND,
        status=Status.OPTIMAL if proven else Status.FEASIBLE,
    )
    if plan is None or plan.objective is None or abs(plan.objective / _BILLION - model.ObjVal) > 1e-6:
        raise OutsideFailureError("Gurobi’s plan is not valid in whole milliseconds: use cpsat or exact")
    return plan if proven else replace(plan, bound=max(plan.objective, round(model.ObjBound * _BILLION)))


def _write(strong: StrongModel, model: gurobipy.Model) -> list[gurobipy.Var]:
    from gurobipy import GRB, LinExpr

    taken = [model.addVar(vtype=GRB.BINARY) for _ in strong.placements]
    before: gurobipy.Var | float = strong.earliest / 1000
    for link in strong.links:
        booleans = taken[link.first : link.last]
        placements = strong.placements[link.first : link.last]
        said = LinExpr([1.0] * len(link.saying), [taken[b] for b in link.saying])
        model.addConstr(said == 1 if link.must else said <= 1)
        earliest = strong.earliest
        ready = model.addVar(lb=earliest / 1000, ub=link.latest / 1000)
        model.addConstr(ready >= before + LinExpr([b.shift / 1000 for b in placements], booleans))
        model.addConstr(
            ready >= earliest / 1000 + LinExpr([(b.lo + b.shift - earliest) / 1000 for b in placements], booleans)
        )
        slack = [max(0, link.latest_before - b.hi) / 1000 for b in placements]
        if any(slack):
            model.addConstr(before + LinExpr(slack, booleans) <= link.latest_before / 1000)
        before = ready
    for terms, limit in strong.fits:
        model.addConstr(LinExpr([c / 1000 for _, c in terms], [taken[b] for b, _ in terms]) <= limit / 1000)
    costs = _rules(strong, model, taken)
    gains = LinExpr([b.worth / _BILLION for b in strong.placements], taken)
    model.setObjective(gains - costs, GRB.MAXIMIZE)
    return taken


def _rules(strong: StrongModel, model: gurobipy.Model, taken: list[gurobipy.Var]) -> gurobipy.LinExpr:
    from gurobipy import GRB, LinExpr

    def said(name: str) -> gurobipy.LinExpr:
        saying = strong.saying[name]
        return LinExpr([1.0] * len(saying), [taken[b] for b in saying])

    for group in strong.rules.alternatives:
        together = LinExpr()
        for name in group:
            together += said(name)
        model.addConstr(together <= 1)
    for first, second in strong.rules.requires:
        model.addConstr(said(first) <= said(second))
    for group in strong.rules.together:
        for name in group[1:]:
            model.addConstr(said(group[0]) == said(name))
    costs = LinExpr()
    for penalty in strong.rules.penalties:
        both = model.addVar(vtype=GRB.BINARY)
        model.addConstr(both >= said(penalty.first) + said(penalty.second) - 1)
        costs += penalty.cost / 1_000_000 * both
    return costs
