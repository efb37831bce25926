"""Notes input in any window of the program, so that background processes rest meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication, QWindow

from adstudio.system.background_priority import InputNotes

_INPUT = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.ShortcutOverride,  # all that arrives of a key that is a shortcut, as are those that edit
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchUpdate,
        QEvent.Type.InputMethod,
    }
)


class InputWatch(QObject):
    """Watches the system’s windows, of which there are few, and not each event of each widget in them."""

    def __init__(self, application: QGuiApplication) -> None:
        super().__init__(application)
        self._notes = InputNotes()
        application.focusWindowChanged.connect(self._watch)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let everything pass."""
        if event.type() in _INPUT:
            self._notes.note()
        return super().eventFilter(watched, event)

    def _watch(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)  # where it was installed before, that is once still
