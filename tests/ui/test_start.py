"""What a start does before the welcome page is on the screen, and what it leaves until later. No time is measured."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from desks import small_script
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QToolBar

from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window

HEAVY = (
    *("numpy", "av", "cv2", "PIL", "ortools", "scenedetect", "mpv", "pyttsx3", "spacy", "onnxruntime", "docx"),
    *("google", "httpx", "httpx2", "keyring", "typer", "pydantic", "requests", "asyncio"),
)
"""Not even the editor needs these before there is a film, a voice or a model."""
DRAFTING = (
    *("adstudio.drafting.text.align.align", "adstudio.drafting.text.segment", "adstudio.drafting.text.compress"),
    "adstudio.screenplay.file",
)
"""What reads and rewords texts: the editor has processes for that, and needs it only where one is asked about."""
NEVER_AT_START = (
    *HEAVY,
    *("adstudio.drafting.text.align", "adstudio.drafting.text.ground", "adstudio.drafting.model"),
    *("adstudio.drafting.report", "adstudio.drafting.draft", "adstudio.gaps.subtitle_sync", "adstudio.speech"),
    *("adstudio.media.messages", "adstudio.ui.app.editor", "adstudio.ui.hearing", "adstudio.ui.sync"),
    *("adstudio.ui.inspector", "adstudio.ui.ai_settings", "adstudio.ui.panels", "adstudio.ui.picture"),
    *("adstudio.ui.drafts", "adstudio.ui.polish", "adstudio.ui.table", "adstudio.ui.timeline"),
    "PySide6.QtOpenGL",
)
"""Of these nothing is needed to paint the welcome page."""

AT_FIRST_PAINTING = """
import sys
import adstudio.cli.run
from adstudio.cli import edit
from adstudio.ui.app.application import make_application
application = make_application()
from adstudio.ui.app.window import Window
window = Window()
window.show()
while not window._painted:
    application.processEvents()
print("painted", *sorted(sys.modules))
window.build_editor()
print("furnished", *sorted(sys.modules))
window.close()
"""


def modules_told(tmp_path: Path) -> dict[str, list[str]]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    command = [sys.executable, "-c", AT_FIRST_PAINTING]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    told = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    assert set(told) == {"painted", "furnished"}, done.stderr[-3000:]
    return told


def of(found: list[str], packages: tuple[str, ...]) -> list[str]:
    return [name for name in found if any(name == each or name.startswith(f"{each}.") for each in packages)]


def test_what_the_welcome_page_does_not_need_is_not_loaded_before_it_is_painted(tmp_path: Path) -> None:
    told = modules_told(tmp_path)
    assert of(told["painted"], NEVER_AT_START) == []
    assert of(told["furnished"], HEAVY + DRAFTING) == []
    assert "adstudio.ui.timeline.canvas" in told["furnished"]


@pytest.fixture
def window(qapp, qtbot):
    made = Window()
    made.resize(1600, 1000)
    yield made
    made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def test_the_editor_is_made_by_itself_once_the_window_was_painted_and_is_hidden(window: Window, qtbot) -> None:
    window.show()
    assert window._editor is None
    size = window.size()
    qtbot.waitUntil(lambda: window._editor is not None)
    QTest.qWait(150)
    assert [dock.objectName() for dock in window.findChildren(QDockWidget) if dock.isVisible()] == []
    assert not any(bar.isVisible() for bar in window.findChildren(QToolBar, "bar"))
    assert window.pages.currentWidget() is window.welcome
    assert window.size() == size
    assert window.context.actions.unconnected == ()


def test_a_project_finds_the_editor_made(window: Window, tmp_path: Path) -> None:
    assert window._editor is None
    window.session.open_project(ProjectFile.create(tmp_path / "small.adproj", small_script()))
    assert window.editor.timeline.rows.script is window.session.script
    assert window.pages.currentIndex() == 1
    made = window.editor.timeline
    window.build_editor()
    assert window.editor.timeline is made


def test_asking_for_a_part_of_the_editor_builds_it(window: Window) -> None:
    assert window.editor.timeline.canvas.isHidden() is False
    assert window.editor.layouts.current == "write"


def test_a_window_that_goes_at_once_makes_no_editor(qapp, qtbot) -> None:
    window = Window()
    window.show()
    window.close()
    QTest.qWait(150)
    assert window._editor is None
    with pytest.raises(RuntimeError):
        _ = window.editor.timeline
    window.deleteLater()
