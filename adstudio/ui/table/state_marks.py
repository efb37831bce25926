"""The state of a line, drawn: solid if spoken, hollow if left out, hatched in conflict, and a sign for a lock."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF

from adstudio.core.script import SALIENCE_UNIT
from adstudio.ui.table.cell_content import RowChange
from adstudio.ui.table.line_facts import Line, State
from adstudio.ui.widgets.glyphs import SIZE, Glyph, draw
from adstudio.ui.widgets.theme import Tokens, salience_colour

BLOCK = QRectF(0, -4, 12, 8)
STATE_WIDTH = 28
"""Pixels that the block and the sign beside it take."""
NEWS_WIDTH = 12

_SIGNS: dict[State, Glyph] = {
    State.CONFLICT: Glyph.CONFLICT,
    State.OVERRIDE: Glyph.OVERRIDE,
    State.START: Glyph.PIN,
    State.LOCKED_IN: Glyph.PIN,
    State.LOCKED_OUT: Glyph.OUT,
}

_NEWS = {
    RowChange.CAME: (((5, 1.5), (5, 8.5)), ((1.5, 5), (8.5, 5))),
    RowChange.WENT: (((1.5, 5), (8.5, 5)),),
    RowChange.MOVED: (((1, 5), (9, 5)), ((3, 3), (1, 5), (3, 7)), ((7, 3), (9, 5), (7, 7))),
    RowChange.REWORDED: (((1, 3.5), (9, 3.5)), ((1, 6.5), (6, 6.5))),
}
"""The strokes of each sign: plus, minus, a double arrow, two lines for another wording."""


def draw_state(painter: QPainter, line: Line, tokens: Tokens, x: float, middle: float) -> None:
    """Draw a line's state from `x` on, centred on a height; the shade of the block is its salience."""
    shade = salience_colour(tokens, (line.eventuality.salience or 0) / SALIENCE_UNIT)
    block = BLOCK.translated(x, middle)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if line.state is State.CONFLICT:
        painter.setPen(QPen(QColor(tokens.warning), 1.2))
        painter.setBrush(QBrush(QColor(tokens.warning), Qt.BrushStyle.BDiagPattern))
    elif line.spoken:
        painter.setPen(QPen(shade, 1.2))
        painter.setBrush(shade)
    else:
        painter.setPen(QPen(QColor(tokens.quiet), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(block.adjusted(0.6, 0.6, -0.6, -0.6), 2, 2)
    painter.restore()
    sign = _SIGNS.get(line.state)
    if sign is not None:
        colour = tokens.warning if line.state in {State.CONFLICT, State.OVERRIDE} else tokens.text
        draw(painter, sign, x + BLOCK.width() + 3, middle, QColor(colour))


def draw_news(painter: QPainter, news: RowChange, tokens: Tokens, x: float, middle: float) -> None:
    """Draw what the plan has just done to a line."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(QColor(tokens.accent), 1.6)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.translate(x, middle - SIZE / 2)
    painter.drawPath(_news_path(news))
    painter.restore()


def _news_path(news: RowChange) -> QPainterPath:
    path = QPainterPath()
    for stroke in _NEWS[news]:
        path.addPolygon(QPolygonF([QPointF(*point) for point in stroke]))
    return path
