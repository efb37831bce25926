"""A project that is made in the background: it opens where nothing is open, is told where something is, comes back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from adstudio.core.progress import Progress, Stage
from adstudio.drafting.events import PROTOCOL, DraftEvent, Failed
from adstudio.ui.background.worker_clients import JobClient
from adstudio.ui.files.new_project import NewProjectDialog

GATE = """
import pathlib, sys, time
gate, first, *last = sys.argv[1:]
print(first, end="", flush=True)
while not pathlib.Path(gate).exists():
    time.sleep(0.02)
if last:
    print(*last, end="", flush=True)
else:
    from adstudio.drafting.worker import main
    sys.exit(main())
"""


class Gated:
    """The real worker, which waits until it is let go; or one that gives an answer of the test's."""

    def __init__(self, gate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = gate
        self.answer: DraftEvent | None = None
        self._start = JobClient.start

        def start(client: JobClient, *given: object, **more: object) -> None:
            self._started(client, *given, **more)

        monkeypatch.setattr(JobClient, "start", start)

    def _started(self, client: JobClient, *given: object, **more: object) -> None:
        events = [Progress(Stage.PLANNING, 0.5), *([self.answer] if self.answer else [])]
        lines = [PROTOCOL.event_line(each).decode() for each in events]
        client.command = [sys.executable, "-c", GATE, str(self.gate), *lines]
        self._start(client, *given, **more)


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gated:
    return Gated(tmp_path / "go on", monkeypatch)


def in_dialog(files, do: Callable[[NewProjectDialog], object]) -> None:
    """Do something in the assistant that `New project` shows, and wait until it is hidden again."""

    def found() -> None:
        assistant = QApplication.activeModalWidget()
        assert isinstance(assistant, NewProjectDialog)
        do(assistant)

    QTimer.singleShot(0, found)
    files.new()


def put_behind(folder: Path) -> Callable[[NewProjectDialog], object]:
    def do(assistant: NewProjectDialog) -> None:
        assistant.sources.length_field.setText("30")
        assistant.place.field.setText(str(folder / "behind.adproj"))
        assistant.make.click()
        assert assistant.background_button.isVisible()
        assistant.background_button.click()

    return do


def test_it_opens_where_nothing_is_open(context, files, folder, worker, qtbot):
    context.session.close_project()
    told: list[tuple[object, bool]] = []
    files.drafted.connect(lambda report, fresh: told.append((report.lines, fresh)))
    in_dialog(files, put_behind(folder))
    assert context.session.project is None
    assert [job.title for job in context.jobs.running] == ["Creating behind.adproj"]
    worker.gate.touch()
    qtbot.waitUntil(lambda: context.session.project is not None)
    assert context.session.project.path == folder / "behind.adproj"
    assert told == [(0, True)]
    # What came of it can be read again when the project is opened again.
    context.session.close_project()
    files.open_path(folder / "behind.adproj")
    assert told == [(0, True), (0, False)]


def test_the_hand_is_not_taken_from_its_work(context, files, folder, worker, qtbot, said):
    before = context.session.project
    in_dialog(files, put_behind(folder))
    worker.gate.touch()
    qtbot.waitUntil(lambda: not context.jobs.running)
    assert context.session.project is before
    assert said[-1] == "behind.adproj is ready: open it from the File menu."
    assert context.preferences.recent[0] == folder / "behind.adproj"


def test_it_comes_back_while_it_works_and_when_it_fails(context, files, folder, worker, qtbot, said):
    worker.answer = Failed("night.srt cannot be read: check that the file exists")
    in_dialog(files, put_behind(folder))
    stages: list[list[str]] = []

    def look(assistant: NewProjectDialog) -> None:
        stages.append(assistant.stages.lines)
        assert assistant.stop.isVisible()
        assistant.background_button.click()

    qtbot.wait(300)
    in_dialog(files, look)
    assert "▸  Planning · 50 %" in stages[0]
    worker.gate.touch()
    qtbot.waitUntil(lambda: not context.jobs.running)
    assert said[-1] == "night.srt cannot be read: check that the file exists. “New project” shows it again."
    seen: list[str] = []

    def leave(assistant: NewProjectDialog) -> None:
        seen.append(assistant.sources.length_field.text())
        assert assistant.make.isEnabled()
        assistant.reject()

    in_dialog(files, leave)
    assert seen == ["30"]
    # Left for good, the next one is empty.
    in_dialog(files, leave_empty(seen))
    assert seen == ["30", ""]
    assert not (folder / "behind.adproj").exists()


def leave_empty(seen: list[str]) -> Callable[[NewProjectDialog], object]:
    def do(assistant: NewProjectDialog) -> None:
        seen.append(assistant.sources.length_field.text())
        assistant.reject()

    return do


def test_stopped_among_the_tasks_it_waits_for_the_next_try(context, files, folder, worker, qtbot, said):
    in_dialog(files, put_behind(folder))
    (job,) = context.jobs.running
    job.stop()
    qtbot.waitUntil(lambda: not context.jobs.running)
    assert said[-1] == "The project was not created; “New project” continues where it stopped."
    worker.gate.touch()
    in_dialog(files, lambda assistant: (assistant.make.click(), assistant.background_button.click()))
    qtbot.waitUntil(lambda: not context.jobs.running)
    assert (folder / "behind.adproj").exists()
