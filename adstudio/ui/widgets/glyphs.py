"""Small signs: what a colour says, a shape says as well. Drawn, not typed, since fonts lack them."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

SIZE = 10
"""Pixels that a sign takes in each direction."""
STROKE = 1.3


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
    EARLY = "far before its action"
    LATE = "far after its action"
    HELD = "spoken while the picture is held"


_TICK = "M1.5,5.5 L4,8 L8.5,2"
_SHAPES = {
    Glyph.PIN: "E2.5,0.5,5,5 M5,5.5 L5,10",
    Glyph.OUT: "M2,2 L8,8 M8,2 L2,8",
    Glyph.OVERRIDE: "M1.5,2 L4.5,5 L1.5,8 M5,2 L8,5 L5,8",
    Glyph.ACCEPTED: _TICK,
    Glyph.REVIEWED: _TICK,
    Glyph.HUMAN: "M1.5,8.5 L2.5,6 L7,1.5 L8.5,3 L4,7.5 L1.5,8.5",
    Glyph.RULE: "E0.5,3,5,4 E4.5,3,5,4",
    Glyph.BREATH: "M0.5,3 C2,8.5,8,8.5,9.5,3",
    Glyph.EARLY: "M9.5,5 L1,5 M4.5,1.5 L1,5 L4.5,8.5",
    Glyph.LATE: "M0.5,5 L9,5 M5.5,1.5 L9,5 L5.5,8.5",
    Glyph.HELD: "M3,1.5 L3,8.5 M7,1.5 L7,8.5",
    Glyph.CONFLICT: "M5,1 L9.5,9 L0.5,9 L5,1 M5,4 L5,6.4 M5,7.6 L5,7.9",
}
"""Each as SVG paths have it (move, line, curve), but with E for an ellipse in a rectangle."""


@lru_cache(maxsize=16)
def _path(glyph: Glyph) -> QPainterPath:
    path = QPainterPath()
    draw = {"M": path.moveTo, "L": path.lineTo, "C": path.cubicTo, "E": path.addEllipse}
    for part in _SHAPES[glyph].split():
        draw[part[0]](*(float(number) for number in part[1:].split(",")))
    return path


def draw(painter: QPainter, glyph: Glyph, x: float, middle: float, colour: QColor, weight: float = STROKE) -> None:
    """Draw a sign with its left edge at `x`, centred on a height, in strokes so wide (pixels)."""
    pen = QPen(colour, weight)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.translate(x, middle - SIZE / 2)
    painter.drawPath(_path(glyph))
    painter.restore()
