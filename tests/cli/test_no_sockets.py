"""What works offline opens no socket of the internet's families, whichever library asks: the system's calls, traced."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from adstudio.core.errors import OutsideFailureError
from adstudio.store.project import ProjectFile

SAMPLE = Path(__file__).parents[2] / "resources" / "sample"
INTERNET = re.compile(r"AF_INET6?\b")
PATIENCE = 120.0
pytestmark = [pytest.mark.flood, pytest.mark.attack(11)]


@pytest.fixture(scope="module")
def strace() -> str:
    """The tracer, where it is installed and allowed."""
    found = shutil.which("strace")
    if found is None:
        pytest.skip("strace is not here")
    if subprocess.run([found, "-o", os.devnull, "true"], capture_output=True, check=False).returncode:
        pytest.skip("tracing is refused here")
    return found


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample film's project."""
    folder = tmp_path_factory.mktemp("sample")
    program = [sys.executable, "-m", "adstudio", "demo", "--headless", "--out", folder / "demo"]
    subprocess.run(program, check=True, capture_output=True)
    return folder / "demo" / "sample.adproj"


def traced(strace: str, log: Path, *arguments: object) -> list[str]:
    """The command that runs adstudio and writes down every socket, those of its children too."""
    program = [sys.executable, "-m", "adstudio", *map(str, arguments)]
    return [strace, "-f", "-qq", "-e", "trace=socket", "-o", str(log), *program]


def internet_sockets(log: Path) -> list[str]:
    return [line for line in log.read_text(errors="replace").splitlines() if INTERNET.search(line)]


DRAFT = "draft {film} -o {out}/drafted.adproj"
COMMANDS: dict[str, tuple[str, int]] = {
    "gaps": ("gaps {sample}/dialogue.srt --end 3:00", 0),
    "draft from a screenplay": (f"{DRAFT} --subtitles {{dialogue}} --screenplay {{sample}}/screenplay.fountain", 0),
    "draft from prose": (f"{DRAFT} --subtitles {{dialogue}} --description {{sample}}/description.txt", 0),
    "draft from sound": (f"{DRAFT} --screenplay {{sample}}/screenplay.fountain", 0),
    "solve": ("solve {demo}/problem.json -o {out}/plan.json", 0),
    "solve by CP-SAT": ("solve {demo}/problem.json --backend cpsat -o {out}/plan.json", 0),
    "verify": ("verify {demo}/problem.json {demo}/plan.json", 0),
    "explain": ("explain {demo}/problem.json", 0),
    "export": ("export {project} --format vtt -o {out}/script.vtt", 0),
    "qc": ("qc {project}", 1),
    "polish refused": ("polish {project} --llm house", 2),
}
if shutil.which("java") is not None and find_spec("pycocoevalcap") is not None:
    COMMANDS["evaluate"] = ("evaluate {project} -r {sample}/reference-american.vtt", 0)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_offline_command_opens_no_internet_socket(name: str, strace: str, project: Path, tmp_path: Path) -> None:
    arguments, code = COMMANDS[name]
    places = {
        "sample": SAMPLE,
        "film": SAMPLE / "film.mp4",
        "dialogue": SAMPLE / "dialogue.srt",
        "demo": project.parent,
        "project": project,
        "out": tmp_path,
    }
    log = tmp_path / "calls"
    command = traced(strace, log, *(argument.format(**places) for argument in arguments.split()))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert internet_sockets(log) == []


@pytest.mark.parametrize("opened", [False, True], ids=["welcome page", "project"])
def test_the_editor_opens_no_internet_socket(opened: bool, strace: str, project: Path, tmp_path: Path) -> None:
    pytest.importorskip("PySide6")
    log, mine = tmp_path / "calls", tmp_path / "mine.adproj"
    shutil.copy(project, mine)
    shutil.copy(project.with_name("film.mp4"), tmp_path)
    with subprocess.Popen(traced(strace, log, "edit", *([mine] if opened else [])), stderr=subprocess.PIPE) as editor:
        try:
            deadline = time.monotonic() + PATIENCE
            while not (is_open(mine) if opened else shown(editor.pid)):
                assert editor.poll() is None, editor.stderr and editor.stderr.read()
                assert time.monotonic() < deadline, "the editor did not open"
                time.sleep(0.2)
        finally:
            for child in children(editor.pid):
                os.kill(child, 15)
        try:
            editor.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            editor.kill()
            raise
    assert internet_sockets(log) == []


def is_open(path: Path) -> bool:
    try:
        with closing(ProjectFile.open(path, read_only=True)):
            return False
    except OutsideFailureError:
        return True


def shown(tracer: int) -> bool:
    """Whether the editor listens to signals, which it does once its window is there."""
    for child in children(tracer):
        for line in Path(f"/proc/{child}/status").read_text().splitlines():
            if line.startswith("SigCgt:") and int(line.split()[1], 16) >> 14 & 1:
                return True
    return False


def children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
