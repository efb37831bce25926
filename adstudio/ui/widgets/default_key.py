"""Ctrl+Return does what a dialog is there for, also from a list or a text of several lines, which take Return."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog

from adstudio.ui.widgets.controls import default_button


def take_ctrl_return(dialog: QDialog) -> None:
    """Have Ctrl+Return press the default button of a dialog, once what was typed has been taken."""
    for key in ("Ctrl+Return", "Ctrl+Enter"):
        QShortcut(QKeySequence(key), dialog).activated.connect(lambda: _press_default(dialog))


def _press_default(dialog: QDialog) -> None:
    default = default_button(dialog)
    if default is not None and default.isEnabled():
        default.setFocus(Qt.FocusReason.ShortcutFocusReason)
        default.click()
