"""The solver as a child process: one JSON line in, one JSON line out.

    python -m adstudio.planning.worker

A request is `{"id": n, "problem": <problem/1>, "backend": "cpsat" or "gurobi", "limit": seconds}`, an answer
`{"id": n, "plan": <plan/1>}` or `{"id": n, "error": "one sentence"}`. It ends when its input does, so also when its
parent dies; it is cancelled by killing it. The functions that write and read the lines belong to the other side, which
imports no solver by them.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import BinaryIO, cast

from adstudio.core.errors import AdstudioError
from adstudio.core.json_reading import Node, parse_json
from adstudio.core.plan import Plan
from adstudio.planning.files.plan_file import plan_in, plan_json
from adstudio.planning.files.problem_file import problem_in, problem_json
from adstudio.planning.problem import Problem

MAX_LINE = 64_000_000
"""Bytes of a line; a film of 3,240 eventualities takes two million."""

MAX_LIMIT = 3600
"""Seconds that a request may ask for."""

BACKENDS = ("cpsat", "gurobi")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the worker made of a request: a plan or, where `plan` is None, a sentence that says why there is none.

    `id` is None where the line does not say which request it answers.
    """

    id: int | None
    plan: Plan | None
    error: str = ""


def request_line(number: int, problem: Problem, backend: str, limit: float) -> bytes:
    """The line that asks for a plan of a problem; texts are left out, since no solver reads them."""
    asked = problem_json(problem)
    for element in cast("list[dict[str, list[dict[str, object]]]]", asked["elements"]):
        for variant in element["variants"]:
            variant["text"] = ""
    return _line({"id": number, "problem": asked, "backend": backend, "limit": limit})


def read_answer(line: bytes) -> Answer:
    """A line of the worker; whatever is in it, an answer comes of it, and never an exception."""
    try:
        if len(line) > MAX_LINE:
            return Answer(None, None, "the solver answered with more than can be read")
        top = parse_json(line, "the solver's answer")
        number = top.members(("id",), ("plan", "error"))["id"]
        return _answer(None if number.is_null else number.integer(0, 2**53), top)
    except AdstudioError as error:
        log.warning("%s", error)
        return Answer(None, None, "the solver's answer cannot be read")


def _answer(number: int | None, top: Node) -> Answer:
    found = top.members(("id",), ("plan", "error"))
    if "error" in found:
        said = found["error"].value
        return Answer(number, None, " ".join(said.split())[:500] if isinstance(said, str) else "no reason is given")
    if "plan" not in found:
        return Answer(number, None, "the solver's answer has neither a plan nor an error")
    try:
        return Answer(number, plan_in(found["plan"]))
    except AdstudioError as error:
        log.warning("%s", error)
        return Answer(number, None, "the solver's answer cannot be read")


def answered(line: bytes, solve: Callable[[Problem, str, float], Plan]) -> bytes:
    """The answer line to a request line: a plan by `solve`, or what is wrong."""
    number: int | None = None
    try:
        top = parse_json(line, "request").members(("id", "problem", "backend", "limit"))
        number = top["id"].integer(0, 2**53)
        backend = top["backend"].text(40)
        if backend not in BACKENDS:
            top["backend"].fail(f"one of {', '.join(BACKENDS)} is expected")
        limit = top["limit"].millionths(0, MAX_LIMIT) / 1_000_000
        plan = solve(problem_in(top["problem"]), backend, limit)
    except AdstudioError as error:
        return _line({"id": number, "error": str(error)})
    except Exception as error:
        # A solver that fails on one problem still has to answer for the next.
        log.debug("a request failed", exc_info=True)
        return _line({"id": number, "error": f"the solver failed: {' '.join(str(error).split())[:200]}"})
    return _line({"id": number, "plan": plan_json(plan)})


def serve(requests: BinaryIO, answers: BinaryIO, solve: Callable[[Problem, str, float], Plan]) -> None:
    """Answer request after request until the input ends."""
    while line := requests.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            while (rest := requests.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            answers.write(_line({"id": None, "error": f"the request is longer than {MAX_LINE:,} bytes"}))
        else:
            answers.write(answered(line, solve))
        answers.flush()


def main() -> None:
    """Serve standard input until it ends."""
    from adstudio.planning.solve import solve

    # Once, before the first request has to wait for it.
    import_module("ortools.sat.python.cp_model")

    # Whatever a solver prints must not end up among the answers.
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr
    try:
        serve(sys.stdin.buffer, answers, solve)
    except (KeyboardInterrupt, BrokenPipeError):
        # Nobody is left to hear it.
        sys.stderr = None


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + b"\n"


if __name__ == "__main__":
    main()
