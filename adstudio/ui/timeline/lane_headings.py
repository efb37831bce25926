"""The names of the lanes at the left, and what is being made in the background for them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from adstudio.ui.timeline.canvas import Canvas
from adstudio.ui.timeline.lanes import Lane

WIDTH = 88
INDENT = 12
TWO_LINES = 40
"""A lane at least so high has room for a name and a second line."""


class LaneHeadings(QWidget):
    """A column as high as the canvas."""

    def __init__(self, canvas: Canvas, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self.setFixedWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Lanes")

    def sizeHint(self) -> QSize:
        """Narrow, and as high as the canvas."""
        return QSize(WIDTH, self._canvas.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Names in the quiet colour, a hairline at the right."""
        canvas, ink = self._canvas, self._canvas.ink
        painter = QPainter(self)
        painter.fillRect(event.rect(), ink.window)
        step = canvas.view.step
        high = max(1, round(0.9 / step)) * step
        for lane, band in canvas.bands.items():
            if lane in (Lane.RULER, Lane.THREADS) or band.height < 12:
                continue
            doing = canvas.film.doing.get(lane.value, "")
            middle = band.top + band.height / 2
            if doing and band.height >= TWO_LINES:
                middle -= 8
                ink.small.draw(painter, doing, INDENT, WIDTH - 4, middle + 16, ink.accent)
            elif doing:
                ink.small.draw(painter, doing, WIDTH - 8 - ink.small.width(doing), WIDTH - 4, middle, ink.accent)
            ink.small.draw(painter, lane.value, INDENT, WIDTH - 4, middle, ink.quiet)
            if lane not in (Lane.DIALOGUE, Lane.ACTION):
                painter.fillRect(QRectF(0, band.bottom - high, WIDTH, high), ink.line)
        painter.fillRect(QRectF(WIDTH - high, 0, high, canvas.bands[Lane.NARRATION].bottom), ink.line)
        painter.end()
