"""The solver as a child process: lines in, lines out, whatever stands in them."""

import io
import json
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_problems import random_problem

from adstudio.core.errors import OutsideFailureError
from adstudio.core.plan import HoldConflict, Plan, RuleConflict, Status
from adstudio.planning import worker
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.files.plan_file import plan_json
from adstudio.planning.problem import Problem
from adstudio.planning.worker import Answer, answered, read_answer, request_line, serve


def solve_here(problem: Problem, backend: str, limit: float) -> Plan:
    return solve_exact(problem)


def without_texts(problem: Problem) -> Problem:
    elements = (replace(e, texts=("",) * len(e.durations), rates=(1.0,) * len(e.durations)) for e in problem.elements)
    return replace(problem, elements=tuple(elements))


def test_a_problem_arrives_as_it_was_sent() -> None:
    for seed in range(30):
        problem = random_problem(seed, pins=0.4, rules=True)
        seen: list[tuple[Problem, str, float]] = []

        def record(asked: Problem, backend: str, limit: float, seen: list[tuple[Problem, str, float]] = seen) -> Plan:
            seen.append((asked, backend, limit))
            return Plan(Status.TIMEOUT, backend)

        line = request_line(7, problem, "cpsat", 2.5)
        assert line.count(b"\n") == 1
        assert read_answer(answered(line, record)) == Answer(7, Plan(Status.TIMEOUT, "cpsat"))
        assert seen == [(without_texts(problem), "cpsat", 2.5)]


def test_a_plan_comes_back_as_it_was_made() -> None:
    for seed in range(30):
        problem = random_problem(seed, pins=0.3)
        plan = solve_exact(problem)
        answer = read_answer(answered(request_line(seed, problem, "cpsat", 1), solve_here))
        assert answer.id == seed
        assert answer.plan == replace(plan, seconds=0.0)


def test_a_conflict_comes_back() -> None:
    conflict = (HoldConflict("e1", "start"), RuleConflict("requires", ("e1", "e2")))
    plan = Plan(Status.INFEASIBLE, "cpsat", conflict=conflict)
    line = json.dumps({"id": 1, "plan": plan_json(plan)}).encode()
    assert read_answer(line) == Answer(1, plan)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"{}",
        b'{"id": 1}',
        b'{"id": -1, "plan": null}',
        b'{"id": 1e999999, "plan": null}',
        b'{"id": 1, "plan": 3}',
        b'{"id": 1, "plan": {"format": "adstudio-plan/1"}}',
        b'{"id": 1, "plan": {"format": "adstudio-plan/1", "status": "optimal", "deliveries": [1]}}',
        b'{"id": 1, "plan": {"format": "adstudio-plan/1", "status": "best", "deliveries": []}}',
        b'{"id":1,"plan":{"format":"adstudio-plan/1","status":"optimal","deliveries":[{"text":"a","start":0,"end":1}]}}',
        b'{"id": 1, "plan": {"format": "adstudio-plan/1", "status": "optimal", "deliveries": [], "bound": 1e400}}',
        b'{"id": 1, "error": {"a": 1}}',
        b'{"id": 1, "surprise": 1}',
        b"[" * 100_000,
    ],
)
def test_garbage_gives_an_answer_without_a_plan(line: bytes) -> None:
    answer = read_answer(line)
    assert answer.plan is None
    assert answer.error
    assert "\n" not in answer.error


@given(st.binary(max_size=300))
def test_no_bytes_raise(line: bytes) -> None:
    assert read_answer(line).plan is None
    assert b'"error"' in answered(line, solve_here)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["id", "plan", "error", "deliveries", "status", "format"]), inner)
        ),
    )
)
def test_no_json_raises(value: object) -> None:
    read_answer(json.dumps({"id": 1, "plan": value}).encode())
    read_answer(json.dumps(value).encode())


def test_a_lines_length_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MAX_LINE", 4000)
    small = request_line(2, random_problem(1, elements=2), "cpsat", 1)
    assert len(small) < 4000
    answers = io.BytesIO()
    serve(io.BytesIO(b"x" * 10_000 + b"\n" + small), answers, solve_here)
    first, second = answers.getvalue().splitlines()
    assert "longer" in read_answer(first).error
    assert read_answer(second).id == 2
    assert read_answer(b"1" * 5000).plan is None


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"backend": "exact"}, "backend"),
        ({"limit": -1}, "limit"),
        ({"limit": "soon"}, "limit"),
        ({"problem": {}}, "problem"),
        ({"more": 1}, "more"),
    ],
)
def test_a_bad_request_is_answered_with_what_is_wrong(change: dict[str, object], what: str) -> None:
    asked = json.loads(request_line(3, random_problem(1), "cpsat", 1)) | change
    answer = read_answer(answered(json.dumps(asked).encode(), solve_here))
    assert answer.plan is None
    assert what in answer.error


def test_a_solver_that_fails_is_answered_for() -> None:
    def unlicensed(problem: Problem, backend: str, limit: float) -> Plan:
        raise OutsideFailureError("Gurobi is not installed")

    def broken(problem: Problem, backend: str, limit: float) -> Plan:
        raise ZeroDivisionError("by\nzero")

    line = request_line(4, random_problem(1), "gurobi", 1)
    assert read_answer(answered(line, unlicensed)) == Answer(4, None, "Gurobi is not installed")
    assert read_answer(answered(line, broken)) == Answer(4, None, "the solver failed: by zero")


def test_the_process_answers_and_ends_with_its_input() -> None:
    problems = [random_problem(seed, pins=0.2, rules=True) for seed in range(4)]
    lines = b"".join(request_line(n, problem, "cpsat", 10) for n, problem in enumerate(problems))
    done = subprocess.run(
        [sys.executable, "-m", "adstudio.planning.worker"],
        input=lines + b"garbage\n" + lines[: lines.index(b"\n") - 5],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    answers = [read_answer(line) for line in done.stdout.splitlines()]
    assert [answer.id for answer in answers] == [0, 1, 2, 3, None, None]
    for answer in answers[:4]:
        assert answer.plan is not None
        assert answer.plan.status in (Status.OPTIMAL, Status.INFEASIBLE)


def test_writing_and_reading_lines_loads_no_solver() -> None:
    code = (
        "import sys, adstudio.planning.worker, adstudio.planning.film.live_plan; "
        "print('ortools' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["False", "False"]
