"""Child processes that answer several lines, that run once, and how they are ended; see also tests/speech."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adstudio.system.child_process import EndedError, HungError, LineProcess, NotStartedError, run

ECHO = "import sys, time\nfor line in sys.stdin:\n    {}\n    print(line.strip(), flush=True)"


@pytest.fixture
def started() -> object:
    processes: list[LineProcess] = []

    def start(script: str = "pass", folder: Path | None = None) -> LineProcess:
        process = LineProcess((sys.executable, "-I", "-c", ECHO.format(script)), 20.0, folder, {"SOME": "thing"})
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.close()


Start = Callable[..., LineProcess]


def test_a_request_of_many_lines_has_as_many_answers(started: Start):
    lines = [f"line {number}" for number in range(500)]
    answers = started().ask("".join(f"{line}\n" for line in lines).encode(), 20.0, 500)
    assert [answer.decode().strip() for answer in answers] == lines


def test_more_than_both_pipes_hold_hangs_nobody(started: Start):
    # each side would wait for the other: 4 MB of requests, whose answers are 4 MB too
    line = b"x" * 8_000 + b"\n"
    answers = started().ask(line * 500, 20.0, 500)
    assert answers == [line] * 500


def test_one_that_does_not_read_all_is_ended_in_time(started: Start):
    threads = set(threading.enumerate())
    with pytest.raises(HungError) as caught:
        started("time.sleep(600)").ask(b"x" * 8_000_000 + b"\n" + b"y\n", 0.3 - 20.0, 2)
    assert caught.value.limit == pytest.approx(0.3)
    assert set(threading.enumerate()) <= threads


def test_one_that_dies_in_the_middle_is_an_error(started: Start):
    process = started("if 'die' in line: sys.exit('no more lines')")
    with pytest.raises(EndedError, match="no more lines"):
        process.ask(b"one\ndie\nthree\n", 20.0, 3)
    assert process.ask(b"one\ntwo\n", 20.0, 2) == [b"one\n", b"two\n"]


def test_an_answer_of_several_lines_to_one(started: Start):
    assert started("print('first')").ask(b"second\n", 20.0, 2) == [b"first\n", b"second\n"]


def test_it_runs_in_its_folder_with_its_variables_and_without_keys(
    started: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("ADSTUDIO_KEY_GEMINI", "a-key")
    process = started("import os; print(os.getcwd(), os.environ.get('SOME'), [*os.environ])", tmp_path)
    first = process.ask(b"x\n", 20.0, 2)[0].decode()
    assert first.startswith(f"{tmp_path} thing ")
    assert "ADSTUDIO_KEY" not in first
    command = (sys.executable, "-I", "-c", "import os, sys; print(os.getcwd(), os.environ['A'], sys.stdin.read())")
    assert run(command, b"data", 20.0, tmp_path, {"A": "b"}).decode().split() == [str(tmp_path), "b", "data"]


def test_one_that_runs_once_fails_in_a_sentence():
    with pytest.raises(EndedError, match=r"^no such thing$"):
        run((sys.executable, "-I", "-c", "raise SystemExit('first\\nno such thing.')"), b"", 20.0)
    with pytest.raises(EndedError, match=r"^exit code 3$"):
        run((sys.executable, "-I", "-c", "raise SystemExit(3)"), b"", 20.0)
    with pytest.raises(HungError, match=r"longer than 0\.3 s"):
        run((sys.executable, "-I", "-c", "import time; time.sleep(600)"), b"", 0.3)
    with pytest.raises(NotStartedError):
        run(("/nonexistent/program",), b"", 1.0)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_while_a_process_is_being_started_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def interrupted(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(real(*arguments, **options))
        signal.raise_signal(signal.SIGINT)
        return started[0]

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run((sys.executable, "-c", "input()"), b"", 60)
    assert started[0].returncode is not None
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    started.clear()
    process = LineProcess((sys.executable, "-c", "input()"), 60)
    with pytest.raises(KeyboardInterrupt):
        process.ask(b"\n", 60)
    process.close()
    assert started[0].returncode is not None


def test_a_signal_while_a_limit_begins_leaves_no_thread_that_holds_up_the_end(
    started: Start, monkeypatch: pytest.MonkeyPatch
):
    begun: list[threading.Timer] = []
    start = threading.Timer.start

    def interrupted(timer: threading.Timer) -> None:
        start(timer)
        begun.append(timer)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Timer, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        started().ask(b"hello\n", 60.0)
    (timer,) = begun
    assert not timer.is_alive()
    assert timer.daemon
