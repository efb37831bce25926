"""A field for a keyboard shortcut: shows the key that is pressed in it, and lets Tab and Escape out."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

from adstudio.ui.widgets.theme import UNIT

NATIVE = QKeySequence.SequenceFormat.NativeText
MODIFIERS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)
WIDEST = "Ctrl+Shift+Return"
LEADING_OUT = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape)


class KeyField(QLineEdit):
    """Qt's QKeySequenceEdit keeps Shift+Tab and Escape, and is nothing but a panel to a screen reader."""

    pressed = Signal(QKeySequence)
    """A key was pressed."""
    left = Signal()
    """Escape was pressed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._key = QKeySequence()
        self.setAccessibleName(name)
        self.setPlaceholderText("Press a key")
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance(WIDEST) + 4 * UNIT)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on=False)

    def keySequence(self) -> QKeySequence:
        """The key that is shown."""
        return self._key

    def setKeySequence(self, key: QKeySequence) -> None:
        """Show a key."""
        self._key = key
        self.setText(key.toString(NATIVE))

    def event(self, event: QEvent) -> bool:
        """Keep every key from being a shortcut."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Show the key; one that leads out of the field never comes here or is not taken."""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in LEADING_OUT and not held & ~Qt.KeyboardModifier.ShiftModifier:
            self.left.emit()
            return
        if event.key() in MODIFIERS or event.key() in (0, Qt.Key.Key_unknown):
            return
        text = event.text()
        # Shift counts only where the character is not one that needs it anyway, such as “?”.
        if text and text[0].isprintable() and not text[0].isalnum() and not text[0].isspace():
            held &= ~Qt.KeyboardModifier.ShiftModifier
        key = QKeySequence(event.key() | held.value)
        self.setKeySequence(key)
        self.pressed.emit(key)
