"""What tests/ui gives its tests: a display, settings of their own, and failure for what is left over or warned of."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

SLOVENLY = """
import pytest
from PySide6.QtCore import QObject, QThread, QTimer, qWarning
from PySide6.QtWidgets import QWidget, QMenu

class Session:
    pass

@pytest.fixture
def warns_at_its_end():
    yield
    qWarning("put away in the wrong order")

@pytest.fixture(scope="module")
def shared(qapp):
    window = QWidget()
    window.timer = QTimer(window)
    window.timer.start(1000)
    yield window
    window.deleteLater()

KEPT = []
session = Session()

def test_clean(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.timer = QTimer(window)
    window.timer.start(1000)
    window.show()

def test_ring(qtbot):
    window = QWidget()
    window.again = lambda: window

def test_shared(shared):
    shared.menu = QMenu(shared)

def test_window(qtbot):
    window = QWidget()
    window.setObjectName("stray")
    KEPT.append(window)

def test_next_is_not_blamed(qtbot):
    pass

def test_timer(qtbot):
    session.autosave = QTimer()
    session.autosave.start(12345)

def test_thread(qtbot):
    session.thread = QThread()
    session.thread.start()

def test_thread_ends(qtbot):
    session.thread.quit()

def test_warning(qtbot):
    qWarning("something is odd")

def test_late_warning(qtbot, warns_at_its_end):
    pass

def test_exception_in_a_slot(qtbot):
    QTimer.singleShot(0, lambda: 1 / 0)
    qtbot.wait(20)
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What pytest says of each test in SLOVENLY, where this repository's settings and fixtures are in force."""
    folder = tmp_path_factory.mktemp("slovenly")
    (folder / "ui").mkdir()
    shutil.copy(TESTS / "conftest.py", folder)
    for file in ("conftest.py", "display.py", "left_over.py"):
        shutil.copy(TESTS / "ui" / file, folder / "ui")
    (folder / "ui" / "test_slovenly.py").write_text(SLOVENLY, "utf-8")
    pytest_here = [sys.executable, "-m", "pytest", "-c", TESTS.parent / "pyproject.toml", "--rootdir", folder]
    run = subprocess.run(
        [*pytest_here, "-p", "no:cacheprovider", "-rfE", folder],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "300"},
    )
    assert " passed" in run.stdout, run.stdout + run.stderr
    said = re.findall(r"^(?:FAILED|ERROR) \S+::(\w+)(?: - (.*))?$", run.stdout, re.MULTILINE)
    return {"all": run.stdout, **dict(said)}


@pytest.mark.parametrize("name", ["test_clean", "test_ring", "test_shared", "test_next_is_not_blamed"])
def test_what_is_put_away_is_no_fault(outcomes: dict[str, str], name: str):
    assert name not in outcomes, outcomes["all"]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("test_window", "left over: QWidget 'stray'"),
        ("test_timer", "left over: QTimer every 12345 ms, held by test_slovenly.Session.autosave"),
        ("test_thread", "left over: QThread, held by test_slovenly.Session.thread"),
        ("test_late_warning", "Qt warned when the test was over: put away in the wrong order"),
    ],
)
def test_what_is_left_over_is_named(outcomes: dict[str, str], name: str, fault: str):
    assert fault in outcomes[name]


@pytest.mark.parametrize(
    ("name", "fault"), [("test_warning", "something is odd"), ("test_exception_in_a_slot", "1 / 0")]
)
def test_a_warning_of_qt_and_an_exception_in_a_slot_are_failures(outcomes: dict[str, str], name: str, fault: str):
    assert name in outcomes
    assert fault in outcomes["all"]


@pytest.mark.parametrize("value", [1, 2])
def test_settings_are_of_this_test_alone(value: int):
    from PySide6.QtCore import QSettings

    settings = QSettings("adstudio", "adstudio")
    assert settings.value("value") is None
    settings.setValue("value", value)
    settings.sync()
    assert Path(settings.fileName()).is_relative_to(os.environ["XDG_CONFIG_HOME"])
    assert Path(settings.fileName()).is_file()


WINDOW = """
from PySide6.QtGui import QColor
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication

class Red(QOpenGLWidget):
    def paintGL(self):
        f = self.context().functions()
        f.glClearColor(1.0, 0.0, 0.0, 1.0)
        f.glClear(0x4000)

application = QApplication([])
window = Red()
window.resize(200, 100)
window.show()
while not window.isValid():
    application.processEvents()
print(application.platformName(), application.primaryScreen().size().toTuple(), flush=True)
print(QColor(window.grabFramebuffer().pixel(50, 50)).name(), flush=True)
application.exec()
"""


def test_a_program_draws_with_gl_on_the_display_and_is_stopped(on_display):
    program = on_display("-c", WINDOW)
    program.wait_for("#")
    assert program.said().split("\n")[:2] == ["xcb (1920, 1200)", "#ff0000"]
    program.stop()
    assert program.process.returncode is not None


def test_the_editor_is_run_by_its_own_name(run_editor):
    program = run_editor("--help")
    assert program.wait() == 0
    assert "draft" in program.said()
