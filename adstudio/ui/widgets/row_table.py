"""A list of whole rows in a panel: its model, its cells, and a view that leaves letter keys to the actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from adstudio.ui.widgets.theme import UNIT, Tokens, on_selection

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()
ColumnT = TypeVar("ColumnT", bound=IntEnum)


class RowModel(QAbstractTableModel, Generic[ColumnT]):
    """Read-only rows; a subclass says what each cell shows."""

    columns: type[ColumnT]
    titles: Mapping[ColumnT, str]
    helps: Mapping[ColumnT, str] = MappingProxyType({})
    figures: frozenset[ColumnT] = frozenset()
    """The columns of numbers and times, which are aligned right."""

    def count(self) -> int:
        """The number of rows."""
        raise NotImplementedError

    def text(self, row: int, column: ColumnT) -> str:
        """What a cell shows."""
        raise NotImplementedError

    def help(self, row: int, column: ColumnT) -> str:
        """The tooltip of a cell."""
        return self.text(row, column)

    def spoken(self, row: int, column: ColumnT) -> str:
        """A cell as a screen reader reads it."""
        return self.text(row, column)

    def title(self, row: int) -> str:
        """What a screen reader calls a row; "" where it has no name."""
        del row
        return ""

    def renew(self, rows: Iterable[int]) -> None:
        """Repaint these rows, which have changed."""
        for row in rows:
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(self.columns) - 1))

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """The number of rows."""
        return 0 if parent.isValid() else self.count()

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """The number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A cell as it is read, explained and announced."""
        match role:
            case Qt.ItemDataRole.DisplayRole:
                read = self.text
            case Qt.ItemDataRole.ToolTipRole:
                read = self.help
            case Qt.ItemDataRole.AccessibleTextRole:
                read = self.spoken
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(index.column())
            case _:
                return None
        return read(index.row(), self.columns(index.column()))

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if self.columns(column) in self.figures else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title of a column and its tooltip; the name of a row."""
        if orientation is not Qt.Orientation.Horizontal:
            return self.title(section) or None if role == Qt.ItemDataRole.AccessibleTextRole else None
        column = self.columns(section)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.titles[column]
            case Qt.ItemDataRole.ToolTipRole:
                return self.helps.get(column)
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(section)
            case _:
                return None


class TextRows(RowModel[ColumnT]):
    """Rows of texts, a text for each column."""

    def __init__(self, columns: type[ColumnT], titles: Iterable[str], parent: QObject) -> None:
        super().__init__(parent)
        self.columns, self.titles = columns, dict(zip(columns, titles, strict=True))
        self.rows: Sequence[Sequence[str]] = ()

    def show(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def count(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def text(self, row: int, column: ColumnT) -> str:
        """What a cell shows."""
        return self.rows[row][column]


class RowDelegate(QStyledItemDelegate):
    """What the cells of such lists have in common: the ground where selected, and a frame where the focus is.

    `tokens` are those of the theme; on a selected row the ones of `colours_of` are painted with.
    """

    def colours_of(self, option: QStyleOptionViewItem, tokens: Tokens) -> Tokens:
        """The colours of a cell, selected or not."""
        return on_selection(tokens) if option.state & QStyle.StateFlag.State_Selected else tokens

    def paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, tokens: Tokens, unselected: str = ""
    ) -> None:
        """The colour of selected cells; `unselected` of the others, none where that is empty."""
        colour = tokens.panel if option.state & QStyle.StateFlag.State_Selected else unselected
        if colour:
            painter.fillRect(option.rect, QColor(colour))

    def paint_focus(self, painter: QPainter, option: QStyleOptionViewItem, tokens: Tokens) -> None:
        """A frame around the cell that has the focus."""
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(tokens.accent))
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))


class LeavesLetters(QAbstractItemView if TYPE_CHECKING else object):
    """A list whose letter keys belong to the actions, even those that cannot be done; mixed in before the Qt class."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters are for actions."""
        if event.text().isprintable() and event.text().strip() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are for actions."""


class LetterlessList(LeavesLetters, QListView):
    """A list that leaves letters to the actions."""


class RowTable(LeavesLetters, QTableView):
    """Whole rows of one height; letter keys belong to the actions."""

    def __init__(self, name: str, help_: str, columns_name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setAccessibleDescription(help_)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().setVisible(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        columns = self.horizontalHeader()
        columns.setHighlightSections(False)
        columns.setMinimumSectionSize(10 * UNIT)
        columns.setAccessibleName(columns_name)

    def set_row_height(self, height: int) -> None:
        """Set it in logical pixels."""
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)

    def fit_to(self, widest: Mapping[int, str]) -> None:
        """Fit rows to the font, and columns to their widest text; those without one share the rest."""
        metrics, columns = self.fontMetrics(), self.horizontalHeader()
        self.set_row_height(metrics.height() + 2 * UNIT)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for place, text in widest.items():
            columns.setSectionResizeMode(place, QHeaderView.ResizeMode.Fixed)
            columns.resizeSection(place, metrics.horizontalAdvance(text) + 6 * UNIT)


class KeyedTable(RowTable):
    """One row at a time is chosen; `keys` are what plain keys do here, even without a row, whatever they do elsewhere.

    A subclass fits rows and columns to the font in `fit`, which it also calls once its columns are there.
    """

    def __init__(
        self, name: str, help_: str, columns_name: str, model: RowModel, keys: Mapping[Qt.Key, Callable[[], object]]
    ) -> None:
        super().__init__(name, help_, columns_name)
        self._keys = keys
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMinimumHeight(6 * UNIT)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def fit(self) -> None:
        """Text has another size."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        """Here these keys are the table's, and not those of the actions that have them elsewhere."""
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
        """Text of another size needs other rows and columns."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()

    def _is_own(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        return plain and event.key() in self._keys
