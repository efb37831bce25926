"""Small signs: what a colour says, a shape says as well. Drawn, not typed, since fonts lack them."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

SIZE = 10
"""Pixels that a sign takes in each direction."""


class Glyph(Enum):
    """A sign beside a line's text."""

    PIN = "pinned"
    OUT = "locked out"
    OVERRIDE = "over dialogue"
    ACCEPTED = "accepted"
    HUMAN = "written by hand"
    RULE = "tied by a rule"
    CONFLICT = "conflict"
    REVIEWED = "reviewed"
    BREATH = "in one breath with the line before"


@lru_cache(maxsize=16)
def _path(glyph: Glyph) -> QPainterPath:
    path = QPainterPath()
    match glyph:
        case Glyph.PIN:
            path.addEllipse(QPointF(5, 3), 2.5, 2.5)
            path.moveTo(5, 5.5)
            path.lineTo(5, 10)
        case Glyph.OUT:
            path.moveTo(2, 2)
            path.lineTo(8, 8)
            path.moveTo(8, 2)
            path.lineTo(2, 8)
        case Glyph.OVERRIDE:
            for x in (1.5, 5.0):
                path.moveTo(x, 2)
                path.lineTo(x + 3, 5)
                path.lineTo(x, 8)
        case Glyph.ACCEPTED | Glyph.REVIEWED:
            path.moveTo(1.5, 5.5)
            path.lineTo(4, 8)
            path.lineTo(8.5, 2)
        case Glyph.HUMAN:
            path.moveTo(1.5, 8.5)
            path.lineTo(2.5, 6)
            path.lineTo(7, 1.5)
            path.lineTo(8.5, 3)
            path.lineTo(4, 7.5)
            path.closeSubpath()
        case Glyph.RULE:
            path.addEllipse(QRectF(0.5, 3, 5, 4))
            path.addEllipse(QRectF(4.5, 3, 5, 4))
        case Glyph.BREATH:
            path.moveTo(0.5, 3)
            path.cubicTo(QPointF(2, 8.5), QPointF(8, 8.5), QPointF(9.5, 3))
        case Glyph.CONFLICT:
            path.moveTo(5, 1)
            path.lineTo(9.5, 9)
            path.lineTo(0.5, 9)
            path.closeSubpath()
            path.moveTo(5, 4)
            path.lineTo(5, 6.4)
            path.moveTo(5, 7.6)
            path.lineTo(5, 7.9)
    return path


def draw(painter: QPainter, glyph: Glyph, x: float, middle: float, colour: QColor) -> None:
    """Draw a sign with its left edge at `x`, centred on a height."""
    pen = QPen(colour, 1.3)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.translate(x, middle - SIZE / 2)
    painter.drawPath(_path(glyph))
    painter.restore()
