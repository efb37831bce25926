"""Enter presses a button, since Space plays the film.

Space is the shortcut of play.toggle in the whole window: text fields take it for themselves, Qt sees to that, and
Ctrl+Space plays there too. A button that has the focus would never hear it, so Enter does what Space does elsewhere.
Dialogs are windows of their own and stay as they are.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget


class ButtonKeys(QObject):
    """Two shortcuts that exist only while a button has the focus: nothing is filtered, no field loses its Enter."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._shortcuts = [QShortcut(QKeySequence(key), window) for key in ("Return", "Enter")]
        for shortcut in self._shortcuts:
            shortcut.activated.connect(self._press)
            shortcut.setEnabled(False)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)

    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        for shortcut in self._shortcuts:
            shortcut.setEnabled(isinstance(now, QAbstractButton))

    def _press(self) -> None:
        button = QApplication.focusWidget()
        if isinstance(button, QAbstractButton) and button.isEnabled():
            button.click()
