"""The solver as a child process, `python -m adstudio.planning.worker`, cancelled by killing it.

Importing this module imports no solver.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from importlib import import_module

from adstudio.core.plan import Plan
from adstudio.planning.problem import Problem
from adstudio.system.worker import Failed, WorkerProtocol, answer_requests

MAX_LIMIT = 3600
"""The longest time limit of a request, in seconds."""
BACKENDS = ("auto", "cpsat", "gurobi")


@dataclass(frozen=True)
class Solve:
    """A request to plan a problem within `limit` seconds, answered by `Solved`."""

    problem: Problem
    backend: str
    limit: float

    def __post_init__(self) -> None:
        if not 0 <= self.limit <= MAX_LIMIT:
            raise ValueError(f"the time limit must be 0 to {MAX_LIMIT:,} seconds")
        if self.backend not in BACKENDS:
            raise ValueError(f"the backend must be one of {', '.join(BACKENDS)}")


@dataclass(frozen=True)
class Solved:
    """The resulting plan."""

    plan: Plan


Event = Solved | Failed
PROTOCOL = WorkerProtocol[Solve, Event]("adstudio.planning.worker", Solve, Event)


def without_texts(problem: Problem) -> Problem:
    """The problem without its texts, which no solver needs."""
    elements = (replace(each, texts=("",) * len(each.texts)) for each in problem.elements)
    fusions = (replace(each, texts=("",) * len(each.texts)) for each in problem.fusions)
    return replace(problem, elements=tuple(elements), fusions=tuple(fusions))


def main() -> int:
    """Answer requests until standard input ends, and return the exit code."""
    from adstudio.planning.solve import solve

    # Import it before the first request has to wait for it.
    import_module("ortools.sat.python.cp_model")
    return answer_requests(PROTOCOL, lambda request: Solved(solve(request.problem, request.backend, request.limit)))


if __name__ == "__main__":
    sys.exit(main())
