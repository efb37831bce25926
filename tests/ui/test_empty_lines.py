"""A line that was begun and got no words goes again; a cell that is being edited stays with its own line."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import small_script
from pending_events import run_pending_events
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QPlainTextEdit

from adstudio.core.script import Script
from adstudio.editing.pins import pin_out
from adstudio.store.project import ProjectFile
from adstudio.ui.app.window import Window
from adstudio.ui.session.selection import Kind, Selection

ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(params=["inspector", "table"])
def window(request, qapp, qtbot, tmp_path: Path):
    """Text is written in the inspector where that is shown, else in the table."""
    made = Window()
    made.resize(1600, 1000)
    made.show()
    made.session.open_project(ProjectFile.create(tmp_path / "small.adproj", small_script()))
    QTest.qWait(100)
    if request.param == "table":
        made.findChild(QDockWidget, "inspector").hide()
    made.activateWindow()
    made.editor.table.view.setFocus()
    made.session.cursor.select_line("b")
    yield made
    made.session.edits.document.mark_saved()
    made.close()
    made.deleteLater()


def begin(window: Window) -> QPlainTextEdit:
    window.context.actions["line.new"].trigger()
    run_pending_events()
    field = QApplication.focusWidget()
    assert isinstance(field, QPlainTextEdit)
    assert len(window.session.script.eventualities) == 6
    return field


def as_before(window: Window, before: Script) -> None:
    QTest.qWait(20)
    assert window.session.script == before
    assert window.session.edits.document.past == ()
    assert window.session.edits.document.future == ()
    assert not window.session.edits.document.changed
    assert not window.editor.table.view.editing


def test_escape_takes_the_line_away_and_gives_back_what_was_in_hand(window: Window):
    before = window.session.script
    QTest.keyClick(begin(window), Qt.Key.Key_Escape)
    as_before(window, before)
    assert window.session.cursor.selection == Selection(Kind.LINE, ("b",))
    assert QApplication.focusWidget() is window.editor.table.view


def test_a_line_that_is_begun_by_ctrl_return_stays_in_hand(window: Window):
    hand = QApplication.focusWidget()
    QTest.keyPress(hand, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    run_pending_events()
    field = QApplication.focusWidget()
    assert isinstance(field, QPlainTextEdit)
    QTest.keyRelease(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "A cat walks.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    line = window.session.cursor.line
    assert line is not None
    assert line.variants[0].text == "A cat walks."


def test_with_return_the_keys_go_back_to_where_they_came_from(window: Window):
    hand = window.editor.timeline.canvas
    hand.setFocus()
    field = begin(window)
    QTest.keyClicks(field, "A cat walks.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    line = window.session.cursor.line
    assert line is not None
    assert line.variants[0].text == "A cat walks."
    # In the table's own cell the hand is in the table, as ever.
    shown = window.findChild(QDockWidget, "inspector").isVisible()
    assert QApplication.focusWidget() is (hand if shown else window.editor.table.view)
    window.editor.table.view.setFocus()
    window.context.actions["line.edit"].trigger()
    run_pending_events()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    QTest.qWait(20)
    assert QApplication.focusWidget() is window.editor.table.view


def test_who_came_into_a_text_by_hand_stays_in_it(window: Window):
    if not window.findChild(QDockWidget, "inspector").isVisible():
        return
    field = begin(window)
    window.editor.table.view.setFocus()  # the line goes again
    window.session.cursor.select_line("b")
    QTest.qWait(20)
    field = window.editor.inspector.line.wordings.rows[0].text
    field.setFocus(Qt.FocusReason.MouseFocusReason)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert QApplication.focusWidget() is field


def test_escape_after_words_that_were_not_agreed_to_takes_it_away_too(window: Window):
    before = window.session.script
    field = begin(window)
    QTest.keyClicks(field, "A cat")
    field.flush()
    QTest.keyClicks(field, " walks")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    as_before(window, before)


def test_escape_later_leaves_the_words_that_were_agreed_to(window: Window):
    field = begin(window)
    QTest.keyClicks(field, "A cat walks.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    window.context.actions["line.edit"].trigger()
    run_pending_events()
    field = QApplication.focusWidget()
    QTest.keyClicks(field, "No")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    QTest.qWait(20)
    line = window.session.cursor.line
    assert line is not None
    assert line.variants[0].text == "A cat walks."


def test_selecting_another_line_takes_it_away(window: Window):
    before = window.session.script
    begin(window)
    window.session.cursor.select_line("d")
    as_before(window, before)
    assert window.session.cursor.selection == Selection(Kind.LINE, ("d",))


def test_saving_takes_it_away_but_never_what_is_being_typed(window: Window):
    before = window.session.script
    begin(window)
    assert window.session.save()
    as_before(window, before)
    QTest.keyClicks(begin(window), "A cat walks.")
    assert window.session.save()
    assert [line.variants[0].text for line in window.session.script.eventualities].count("A cat walks.") == 1
    window.session.cursor.select_line("d")
    assert len(window.session.script.eventualities) == 6


def test_what_was_done_elsewhere_since_stays(window: Window):
    begin(window)
    window.session.edits.attempt(lambda script: pin_out(script, ("a",)))
    window.session.cursor.select_line("d")
    QTest.qWait(20)
    assert [line.id for line in window.session.script.eventualities] == ["a", "b", "c", "d", "e"]
    assert window.session.script.eventuality("a").pin.selected is False


def test_what_redo_brings_back_goes_as_well(window: Window):
    before = window.session.script
    begin(window)
    window.session.undo()
    window.session.redo()
    assert len(window.session.script.eventualities) == 6
    window.session.cursor.select_line("d")
    as_before(window, before)


def test_the_next_line_takes_what_was_typed_for_its_own_line(window: Window):
    window.context.actions["line.edit"].trigger()
    run_pending_events()
    field = QApplication.focusWidget()
    assert isinstance(field, QPlainTextEdit)
    field.selectAll()
    QTest.keyClicks(field, "She waits")
    QTest.keyClick(field, Qt.Key.Key_Right, ALT)
    QTest.qWait(20)
    # b is said in its second wording; after it comes c.
    assert window.session.cursor.selection == Selection(Kind.LINE, ("c",))
    assert window.session.script.eventuality("b").variants[1].text == "She waits"
    assert [line.variants for line in window.session.script.eventualities if line.id != "b"] == [
        line.variants for line in small_script().eventualities if line.id != "b"
    ]
    assert not window.editor.table.view.editing
    assert window.editor.table.view.current == "c"
