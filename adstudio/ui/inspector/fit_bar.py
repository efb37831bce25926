"""A wording's length against its room, as a shape beside the number: what is too long sticks out, hatched."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from adstudio.ui.session.context import Context
from adstudio.ui.widgets.theme import UNIT


class FitBar(QWidget):
    """Filled as far as the room is used, in the same scale for every wording of a line."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._theme = context.theme
        self._used, self._room, self._scale = 0, 0, 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        context.theme.changed.connect(self.update)

    def show_fit(self, used: int, room: int, scale: int, sentence: str) -> None:
        """Show so many milliseconds used of so many; `scale` is what the whole width stands for."""
        self.setAccessibleName(sentence)
        self.setToolTip(sentence)
        if (used, room, scale) != (self._used, self._room, self._scale):
            self._used, self._room, self._scale = used, room, max(1, scale)
            self.update()

    def sizeHint(self) -> QSize:
        """One unit and a half high."""
        return QSize(20 * UNIT, 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The room, what is used of it, and what sticks out."""
        del event
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        wide, high = self.width() / self._scale, self.height() - 2.0
        room, used = self._room * wide, self._used * wide
        painter.setBrush(QColor(tokens.line))
        painter.drawRoundedRect(QRectF(0, 1, room, high), 2, 2)
        painter.setBrush(QColor(tokens.good))
        painter.drawRoundedRect(QRectF(0, 1, min(used, room), high), 2, 2)
        if used > room:
            painter.setBrush(QColor(tokens.warning_wash))
            painter.drawRect(QRectF(room, 1, used - room, high))
            painter.setBrush(QBrush(QColor(tokens.warning), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(QRectF(room, 1, used - room, high))
            painter.setBrush(QColor(tokens.warning))
            painter.drawRect(QRectF(max(0.0, room - 1), 0, 2, self.height()))
        painter.end()
