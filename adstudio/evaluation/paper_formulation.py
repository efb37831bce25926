"""The paper's formulation (section 3), written as the paper states it, for CP-SAT and for Gurobi.

Binary x_i and y_ik, a start d_i for every eventuality, gap containment by gap-assignment binaries, and what is
conditioned on x_i = 1 as indicator constraints: the window, the gap, and the order of every pair i < u. Of a problem it
knows gaps, occurrences, salience, durations and Δ_max; pins, rules and what a house asks are no part of it. It measures
how hard a scene is (`difficulty`) and is compared with in the benches; plans are made by better models
(`adstudio/planning/engines`).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from adstudio.core.errors import OutsideFailureError
from adstudio.core.optional_parts import install_part
from adstudio.planning.problem import Element, Problem

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

T = TypeVar("T")
_TOO_LARGE = 10010


@dataclass(frozen=True)
class Outcome:
    """Seconds in the solver, whether it proved the optimum, the objective (billionths) and the relative gap left."""

    seconds: float
    proven: bool
    objective: int | None
    gap: float


def solve_in_cpsat(problem: Problem, limit: float, workers: int) -> Outcome:
    """Solve with OR-Tools CP-SAT within `limit` seconds, in so many threads; an exception in between ends it."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    horizon = _horizon(problem)
    selected: list[cp_model.IntVar] = []
    starts: list[cp_model.IntVar] = []
    lengths: list[cp_model.LinearExpr | int] = []
    value: list[cp_model.LinearExprT] = []
    for element, doubled_midpoint in _placed(problem):
        x = model.new_bool_var("x")
        y = [model.new_bool_var("y") for _ in element.durations]
        d = model.new_int_var(0, horizon, "d")
        length = sum(b * duration for b, duration in zip(y, element.durations, strict=True))
        model.add(sum(y) == x)
        in_gap = [model.new_bool_var("g") for _ in problem.gaps]
        model.add(sum(in_gap) == x)
        for b, gap in zip(in_gap, problem.gaps, strict=True):
            _only_if(model.add(d >= gap.start), b)
            _only_if(model.add(d + length <= gap.end), b)
        off = 2 * d + length - doubled_midpoint
        _only_if(model.add(off <= 2 * problem.delta_max), x)
        _only_if(model.add(off >= -2 * problem.delta_max), x)
        selected.append(x)
        starts.append(d)
        lengths.append(length)
        value += [b * element.salience * duration for b, duration in zip(y, element.durations, strict=True)]
    for i in range(len(selected)):
        for u in range(i + 1, len(selected)):
            _only_if(model.add(starts[i] + lengths[i] <= starts[u]), selected[i], selected[u])
    model.maximize(sum(value))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = workers
    began = perf_counter()
    status = _stoppable(lambda: solver.solve(model), solver.stop_search)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Outcome(perf_counter() - began, proven=False, objective=None, gap=1.0)
    objective, bound = round(solver.objective_value), round(solver.best_objective_bound)
    gap = (bound - objective) / max(1, abs(objective))
    return Outcome(perf_counter() - began, status == cp_model.OPTIMAL, objective, gap)


def _only_if(constraint: cp_model.Constraint, *literals: cp_model.IntVar) -> None:
    constraint.only_enforce_if(*literals)  # pyright: ignore[reportUnknownMemberType]


def solve_in_gurobi(problem: Problem, limit: float, workers: int) -> Outcome:
    """Solve with Gurobi within `limit` seconds, in so many threads; an exception in between ends it.

    Raises:
        OutsideFailureError: where Gurobi is not installed or licensed, or its licence is too small for the model.
    """
    try:
        import gurobipy
    except ImportError:
        raise OutsideFailureError(f"Gurobi is not installed: {install_part('gurobi')}, or use CP-SAT") from None
    try:
        return _solve_in_gurobi(problem, limit, workers)
    except gurobipy.GurobiError as error:
        if error.errno == _TOO_LARGE:
            raise OutsideFailureError(
                f"the Gurobi licence is too small for the paper’s formulation of {len(problem.elements)} elements in"
                f" {len(problem.gaps)} gaps: use CP-SAT"
            ) from None
        raise OutsideFailureError(f"Gurobi failed: {error.message}") from None


def _solve_in_gurobi(problem: Problem, limit: float, workers: int) -> Outcome:
    import gurobipy
    from gurobipy import GRB

    with gurobipy.Env(params={"OutputFlag": 0}) as env, gurobipy.Model(env=env) as model:
        horizon = _horizon(problem) / 1000
        selected: list[gurobipy.Var] = []
        starts: list[gurobipy.Var] = []
        lengths: list[gurobipy.LinExpr] = []
        value = gurobipy.LinExpr()

        def only_if(literal: gurobipy.Var, least: gurobipy.LinExpr | gurobipy.Var, most: float) -> None:
            """`least` ≤ `most` where the literal is 1."""
            model.addGenConstrIndicator(literal, binval=True, lhs=least, sense=GRB.LESS_EQUAL, rhs=most)

        for element, doubled_midpoint in _placed(problem):
            x = model.addVar(vtype=GRB.BINARY)
            y = [model.addVar(vtype=GRB.BINARY) for _ in element.durations]
            d = model.addVar(ub=horizon)
            length = gurobipy.quicksum(b * (ms / 1000) for b, ms in zip(y, element.durations, strict=True))
            model.addConstr(gurobipy.quicksum(y) == x)
            in_gap = [model.addVar(vtype=GRB.BINARY) for _ in problem.gaps]
            model.addConstr(gurobipy.quicksum(in_gap) == x)
            for b, gap in zip(in_gap, problem.gaps, strict=True):
                only_if(b, -d, -gap.start / 1000)
                only_if(b, d + length, gap.end / 1000)
            middle = d + 0.5 * length
            only_if(x, middle, doubled_midpoint / 2000 + problem.delta_max / 1000)
            only_if(x, -middle, problem.delta_max / 1000 - doubled_midpoint / 2000)
            selected.append(x)
            starts.append(d)
            lengths.append(length)
            for b, ms in zip(y, element.durations, strict=True):
                value += b * (element.salience * ms / 10**9)
        for i in range(len(selected)):
            for u in range(i + 1, len(selected)):
                both = model.addVar(vtype=GRB.BINARY)
                model.addGenConstrAnd(both, [selected[i], selected[u]])
                only_if(both, starts[i] + lengths[i] - starts[u], 0)
        model.setObjective(value, GRB.MAXIMIZE)
        model.Params.TimeLimit = limit
        model.Params.Threads = workers
        model.Params.MIPGap = 0
        began = perf_counter()
        _stoppable(model.optimize, model.terminate)
        if model.SolCount == 0:
            return Outcome(perf_counter() - began, proven=False, objective=None, gap=1.0)
        proven = model.Status == GRB.OPTIMAL
        return Outcome(perf_counter() - began, proven, round(model.ObjVal * 10**9), 0.0 if proven else model.MIPGap)


def _stoppable(solve: Callable[[], T], stop: Callable[[], object]) -> T:
    """What `solve` returns. It runs in a thread, as signals wait while C++ works; any exception here stops it first."""
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(solve)
        try:
            while wait([result], 0.1).not_done:
                pass
        except BaseException:
            stop()
            raise
        return result.result()


def _placed(problem: Problem) -> list[tuple[Element, int]]:
    """The elements that have an occurrence, and twice its middle; the others cannot be described."""
    return [(each, each.occurrence.doubled_midpoint) for each in problem.elements if each.occurrence is not None]


def _horizon(problem: Problem) -> int:
    return max([problem.span.end, *problem.gap_ends])
