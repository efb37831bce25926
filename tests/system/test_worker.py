"""The main function that all child processes share, run for real in processes of their own."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from adstudio.core.errors import AdstudioError, OutsideFailureError
from adstudio.system.codec import CodecError
from adstudio.system.worker import FAULT, STOPPED, Failed, WorkerProtocol, run_job

PATIENCE = 300  # seconds: only for what hangs


@dataclass(frozen=True)
class Ask:
    what: str


@dataclass(frozen=True)
class Say:
    what: str


PROTOCOL = WorkerProtocol[Ask, Say | Failed]("nowhere", Ask, Say | Failed)

CHILD = """
import asyncio, os, sys, time
from dataclasses import dataclass
from adstudio.core.errors import BadInputError
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import Failed, WorkerProtocol, answer_requests, run_job

@dataclass(frozen=True)
class Ask:
    what: str

@dataclass(frozen=True)
class Say:
    what: str

PROTOCOL = WorkerProtocol("nowhere", Ask, Say | Failed)
stop = StopRequest()

def work(request, send):
    send(Say("begun"))
    match request.what:
        case "print":
            print("a library talks")
            os.system("echo a library talks")
        case "refuse":
            raise BadInputError("no such film")
        case "break":
            raise KeyError("secret")
        case "memory":
            raise MemoryError
        case "import":
            import adstudio_has_no_such_part
        case "wait":
            try:
                time.sleep(60)
            finally:
                print("tidied up")
        case "wait in executed text":
            exec("time.sleep(60)")
        case "wait in a destructor":
            made = Slowly()
            del made
            time.sleep(60)
        case "wait while a class is made":
            type("Made", (), {"attribute": Slow()})
        case "loop":
            asyncio.run(loop())
            send(Say("stopped"))
            return 7
    send(Say(request.what))

class Slow:
    def __set_name__(self, owner, name):
        time.sleep(60)

class Slowly:
    def __del__(self):
        time.sleep(60)

async def loop():
    event = asyncio.Event()
    with stop.call_in_loop(event.set):
        await event.wait()

def answer(request):
    found = []
    work(request, found.append)
    return found[-1]

def redact(text):
    return text.replace("secret", "•••")
"""
JOB = "sys.exit(run_job(PROTOCOL, work, stop=stop, redact=redact))"
ABRUPT = "sys.exit(run_job(PROTOCOL, work))"
COMPANION = "sys.exit(answer_requests(PROTOCOL, answer, stop=stop))"

Start = Callable[[str], subprocess.Popen[bytes]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with ExitStack() as left:

        def started(main: str) -> subprocess.Popen[bytes]:
            # As a module, as workers are run: how Python ends depends on it.
            (tmp_path / "child.py").write_text(textwrap.dedent(CHILD) + main)
            command, pipe = [sys.executable, "-m", "child"], subprocess.PIPE
            process = left.enter_context(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=tmp_path))
            left.callback(process.kill)
            return process

        yield started


def ask(process: subprocess.Popen[bytes], *what: str) -> None:
    for each in what:
        process.stdin.write(PROTOCOL.request_line(Ask(each)))
    process.stdin.flush()


def events(process: subprocess.Popen[bytes]) -> list[Say | Failed]:
    return [PROTOCOL.read_event(line) for line in process.stdout]


def test_a_job_sends_events_and_ends(start: Start) -> None:
    process = start(JOB)
    ask(process, "hello")
    assert events(process) == [Say("begun"), Say("hello")]
    assert (process.wait(PATIENCE), process.stderr.read()) == (0, b"")


SLOW_TO_LET_GO = """
import signal
set_timer = signal.setitimer
def slow(which, seconds, *interval):
    if not seconds:
        time.sleep(0.5)
    return set_timer(which, seconds, *interval)
signal.setitimer = slow
"""


def test_a_job_that_is_done_has_not_been_stopped_whenever_its_input_closes(start: Start) -> None:
    """The asking side closes the input as soon as the output has ended; played by a job that is slow to end."""
    process = start(SLOW_TO_LET_GO + JOB)
    ask(process, "hello")
    assert events(process) == [Say("begun"), Say("hello")]
    process.stdin.close()
    assert process.wait(PATIENCE) == 0


def test_what_libraries_print_is_kept_out_of_the_events(start: Start) -> None:
    process = start(JOB)
    ask(process, "print")
    assert events(process) == [Say("begun"), Say("print")]
    assert process.stderr.read().split(b"\n") == [b"a library talks", b"a library talks", b""]


@pytest.mark.parametrize(
    ("what", "message", "code"),
    [
        ("refuse", "no such film", 2),
        ("memory", "there is not enough memory", 3),
        ("import", "a part of the program is missing (adstudio_has_no_such_part)", 3),
    ],
)
def test_a_failure_is_a_typed_event(start: Start, what: str, message: str, code: int) -> None:
    process = start(JOB)
    ask(process, what)
    failed = events(process)[-1]
    assert isinstance(failed, Failed)
    assert failed.message.startswith(message)
    assert (process.wait(PATIENCE), process.stderr.read()) == (code, b"")


def test_a_fault_goes_to_the_log_without_secrets(start: Start) -> None:
    process = start(JOB)
    ask(process, "break")
    assert events(process) == [Say("begun")]
    log = process.stderr.read()
    assert process.wait(PATIENCE) == FAULT
    assert b"KeyError: '\xe2\x80\xa2\xe2\x80\xa2\xe2\x80\xa2'" in log
    assert b"Traceback" in log


@pytest.mark.parametrize("line", [b"\n", b"{}\n", b"hello\n", b"\xff\x00\n", b"[" * 9999 + b"\n"])
def test_an_unreadable_request_is_answered_by_a_failure(start: Start, line: bytes) -> None:
    process = start(JOB)
    process.stdin.write(line)
    process.stdin.flush()
    (failed,) = events(process)
    assert isinstance(failed, Failed)
    assert process.wait(PATIENCE) == 2


@pytest.mark.parametrize("how", ["terminated", "left alone"])
@pytest.mark.parametrize("main", [JOB, ABRUPT])
def test_a_job_is_stopped_wherever_it_is(start: Start, how: str, main: str) -> None:
    process = start(main)
    ask(process, "wait")
    assert PROTOCOL.read_event(process.stdout.readline()) == Say("begun")
    time.sleep(0.3)  # until it waits
    began = time.monotonic()
    if how == "terminated":
        process.terminate()
    else:
        process.stdin.close()
    code = process.wait(PATIENCE)
    assert time.monotonic() - began < 20
    assert code == (-signal.SIGTERM if (how, main) == ("terminated", ABRUPT) else STOPPED)
    assert (b"tidied up" in process.stderr.read()) == (main == JOB)


@pytest.mark.parametrize("how", ["terminated", "left alone"])
@pytest.mark.parametrize("where", ["in executed text", "while a class is made", "in a destructor"])
def test_a_stop_that_python_treats_in_its_own_way_is_a_stop(start: Start, how: str, where: str) -> None:
    """Such as those that come while a dataclass or an enumeration is imported."""
    process = start(JOB)
    ask(process, f"wait {where}")
    assert PROTOCOL.read_event(process.stdout.readline()) == Say("begun")
    time.sleep(0.3)  # until it waits
    if how == "terminated":
        process.terminate()
    else:
        process.stdin.close()
    assert (process.wait(PATIENCE), process.stderr.read()) == (STOPPED, b"")


@pytest.mark.parametrize("how", ["terminated", "left alone"])
def test_work_in_an_event_loop_is_stopped_there(start: Start, how: str) -> None:
    process = start(JOB)
    ask(process, "loop")
    assert PROTOCOL.read_event(process.stdout.readline()) == Say("begun")
    time.sleep(0.5)  # until the loop is asleep
    if how == "terminated":
        process.terminate()
    else:
        process.stdin.close()
    assert events(process) == [Say("stopped")]
    assert process.wait(PATIENCE) == 7


@pytest.mark.parametrize("main", [JOB, COMPANION])
def test_nobody_asks_and_nobody_listens(start: Start, main: str) -> None:
    process = start(main)
    process.stdin.close()
    assert process.stdout.read() == b""
    assert process.stderr.read() == b""
    process = start(main)
    process.stdout.close()
    ask(process, "hello")
    assert process.wait(PATIENCE) == STOPPED
    assert process.stderr.read() == b""


def test_a_companion_answers_in_order_whatever_goes_wrong(start: Start) -> None:
    process = start(COMPANION)
    ask(process, "a", "refuse", "break", "print", "memory")
    process.stdin.write(b"nonsense\n\n")
    ask(process, "b")
    process.stdin.close()
    found = events(process)
    assert [type(each) for each in found] == [Say, Failed, Failed, Say, Failed, Failed, Say]
    assert (found[0], found[1], found[-1]) == (Say("a"), Failed("no such film"), Say("b"))
    assert b"KeyError" in process.stderr.read()
    assert process.wait(PATIENCE) == 0


def test_a_request_too_large_is_refused_and_the_next_one_answered(start: Start) -> None:
    process = start("import adstudio.system.worker as worker; worker.LARGEST_REQUEST = 100; " + COMPANION)
    process.stdin.write(b"x" * 1000 + b"\n" + PROTOCOL.request_line(Ask("b")))
    process.stdin.close()
    failed, said = events(process)
    assert isinstance(failed, Failed)
    assert said == Say("b")


def test_a_job_whose_request_is_given_by_the_caller(capfd: pytest.CaptureFixture[str]) -> None:
    def failure(error: AdstudioError) -> Say | Failed:
        return Say(f"sorry, {error}")

    def work(request: Ask, send: Callable[[Say | Failed], None]) -> None:
        send(Say(request.what))
        raise OutsideFailureError("the disk is full")

    assert run_job(PROTOCOL, work, failure=failure, line=PROTOCOL.request_line(Ask("x"))) == 3
    lines = capfd.readouterr().out.encode().splitlines()
    assert [PROTOCOL.read_event(line) for line in lines] == [Say("x"), Say("sorry, the disk is full")]


def test_lines_that_are_no_events() -> None:
    assert PROTOCOL.event_line(Say("x")).startswith(PROTOCOL.starts(Say))
    for line in (b"", b"{}", b"warning: x", PROTOCOL.request_line(Ask("x"))):
        with pytest.raises(CodecError):
            PROTOCOL.read_event(line)
