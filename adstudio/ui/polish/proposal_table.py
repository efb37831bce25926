"""The table of polished lines: rows of two lines each, and the keys that accept, leave and hear."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyleOptionViewItem,
    QWidget,
)

from adstudio.drafting.polish.proposals import Polished
from adstudio.ui.polish.proposal_rows import Column, ProposalsModel, ProposalState
from adstudio.ui.session.context import Theme
from adstudio.ui.widgets.row_table import Index, RowDelegate, RowTable
from adstudio.ui.widgets.theme import UNIT, time_font

RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
ACCEPT, LEAVE, HEAR = Qt.Key.Key_A, Qt.Key.Key_X, Qt.Key.Key_H
BAR = 3
WIDTHS = {Column.AT: 18 * UNIT, Column.SECONDS: 30 * UNIT, Column.STATE: 64 * UNIT}


class ProposalTable(RowTable):
    """`keys` are what A, X, H and Return do here, whatever they do elsewhere."""

    def __init__(self, theme: Theme, rows: ProposalsModel, keys: Mapping[Qt.Key, Callable[[], object]]) -> None:
        help_ = "A accepts, X leaves, H speaks it, Return goes to the line"
        super().__init__("Polished lines", help_, "Columns of the polished lines")
        self._keys = keys
        self.setModel(rows)
        self.setItemDelegate(ProposalDelegate(theme, rows, self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        columns = self.horizontalHeader()
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        columns.setSectionResizeMode(Column.TEXT, QHeaderView.ResizeMode.Stretch)
        for column, width in WIDTHS.items():
            columns.resizeSection(column, width)
        self._measure()

    def event(self, event: QEvent) -> bool:
        """Here these letters are the table's, and not those of the actions that have them elsewhere."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The table's own keys; other letters are for actions."""
        if self._is_own(event):
            self._keys[Qt.Key(event.key())]()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Two lines of another font are higher, or lower."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()

    def _is_own(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        return plain and event.key() in self._keys and self.currentIndex().isValid()

    def _measure(self) -> None:
        self.set_row_height(row_height(self))
        self.setMinimumHeight(6 * UNIT)


def row_height(widget: QWidget) -> int:
    """Two lines, and room about them, on the grid."""
    height = 2 * widget.fontMetrics().lineSpacing() + 3 * UNIT
    return -(-height // UNIT) * UNIT


class ProposalDelegate(RowDelegate):
    """A cell of two lines: what is spoken now in quiet colour above what is proposed."""

    def __init__(self, theme: Theme, rows: ProposalsModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._rows = theme, rows

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as all rows."""
        del index
        return QSize(10 * UNIT, row_height(option.widget))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Ground, two lines, how much of the time is used, and a frame where the keys are."""
        tokens, box = self._theme.tokens, option.rect
        row, column = self._rows.rows[index.row()], Column(index.column())
        self.paint_ground(painter, option, tokens, tokens.lane if index.row() % 2 else "")
        painter.setFont(time_font() if column in (Column.AT, Column.SECONDS) else option.font)
        room = QRect(box).adjusted(2 * UNIT, UNIT, -2 * UNIT, -2 * UNIT)
        lines = self._rows.lines_of(row, column)
        for place, text in enumerate(lines):
            painter.setPen(QColor(self._colour(row.state, column, place, len(lines))))
            line = QRect(room.left(), room.top() + place * room.height() // 2, room.width(), room.height() // 2)
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        if column is Column.SECONDS and isinstance(row.proposal, Polished):
            share = min(row.proposal.duration / max(row.room, 1), 1.0)
            self._paint_fit(painter, QRect(room.left(), room.bottom() + 1, room.width(), BAR), share)
        painter.setPen(QColor(tokens.line))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        self.paint_focus(painter, option, tokens)

    def _paint_fit(self, painter: QPainter, box: QRect, share: float) -> None:
        tokens = self._theme.tokens
        painter.setPen(Qt.PenStyle.NoPen)
        painter.fillRect(QRectF(box), QColor(tokens.line))
        painter.fillRect(QRectF(box.left(), box.top(), box.width() * share, box.height()), QColor(tokens.good))

    def _colour(self, state: ProposalState, column: Column, place: int, lines: int) -> str:
        tokens = self._theme.tokens
        if column is Column.STATE:
            colours = {
                ProposalState.ACCEPTED: tokens.good,
                ProposalState.STALE: tokens.warning,
                ProposalState.OPEN: tokens.text,
            }
            return colours.get(state, tokens.quiet) if place == 0 else tokens.quiet
        proposed = place == 1 or (lines == 1 and column is Column.AT)
        return tokens.text if proposed and state in (ProposalState.OPEN, ProposalState.ACCEPTED) else tokens.quiet
