"""No test inherits the modifiers that another one's last click held; these two run in this order, in one process."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget


def test_qt_remembers_the_modifiers_of_the_last_click(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.keyboardModifiers() == Qt.KeyboardModifier.ControlModifier


def test_the_next_test_has_none_of_them(qtbot):
    assert QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier
