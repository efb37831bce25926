"""What the window's frame shows: grips in place of titles, counts on the tabs, the plan's state in any width."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import small_script
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QLabel, QToolButton

from adstudio.editing.holds import pin_start
from adstudio.store.project import ProjectFile
from adstudio.ui.grip import Grip
from adstudio.ui.selection import Kind, Selection
from adstudio.ui.theme import UNIT
from adstudio.ui.window import Window


@pytest.fixture
def window(qapp, tmp_path: Path):
    made = Window()
    made.resize(1600, 1000)
    made.show()
    made.session.open_project(ProjectFile.create(tmp_path / "small.adproj", small_script()))
    made.layouts.use("review")
    QTest.qWait(50)
    yield made
    made.session.document.mark_saved()
    made.close()
    made.deleteLater()


def dock(window: Window, name: str) -> QDockWidget:
    found = window.findChild(QDockWidget, name)
    assert found is not None
    return found


def test_a_panel_that_stands_alone_has_its_title_and_a_way_back(window: Window):
    inspector = dock(window, "inspector")
    grip = inspector.titleBarWidget()
    assert isinstance(grip, Grip)
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
    window.session.attempt(lambda script: pin_start(script, "d", 22_000))
    window.session.attempt(lambda script: pin_start(script, "e", 22_500))
    qtbot.waitUntil(lambda: dock(window, "problems").windowTitle() == "Problems · 1")
    assert dock(window, "problems").accessibleName() == "Problems"


def test_a_conflict_is_said_in_a_narrow_window(window: Window, qtbot):
    window.session.attempt(lambda script: pin_start(script, "d", 22_000))
    window.session.attempt(lambda script: pin_start(script, "e", 22_500))
    labels = {each.accessibleName(): each for each in window.status.findChildren(QLabel)}
    conflict, figures = labels["Pins that cannot hold together"], labels["The plan in figures"]
    window.resize(2200, 1000)
    qtbot.waitUntil(lambda: conflict.isVisible() and figures.isVisible())
    window.resize(window.minimumSizeHint().width(), 1000)
    qtbot.waitUntil(lambda: not figures.isVisible())
    assert conflict.isVisible()
    assert "lines" in window.status.toolTip()


def test_the_chosen_line_is_in_sight_after_a_change_of_layout(window: Window, qtbot):
    window.session.select(Selection(Kind.LINE, ("e",)))
    window.layouts.use("listen")
    view = window.table.view

    def in_sight() -> bool:
        return view.viewport().rect().intersects(view.visualRect(view.currentIndex()))

    QTest.qWait(100)
    qtbot.waitUntil(in_sight)
