"""Panels that follow the selection wait until a screen reader has asked for what it reads, however busy the machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import window_on
from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from adstudio.ui.app.window import Window
from adstudio.ui.session import reading
from adstudio.ui.session.reading import AfterReading, Reading
from adstudio.ui.table.row_order import Column


@pytest.fixture
def window(qapp, tmp_path: Path) -> Iterator[Window]:
    with window_on(tmp_path) as made:
        QAccessible.setActive(True)
        yield made
        QAccessible.setActive(False)


def test_each_question_puts_it_off(qapp, qtbot):
    done: list[int] = []
    parent = QObject()
    asked = Reading(parent)
    after = AfterReading(asked, lambda: done.append(1), parent)
    asked.asked.emit()
    assert not after.is_due  # nothing was selected
    after.start()
    QTest.qWait(50)
    left = after._pause.remainingTime()
    asked.asked.emit()
    assert after._pause.remainingTime() > left
    qtbot.waitUntil(lambda: done == [1])
    assert not after.is_due


def test_who_asks_on_and_on_does_not_put_it_off_for_ever(qapp, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reading, "LONGEST_MS", 0)
    parent = QObject()
    asked = Reading(parent)
    after = AfterReading(asked, lambda: None, parent)
    after.start()
    QTest.qWait(50)
    left = after._pause.remainingTime()
    asked.asked.emit()
    assert after._pause.remainingTime() <= left


def test_a_question_about_a_cell_puts_off_what_the_inspector_shows(window: Window, qtbot):
    table, inspector = window.editor.table, window.editor.inspector
    interface = QAccessible.queryAccessibleInterface(table.view)
    assert interface is not None
    row = table.model.row_of("c")
    assert row is not None
    table.view.setCurrentIndex(table.model.index(row, Column.TEXT))
    assert inspector._after_reading.is_due
    QTest.qWait(50)
    left = inspector._after_reading._pause.remainingTime()
    cell = interface.focusChild()
    assert cell is not None
    assert cell.text(QAccessible.Text.Name) == "c in 3000 ms"
    assert inspector._after_reading._pause.remainingTime() > left
    qtbot.waitUntil(lambda: inspector.line.state.text() == "Spoken" and not inspector._after_reading.is_due)
