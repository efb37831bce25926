"""Background work: child processes that report, can be stopped, and are gone when the window is."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject

from adstudio.ui.background.jobs import Jobs

COUNTS = "import sys\nfor n in range(3): print('line', n, flush=True)\nsys.stderr.write('so it was\\n'); sys.exit(4)"
TIDY = """
import signal, sys
def close(*_):
    open(sys.argv[1], "w").write("closed")
    sys.exit(0)
signal.signal(signal.SIGTERM, close)
print("here", flush=True)
signal.pause()
"""
STUBBORN = (
    "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('up', flush=True)\ntime.sleep(600)"
)
ECHO = "import sys\nfor line in sys.stdin: print('heard', line, end='', flush=True)"
ENDLESS = "import sys\nwhile True: sys.stdout.write('x' * 65536)"


@pytest.fixture
def jobs(qapp):
    parent = QObject()
    made = Jobs(parent)
    yield made
    made.shut_down()
    parent.deleteLater()


class Heard:
    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.ends: list[tuple[int, str]] = []

    def end(self, code: int, said: str) -> None:
        self.ends.append((code, said))


def test_lines_and_the_end_arrive_in_order(jobs: Jobs, qtbot):
    heard = Heard()
    job = jobs.start("Count", [sys.executable, "-c", COUNTS], heard.lines.append, heard.end)
    assert jobs.running == (job,)
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.lines == [b"line 0", b"line 1", b"line 2"]
    assert heard.ends == [(4, "so it was")]
    assert jobs.running == ()


@pytest.mark.parametrize(
    ("last", "how"),
    [
        ("sys.exit(3)", "ended with exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by signal 9"),
    ],
)
def test_how_a_process_ended_that_nobody_asked_to_is_in_the_log(jobs: Jobs, qtbot, caplog, last, how):
    heard = Heard()
    code = f"import sys; sys.stderr.write('first\\nit went wrong here\\n'); sys.stderr.flush(); {last}"
    jobs.start("Work", [sys.executable, "-c", code], heard.lines.append, heard.end)
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert caplog.messages == [f"{sys.executable} {how}; its last output:\nfirst\nit went wrong here"]


def test_of_one_that_was_stopped_nothing_is_in_the_log(jobs: Jobs, qtbot, caplog):
    heard = Heard()
    job = jobs.start("Stubborn", [sys.executable, "-c", STUBBORN], heard.lines.append, heard.end)
    qtbot.waitUntil(lambda: bool(heard.lines))
    job.kill()
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert caplog.messages == []


def test_a_program_that_is_not_there_is_told(jobs: Jobs, qtbot):
    heard = Heard()
    jobs.start("Nothing", ["/nowhere/at/all"], heard.lines.append, heard.end)
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends[0][0] < 0
    assert jobs.running == ()


def test_a_job_that_will_not_stop_is_killed(jobs: Jobs, qtbot):
    heard = Heard()
    job = jobs.start("Stubborn", [sys.executable, "-c", STUBBORN], heard.lines.append, heard.end)
    qtbot.waitUntil(lambda: bool(heard.lines))
    job.stop()
    assert job.stopped
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends[0][0] == -1


def test_shutting_down_ends_everything_at_once(jobs: Jobs, qtbot):
    heard = Heard()
    for number in range(3):
        jobs.start(f"Stubborn {number}", [sys.executable, "-c", STUBBORN], heard.lines.append, heard.end)
    qtbot.waitUntil(lambda: len(heard.lines) == 3)
    jobs.shut_down()
    assert len(heard.ends) == 3
    assert jobs.running == ()


def test_when_the_window_goes_each_may_say_its_last_word(jobs: Jobs, qtbot, tmp_path):
    noted = tmp_path / "noted"
    heard = Heard()
    for number in range(2):
        command = [sys.executable, "-c", TIDY, f"{noted}{number}"]
        jobs.start(f"Tidy {number}", command, heard.lines.append, heard.end)
    qtbot.waitUntil(lambda: len(heard.lines) == 2)
    jobs.shut_down()
    assert [(tmp_path / f"noted{number}").read_text() for number in range(2)] == ["closed", "closed"]
    assert [code for code, _ in heard.ends] == [0, 0]


def test_a_line_without_end_does_not_fill_the_memory(jobs: Jobs, qtbot, monkeypatch):
    monkeypatch.setattr("adstudio.ui.background.jobs.LONGEST_LINE", 1 << 20)
    heard = Heard()
    jobs.start("Endless", [sys.executable, "-c", ENDLESS], heard.lines.append, heard.end)
    with qtbot.captureExceptions():
        qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends[0][0] == -1


def test_a_companion_answers_until_it_is_killed(jobs: Jobs, qtbot):
    heard = Heard()
    companion = jobs.start_companion([sys.executable, "-c", ECHO])
    companion.line.connect(heard.lines.append)
    companion.ended.connect(heard.end)
    companion.write(b"one\n")
    qtbot.waitUntil(lambda: heard.lines == [b"heard one"])
    companion.write(b"two\n")
    qtbot.waitUntil(lambda: heard.lines == [b"heard one", b"heard two"])
    companion.kill()
    assert [code for code, _ in heard.ends] == [-1]


def test_a_companion_that_ends_by_itself_says_so(jobs: Jobs, qtbot):
    heard = Heard()
    companion = jobs.start_companion([sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(9)"])
    companion.ended.connect(heard.end)
    companion.write(b"go\n")
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends[0][0] == 9


def test_shutting_down_ends_companions_too(jobs: Jobs, qtbot):
    heard = Heard()
    companion = jobs.start_companion([sys.executable, "-c", STUBBORN])
    companion.line.connect(heard.lines.append)
    companion.ended.connect(heard.end)
    qtbot.waitUntil(lambda: bool(heard.lines))
    jobs.shut_down()
    assert [code for code, _ in heard.ends] == [-1]


@pytest.mark.parametrize(
    ("module", "known"), [("adstudio.connections.connection_test", b"a-key"), ("adstudio.media.worker", b"")]
)
def test_only_what_asks_models_has_their_keys(jobs: Jobs, qtbot, monkeypatch, module, known):
    monkeypatch.setenv("ADSTUDIO_KEY_GEMINI", "a-key")
    monkeypatch.setenv("ADSTUDIO_OTHER", "stays")
    shows = "import os; print(os.environ.get('ADSTUDIO_KEY_GEMINI', '') + os.environ['ADSTUDIO_OTHER'])"
    heard = Heard()
    jobs.start("Keys", [sys.executable, "-c", shows, module], heard.lines.append, heard.end)
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.lines == [known + b"stays"]
