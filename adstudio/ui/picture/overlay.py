"""The text over the picture: the dialogue at the playhead and the time of the frame."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from adstudio.core.script import Cue
from adstudio.ui.widgets.theme import time_font

WHITE, BLACK = QColor("#ffffff"), QColor("#000000")
PLATE = QColor(0, 0, 0, 150)
LINES_IN_HEIGHT = 18.0
"""A subtitle line's share of the picture's height, as broadcasters set it: two lines and their space below a fifth."""
LEAST_PIXELS, MOST_LINES = 13.0, 6


@dataclass(frozen=True)
class Overlay:
    """The texts over the picture; an empty one is not shown."""

    subtitles: tuple[str, ...] = ()
    timecode: str = ""


def shown_at(cues: Sequence[Cue], ms: int) -> tuple[str, ...]:
    """The lines of the cues shown at a time, their ends excluded; the cues are in order of time."""
    last = bisect_right(cues, ms, key=lambda cue: cue.start)
    # However long a cue is, one that began this many cues ago is not looked for.
    return tuple(
        line.strip()
        for cue in cues[max(0, last - 8) : last]
        if cue.start <= ms < cue.end
        for line in cue.text.splitlines()
        if line.strip()
    )[-MOST_LINES:]


def paint_overlay(painter: QPainter, overlay: Overlay, picture: QRectF) -> None:
    """Write over a picture in this rectangle (device-independent pixels)."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    size = max(LEAST_PIXELS, picture.height() / LINES_IN_HEIGHT * 0.72)
    if overlay.subtitles:
        font = QFont(painter.font())
        font.setPixelSize(round(size * 1.1))
        font.setWeight(QFont.Weight.Medium)
        _subtitles(painter, _wrapped(overlay.subtitles, font, picture.width() * 0.9), font, picture)
    if overlay.timecode:
        font = time_font()
        font.setPixelSize(round(size))
        _timecode(painter, overlay.timecode, font, picture)


def _wrapped(lines: Sequence[str], font: QFont, width: float) -> list[str]:
    metrics = QFontMetricsF(font)
    wrapped: list[str] = []
    for line in lines:
        row = ""
        for word in line.split():
            longer = f"{row} {word}".strip()
            if row and metrics.horizontalAdvance(longer) > width:
                wrapped.append(row)
                longer = word
            row = longer
        wrapped.append(row)
    return wrapped[-MOST_LINES:]


def _subtitles(painter: QPainter, lines: Sequence[str], font: QFont, picture: QRectF) -> None:
    metrics = QFontMetricsF(font)
    baseline = picture.bottom() - picture.height() * 0.05 - metrics.descent() - (len(lines) - 1) * metrics.lineSpacing()
    pen = QPen(
        BLACK, max(2.0, metrics.height() / 8), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    )
    for line in lines:
        path = QPainterPath()
        path.addText(QPointF(picture.center().x() - metrics.horizontalAdvance(line) / 2, baseline), font, line)
        painter.strokePath(path, pen)
        painter.fillPath(path, WHITE)
        baseline += metrics.lineSpacing()


def _timecode(painter: QPainter, text: str, font: QFont, picture: QRectF) -> None:
    metrics = QFontMetricsF(font)
    pad = metrics.height() / 4
    plate = QRectF(0, 0, metrics.horizontalAdvance(text) + 4 * pad, metrics.height() + 2 * pad)
    plate.moveTo(picture.left() + 2 * pad, picture.top() + 2 * pad)
    painter.fillRect(plate, PLATE)
    painter.setFont(font)
    painter.setPen(WHITE)
    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)
