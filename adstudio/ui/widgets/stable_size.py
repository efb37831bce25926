"""A frame that keeps the window still while the words inside it change."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class StableSize(QWidget):
    """Holds a widget, and tells its own surroundings only when that needs more or less room than before.

    Qt lays out the whole window after every text that is set in a label, even where it takes the same room.
    """

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        content.setParent(self)
        self.setSizePolicy(content.sizePolicy())
        self._wish = self._wished()

    def sizeHint(self) -> QSize:
        """As the content's."""
        return self._content.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """As the content's."""
        return self._content.minimumSizeHint().expandedTo(self._content.minimumSize())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The content has all the room."""
        super().resizeEvent(event)
        self._content.setGeometry(self.rect())

    def event(self, event: QEvent) -> bool:
        """The content may want other room."""
        if event.type() == QEvent.Type.LayoutRequest:
            wish = self._wished()
            if wish != self._wish:
                self._wish = wish
                self.updateGeometry()
        return super().event(event)

    def _wished(self) -> tuple[QSize, QSize, QSizePolicy]:
        return self.sizeHint(), self.minimumSizeHint(), self._content.sizePolicy()
