"""The transport: its actions, keys, time field and settings."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from small_editor import script_of

from adstudio.core.timebase import Span
from adstudio.ui.actions.table import ACTIONS


@pytest.fixture
def editor(edit, qtbot):
    editor = edit(script_of(None))
    editor.activateWindow()
    qtbot.waitUntil(editor.isActiveWindow)
    return editor


def test_every_play_action_is_done_by_somebody(editor):
    ours = {action.id for action in ACTIONS if action.id.partition(".")[0] in ("play", "hear")}
    ours -= {"play.line_next", "play.line_previous", "play.line_here", "play.link"}
    ours |= {"view.second_screen", "view.subtitles", "view.timecode"}
    assert not ours & set(editor.context.actions.unconnected)
    assert all(editor.context.actions[name].isEnabled() for name in ours if name.startswith("play."))


def test_nothing_can_be_played_on_the_welcome_page(edit):
    editor = edit(None)
    assert not editor.context.actions["play.toggle"].isEnabled()


def test_space_plays_everywhere_but_in_text_and_enter_presses_buttons(editor, qtbot):
    page = QWidget()
    column = QVBoxLayout(page)
    pressed: list[str] = []
    line, text, button, check = QLineEdit(), QPlainTextEdit(), QPushButton("Do it"), QCheckBox("Yes")
    button.clicked.connect(lambda: pressed.append("button"))
    for widget in (line, text, button, check):
        column.addWidget(widget)
    editor.setCentralWidget(page)
    player = editor.player

    for field, content in ((line, line.text), (text, text.toPlainText)):
        field.setFocus()
        qtbot.keyClicks(field, "a b")
        assert content() == "a b"
        assert not player.state.playing
        qtbot.keyClick(field, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
        assert player.state.playing
        qtbot.keyClick(field, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
        assert not player.state.playing
        assert content() == "a b"

    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert button.hasFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert player.state.playing
    assert pressed == ["button"]
    qtbot.keyClick(button, Qt.Key.Key_Return)
    assert pressed == ["button", "button"]
    check.setFocus()
    qtbot.keyClick(check, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert check.isChecked()
    text.setFocus()
    qtbot.keyClick(text, Qt.Key.Key_Return)
    assert text.toPlainText().count("\n") == 1
    player.pause()


def test_dialogs_stay_as_they_are(editor, qtbot):
    dialog = QDialog(editor)
    pressed: list[bool] = []
    button = QPushButton("Do it", dialog)
    button.setAutoDefault(False)
    button.clicked.connect(lambda: pressed.append(True))
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert pressed == [True]
    assert not editor.player.state.playing
    dialog.close()


@pytest.mark.parametrize(
    ("typed", "ms"),
    [("1,5", 1520), ("1.5", 1520), ("0:02", 2000), ("00:00:03:05", 3200), ("99", 6000), ("00:00:00:00", 0)],
)
def test_a_time_is_typed(editor, qtbot, typed, ms):
    field = editor.transport.time
    editor.context.actions["play.go_to"].trigger()
    assert field.hasFocus()
    qtbot.keyClicks(field, typed)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert editor.session.cursor.playhead == ms  # on the nearest picture: 1.5 s is half-way, picture 38 is the even one
    assert not field.hasFocus()


def test_no_time_is_refused_with_a_sentence(editor, qtbot):
    field = editor.transport.time
    editor.context.actions["play.go_to"].trigger()
    qtbot.keyClicks(field, "soon")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "soon" in editor.said[-1]
    assert field.hasFocus()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "00:00:00:00"
    assert not field.hasFocus()


def test_the_field_stands_still_while_somebody_types(editor, qtbot):
    field = editor.transport.time
    editor.context.actions["play.go_to"].trigger()
    qtbot.keyClicks(field, "2")
    editor.player.seek(4000)
    assert field.text() == "2"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "00:00:04:00"


def test_the_shuttle_is_shown(editor):
    actions = editor.context.actions
    actions["play.forward"].trigger()
    actions["play.forward"].trigger()
    assert editor.transport.shuttle.text() == "▶▶ 2×"
    actions["play.back"].trigger()
    assert editor.transport.shuttle.text() == "◀◀ 1×"
    actions["play.stop"].trigger()
    assert editor.transport.shuttle.text() == ""
    assert not editor.player.state.playing


def test_the_gap_is_looped_with_a_second_around_it(editor):
    actions = editor.context.actions
    editor.session.cursor.seek(2000)  # in the gap of 1–3 s
    actions["play.loop_gap"].trigger()
    assert editor.player.loop == Span(0, 4000)
    assert actions["play.loop_gap"].isChecked()
    assert editor.player.state.playing
    assert editor.session.cursor.playhead == 2000
    actions["play.loop_gap"].trigger()
    assert editor.player.loop is None
    editor.session.cursor.seek(5600)  # behind the gap of 3.5–5.5 s
    actions["play.loop_gap"].trigger()
    assert editor.player.loop == Span(2500, 6000)
    editor.session.cursor.seek(500)
    assert editor.player.loop is None
    assert not actions["play.loop_gap"].isChecked()
    editor.player.pause()


def test_escape_ends_the_loop_and_the_keys_say_so(editor):
    actions = editor.context.actions
    editor.session.cursor.seek(2000)
    actions["play.loop_gap"].trigger()
    assert editor.said[-1] == "Repeating the gap at 00:00:01:00."
    assert actions["hear.stop"].isEnabled()
    actions["hear.stop"].trigger()
    assert editor.player.loop is None
    assert not editor.player.state.playing
    assert not actions["hear.stop"].isEnabled()
    for _ in range(2):
        actions["play.loop_gap"].trigger()
    assert editor.said[-1] == "The gap is no longer repeated."


def test_speed_and_volume(editor):
    transport = editor.transport
    transport.speed.setCurrentIndex(transport.speed.findData(0.5))
    assert editor.player.state.speed == 0.5
    assert transport.speed.currentText() == f"{QLocale().toString(0.5, 'g', 3)}×"
    transport.volume.setValue(40)
    assert editor.player.state.volume == 40
    assert editor.context.preferences.text("volume") == "40"
    editor.player.set_volume(70)
    assert transport.volume.value() == 70


def test_everything_has_a_name(editor):
    for widget in editor.transport.findChildren(QWidget):
        if widget.focusPolicy() is not Qt.FocusPolicy.NoFocus and widget.window() is editor:
            assert widget.accessibleName(), widget
