"""A process that answers line after line: ended when it hangs, started again when it died, never mixing answers."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from process_end import gone

from adstudio.speech.engine import SpeechError
from adstudio.speech.engine_server import EngineServer

ECHO = "import sys, os, time\nfor line in sys.stdin:\n    {}\n    print(line.strip(), os.getpid(), flush=True)"


@pytest.fixture
def server(request: pytest.FixtureRequest):
    script = getattr(request, "param", "pass")
    made = EngineServer((sys.executable, "-I", "-c", ECHO.format(script)), "the server", 20.0)
    yield made
    made.close()


def asked(server: EngineServer, text: str, limit: float = 20.0) -> tuple[str, int]:
    answer = server.ask(f"{text}\n".encode(), limit).decode().split()
    return answer[0], int(answer[1])


def test_one_process_answers_all(server: EngineServer):
    answers = [asked(server, f"t{number}") for number in range(20)]
    assert [text for text, _ in answers] == [f"t{number}" for number in range(20)]
    assert len({pid for _, pid in answers}) == 1
    server.close()
    assert gone(answers[0][1])


def test_threads_get_their_own_answers(server: EngineServer):
    texts = [f"t{number}" for number in range(200)]
    with ThreadPoolExecutor(16) as threads:
        assert [text for text, _ in threads.map(lambda text: asked(server, text), texts)] == texts


def test_a_process_that_died_between_two_lines_is_started_again(server: EngineServer):
    _, first = asked(server, "one")
    os.kill(first, signal.SIGKILL)
    text, second = asked(server, "two")
    assert text == "two"
    assert second != first


@pytest.mark.parametrize("server", ["if line.strip() == 'die': os._exit(3)"], indirect=True)
def test_a_line_that_kills_every_process_is_an_error_and_the_next_one_is_answered(server: EngineServer):
    asked(server, "one")
    with pytest.raises(SpeechError, match=r"the server failed \(exit code 3\)") as caught:
        asked(server, "die")
    assert "\n" not in str(caught.value)
    assert asked(server, "two")[0] == "two"


@pytest.mark.parametrize("server", ["if line.strip() == 'hang': time.sleep(600)"], indirect=True)
def test_a_process_that_hangs_is_ended_with_an_error_and_the_next_line_has_another(server: EngineServer):
    _, first = asked(server, "one")
    with pytest.raises(SpeechError, match=r"did not finish a line within 0\.5 s and was stopped"):
        asked(server, "hang", 0.5)
    assert gone(first)
    text, second = asked(server, "two")
    assert text == "two"
    assert second != first


@pytest.mark.parametrize(
    "server", ["sys.stdout.write('no end of a line'); sys.stdout.flush(); os._exit(0)"], indirect=True
)
def test_half_an_answer_is_an_error(server: EngineServer):
    with pytest.raises(SpeechError, match="the server failed"):
        asked(server, "one")


@pytest.mark.parametrize("server", ["sys.exit('first\\nno such voice.')"], indirect=True)
def test_its_last_complaint_is_in_the_sentence(server: EngineServer):
    with pytest.raises(SpeechError, match=r"the server failed \(no such voice\)"):
        asked(server, "one")


@pytest.mark.parametrize("server", ["sys.stderr.write('x' * 1_000_000)"], indirect=True)
def test_one_that_complains_without_end_still_answers(server: EngineServer):
    assert asked(server, "one")[0] == "one"


def test_a_program_that_is_not_there_is_an_error():
    with pytest.raises(SpeechError, match="the server could not be started"):
        EngineServer(("/nonexistent/program",), "the server", 1.0).ask(b"x\n", 1.0)


@pytest.mark.parametrize("server", ["if line.strip() == 'hang': time.sleep(600)"], indirect=True)
def test_an_interrupt_ends_the_process(server: EngineServer):
    _, first = asked(server, "one")

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    threads = set(threading.enumerate())
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            asked(server, "hang")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert gone(first)
    assert set(threading.enumerate()) <= threads
    assert asked(server, "two")[0] == "two"


@pytest.mark.parametrize("server", ["pass"], indirect=True)
def test_a_process_killed_again_and_again_loses_no_answer(server: EngineServer, tmp_path: Path):
    """Whoever is asking while the process is killed gets an answer from the next one."""
    stop = threading.Event()
    pids: list[int] = []

    def kill() -> None:
        while not stop.wait(0.02):
            if pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pids[-1], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    answered = failed = 0
    try:
        for number in range(100):
            try:
                text, pid = asked(server, f"t{number}")
            except SpeechError:
                failed += 1
                continue
            assert text == f"t{number}"
            answered += 1
            pids.append(pid)
    finally:
        stop.set()
        killer.join()
    assert answered + failed == 100
    assert answered > 0
