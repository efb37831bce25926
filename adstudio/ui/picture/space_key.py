"""Whose the Space key is: the film's, but for what was tabbed to, which it presses as it does in every program.

Space is the shortcut of play.toggle in the whole window: text fields take it for themselves, Qt sees to that, and
Ctrl+Space plays there too. Return presses a button in any case. What the mouse has pressed may have the focus too, or
else what was being typed would not be taken; but since the mouse was pressed Space is the film's, until the keys go on.
Dialogs are windows of their own and stay as they are.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QShortcut, QWindow
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QTabBar, QWidget
from shiboken6 import isValid

PRESSED = (QAbstractButton, QComboBox, QTabBar)
"""What Space presses, opens or leaves as it is; the timeline, tables and lists leave it to the film."""
COME_BACK = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
"""The focus was away, in another window or a menu, and nobody has put it anywhere."""
TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
BY_MOUSE = "adstudio.by_mouse"


class SpaceKey(QObject):
    """Two shortcuts that exist only while a button has the focus; and Space, of which only such parts are asked."""

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
        """Give Space to what the keys have come to, and to the film where it was the mouse."""
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
            case QKeyEvent() if event.type() == QEvent.Type.ShortcutOverride and _asks(watched, event):
                event.setAccepted(not watched.property(BY_MOUSE))
                return True
            case _:
                pass
        return False

    def _press(self) -> None:
        button = QApplication.focusWidget()
        if isinstance(button, QAbstractButton) and button.isEnabled():
            button.click()


def _asks(widget: QObject, event: QKeyEvent) -> bool:
    """Whether it is Space, where it cannot be meant to be typed."""
    typed = isinstance(widget, QComboBox) and widget.isEditable()
    return event.key() == Qt.Key.Key_Space and not event.modifiers() and not typed
