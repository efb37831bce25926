"""The whole window: every action has somebody who does it, every control has a name, everything ends in order."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import pytest
from desks import small_script
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QWidget,
)

from adstudio.drafting.report import Report
from adstudio.store.project import ProjectFile
from adstudio.ui.actions.table import ACTIONS
from adstudio.ui.app.layouts import LAYOUTS
from adstudio.ui.app.window import Window
from adstudio.ui.drafts.redraft_banner import UNKNOWN_TEXT, RedraftBanner
from adstudio.ui.files.project_files import QUIT
from adstudio.ui.session.selection import NOTHING, Kind, Selection
from adstudio.ui.widgets.controls import Tool
from adstudio.ui.widgets.theme import Look

CONTROLS = (
    *(QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit),
)


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path):
    made = Window()
    made.resize(1600, 1000)
    made.show()
    made.session.open_project(ProjectFile.create(tmp_path / "small.adproj", small_script()))
    QTest.qWait(50)
    yield made
    made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def test_every_action_is_done_by_somebody_and_stands_in_a_menu(window: Window):
    assert window.context.actions.unconnected == ()
    shown = {action.objectName() for menu in window.menuBar().actions() for action in menu.menu().actions()}
    assert {action.id for action in ACTIONS} <= shown


def test_no_two_actions_share_a_key():
    keys = [(QKeySequence(key).toString(), action.id) for action in ACTIONS for key in action.keys]
    assert all(key for key, _ in keys), "a key that Qt does not know"
    for (one, first), (other, second) in itertools.combinations(keys, 2):
        assert one != other, f"{first} and {second} share {one}"


def test_menus_have_letters_of_their_own(window: Window):
    for menu in window.menuBar().actions():
        letters = [
            text[text.index("&") + 1].lower() for action in menu.menu().actions() if "&" in (text := action.text())
        ]
        assert len(letters) == len(set(letters)), f"two entries of {menu.text()} have the same letter"


@pytest.mark.parametrize("selection", ["nothing", "line", "lines", "gap", "cue", "scene"])
def test_every_control_has_a_name(window: Window, selection: str):
    session = window.session
    session.cursor.select(
        {
            "nothing": NOTHING,
            "line": Selection(Kind.LINE, ("a",)),
            "lines": Selection(Kind.LINE, ("a", "b")),
            "gap": Selection(Kind.GAP, gap=session.gaps[0]),
            "cue": Selection(Kind.CUE, ("c1",)),
            "scene": Selection(Kind.SCENE, ("s1",)),
        }[selection]
    )
    QTest.qWait(150)
    nameless = [path_of(widget) for widget in controls(window) if not name_of(widget)]
    assert nameless == []


def controls(window: QWidget) -> list[QWidget]:
    """What a hand or a screen reader can get at."""
    found = []
    for widget in window.findChildren(QWidget):
        inside = widget.parent()
        if isinstance(widget, QScrollBar) or isinstance(inside, QComboBox | QAbstractSpinBox | QAbstractItemView):
            continue
        if isinstance(widget, CONTROLS) and widget.isVisible() and widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            found.append(widget)
    return found


def name_of(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return "" if interface is None else interface.text(QAccessible.Text.Name).strip()


def path_of(widget: QWidget) -> str:
    parts = []
    while widget is not None:
        parts.append(f"{type(widget).__name__}({widget.objectName()})")
        widget = widget.parentWidget()
    return " in ".join(parts[:5])


def test_the_welcome_page_shows_no_panel(qapp, qtbot):
    made = Window()
    made.show()
    try:
        assert not [dock.objectName() for dock in made.findChildren(QDockWidget) if dock.isVisible()]
        assert not made.editor.bar.isVisible()
    finally:
        made.close()
        made.deleteLater()


def test_layouts_come_back_as_they_were_left(window: Window):
    actions = window.context.actions
    actions["view.layout_write"].trigger()
    QTest.qWait(30)
    scenes = window.findChild(QDockWidget, "scenes")
    assert not scenes.isVisible()
    scenes.show()
    actions["view.layout_listen"].trigger()
    QTest.qWait(30)
    assert not scenes.isVisible()
    actions["view.layout_write"].trigger()
    QTest.qWait(30)
    assert scenes.isVisible()
    actions["view.layout_write"].trigger()  # once more: as it was delivered
    QTest.qWait(30)
    assert [name for name in LAYOUTS["write"].shown if not window.findChild(QDockWidget, name).isVisible()] == []
    assert not scenes.isVisible()


def test_both_looks_can_be_worn_while_it_runs(window: Window):
    for look in (Look.DARK, Look.LIGHT):
        window.context.theme.wear(look)
        QTest.qWait(30)
        assert window.context.theme.tokens.dark == (look is Look.DARK)
        assert (window.grab().toImage().pixelColor(5, 5).lightness() < 128) == (look is Look.DARK)


def test_every_change_of_the_plan_is_said(window: Window):
    said: list[str] = []
    window.session.messages.said.connect(said.append)
    window.session.cursor.select_line("a")
    window.context.actions["line.keep_out"].trigger()
    assert said == ["Locked out: “a in 6000 ms”. 1 left out, 1 reworded."]
    assert window.statusBar().currentMessage() in said


def test_space_never_steals_typing_and_plays_elsewhere(window: Window):
    find = window.editor.table.head.find_box
    played: list[int] = []
    window.context.actions["play.toggle"].triggered.connect(lambda: played.append(1))
    window.context.actions["play.toggle_anywhere"].triggered.connect(lambda: played.append(1))
    window.activateWindow()
    find.setFocus()
    QTest.keyClicks(find, "a b c")
    assert (find.text(), played) == ("a b c", [])
    QTest.keyClick(find, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert len(played) == 1
    window.editor.timeline.canvas.setFocus()
    QTest.keyClick(QApplication.focusWidget() or window.editor.timeline, Qt.Key.Key_Space)
    assert len(played) == 2


def test_a_key_for_lines_without_a_line_says_so(window: Window):
    said: list[str] = []
    window.session.messages.said.connect(said.append)
    window.activateWindow()
    window.editor.table.view.setFocus()
    for key in (Qt.Key.Key_P, Qt.Key.Key_B, Qt.Key.Key_S):
        QTest.keyClick(window.editor.table.view, key)
    window.editor.timeline.canvas.setFocus()
    QTest.keyClick(window.editor.timeline.canvas, Qt.Key.Key_X)
    assert said == ["Select a line first."] * 4
    QTest.keyClick(window.editor.timeline.canvas, Qt.Key.Key_Z)  # no action's key
    window.editor.table.head.find_box.setFocus()
    QTest.keyClicks(window.editor.table.head.find_box, "px")
    assert (len(said), window.editor.table.head.find_box.text()) == (4, "px")
    window.session.cursor.select_line("a")
    said.clear()
    window.editor.timeline.canvas.setFocus()
    QTest.keyClick(window.editor.timeline.canvas, Qt.Key.Key_M)
    assert said == ["Not possible with the current selection."]


def test_closing_asks_only_where_something_was_done(window: Window, monkeypatch):
    asked: list[int] = []
    monkeypatch.setattr("adstudio.ui.files.project_files.ask", lambda *_, **__: asked.append(1))
    window.session.cursor.select_line("a")
    window.editor.timeline.zoom(2)
    window.session.current_plan.plan_again()
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowDeactivate))
    assert window.files.may_leave()
    assert asked == []
    window.context.actions["line.keep_out"].trigger()
    assert not window.files.may_leave()
    assert asked == [1]


def test_quitting_asks_while_audio_is_exported(window: Window, monkeypatch, qtbot):
    asked: list[str] = []
    answers: list[int | None] = [None, 0]

    def ask(_parent: object, text: str, *_: object, **__: object) -> int | None:
        asked.append(text)
        return answers.pop(0)

    monkeypatch.setattr("adstudio.ui.files.project_files.ask", ask)
    window.context.actions["file.audio"].trigger()
    audio = window.files.audio
    assert audio is not None
    audio.client.command = (sys.executable, "-c", "input(); input()")
    assert audio.dialog is not None
    audio.dialog.accept()
    assert not window.close()
    assert window.isVisible()
    assert window.files.may_quit()
    assert asked == [QUIT] * 2
    audio.client.stop()
    qtbot.waitUntil(lambda: not audio.client.busy)
    assert window.files.may_quit()


def test_the_report_of_a_draft_comes_to_the_front_and_can_be_read_again(window: Window, qtbot):
    read = window.context.actions["plan.report"]
    assert not read.isEnabled()
    said: list[str] = []
    window.session.messages.said.connect(said.append)
    window.files.drafted.emit(Report(5, 4, unsure=("b",)), True)
    (dock,) = (dock for dock in window.findChildren(QDockWidget) if dock.widget() is window.editor.drafts)
    qtbot.waitUntil(lambda: dock.isVisible() and not window.editor.drafts.report.visibleRegion().isEmpty())
    assert said == ["5 lines drafted: 5 with a place in the film, 1 of them a guess; the plan speaks 4."]
    assert not window.editor.drafts.report.tree.hasFocus()
    window.editor.table.setFocus()
    window.editor.problems.parentWidget().raise_()
    read.trigger()
    qtbot.waitUntil(window.editor.drafts.report.tree.hasFocus)
    # Every row says what it is to a screen reader.
    tree = QAccessible.queryAccessibleInterface(window.editor.drafts.report.tree)
    assert tree.text(QAccessible.Text.Name) == "Report of the draft"
    window.session.close_project()
    assert not read.isEnabled()


def test_a_draft_shown_again_stays_where_it_is(window: Window):
    window.files.drafted.emit(Report(5, 4), False)
    assert window.editor.drafts.report.report is not None
    assert window.editor.drafts.report.visibleRegion().isEmpty()


def test_drafting_a_scene_again_stands_in_its_menu_and_asks_in_the_window(window: Window, qtbot):
    window.context.actions["scene.redraft"].trigger()
    banner = window.findChild(RedraftBanner)
    assert banner.isVisible()
    assert banner.sentence == UNKNOWN_TEXT
    qtbot.waitUntil(banner.screenplay.hasFocus)
    banner.close_button.click()
    assert not banner.isVisible()


def test_a_panel_is_closed_by_key_and_by_mouse_and_gives_its_room_back(window: Window):
    editor, said = window.editor, list[str]()
    window.session.messages.said.connect(lambda text, *_: said.append(text))
    dock = editor.docks[editor.drafts]
    (cross,) = [each for each in editor.drafts.findChildren(Tool) if each.accessibleName() == "Close drafts"]
    for close in (window.actions_["view.close_panel"].trigger, cross.click):
        editor.bring(editor.drafts)
        QTest.qWait(20)
        editor.drafts.setFocus()
        close()
        assert dock.isHidden()
        assert editor.table.view.hasFocus()
    assert said[-1].startswith("Drafts closed.")
    # Timeline and inspector are never closed by it, wherever the keyboard is.
    for _ in range(20):
        window.actions_["view.close_panel"].trigger()
    assert editor.timeline.isVisible()
    assert editor.inspector.isVisible()
    assert said[-1] == "No panel is open that could be closed."
