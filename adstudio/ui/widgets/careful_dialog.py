"""Dialogs that ask before Escape, or closing their window, throws away what was filled in. Cancel says it plainly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QDialog

from adstudio.ui.widgets.file_dialogs import ask

DISCARD = "Discard"
GO_ON = "Go on"


class CarefulDialog(QDialog if TYPE_CHECKING else object):
    """Mixed in before a Qt dialog."""

    loses = "What you changed here is lost."
    """What happens if it is closed now."""

    def is_changed(self) -> bool:
        """Whether anything would be lost."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape asks first."""
        if event.key() == Qt.Key.Key_Escape and not self._may_close():
            event.accept()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """So does whoever closes the window."""
        if event.spontaneous() and not self._may_close():
            event.ignore()
        else:
            super().closeEvent(event)

    def _may_close(self) -> bool:
        if not self.is_changed():
            return True
        text = f"Close “{self.windowTitle()}” without taking the changes?"
        return ask(self, text, self.loses, (DISCARD,), otherwise=GO_ON, careful=True) == 0
