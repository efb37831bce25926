"""The editor as a process: it starts, ends in order however it is told to, and no fault takes it down silently."""

from __future__ import annotations

import signal
import sqlite3
import time
from pathlib import Path

import pytest
from desks import small_script

from adstudio.editing.wordings import rewrite
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile

ODD = "Gün ter – ä/日本/#1 %20 &.adproj"

EDITOR = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from adstudio.cli.failure import logged
from adstudio.ui.app import application, window

def say(*words):
    print(*words, flush=True)

class Window(window.Window):
    def show(self):
        super().show()
        self.session.opened.connect(lambda: say("opened", self.session.project and self.session.project.path.name))
        self.session.messages.said.connect(lambda sentence: say("said:", sentence))
        QTimer.singleShot(300, self, lambda: say("up"))
        THEN

window.Window = Window
with logged():
    code = application.run(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
say("ended", code)
sys.exit(code)
"""


@pytest.fixture
def start(on_display):
    def started(*arguments: str | Path, then: str = "pass", **environment: str):
        return on_display("-c", EDITOR.replace("THEN", then), *arguments, **environment)

    return started


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / ODD
    path.parent.mkdir(parents=True)
    ProjectFile.create(path, small_script()).close()
    return path


def in_order(program, code: int) -> None:
    assert program.wait(20) == code, program.said()
    assert f"ended {code}" in program.said()
    assert "Traceback" not in program.said()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)])
def test_it_ends_in_order_when_it_is_told_to(start, number: signal.Signals, code: int):
    program = start()
    program.wait_for("up")
    program.process.send_signal(number)
    in_order(program, code)


def test_twice_is_no_more_than_once(start, project):
    program = start(project)
    program.wait_for("opened")
    program.wait_for("up")
    program.process.send_signal(signal.SIGINT)
    program.process.send_signal(signal.SIGTERM)
    program.wait(20)
    assert program.process.returncode in (130, 143)
    assert "Traceback" not in program.said()


def test_a_signal_before_the_window_is_up(start):
    program = start()
    time.sleep(0.2)
    program.process.send_signal(signal.SIGTERM)
    assert program.wait(20) in (143, -15)
    assert "Traceback" not in program.said()


@pytest.mark.parametrize("language", ["de_DE.UTF-8", "C.UTF-8"])
def test_a_project_of_an_odd_name_is_opened(start, project, language: str):
    program = start(project, LANG=language, LC_ALL=language)
    program.wait_for(f"opened {project.name}")
    program.process.terminate()
    in_order(program, 143)


def test_the_editor_of_a_named_project_is_built_before_a_screen_reader_is_connected(start, project):
    """It is connected by the loop, and told every name that a widget is given from then on."""
    program = start(project, then="say('editor built:', self._editor is not None)")
    program.wait_for(f"opened {project.name}")
    program.process.terminate()
    in_order(program, 143)
    assert "editor built: True" in program.said()


@pytest.mark.parametrize(("always", "built"), [("1", True), ("", False)])
def test_the_editor_behind_the_welcome_page_is_built_so_too_where_one_runs(start, always: str, built: bool):
    """Nobody else waits for it: the page is painted first."""
    nowhere = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "XDG_RUNTIME_DIR": "/nowhere"}
    program = start(
        then="say('editor built:', self._editor is not None)", QT_LINUX_ACCESSIBILITY_ALWAYS_ON=always, **nowhere
    )
    program.wait_for("up")
    program.process.terminate()
    in_order(program, 143)
    assert f"editor built: {built}" in program.said()


def test_a_fault_in_a_slot_is_logged_and_told_and_the_window_stays(start, tmp_path):
    state = tmp_path / "state"
    program = start(
        then="QTimer.singleShot(100, self, lambda: 1 / 0); QTimer.singleShot(600, self, lambda: say('still here'))",
        XDG_STATE_HOME=str(state),
    )
    program.wait_for("said: Internal error in adstudio")
    program.wait_for("still here")
    program.process.terminate()
    in_order(program, 143)
    assert "ZeroDivisionError" in "".join(path.read_text("utf-8") for path in state.rglob("adstudio.log"))


def crash(project: Path) -> None:
    """As if an editor had died after a step."""
    opened = ProjectFile.open(project)
    document = opened.document(RestorePoint.LAST_SAVE, on_failure=lambda error: None)
    document.apply(rewrite(document.script, "a", 0, "After the save"))
    opened._stop_journalling()
    opened._file.connection.close()


def test_a_signal_while_a_question_is_asked_ends_it_too(start, project):
    crash(project)
    program = start(project, then="QTimer.singleShot(1500, self, lambda: say(QApplication.activeModalWidget().text()))")
    program.wait_for("wasn’t closed properly")
    program.process.terminate()
    in_order(program, 143)
    with ProjectFile.open(project) as opened:
        assert opened.recoverable


def test_work_that_was_not_saved_is_there_after_a_signal(start, project):
    then = (
        "from adstudio.editing.wordings import rewrite; QTimer.singleShot(800, self, lambda: say("
        "'done', self.session.edits.attempt(lambda script: rewrite(script, 'a', 0, 'Not saved'))))"
    )
    program = start(project, then=then)
    program.wait_for("done True")
    program.process.terminate()
    in_order(program, 143)
    with ProjectFile.open(project) as opened:
        assert opened.recoverable
        assert opened.last_script.eventuality("a").variants[0].text == "Not saved"


def test_a_damaged_project_is_told_and_the_window_stays(start, project):
    project.write_bytes(b"\0" * 4096)
    program = start(project, then="QTimer.singleShot(1500, self, lambda: say(QApplication.activeModalWidget().text()))")
    program.wait_for("is not an adstudio project")
    program.process.terminate()
    in_order(program, 143)
    assert sqlite3.sqlite_version


def test_the_command_itself_opens_the_window(run_editor, screen, project):
    program = run_editor("edit", project)
    screen.window(project.stem, program)
    program.process.terminate()
    assert program.wait(20) == 143
    assert "Traceback" not in program.said()
