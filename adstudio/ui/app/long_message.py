"""What the status line has no room for, in several lines, for as long as the status line shows it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QMainWindow, QWidget
from shiboken6 import isValid

from adstudio.ui.background.timers import single_shot
from adstudio.ui.widgets.theme import UNIT


class LongMessage(QLabel):
    """Lies over the lower edge of a window, which would otherwise have to grow by a line for the time."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._bar = window.statusBar()
        # What is beside the message gets its place only after the event.
        self._fitting = single_shot(self, 0, self._fit)
        self.setObjectName("long message")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        self._bar.messageChanged.connect(self._fit)
        self._bar.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The line has another size or place, or something beside the message has."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.LayoutRequest):
            self._fitting.start()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        if not isValid(self._bar):
            return  # the window is being closed
        bar, message = self._bar, self._bar.currentMessage()
        beside = bar.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        room = min((each.x() for each in beside if each.isVisible()), default=bar.width()) - 4 * UNIT
        if not message or self.fontMetrics().horizontalAdvance(message) <= room:
            self.hide()
            return
        self.setText(message)
        high = max(self.heightForWidth(bar.width()), bar.height())
        self.setGeometry(0, bar.geometry().bottom() + 1 - high, bar.width(), high)
        self.raise_()
        self.show()
