"""The names of the lanes, beside the canvas; the line below a name sets the lane's height."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import ceil
from typing import cast

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from adstudio.ui.timeline.canvas import Canvas
from adstudio.ui.timeline.lanes import RESIZABLE, UNIT, Lane, LaneSizes
from adstudio.ui.timeline.paint_resources import hair

LEAST_WIDTH = 88
INDENT = 12
RIGHT = 8
"""Pixels between the longest name and the right edge."""
TWO_LINES = 40
"""A lane at least this high has room for a name and a second line."""
REACH = 3
"""Pixels on either side of a lane's lower edge in which that edge is dragged."""
STEP = 4 * UNIT
"""Pixels by which an action makes a lane higher or lower."""
TIP = "Drag to set the height of “{}”; double-click for the default height."
_BY_NAME = {lane.name.lower(): lane for lane in RESIZABLE}


def sizes_from(text: str, sizes: LaneSizes) -> LaneSizes:
    """The heights that were stored, as far as they can be read, with the text of the present ones."""
    try:
        found: object = json.loads(text or "{}")
    except ValueError:
        found = {}
    sizes = LaneSizes(sizes.text, people=sizes.people)
    if isinstance(found, Mapping):
        for name, height in cast("Mapping[str, object]", found).items():
            if name in _BY_NAME and isinstance(height, int):
                sizes = sizes.with_height(_BY_NAME[name], height)
    return sizes


def sizes_text(sizes: LaneSizes) -> str:
    """The heights that the describer has set, to be stored."""
    return json.dumps({lane.name.lower(): height for lane, height in sizes.wished})


class LaneHeadings(QWidget):
    """A column as high as the canvas."""

    resized = Signal()
    """The describer has set the height of a lane."""

    def __init__(self, canvas: Canvas, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._dragged: tuple[Lane, float, int] | None = None
        """The lane whose lower edge is dragged, from where, and its height then."""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Lanes")
        self.setMouseTracking(True)
        canvas.lanes_changed.connect(self._fit)
        self._fit()

    def sizeHint(self) -> QSize:
        """As wide as the names, and as high as the canvas."""
        return QSize(self.width(), self._canvas.sizeHint().height())

    def change(self, lane: Lane, by: int) -> bool:
        """Make a lane higher or lower by so many pixels; False where it cannot be."""
        before = self._canvas.bands[lane].height
        return self._set(lane, before + by) and self._canvas.bands[lane].height != before

    def reset(self, lane: Lane | None = None) -> None:
        """Give a lane, or all of them, the default height."""
        sizes = self._canvas.sizes
        for each in RESIZABLE if lane is None else (lane,):
            sizes = sizes.without_height(each)
        self._take(sizes)

    def event(self, event: QEvent) -> bool:
        """Says what can be dragged."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            lane = self._edge_at(event.pos().y())
            QToolTip.showText(event.globalPos(), "" if lane is None else TIP.format(lane.value), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to drag an edge."""
        lane = self._edge_at(event.position().y())
        if lane is not None and event.button() is Qt.MouseButton.LeftButton:
            self._dragged = lane, event.position().y(), self._canvas.bands[lane].height

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The lane follows the pointer."""
        if self._dragged is None:
            self._show_edge(event.position())
        else:
            lane, start, height = self._dragged
            self._set(lane, height + round(event.position().y() - start))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End dragging."""
        self._dragged = None
        self._show_edge(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The default height."""
        self._dragged = None
        lane = self._edge_at(event.position().y())
        if lane is not None:
            self.reset(lane)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Names in the quiet colour, a hairline at the right."""
        canvas, ink, width = self._canvas, self._canvas.ink, self.width()
        painter = QPainter(self)
        painter.fillRect(event.rect(), ink.window)
        high, right, below = hair(canvas.view.step), width - 4, round(ink.small.height / 2) + 1
        for lane, band in canvas.bands.items():
            if lane in (Lane.RULER, Lane.THREADS) or band.height < 12:
                continue
            doing = canvas.film.doing.get(lane.value, "")
            middle = band.top + band.height / 2
            if doing and band.height >= max(TWO_LINES, 2 * ink.small.height):
                middle -= below
                ink.small.draw(painter, doing, INDENT, right, middle + 2 * below, ink.accent)
            elif doing and INDENT + ink.small.width(lane.value) + RIGHT + ink.small.width(doing) <= right:
                ink.small.draw(painter, doing, right - 4 - ink.small.width(doing), right, middle, ink.accent)
            ink.small.draw(painter, lane.value, INDENT, right, middle, ink.quiet)
            if lane not in (Lane.DIALOGUE, Lane.ACTION):
                painter.fillRect(QRectF(0, band.bottom - high, width, high), ink.line)
        painter.fillRect(QRectF(width - high, 0, high, canvas.bands[Lane.NARRATION].bottom), ink.line)
        painter.end()

    def _edge_at(self, y: float) -> Lane | None:
        """The lane whose lower edge is at a height."""
        bands = self._canvas.bands
        near = [lane for lane in RESIZABLE if bands[lane].height and abs(bands[lane].bottom - y) <= REACH]
        return near[0] if near else None

    def _show_edge(self, at: QPointF) -> None:
        shape = Qt.CursorShape.ArrowCursor if self._edge_at(at.y()) is None else Qt.CursorShape.SplitVCursor
        if self.cursor().shape() is not shape:
            self.setCursor(shape)

    def _set(self, lane: Lane, height: int) -> bool:
        return self._take(self._canvas.sizes.with_height(lane, height))

    def _take(self, sizes: LaneSizes) -> bool:
        if sizes == self._canvas.sizes:
            return False
        self._canvas.set_sizes(sizes)
        self.resized.emit()
        return True

    def _fit(self) -> None:
        small = self._canvas.ink.small
        names = max(small.width(lane.value) for lane in Lane if lane.value)
        self.setFixedWidth(max(LEAST_WIDTH, ceil(INDENT + names + RIGHT)))
        self.update()
