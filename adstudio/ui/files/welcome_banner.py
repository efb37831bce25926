"""The strip at the head of the welcome page: speech, the gaps in it, and narration that has found its place."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from adstudio.ui.session.context import Theme
from adstudio.ui.widgets.theme import UNIT, salience_colour

SPEECH = ((0, 22), (62, 78), (81, 96), (133, 150))
"""From where to where somebody speaks, in units."""
SAID = ((24, 40, 30, 0.95), (41, 60, 45, 0.55), (99, 117, 104, 0.75), (118, 131, 121, 0.35), (152, 160, 156, 0.85))
"""From where to where a line is spoken, where its event happens, and its salience."""
TALL, LOW = 4 * UNIT, UNIT


class WelcomeBanner(QWidget):
    """An ornament: it says nothing that is not said elsewhere, and a screen reader passes it by."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedHeight(15 * UNIT)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Events above, speech in the middle, narration below, each tied to what it tells."""
        del event
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        step = self.width() / 160
        middle, below = 5.5 * UNIT, 11 * UNIT

        def bar(start: float, end: float, top: float, height: float, colour: QColor) -> None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(start * step, top, (end - start) * step, height), UNIT / 2, UNIT / 2)

        for start, end, happens, salience in SAID:
            shade = salience_colour(tokens, salience)
            bar(happens - 2, happens + 2, 0, LOW, shade)
            thread = QPainterPath(QPointF(happens * step, LOW))
            foot = QPointF((start + end) / 2 * step, below)
            bend = (LOW + below) / 2
            thread.cubicTo(QPointF(happens * step, bend), QPointF(foot.x(), bend), foot)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(shade, 1))
            painter.drawPath(thread)
            bar(start, end, below, TALL, shade)
        for start, end in SPEECH:
            bar(start, end, middle, 3 * UNIT, QColor(tokens.dialogue))
        painter.end()
