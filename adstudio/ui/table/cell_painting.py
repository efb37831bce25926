"""The cells of the script table, painted by hand: the style's own way takes ten times as long for a full table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from adstudio.core.script import SALIENCE_UNIT
from adstudio.ui.table.cell_content import RowChange, alignment, is_right_to_left, shown
from adstudio.ui.table.line_facts import Line, State
from adstudio.ui.table.row_order import Column
from adstudio.ui.table.text_wrapping import TextWrapper
from adstudio.ui.widgets.glyphs import SIZE, Glyph, draw
from adstudio.ui.widgets.theme import UNIT, Tokens, on_salience, on_selection, salience_colour, time_font

BLOCK = QRectF(0, -6, 18, 12)
"""Room for a tick inside its frame, and no square, which would look like a box to be ticked."""
TICK_STROKE = 1.9
STATE_WIDTH = 34
"""Pixels that the block and the sign beside it take, where text is as high as `TEXT_HEIGHT`."""
TEXT_HEIGHT = 17
"""Pixels from one line of text to the next at which signs have their own size; with larger text they grow."""
NEWS_WIDTH = 12

_SIGNS: dict[State, Glyph] = {
    State.CONFLICT: Glyph.CONFLICT,
    State.OVERRIDE: Glyph.OVERRIDE,
    State.START: Glyph.PIN,
    State.LOCKED_IN: Glyph.PIN,
    State.LOCKED_OUT: Glyph.OUT,
    State.HELD: Glyph.HELD,
}

_NEWS = {
    RowChange.CAME: (((5, 1.5), (5, 8.5)), ((1.5, 5), (8.5, 5))),
    RowChange.WENT: (((1.5, 5), (8.5, 5)),),
    RowChange.MOVED: (((1, 5), (9, 5)), ((3, 3), (1, 5), (3, 7)), ((7, 3), (9, 5), (7, 7))),
    RowChange.REWORDED: (((1, 3.5), (9, 3.5)), ((1, 6.5), (6, 6.5))),
}
"""The strokes of each sign: plus, minus, a double arrow, two lines for another wording."""

PADDING = 2 * UNIT
NEWS_BAR = 3
SPEAKING_BAR = 3
WAVE = 3
"""Pixels from a low point to a high one of the wave under a misspelled word."""
MARK_SHADE = 0.25
MARK_SHADE_SELECTED = 0.1
"""How much of the accent lies under what is found; of the ink on a selected row."""
_FIGURES = frozenset(
    {Column.TIME, Column.OUT, Column.WORDING, Column.SECONDS, Column.ROOM, Column.DRIFT, Column.SALIENCE}
)
_QUIET = frozenset({Column.WORDING, Column.ORIGIN, Column.SEEN, Column.NOTE, Column.SURE})
_INSETS = {Column.TIME: NEWS_BAR + NEWS_WIDTH, Column.DRIFT: SIZE + UNIT}
_ALIGNED = {column: alignment(column) | Qt.TextFlag.TextSingleLine for column in Column}


def sign_scale(metrics: QFontMetrics | QFontMetricsF) -> float:
    """How many times its own size a sign has beside a text."""
    return max(1.0, metrics.height() / TEXT_HEIGHT)


def draw_state(painter: QPainter, line: Line, tokens: Tokens, x: float, middle: float, scale: float = 1.0) -> None:
    """Draw a line's state from `x` on, centred on a height: a block as dark as its salience, ticked if accepted."""
    shade = salience_colour(tokens, (line.eventuality.salience or 0) / SALIENCE_UNIT)
    is_narrated = line.spoken or line.state is State.HELD
    painter.save()
    painter.translate(x, middle)
    painter.scale(scale, scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if line.state is State.CONFLICT:
        painter.setPen(QPen(QColor(tokens.warning), 1.2))
        painter.setBrush(QBrush(QColor(tokens.warning), Qt.BrushStyle.BDiagPattern))
    elif is_narrated:
        painter.setPen(QPen(shade, 1.2))
        painter.setBrush(shade)
    else:
        painter.setPen(QPen(QColor(tokens.quiet), 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(BLOCK.adjusted(0.6, 0.6, -0.6, -0.6), 5, 5)
    if line.eventuality.accepted:
        on_block = on_salience(tokens, (line.eventuality.salience or 0) / SALIENCE_UNIT)
        ink = on_block if is_narrated and line.state is not State.CONFLICT else QColor(tokens.text)
        draw(painter, Glyph.ACCEPTED, (BLOCK.width() - SIZE) / 2, 0, ink, TICK_STROKE)
    sign = _SIGNS.get(line.state)
    if sign is not None:
        colour = tokens.warning if line.state in {State.CONFLICT, State.OVERRIDE} else tokens.text
        draw(painter, sign, BLOCK.width() + 3, 0, QColor(colour))
    painter.restore()


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


def inset(column: Column, metrics: QFontMetrics | QFontMetricsF) -> int:
    """The pixels of a sign before a text."""
    if column is Column.STATE:
        return math.ceil(STATE_WIDTH * sign_scale(metrics)) + UNIT
    return _INSETS.get(column, 0)


def width_of(font: QFont, line: Line, column: Column) -> int:
    """The width that a cell needs."""
    metrics = QFontMetrics(font)
    return metrics.horizontalAdvance(shown(line, column)) + inset(column, metrics) + 2 * PADDING


class CellPainter:
    """Paints cells in the colours of a theme, of selected rows in theirs; replaced when theme or font change."""

    def __init__(self, tokens: Tokens, font: QFont, wrapper: TextWrapper, *, selected: bool = False) -> None:
        self.tokens = tokens
        tokens = on_selection(tokens) if selected else tokens
        self._colours = tokens
        self._wrapper = wrapper
        self._font = QFont(font)  # a copy: an option's own font goes with the option
        self._figures = time_font(font.pointSizeF() if font.pointSizeF() > 0 else None)
        self._metrics = QFontMetrics(font)
        self._panel = QColor(tokens.panel)
        self._accent, self._text = QColor(tokens.accent), QColor(tokens.text)
        self._on_accent, self._line = QColor(tokens.on_accent), QColor(tokens.line)
        self._wash = QColor(tokens.accent)
        self._wash.setAlphaF(MARK_SHADE_SELECTED if selected else MARK_SHADE)
        self._quiet, self._warning = QColor(tokens.quiet), QColor(tokens.warning)
        self._least_state = self._metrics.horizontalAdvance(State.SPOKEN.value) - PADDING
        """With less room, the sign says it alone."""
        self._elided = lru_cache(maxsize=2000)(self._elide)

    def ground(self, painter: QPainter, rect: QRect) -> None:
        """The background of a row, or of the room below the last one."""
        painter.fillRect(rect, self._panel)

    def number(self, painter: QPainter, rect: QRect, line: Line, *, current: bool) -> None:
        """The number of a row's line, the current one's on the accent."""
        painter.setFont(self._figures)
        text, high = shown(line, Column.NUMBER), self._wrapper.row
        if current:
            wide = max(self._metrics.horizontalAdvance(text) + 2 * UNIT, high - 2 * UNIT)
            right = rect.right() - PADDING + UNIT
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._accent)
            painter.drawRoundedRect(QRect(right - wide + 1, rect.top() + UNIT, wide, high - 2 * UNIT), 3, 3)
            painter.restore()
            painter.setPen(self._on_accent)
            painter.drawText(QRect(right - wide + 1, rect.top(), wide, high), Qt.AlignmentFlag.AlignCenter, text)
            return
        painter.setPen(self._quiet)
        painter.drawText(QRect(rect.left(), rect.top(), rect.width() - PADDING, high), _ALIGNED[Column.NUMBER], text)

    def speaking(self, painter: QPainter, rect: QRect) -> None:
        """The mark of the line that is spoken at the playhead."""
        painter.fillRect(rect.left(), rect.top(), SPEAKING_BAR, rect.height(), self._accent)

    def edge(self, painter: QPainter, right: int, exposed: QRect) -> None:
        """Where the frozen columns end."""
        painter.fillRect(right, exposed.top(), 1, exposed.height(), self._line)

    def marks(self, painter: QPainter, rect: QRect, text: str, spans: Sequence[tuple[int, int]]) -> None:
        """Mark some characters of a text, which is written over that."""
        for place in self._places(rect, text, spans):
            painter.fillRect(place, self._wash)
            painter.fillRect(QRectF(place.left(), place.bottom() - 1, place.width(), 2), self._accent)

    def misspelled(self, painter: QPainter, rect: QRect, text: str, spans: Sequence[tuple[int, int]]) -> None:
        """A wave under some characters of a text."""
        painter.setPen(QPen(self._warning, 1.2))
        for place in self._places(rect, text, spans):
            y, steps = place.bottom() - 1, max(1, round(place.width() / WAVE))
            points = [QPointF(place.left() + step * WAVE, y - (step % 2) * WAVE / 2) for step in range(steps + 1)]
            painter.drawPolyline(QPolygonF(points))

    def _places(self, rect: QRect, text: str, spans: Sequence[tuple[int, int]]) -> Iterator[QRectF]:
        """Where these characters of a text are written: a span that goes over the end of a line has two places."""
        room = QRect(rect.left() + PADDING, rect.top(), rect.width() - 2 * PADDING, self._wrapper.row)
        high, top = self._metrics.height(), (self._wrapper.row - self._metrics.height()) / 2
        right_to_left, at = is_right_to_left(text), 0
        for number, line in enumerate(self._wrapper.lines(text, room.width())):
            begin = text.find(line, at)
            at = begin + len(line) if begin >= 0 else at
            for start, end in spans if begin >= 0 else ():
                first, last = max(start, begin) - begin, min(end, at) - begin
                if first < last:
                    left, right = (self._metrics.horizontalAdvance(line[:each]) for each in (first, last))
                    x = room.right() + 1 - right if right_to_left else room.left() + left
                    yield QRectF(x, room.top() + number * self._wrapper.spacing + top, right - left, high)

    def cell(self, painter: QPainter, rect: QRect, line: Line, column: Column) -> None:
        """The sign and the words; all but a text are beside its first line."""
        text = shown(line, column)
        if column is Column.TEXT:
            self._write_lines(painter, rect, text, line)
            return
        rect = QRect(rect.left(), rect.top(), rect.width(), self._wrapper.row)
        joined = column is Column.STATE and line.eventuality.joined
        if text:
            room = rect.adjusted(PADDING + inset(column, self._metrics), 0, -PADDING - joined * (SIZE + UNIT), 0)
            if room.width() > PADDING and (column is not Column.STATE or room.width() > self._least_state):
                self._write(painter, room, text, line, column)
        if joined:
            right = rect.right() - UNIT - SIZE
            draw(painter, Glyph.BREATH, right, rect.y() + rect.height() / 2, self._accent)
        if column is Column.DRIFT and line.far:
            sign = Glyph.LATE if (line.drift or 0) > 0 else Glyph.EARLY
            draw(painter, sign, rect.x() + PADDING, rect.y() + rect.height() / 2, self._warning)
        if column is Column.STATE:
            middle = rect.y() + rect.height() / 2
            draw_state(painter, line, self._colours, rect.x() + PADDING, middle, sign_scale(self._metrics))

    def news(self, painter: QPainter, rect: QRect, news: RowChange) -> None:
        """What the plan has just done to the line of a row, at the start of the cell of its time."""
        painter.fillRect(rect.x(), rect.y(), NEWS_BAR, rect.height(), self._accent)
        draw_news(painter, news, self._colours, rect.x() + NEWS_BAR + UNIT, rect.y() + self._wrapper.row / 2)

    def note(self, painter: QPainter, rect: QRect, text: str) -> None:
        """A message in place of rows."""
        painter.setFont(self._font)
        painter.setPen(self._quiet)
        painter.drawText(rect, Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap, text)

    def frame(self, painter: QPainter, rect: QRect) -> None:
        """The frame of the current cell."""
        painter.setPen(self._accent)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _write(self, painter: QPainter, room: QRect, text: str, line: Line, column: Column) -> None:
        painter.setFont(self._figures if column in _FIGURES else self._font)
        painter.setPen(self._ink(line, column))
        right_to_left = column is Column.NOTE and is_right_to_left(text)
        if right_to_left:
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        painter.drawText(room, _ALIGNED[column], self._elided(text, room.width()))
        if right_to_left:
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def _write_lines(self, painter: QPainter, rect: QRect, text: str, line: Line) -> None:
        painter.setFont(self._font)
        painter.setPen(self._ink(line, Column.TEXT))
        right_to_left = is_right_to_left(text)
        if right_to_left:
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        room = QRect(rect.left() + PADDING, rect.top(), rect.width() - 2 * PADDING, self._wrapper.row)
        for each in self._wrapper.lines(text, room.width()):
            painter.drawText(room, _ALIGNED[Column.TEXT], each)
            room.translate(0, self._wrapper.spacing)
        if right_to_left:
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    def _elide(self, text: str, width: int) -> str:
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)

    def _ink(self, line: Line, column: Column) -> QColor:
        if column is Column.STATE and line.state is State.CONFLICT:
            return self._warning
        short = column is Column.ROOM and line.spare is not None and line.spare < 0
        if short or (column is Column.DRIFT and line.far):
            return self._warning
        spoken = line.spoken or line.state is State.HELD
        return self._quiet if not spoken or column in _QUIET else self._text
