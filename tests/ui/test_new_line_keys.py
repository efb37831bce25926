"""A new line is begun from within a text too: what was being typed is taken for its own line first."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import window_on
from pending_events import run_pending_events
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from adstudio.ui.app.window import Window
from adstudio.ui.table.row_order import Column

NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qapp, qtbot, tmp_path: Path):
    with window_on(tmp_path) as made:
        yield made


def field() -> QPlainTextEdit:
    run_pending_events()
    focus = QApplication.focusWidget()
    assert isinstance(focus, QPlainTextEdit)
    return focus


@pytest.mark.parametrize(("key", "held"), [(Qt.Key.Key_Return, CTRL), (Qt.Key.Key_Insert, NONE)])
@pytest.mark.parametrize("place", ["table", "inspector"])
def test_a_new_line_is_begun_while_another_is_typed(window: Window, key, held, place: str):
    session = window.session
    session.cursor.select_line("b")
    session.cursor.show_playhead(14_500)
    if place == "table":
        window.editor.table.view.edit_cell(Column.TEXT)
    else:
        window.editor.inspector.edit_text()
    typed = field()
    typed.selectAll()
    QTest.keyClicks(typed, "She waits here.")
    QTest.keyClick(typed, key, held)
    QTest.keyClicks(field(), "A man enters.")
    QTest.keyClick(field(), Qt.Key.Key_Return)
    assert session.script.eventuality("b").variants[1].text == "She waits here."
    line = session.cursor.line
    assert line is not None
    assert (line.variants[0].text, line.occurrence.start if line.occurrence else None) == ("A man enters.", 14_500)
    assert line.id in session.plan.by_element
    assert session.cursor.playhead == 14_500
