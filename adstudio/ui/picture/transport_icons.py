"""The signs on the buttons of the bar, drawn in the colours of the theme at any resolution."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

SIZE = 16
RATIOS = (1.0, 1.5, 2.0, 3.0)


def _triangle(path: QPainterPath, left: float, width: float, *, back: bool = False) -> None:
    tip, foot = (left, left + width) if back else (left + width, left)
    path.addPolygon(QPolygonF([QPointF(foot, 3), QPointF(tip, 8), QPointF(foot, 13), QPointF(foot, 3)]))


def _play(path: QPainterPath) -> None:
    _triangle(path, 4, 9)


def _pause(path: QPainterPath) -> None:
    path.addRect(4, 3, 3, 10)
    path.addRect(9, 3, 3, 10)


def _forward(path: QPainterPath) -> None:
    path.addRect(3, 3, 2, 10)
    _triangle(path, 7, 6)


def _back(path: QPainterPath) -> None:
    _triangle(path, 3, 6, back=True)
    path.addRect(11, 3, 2, 10)


def _loud(path: QPainterPath) -> None:
    points = [(2, 6), (4.5, 6), (8, 3), (8, 13), (4.5, 10), (2, 10), (2, 6)]
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))


def _waves(painter: QPainter) -> None:
    for radius in (3.0, 5.5):
        painter.drawArc(QRectF(8 - radius, 8 - radius, 2 * radius, 2 * radius), -45 * 16, 90 * 16)


def _cross(painter: QPainter) -> None:
    painter.drawLine(QPointF(10.5, 6), QPointF(14, 10))
    painter.drawLine(QPointF(14, 6), QPointF(10.5, 10))


def _ring(painter: QPainter) -> None:
    painter.drawArc(QRectF(2.5, 3.5, 11, 9), 60 * 16, 300 * 16)
    painter.drawPolyline([QPointF(8.5, 1), QPointF(11, 3.9), QPointF(8.2, 6.2)])


def _arrow_back(painter: QPainter) -> None:
    painter.drawPolyline([QPointF(5.5, 2.5), QPointF(2.5, 5.5), QPointF(5.5, 8.5)])
    bend = QPainterPath(QPointF(2.8, 5.5))
    bend.lineTo(9.5, 5.5)
    bend.arcTo(QRectF(5.5, 5.5, 8, 8), 90, -180)
    bend.lineTo(6, 13.5)
    painter.drawPath(bend)


def _arrow_on(painter: QPainter) -> None:
    painter.translate(SIZE, 0)
    painter.scale(-1, 1)
    _arrow_back(painter)


_FILLED: dict[str, Callable[[QPainterPath], None]] = {
    "play": _play,
    "pause": _pause,
    "forward": _forward,
    "back": _back,
    "loud": _loud,
    "mute": _loud,
}
_DRAWN: dict[str, Callable[[QPainter], None]] = {
    "loud": _waves,
    "mute": _cross,
    "loop": _ring,
    "undo": _arrow_back,
    "redo": _arrow_on,
}


def icon(name: str, colour: str, faint: str) -> QIcon:
    """A sign by its name, with its look where it cannot be used."""
    icon = QIcon()
    for ratio in RATIOS:
        icon.addPixmap(_pixmap(name, colour, ratio))
        icon.addPixmap(_pixmap(name, faint, ratio), QIcon.Mode.Disabled)
    return icon


def _pixmap(name: str, colour: str, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(SIZE * ratio), round(SIZE * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if name in _FILLED:
            path = QPainterPath()
            _FILLED[name](path)
            painter.fillPath(path, QColor(colour))
        painter.setPen(QPen(QColor(colour), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        if name in _DRAWN:
            _DRAWN[name](painter)
    return pixmap
