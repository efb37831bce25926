"""What the Space key does: it plays the film, but presses a control that was tabbed to, as in every program.

Space is the shortcut of play.toggle in the whole window. Text fields take it for themselves, as Qt has it, and
Ctrl+P plays there too. Return always presses a button. A click gives a control the focus too, so that what was
being typed is taken; but after a click Space plays the film, until Tab is used. Dialogs are windows of their own and
not affected.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QShortcut, QWindow
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QTabBar, QWidget
from shiboken6 import isValid

PRESSED = (QAbstractButton, QComboBox, QTabBar)
"""What Space presses or opens; in the timeline, tables and lists it plays the film."""
COME_BACK = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
"""The focus was in another window or a menu, and returns to where it was."""
TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
BY_MOUSE = "adstudio.by_mouse"


class SpaceKey(QObject):
    """Shortcuts for Return while a button has the focus, and a filter for Space on controls that it can press."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._shortcuts = [QShortcut(QKeySequence(key), window) for key in ("Return", "Enter")]
        for shortcut in self._shortcuts:
            shortcut.activated.connect(self._press)
            shortcut.setEnabled(False)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)

    def _focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        for shortcut in self._shortcuts:
            shortcut.setEnabled(isinstance(now, QAbstractButton))
        if isinstance(now, PRESSED):
            now.installEventFilter(self)  # once, however often
            handle = now.window().windowHandle()
            # Of a dialog that is just coming PySide may still hold the window that its place in memory had before.
            if handle is not None and isValid(handle):
                handle.installEventFilter(self)
            # A button that goes when it is clicked hands the focus on, and nobody has tabbed there.
            if isinstance(before, PRESSED) and before.property(BY_MOUSE):
                now.setProperty(BY_MOUSE, True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give Space to a control that was tabbed to, and to the film where it was clicked."""
        if isinstance(watched, QWindow):
            # What the Tab key alone leads to leaves the focus where it is when it is clicked.
            focus = QApplication.focusWidget()
            if event.type() == QEvent.Type.MouseButtonPress and isinstance(focus, PRESSED):
                focus.setProperty(BY_MOUSE, True)
            return False
        match event:
            case QMouseEvent() if event.type() == QEvent.Type.MouseButtonPress:
                watched.setProperty(BY_MOUSE, True)
            case QFocusEvent() if event.gotFocus() and event.reason() not in COME_BACK:
                watched.setProperty(BY_MOUSE, event.reason() == Qt.FocusReason.MouseFocusReason)
            case QKeyEvent() if event.key() in TABS:
                watched.setProperty(BY_MOUSE, False)
            case QKeyEvent() if event.type() == QEvent.Type.ShortcutOverride and _is_space(watched, event):
                event.setAccepted(not watched.property(BY_MOUSE))
                return True
            case _:
                pass
        return False

    def _press(self) -> None:
        button = QApplication.focusWidget()
        if isinstance(button, QAbstractButton) and button.isEnabled():
            button.click()


def _is_space(widget: QObject, event: QKeyEvent) -> bool:
    """Whether it is Space, in a control where it cannot be typed."""
    typed = isinstance(widget, QComboBox) and widget.isEditable()
    return event.key() == Qt.Key.Key_Space and not event.modifiers() and not typed
