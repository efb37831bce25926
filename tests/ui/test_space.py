"""Space presses what was tabbed to, and plays the film everywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import window_on
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QTabBar, QWidget

from adstudio.ui.app.window import Window
from adstudio.ui.drafts.panel import BY_MODEL
from adstudio.ui.table.line_facts import Filter

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with window_on(tmp_path) as made:
        yield made


@pytest.fixture
def played(window: Window) -> list[bool]:
    """One for each time that the film was to be played or stopped."""
    found: list[bool] = []
    window.actions_["play.toggle"].triggered.connect(lambda: found.append(True))
    return found


def in_hand() -> QWidget:
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


def space() -> None:
    QTest.keyClick(in_hand(), Qt.Key.Key_Space)


def tab_to(wanted: QWidget) -> None:
    """Go there by the Tab key alone."""
    for _ in range(80):
        if in_hand() is wanted:
            return
        QTest.keyClick(in_hand(), Qt.Key.Key_Tab)
    pytest.fail(f"Tab does not lead to {wanted.accessibleName()}")


def a_button(window: Window, text: str) -> tuple[QPushButton, list[str]]:
    """A button in the window, and how often it was pressed."""
    button, pressed = QPushButton(text, window), []
    button.setGeometry(500, 300, 100, 30)
    button.clicked.connect(lambda: pressed.append(text))
    button.show()
    return button, pressed


def test_space_ticks_the_box_that_was_tabbed_to(window: Window, played: list[bool]):
    window.editor.drafts.show_page(BY_MODEL)
    window.editor.bring(window.editor.drafts)
    QTest.qWait(50)
    anew = window.editor.drafts.page.anew
    tab_to(anew)
    space()
    assert (anew.isChecked(), played) == (True, [])
    space()
    assert (anew.isChecked(), played) == (False, [])
    QTest.keyClick(anew, Qt.Key.Key_Return)
    assert anew.isChecked()


def test_space_presses_every_kind_of_button_that_was_tabbed_to(window: Window, played: list[bool]):
    chip = window.editor.table.head.filters.chips[Filter.DROPPED]
    tab_to(window.editor.table.head.regex)
    space()
    assert window.editor.table.head.regex.isChecked()
    chip.setFocus(Qt.FocusReason.TabFocusReason)
    space()
    assert chip.isChecked()
    window.session.cursor.select_line("a")
    QTest.qWait(150)
    accepted = window.editor.inspector.line.accepted
    tab_to(accepted)
    space()
    assert accepted.isChecked()
    assert played == []


def test_space_does_not_play_on_a_tab(window: Window, played: list[bool]):
    tabs = next(bar for bar in window.findChildren(QTabBar) if bar.isVisible())
    tabs.setFocus(Qt.FocusReason.TabFocusReason)
    space()
    assert played == []


def test_space_plays_after_a_click_on_a_button(window: Window, played: list[bool]):
    button, pressed = a_button(window, "Do it")
    QTest.mouseClick(button, LEFT)
    assert in_hand() is button  # what was being typed elsewhere is taken
    space()
    assert (pressed, len(played)) == (["Do it"], 1)
    # Coming back from another window nobody has put the hand there.
    for kind in (QEvent.Type.FocusOut, QEvent.Type.FocusIn):
        QApplication.sendEvent(button, QFocusEvent(kind, Qt.FocusReason.ActiveWindowFocusReason))
    space()
    assert (pressed, len(played)) == (["Do it"], 2)
    QTest.keyClick(button, Qt.Key.Key_Return)
    assert pressed == ["Do it", "Do it"]
    window.editor.table.view.setFocus()
    button.setFocus(Qt.FocusReason.BacktabFocusReason)
    space()
    assert (len(pressed), len(played)) == (3, 2)


@pytest.mark.parametrize("way", ["hidden", "disabled"])
def test_space_plays_where_a_clicked_button_hands_the_focus_on(window: Window, played: list[bool], way: str):
    first, pressed = a_button(window, "Start")
    second, stopped = a_button(window, "Stop")
    second.move(700, 300)
    QWidget.setTabOrder(first, second)
    first.clicked.connect(lambda: first.hide() if way == "hidden" else first.setEnabled(False))
    QTest.mouseClick(first, LEFT)
    assert in_hand() is second
    space()
    assert (pressed, stopped, len(played)) == (["Start"], [], 1)


def test_space_plays_after_a_choice_by_mouse_and_opens_it_after_tab(window: Window, played: list[bool], qtbot):
    order = window.editor.table.head.order
    QTest.mouseClick(order, LEFT)
    qtbot.waitUntil(order.view().isVisible)
    order.hidePopup()
    order.setFocus(Qt.FocusReason.PopupFocusReason)
    space()
    assert (len(played), order.view().isVisible()) == (1, False)
    window.editor.table.view.setFocus()
    order.setFocus(Qt.FocusReason.TabFocusReason)
    space()
    qtbot.waitUntil(order.view().isVisible)
    order.hidePopup()
    assert len(played) == 1


def test_space_plays_on_timeline_table_and_lists(window: Window, played: list[bool]):
    for number, widget in enumerate(
        (window.editor.timeline.canvas, window.editor.table.view, window.editor.problems), 1
    ):
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        space()
        assert len(played) == number


def test_ctrl_p_plays_where_space_presses(window: Window, played: list[bool]):
    anywhere: list[bool] = []
    window.actions_["play.toggle_anywhere"].triggered.connect(lambda: anywhere.append(True))
    button, pressed = a_button(window, "Do it")
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert (pressed, played, len(anywhere)) == ([], [], 1)


def test_a_dialog_that_comes_by_a_key_is_no_fault_and_escape_ends_it(window: Window):
    said: list[str] = []
    window.session.messages.said.connect(said.append)
    window.session.cursor.select_line("a")
    window.editor.table.view.setFocus()
    shut: list[str] = []

    def leave() -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is not None:
            shut.append(dialog.windowTitle())
            QTest.keyClick(dialog, Qt.Key.Key_Escape)

    QTimer.singleShot(300, window, leave)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_S)
    QTest.qWait(400)
    assert shut == ["Split the line"]
    assert not any("Internal error in adstudio" in sentence for sentence in said)
