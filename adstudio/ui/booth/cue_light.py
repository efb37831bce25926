"""The cue light: when to stand by, and when to speak."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from adstudio.ui.session.context import Theme
from adstudio.ui.widgets.theme import UNIT

WIDEST = "Stand by: 3"
"""Its longest words."""


class CueLight(QWidget):
    """A light and a word: grey, amber to stand by, red to speak; a ring, a half and a full disc say the same."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._text, self._state = "", 0
        self.setAccessibleName("Cue light")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_state(self, text: str, state: int) -> None:
        """Show a word, and 0 for off, 1 to stand by, 2 to speak."""
        if (text, state) != (self._text, self._state):
            self._text, self._state = text, state
            self.setAccessibleDescription(text)
            self.update()

    def sizeHint(self) -> QSize:
        """Room for the longest word."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(WIDEST) + metrics.height() + 6 * UNIT, metrics.height() + 3 * UNIT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the light, and the word beside it."""
        del event
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = self.fontMetrics().height()
        disc = QRectF(2 * UNIT, (self.height() - side) / 2, side, side)
        colour = QColor((tokens.faint, tokens.accent, tokens.warning)[self._state])
        if self._state == 2:
            painter.fillRect(self.rect(), QColor(tokens.warning_wash))
        painter.setPen(QPen(colour, 2))
        painter.setBrush(colour if self._state == 2 else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(disc)
        if self._state == 1:
            painter.setBrush(colour)
            painter.drawPie(disc, 90 * 16, 180 * 16)
        painter.setPen(QColor(tokens.text if self._state else tokens.quiet))
        words = self.rect().adjusted(round(disc.right()) + 2 * UNIT, 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self._text)
        painter.end()
