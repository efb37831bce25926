"""From panel to panel by the keys alone: Tab goes from the line in hand to the inspector, F6 from panel to panel."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import window_on
from PySide6.QtCore import QEvent, QItemSelectionModel, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QListView, QWidget

from adstudio.ui.app.window import Window
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.selection import NOTHING, Kind, Selection

SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path):
    Preferences().store("layout", "review")  # which has every panel
    with window_on(tmp_path) as made:
        yield made


def press(key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> QWidget:
    QTest.keyClick(in_hand(), key, held)
    return in_hand()


def in_hand() -> QWidget:
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


def panel_in_hand(window: Window) -> str:
    focus = in_hand()
    places = {
        "picture": (window.editor.bar, window.editor.picture),
        "table": (window.editor.table,),
        "inspector": (window.editor.inspector,),
        "timeline": (window.editor.timeline,),
        "scenes": (window.editor.scenes,),
    }
    found = [name for name, parts in places.items() if any(part.isAncestorOf(focus) for part in parts)]
    if found:
        return found[0]
    return next(dock.objectName() for dock in window.findChildren(QDockWidget) if dock.isAncestorOf(focus))


def test_tab_leads_from_the_line_through_the_inspector_to_the_timeline_and_back(window: Window):
    window.session.cursor.select_line("a")
    names = []
    press(Qt.Key.Key_Tab)
    assert panel_in_hand(window) == "inspector"
    while panel_in_hand(window) == "inspector":
        names.append(in_hand().accessibleName())
        press(Qt.Key.Key_Tab)
    assert names.index("Wording 1") < names.index("Wording 2") < names.index("Locked start") < names.index("Note")
    assert in_hand() is window.editor.timeline.canvas
    assert press(Qt.Key.Key_Backtab, SHIFT).accessibleName() == "Note"
    assert window.session.cursor.selection == Selection(Kind.LINE, ("a",))


def test_tab_passes_what_lies_behind_another_tab_and_comes_round(window: Window):
    passed = []
    for _ in range(60):
        passed.append(in_hand().accessibleName())
        if press(Qt.Key.Key_Tab) is window.editor.table.view:
            break
    assert in_hand() is window.editor.table.view
    assert "Problems" in passed
    assert not {"Plan changes", "Tasks", "History"} & set(passed)
    assert len(passed) == len(set(passed)) or passed.count("") > 1


def test_f6_goes_from_panel_to_panel_and_says_which(window: Window, monkeypatch):
    told: list[str] = []
    monkeypatch.setattr(window.editor.focus_order, "_announce", told.append)
    window.session.cursor.select_line("a")
    went = []
    for _ in range(6):
        press(Qt.Key.Key_F6)
        went.append(panel_in_hand(window))
    assert went == ["inspector", "timeline", "scenes", "problems", "picture", "table"]
    assert told == ["Picture and transport"], "the others are called so in the window too"
    assert in_hand() is window.editor.table.view
    press(Qt.Key.Key_F6, SHIFT)
    assert panel_in_hand(window) == "picture"
    assert in_hand().accessibleName() == "Play or pause"
    window.editor.scenes.hide()
    window.editor.timeline.canvas.setFocus()
    press(Qt.Key.Key_F6)
    assert panel_in_hand(window) == "problems"


def test_the_inspector_is_gone_to_and_shown_where_it_was_hidden(window: Window):
    said: list[str] = []
    window.session.messages.said.connect(said.append)
    press(Qt.Key.Key_I, CTRL)
    assert (said, in_hand()) == (["Select a line first."], window.editor.table.view)
    window.session.cursor.select_line("a")
    window.findChild(QDockWidget, "inspector").hide()
    press(Qt.Key.Key_I, CTRL)
    assert panel_in_hand(window) == "inspector"


@pytest.mark.parametrize("reason", [Qt.FocusReason.TabFocusReason, Qt.FocusReason.MouseFocusReason])
def test_looking_at_the_scenes_selects_none(window: Window, reason: Qt.FocusReason):
    scenes = window.editor.scenes.widget().findChild(QListView)
    assert scenes is not None
    QApplication.sendEvent(scenes, QFocusEvent(QEvent.Type.FocusIn, reason))
    assert window.session.cursor.selection == NOTHING
    window.session.cursor.select_line("b")
    scenes.setFocus(reason)
    assert in_hand() is scenes
    assert window.session.cursor.selection == Selection(Kind.LINE, ("b",))
    scenes.selectionModel().setCurrentIndex(
        scenes.model().index(1, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
    assert window.session.cursor.selection == Selection(Kind.SCENE, ("s2",))
