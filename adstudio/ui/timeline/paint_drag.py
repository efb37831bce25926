"""Paints a drag under way: where the items would come to lie, the time, whether it fits, and what it sticks to."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPen

from adstudio.ui.timeline.drags import DragPreview
from adstudio.ui.timeline.items import Box
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.paint_context import PaintContext
from adstudio.ui.timeline.paint_resources import faded

PILL = 20
"""The height of the label that goes along."""


def paint_ghost(sheet: PaintContext, ghost: DragPreview) -> None:
    """The ghost, the line of what it sticks to, and its label."""
    view, ink, painter = sheet.view, sheet.ink, sheet.painter
    band = sheet.bands[ghost.lane]
    colour = sheet.ink.warning if ghost.warning else ink.accent
    painter.setBrush(QBrush(faded(colour.name(), 0.22)))
    pen = QPen(colour, 1.5)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    for span, (level, depth) in zip(ghost.spans, ghost.rows, strict=True):
        top, bottom = band.row(level, depth)
        left, right = view.x(span.start), view.x(span.end)
        if right >= -8 and left <= view.width + 8:
            left, right = max(left, -8.0), min(right, view.width + 8.0)
            painter.drawRect(QRectF(left, top, max(2.0, right - left), bottom - top))
    if ghost.edge is not None:
        top, foot = sheet.bands[Lane.RULER].bottom, sheet.bands[Lane.NARRATION].bottom
        sheet.uprights([view.x(ghost.edge)], top, foot, ink.accent)
    text = f"{ghost.label} · {ghost.warning}" if ghost.warning else ghost.label
    pill(sheet, text, ghost.at, band.top - PILL - 4, colour)


def pill(sheet: PaintContext, text: str, x: float, top: float, colour: QColor) -> None:
    """A label on the accent, kept inside the view."""
    ink, painter = sheet.ink, sheet.painter
    width = ink.bold.width(text)
    left = round(max(4.0, min(x - width / 2 - 8, sheet.view.width - width - 20)))
    area = QRectF(left, max(2.0, top), width + 16, PILL)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    with sheet.smooth():
        painter.drawRoundedRect(area, 4, 4)
    ink.bold.draw(painter, text, left + 8, left + 8 + width + 2, area.center().y(), ink.on_accent)


def paint_rubber(sheet: PaintContext, area: Box) -> None:
    """The rubber band."""
    sheet.painter.setBrush(sheet.ink.accent_wash)
    sheet.painter.setPen(QPen(sheet.ink.accent, 1))
    sheet.painter.drawRect(QRectF(area.left, area.top, area.right - area.left, area.bottom - area.top))
