"""What the window's frame shows: grips in place of titles, counts on the tabs, the plan's state in any width."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import small_script
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QLabel, QListWidget, QToolButton

from adstudio.editing.pins import pin_start
from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.widgets.dock_title import DockTitle
from adstudio.ui.widgets.theme import UNIT


@pytest.fixture
def window(qapp, tmp_path: Path):
    made = Window()
    made.resize(1600, 1000)
    made.show()
    made.session.open_project(ProjectFile.create(tmp_path / "small.adproj", small_script()))
    made.editor.layouts.use("review")
    QTest.qWait(50)
    yield made
    made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def dock(window: Window, name: str) -> QDockWidget:
    found = window.findChild(QDockWidget, name)
    assert found is not None
    return found


def test_a_panel_that_stands_alone_has_its_title_and_a_way_back(window: Window):
    inspector = dock(window, "inspector")
    grip = inspector.titleBarWidget()
    assert isinstance(grip, DockTitle)
    assert grip.height() == 2 * UNIT
    inspector.setFloating(True)
    title, back = grip.findChildren(QLabel)[0], grip.findChildren(QToolButton)[0]
    assert title.text() == "Inspector"
    assert back.accessibleName() == "Put Inspector back into the window"
    assert back.isVisibleTo(grip)
    back.click()
    assert not inspector.isFloating()
    assert grip.height() == 2 * UNIT
    assert not back.isVisibleTo(grip)


def test_tabs_say_how_much_they_hold_and_keep_their_names(window: Window, qtbot):
    assert dock(window, "problems").windowTitle() == "Problems"
    # Two lines of at least 3 s and 4 s cannot both begin within the same second.
    window.session.edits.attempt(lambda script: pin_start(script, "d", 22_000))
    window.session.edits.attempt(lambda script: pin_start(script, "e", 22_500))
    qtbot.waitUntil(lambda: dock(window, "problems").windowTitle() == "Problems · 1")
    assert dock(window, "problems").accessibleName() == "Problems"


def test_conflict_proof_and_figures_are_said_in_any_window(window: Window, qtbot):
    window.session.edits.attempt(lambda script: pin_start(script, "d", 22_000))
    window.session.edits.attempt(lambda script: pin_start(script, "e", 22_500))

    def all_said() -> bool:
        status = window.editor.status if window.editor.status.isVisible() else window.narrow_status
        labels = status.findChildren(QLabel) if status is not None and status.isVisible() else []
        return (
            len(labels) == 3
            and "2 lines in conflict" in labels[0].text()
            and "▸" in labels[0].text()
            and all(
                label.isVisible()
                and label.width() >= label.sizeHint().width()
                and status.rect().contains(label.geometry())
                for label in labels
            )
        )

    least = window.minimumSizeHint().width()
    for width in (2400, 1500, 1200, 1000, 960, 900, least):
        window.resize(width, 1000)
        qtbot.waitUntil(lambda width=width: window.width() == max(width, least))
        qtbot.waitUntil(all_said)


def test_the_arrow_behind_a_conflict_leads_to_the_problems(window: Window, qtbot):
    problems = dock(window, "problems")
    problems.hide()
    window.editor.status._follow("#problems")
    assert problems.isVisible()
    view = problems.findChild(QListWidget)
    qtbot.waitUntil(view.hasFocus)


def test_the_chosen_line_is_in_sight_after_a_change_of_layout(window: Window, qtbot):
    window.session.cursor.select(Selection(Kind.LINE, ("e",)))
    window.editor.layouts.use("listen")
    view = window.editor.table.view

    def in_sight() -> bool:
        return view.viewport().rect().intersects(view.visualRect(view.currentIndex()))

    QTest.qWait(100)
    qtbot.waitUntil(in_sight)
