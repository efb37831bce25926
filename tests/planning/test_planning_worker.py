"""The solver as a child process: problems and plans come through whole, whatever stands in the lines."""

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_problems import random_problem
from worker_process import running

from adstudio.core.plan import HoldConflict, Plan, RuleConflict, Status
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.worker import PROTOCOL, Solve, Solved, without_texts
from adstudio.system.codec import CodecError
from adstudio.system.worker import Failed


def test_a_problem_arrives_as_it_was_sent() -> None:
    for seed in range(30):
        problem = random_problem(seed, pins=0.4, rules=True)
        assert without_texts(problem) == replace(
            problem, elements=tuple(replace(e, texts=("",) * len(e.texts)) for e in problem.elements)
        )
        for asked in (Solve(problem, "cpsat", 2.5), Solve(without_texts(problem), "gurobi", 0)):
            line = PROTOCOL.request_line(asked)
            assert line.count(b"\n") == 1
            assert PROTOCOL.read_request(line) == asked


def test_a_plan_comes_back_unchanged() -> None:
    for seed in range(30):
        solved = Solved(solve_exact(random_problem(seed, pins=0.3)))
        assert PROTOCOL.read_event(PROTOCOL.event_line(solved)) == solved


def test_a_conflict_comes_back() -> None:
    conflict = (HoldConflict("e1", "start"), RuleConflict("requires", ("e1", "e2")))
    solved = Solved(Plan(Status.INFEASIBLE, "cpsat", conflict=conflict))
    assert PROTOCOL.read_event(PROTOCOL.event_line(solved)) == solved


EXAMPLE = PROTOCOL.event_line(Solved(solve_exact(random_problem(1))))


@pytest.mark.parametrize(
    "line",
    [
        EXAMPLE.replace(b'"status":"optimal"', b'"status":"best"'),
        EXAMPLE.replace(b'"deliveries":[', b'"deliveries":[1,'),
        EXAMPLE.replace(b'"objective":', b'"objective":"5","y":'),
        EXAMPLE.replace(b'"bound":', b'"bound":1e400,"x":'),
    ],
)
def test_what_is_no_plan_is_refused(line: bytes) -> None:
    assert line != EXAMPLE
    with pytest.raises(CodecError):
        PROTOCOL.read_event(line)


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_else(line: bytes) -> None:
    for read in (PROTOCOL.read_event, PROTOCOL.read_request):
        with pytest.raises(CodecError):
            read(line)


@pytest.mark.parametrize(
    "change", [(b"cpsat", b"exact"), (b"2.5", b"-1"), (b"2.5", b'"soon"'), (b"2.5", b'2.5,"more":1')]
)
def test_a_bad_request_is_refused(change: tuple[bytes, bytes]) -> None:
    line = PROTOCOL.request_line(Solve(random_problem(1), "cpsat", 2.5))
    with pytest.raises(CodecError):
        PROTOCOL.read_request(line.replace(*change))


def test_the_process_answers_and_ends_with_its_input() -> None:
    problems = [random_problem(seed, pins=0.2, rules=True) for seed in range(4)]
    with running(PROTOCOL, *(Solve(problem, "cpsat", 10) for problem in problems)) as process:
        assert process.process.stdin is not None
        process.process.stdin.write(b"garbage\n" + EXAMPLE[:-5])
        process.close_input()
        *plans, garbage, half = process.events()
        assert process.wait() == 0
        assert process.log() == b""
    assert all(isinstance(each, Solved) for each in plans)
    assert len(plans) == 4
    for each in plans:
        assert each.plan.status in (Status.OPTIMAL, Status.INFEASIBLE)
    assert isinstance(garbage, Failed)
    assert isinstance(half, Failed)


def test_the_asking_side_loads_no_solver() -> None:
    code = (
        "import sys, adstudio.planning.worker, adstudio.planning.film.live_plan; "
        "print('ortools' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.split() == ["False", "False"]
