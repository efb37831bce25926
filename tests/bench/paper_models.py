"""The paper's formulation (section 3), written as the paper states it, for CP-SAT and for Gurobi.

Binary x_i and y_ik, a start d_i for every eventuality, gap containment by gap-assignment binaries, and what is
conditioned on x_i = 1 as indicator constraints: the window, the gap, and the order of every pair i < u.
"""

from dataclasses import dataclass
from time import perf_counter

from adstudio.planning.problem import Problem


@dataclass(frozen=True)
class Outcome:
    """Seconds used, whether the optimum was proven, the objective (billionths) and the relative gap left."""

    seconds: float
    proven: bool
    objective: int | None
    gap: float


def solve_in_cpsat(problem: Problem, limit: float, workers: int) -> Outcome:
    from ortools.sat.python import cp_model

    began = perf_counter()
    model = cp_model.CpModel()
    horizon = problem.span.end
    said, starts, lengths, value = [], [], [], []
    for element in problem.elements:
        x = model.new_bool_var("x")
        y = [model.new_bool_var("y") for _ in element.durations]
        d = model.new_int_var(0, horizon, "d")
        length = sum(b * duration for b, duration in zip(y, element.durations, strict=True))
        model.add(sum(y) == x)
        in_gap = [model.new_bool_var("g") for _ in problem.gaps]
        model.add(sum(in_gap) == x)
        for b, gap in zip(in_gap, problem.gaps, strict=True):
            model.add(d >= gap.start).only_enforce_if(b)
            model.add(d + length <= gap.end).only_enforce_if(b)
        assert element.occurrence is not None
        off = 2 * d + length - element.occurrence.doubled_midpoint
        model.add(off <= 2 * problem.delta_max).only_enforce_if(x)
        model.add(off >= -2 * problem.delta_max).only_enforce_if(x)
        said.append(x)
        starts.append(d)
        lengths.append(length)
        value += [b * element.salience * duration for b, duration in zip(y, element.durations, strict=True)]
    for i in range(len(said)):
        for u in range(i + 1, len(said)):
            model.add(starts[i] + lengths[i] <= starts[u]).only_enforce_if([said[i], said[u]])
    model.maximize(sum(value))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = workers
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Outcome(perf_counter() - began, proven=False, objective=None, gap=1.0)
    objective, bound = round(solver.objective_value), round(solver.best_objective_bound)
    gap = (bound - objective) / max(1, abs(objective))
    return Outcome(perf_counter() - began, status == cp_model.OPTIMAL, objective, gap)


def solve_in_gurobi(problem: Problem, limit: float, workers: int) -> Outcome:
    """Raises gurobipy.GurobiError 10010 where the licence is too small."""
    import gurobipy
    from gurobipy import GRB

    began = perf_counter()
    with gurobipy.Env(params={"OutputFlag": 0}) as env, gurobipy.Model(env=env) as model:
        horizon = problem.span.end / 1000
        said, starts, lengths, value = [], [], [], gurobipy.LinExpr()
        for element in problem.elements:
            x = model.addVar(vtype=GRB.BINARY)
            y = [model.addVar(vtype=GRB.BINARY) for _ in element.durations]
            d = model.addVar(ub=horizon)
            length = gurobipy.quicksum(b * (ms / 1000) for b, ms in zip(y, element.durations, strict=True))
            model.addConstr(gurobipy.quicksum(y) == x)
            in_gap = [model.addVar(vtype=GRB.BINARY) for _ in problem.gaps]
            model.addConstr(gurobipy.quicksum(in_gap) == x)
            for b, gap in zip(in_gap, problem.gaps, strict=True):
                model.addGenConstrIndicator(b, binval=True, lhs=d >= gap.start / 1000)
                model.addGenConstrIndicator(b, binval=True, lhs=d + length <= gap.end / 1000)
            assert element.occurrence is not None
            off = d + 0.5 * length - element.occurrence.doubled_midpoint / 2000
            model.addGenConstrIndicator(x, binval=True, lhs=off <= problem.delta_max / 1000)
            model.addGenConstrIndicator(x, binval=True, lhs=off >= -problem.delta_max / 1000)
            said.append(x)
            starts.append(d)
            lengths.append(length)
            for b, ms in zip(y, element.durations, strict=True):
                value += b * (element.salience * ms / 10**9)
        for i in range(len(said)):
            for u in range(i + 1, len(said)):
                both = model.addVar(vtype=GRB.BINARY)
                model.addGenConstrAnd(both, [said[i], said[u]])
                model.addGenConstrIndicator(both, binval=True, lhs=starts[i] + lengths[i] <= starts[u])
        model.setObjective(value, GRB.MAXIMIZE)
        model.Params.TimeLimit = limit
        model.Params.Threads = workers
        model.Params.MIPGap = 0
        model.optimize()
        if model.SolCount == 0:
            return Outcome(perf_counter() - began, proven=False, objective=None, gap=1.0)
        proven = model.Status == GRB.OPTIMAL
        return Outcome(perf_counter() - began, proven, round(model.ObjVal * 10**9), 0.0 if proven else model.MIPGap)
