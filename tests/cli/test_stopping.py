"""Ctrl-C and other signals to end, at any moment; readers that go away."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_running import PATIENCE, command, hard, listing

from adstudio.sample_film import sample_paths
from adstudio.system.locations import resource

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="/proc tells when a program listens")


def listening(pid: int) -> bool:
    """Whether the program has its own handler for SIGTERM, which Python has not."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
    return False


def wait_for(running: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while not listening(running.pid) and time.monotonic() < until:
        time.sleep(0.005)


def stopped(number: signal.Signals, after: float, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    with subprocess.Popen(command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        wait_for(running)
        time.sleep(after)
        running.send_signal(number)
        try:
            out, err = running.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            running.kill()
            raise
    return subprocess.CompletedProcess(arguments, running.returncode, out, err)


def require_clean_end(done: subprocess.CompletedProcess[bytes], code: int) -> None:
    assert done.returncode == code, done
    assert done.stdout == b""
    assert done.stderr == b"adstudio: interrupted\n"


def require_closed(done: subprocess.CompletedProcess[bytes]) -> None:
    """The editor ended at SIGTERM; a window that is there closes without a word."""
    assert (done.returncode, done.stdout) == (143, b""), done
    assert done.stderr in (b"", b"adstudio: interrupted\n")


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Candidates that take many seconds to plan."""

    def one(number: int):
        return {
            "scene_description_extract": "x",
            "audio_description": f"A door opens in the long grey hall, number {number}.",
            "compressed_audio_descriptions": {"0.5": "A door opens there."},
            "occurrence_start": number * 2,
            "occurrence_end": number * 2 + 1,
            "salience": number * 7919 % 1000 / 1000,
        }

    path = tmp_path / "large.json"
    path.write_text(json.dumps([one(number) for number in range(40_000)]))
    return path


@pytest.fixture
def many_cues(tmp_path: Path) -> Path:
    """As many cues as may be."""
    path = tmp_path / "large.srt"
    with path.open("w") as file:
        for n in range(199_000):
            at = f"{n // 3600:02d}:{n // 60 % 60:02d}:{n % 60:02d}"
            file.write(f"{n + 1}\n{at},000 --> {at},500\nSome words are said here, number {n}.\n\n")
    return path


@pytest.mark.parametrize(
    ("number", "after", "code"),
    [(signal.SIGINT, 0, 130), (signal.SIGINT, 2, 130), (signal.SIGTERM, 1.5, 143), (signal.SIGHUP, 0.5, 129)],
)
def test_a_solver_is_stopped(number: signal.Signals, after: float, code: int, problem_file, tmp_path: Path):
    path = problem_file(hard(1200))
    before = listing(tmp_path)
    require_clean_end(stopped(number, after, "solve", path, "-o", tmp_path / "plan.json"), code)
    assert listing(tmp_path) == before


_SWALLOWING = """
import os, signal, sys, time
from adstudio.cli.interrupt import guarded

class Swallows:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGHUP)
        time.sleep(0.1)

def work():
    Swallows()
    time.sleep(60)
    return 0

sys.exit(guarded(work))
"""


def test_a_signal_that_a_destructor_swallows_still_ends_the_program():
    ran = subprocess.run([sys.executable, "-c", _SWALLOWING], capture_output=True, timeout=PATIENCE, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (129, b"", b"adstudio: interrupted\n")


@pytest.mark.parametrize("after", [0.1, 1.5])
def test_a_draft_is_stopped(after: float, large: Path, srt: Path, tmp_path: Path):
    before = listing(tmp_path)
    done = stopped(
        *(signal.SIGINT, after, "draft", "--subtitles", srt, "--end", 90_000, "--candidates", large),
        *("-o", tmp_path / "p.adproj", "--report", tmp_path / "report.json"),
    )
    require_clean_end(done, 130)
    assert listing(tmp_path) == before


@pytest.mark.parametrize("after", [0, 0.6])
def test_gaps_are_stopped(after: float, many_cues: Path, tmp_path: Path):
    before = listing(tmp_path)
    require_clean_end(stopped(signal.SIGINT, after, "gaps", many_cues, "-o", tmp_path / "gaps.json"), 130)
    assert listing(tmp_path) == before


@pytest.mark.parametrize(("number", "after", "code"), [(signal.SIGINT, 0, 130), (signal.SIGTERM, 0.4, 143)])
def test_a_demo_is_stopped(number: signal.Signals, after: float, code: int, tmp_path: Path):
    """It is over in a second or two, so it may have copied the film by then; what is there is whole."""
    done = stopped(number, after, "demo", "--headless", "--out", tmp_path / "demo")
    assert done.returncode == code, done
    assert done.stderr.endswith(b"adstudio: interrupted\n")
    shipped = {path.name: path for path in sample_paths(resource("sample")).paths}
    for path in (tmp_path / "demo").rglob("*"):
        assert path.name in shipped, "nothing half written is left"
        assert path.read_bytes() == shipped[path.name].read_bytes()


def test_what_the_caller_ignores_stays_ignored(problem_file, tmp_path: Path):
    target = tmp_path / "plan.json"
    script = (
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv(sys.executable, sys.argv[1:])"
    )
    arguments = command("solve", problem_file(hard(160)), "--time-limit", "2", "-o", target)
    with subprocess.Popen([sys.executable, "-c", script, *arguments]) as running:
        wait_for(running)
        running.send_signal(signal.SIGHUP)
        assert running.wait(PATIENCE) == 0
    assert target.exists()


def test_the_first_signal_clears_up_and_the_second_ends(tmp_path: Path):
    script = (
        "import os, signal, sys, time\n"
        "from adstudio.cli.interrupt import guarded\n"
        "def work():\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        time.sleep(60)\n"
        "    finally:\n"
        "        open(sys.argv[1], 'w').close()\n"
        "        if len(sys.argv) > 2:\n"
        "            os.kill(os.getpid(), signal.SIGTERM)\n"
        "            time.sleep(60)\n"
        "    return 0\n"
        "sys.exit(guarded(work))\n"
    )
    for more, code in (((), 130), (("again",), 143)):
        mark = tmp_path / f"cleared{code}"
        done = subprocess.run(
            [sys.executable, "-c", script, mark, *more], capture_output=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == code
        assert b"Traceback" not in done.stderr
        assert mark.exists()


@pytest.mark.parametrize("where", ["adstudio.cli.run.run", "adstudio.cli.program.run_command"])
def test_a_library_that_reports_it_as_its_own_failure(where: str):
    """As Python 3.11 does when it is interrupted in `__set_name__`, which imports run everywhere."""
    script = (
        "import os, signal, sys, time\n"
        "from unittest.mock import patch\n"
        "from adstudio.cli.main import main\n"
        "def library(_arguments):\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        time.sleep(60)\n"
        "    except BaseException as error:\n"
        "        raise RuntimeError('in a library') from error\n"
        "with patch(sys.argv[1], library):\n"
        "    main(['solve', 'problem.json'])\n"
    )
    done = subprocess.run([sys.executable, "-c", script, where], capture_output=True, timeout=PATIENCE, check=False)
    require_clean_end(done, 130)


@pytest.mark.parametrize("module", ["PySide6.QtCore", "adstudio.ui.app.application", "adstudio.ui.app.window"])
def test_the_editor_loses_no_signal_while_it_loads(module: str):
    """Where Qt calls back into Python, an exception goes no further."""
    pytest.importorskip("PySide6")
    script = (
        "import contextlib, os, signal, sys\n"
        "from adstudio.cli.main import main\n"
        "class Library:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == sys.argv[1]:\n"
        "            with contextlib.suppress(BaseException):\n"
        "                os.kill(os.getpid(), signal.SIGTERM)\n"
        "sys.meta_path.insert(0, Library())\n"
        "main(['edit'])\n"
    )
    done = subprocess.run([sys.executable, "-c", script, module], capture_output=True, timeout=PATIENCE, check=False)
    require_closed(done)


@pytest.mark.flood
@pytest.mark.parametrize("after", [0.3, 0, 0.1, 0.2, 0.5, 0.7, 1, 1.5])
def test_the_editor_is_stopped(after: float):
    pytest.importorskip("PySide6")
    require_closed(stopped(signal.SIGTERM, after, "edit"))


def test_handlers_are_given_back(run):
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    assert run("--version").code == 0
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == before


@pytest.mark.parametrize("arguments", [("gaps", "{cues}"), ("--help",)])
def test_a_reader_that_goes_away_is_no_failure(arguments, tmp_path: Path, srt: Path):
    cues = tmp_path / "long.srt"
    with cues.open("w") as file:
        for n in range(3000):
            at = f"00:{n // 60:02d}:{n % 60:02d}"
            file.write(f"{n}\n{at},000 --> {at},500\nHm.\n\n")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        done = subprocess.run(
            command(*(argument.format(cues=cues) for argument in arguments)),
            stdout=gone,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
    assert done.stderr == b""
    assert done.returncode in (0, 1)


def test_a_terminal_sees_progress_and_gets_its_cursor_back(problem_file, tmp_path: Path):
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    surroundings = {**os.environ, "TERM": "xterm"}
    arguments = command("solve", problem_file(hard(1200)), "-o", tmp_path / "plan.json")
    with subprocess.Popen(arguments, stderr=slave, env=surroundings) as running:
        os.close(slave)
        seen = b""
        while b"planning" not in seen:
            seen += os.read(master, 10_000)
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE) == 130
    while True:
        try:
            more = os.read(master, 10_000)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        seen += more
    os.close(master)
    assert seen.rindex(b"\x1b[?25h") > seen.rindex(b"\x1b[?25l")
    assert seen.endswith(b"adstudio: interrupted\r\n")
