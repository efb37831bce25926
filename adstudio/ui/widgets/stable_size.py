"""A frame that spares the window a new layout while only the text inside it changes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class StableSize(QWidget):
    """Holds a widget, and asks for a new layout only when that needs more or less room than before.

    Qt lays out the whole window after every text that is set in a label, even where it takes the same room.
    """

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        content.setParent(self)
        self.setSizePolicy(content.sizePolicy())
        self._last = self._hints()

    def sizeHint(self) -> QSize:
        """As the content's."""
        return self._content.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """As the content's."""
        return self._content.minimumSizeHint().expandedTo(self._content.minimumSize())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the content all the room."""
        super().resizeEvent(event)
        self._content.setGeometry(self.rect())

    def event(self, event: QEvent) -> bool:
        """Pass a layout request on if the content's size has changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            hints = self._hints()
            if hints != self._last:
                self._last = hints
                self.updateGeometry()
        return super().event(event)

    def _hints(self) -> tuple[QSize, QSize, QSizePolicy]:
        return self.sizeHint(), self.minimumSizeHint(), self._content.sizePolicy()
