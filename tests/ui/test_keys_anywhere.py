"""A key does what it does wherever the focus is, or says why it cannot."""

from __future__ import annotations

import pytest
from desks import window_on
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QDockWidget

from adstudio.ui.session.selection import NOTHING


@pytest.fixture
def window(qapp, tmp_path):
    with window_on(tmp_path) as made:
        made.context.actions["view.layout_review"].trigger()
        QTest.qWait(50)
        yield made


def test_letters_reach_the_actions_from_every_list(window, qtbot):
    said: list[str] = []
    session = window.session
    session.messages.said.connect(said.append)
    for dock in window.findChildren(QDockWidget):  # a panel may be built once it is seen
        dock.show()
        dock.raise_()
    lists = [each for each in window.findChildren(QAbstractItemView) if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
    tried = 0
    for each in lists:
        dock = next((dock for dock in window.findChildren(QDockWidget) if dock.isAncestorOf(each)), None)
        if dock is not None:
            dock.show()
            dock.raise_()
            qtbot.wait(10)
        if not each.isVisible():
            continue
        tried += 1
        each.setFocus()
        session.cursor.select(NOTHING)
        said.clear()
        qtbot.keyClick(each, Qt.Key.Key_S)
        assert said[-1:] == ["Select a line first."], each.accessibleName()
        session.cursor.select_line("c")
        each.setFocus()
        before = session.script.eventuality("c").accepted
        qtbot.keyClick(each, Qt.Key.Key_A)
        if each.accessibleName() == "Polished lines":  # there the key is for proposals, of which there are none
            assert said[-1:] == ["No proposal is selected."]
            assert session.script.eventuality("c").accepted is before
        else:
            assert session.script.eventuality("c").accepted is not before, each.accessibleName()
    assert tried >= 4


def test_a_panel_that_is_closed_gives_the_focus_to_the_table(window, qtbot):
    """Where the keys would otherwise go nowhere."""
    for name in ("inspector", "scenes", "problems", "history"):
        dock = next(dock for dock in window.findChildren(QDockWidget) if dock.objectName() == name)
        window.session.cursor.select_line("a")
        dock.show()
        dock.raise_()
        qtbot.wait(20)
        inside = dock.widget()
        if name == "inspector":
            window.editor.inspector.enter()
        else:
            inside.setFocus()
            inside.findChildren(QAbstractItemView)[0].setFocus()
        qtbot.wait(10)
        assert dock.isAncestorOf(window.focusWidget()), name
        dock.close()
        qtbot.wait(20)
        focus = window.focusWidget()
        assert focus is not None, name
        assert focus.isVisible(), name
        assert window.editor.table.isAncestorOf(focus), (name, focus)


def test_keys_work_in_the_picture_s_own_window_or_say_why_not(window, qtbot):
    said: list[str] = []
    session, actions = window.session, window.context.actions
    session.messages.said.connect(said.append)
    actions["view.second_screen"].trigger()
    second = window.editor.picture.second_screen
    assert second is not None
    with qtbot.waitActive(second):
        second.activateWindow()
    session.cursor.select_line("c")
    before = session.script.eventuality("c").accepted
    qtbot.keyClick(second, Qt.Key.Key_A)
    assert session.script.eventuality("c").accepted is not before
    qtbot.keyClick(second, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert said[-1] == "“Find in the script” works in the main window."
    session.cursor.select(NOTHING)
    qtbot.keyClick(second, Qt.Key.Key_P)
    assert said[-1] == "Select a line first."
    qtbot.keyClick(second, Qt.Key.Key_Escape)
    assert window.editor.picture.second_screen is None


def test_the_welcome_page_has_the_focus_once_a_project_is_closed(window, qtbot):
    window.context.preferences.remember(window.session.project.path)
    window.session.edits.document.mark_saved()
    assert window.files.close()
    qtbot.wait(20)
    assert window.focusWidget() is window.welcome.recent
    assert window.welcome.recent.currentRow() >= 0
