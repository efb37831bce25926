"""The bar above the script table: find box, filters, order, and how many lines are shown."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QToolButton, QWidget

from adstudio.ui.table.filter_chips import SIDE_BY_SIDE, FilterChips
from adstudio.ui.table.line_facts import Filter
from adstudio.ui.table.row_order import Column, RowFilter
from adstudio.ui.widgets.controls import Picker
from adstudio.ui.widgets.text import tone, words
from adstudio.ui.widgets.theme import UNIT

ORDERS = {
    Column.ROOM: "By room left",
    Column.ORIGIN: "By author",
    Column.SEEN: "By review",
    Column.SURE: "Least sure first",
}
"""Names of orders, where “By” and the column’s title would read oddly."""


class FindBox(QLineEdit):
    """Words to look for. Escape clears it, once more leads back to the table, as Return and Down do."""

    left = Signal()

    def event(self, event: QEvent) -> bool:
        """Escape is ours."""
        is_shortcut = event.type() == QEvent.Type.ShortcutOverride
        if is_shortcut and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape clears or leaves, Return and Down leave."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in {Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down}:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class TableHeader(QWidget):
    """One row where there is room; else the filters move to a second one, and then the order too."""

    wanted_changed = Signal()
    order_chosen = Signal(int)
    """A column; −1 for textual order."""
    left = Signal()
    """Finding is done; focus returns to the table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._room = 2
        """How much of filters and order is beside the find box: 2 both, 1 the order, 0 nothing."""
        self._count = ""
        self.find_box = FindBox()
        self.find_box.setPlaceholderText("Find in the script")
        self.find_box.setAccessibleName("Find in the script")
        self.find_box.setClearButtonEnabled(True)
        self.find_box.setMinimumWidth(30 * UNIT)
        self.find_box.textChanged.connect(self.wanted_changed)
        self.find_box.left.connect(self.left)
        self.regex = QToolButton()
        self.regex.setText("Regex")
        self.regex.setCheckable(True)
        self.regex.setFixedHeight(7 * UNIT)
        self.regex.setAccessibleName("Regular expression")
        self.regex.setToolTip("Search by regular expression")
        self.regex.toggled.connect(self.wanted_changed)
        self.filters = FilterChips()
        self.filters.chosen.connect(self.wanted_changed)
        self.order = Picker("Order of the rows")
        self.order.addItem("Script order", -1)
        for column in Column:
            if column is not Column.TEXT:
                self.order.addItem(ORDERS.get(column, f"By {column.title.lower()}"), int(column))
                self.order.setItemData(self.order.count() - 1, column.meaning, Qt.ItemDataRole.ToolTipRole)
        self.order.activated.connect(lambda: self.order_chosen.emit(int(self.order.currentData())))
        self.counts = words(quiet=True, figures=True)
        self.counts.setAccessibleName("Lines shown")
        self.counts.setFixedHeight(7 * UNIT)

        self._lines = QGridLayout(self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(UNIT)
        self._lines.setColumnStretch(0, 1)
        self._below = QHBoxLayout()
        self._below.setSpacing(UNIT)
        self._lines.addLayout(self._below, 1, 0, 1, 5)
        self._lay_out()

    @property
    def wanted(self) -> RowFilter:
        """The lines that are wanted."""
        return RowFilter(self.filters.current, self.find_box.text(), self.regex.isChecked())

    @property
    def in_order(self) -> tuple[QWidget, ...]:
        """Where the Tab key goes."""
        return (self.find_box, self.regex, *self.filters.in_order, self.order)

    def start_finding(self) -> None:
        """Focus the find box."""
        self.find_box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_box.selectAll()

    def show_all(self) -> None:
        """Nothing is filtered any more."""
        self.find_box.clear()
        self.filters.show_all()

    def show_problem(self, problem: str) -> None:
        """What is wrong with the words to look for; empty where nothing is."""
        tone(self.find_box, warning=bool(problem))
        self.find_box.setToolTip(problem)
        self.find_box.setAccessibleDescription(problem)

    def show_order(self, section: int) -> None:
        """The rows are in this order."""
        self.order.setCurrentIndex(max(0, self.order.findData(section)))

    def show_counts(self, counts: dict[Filter, int], shown: str) -> None:
        """How many lines pass each filter, and in words how many are shown."""
        self.filters.show_counts(counts)
        self._count = shown
        self._show_count()

    @property
    def narrowest(self) -> int:
        """What the find box needs, with the rest below it."""
        return self.find_box.minimumWidth() + self.regex.sizeHint().width() + UNIT

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One line, or two."""
        super().resizeEvent(event)
        one = self._width_of(self.find_box, self.regex, self.order, self.counts)
        beside = one + self.filters.width_of(SIDE_BY_SIDE) + UNIT
        room = int(one <= self.width()) + int(beside <= self.width())
        if room != self._room:
            self._room = room
            self._lay_out()
        if room == 0:
            self._show_count()

    def _lay_out(self) -> None:
        below = (self.filters, self.order)[: 2 - self._room]
        for place, widget in enumerate((self.find_box, self.regex, self.filters, self.order, self.counts)):
            self._lines.removeWidget(widget)
            self._below.removeWidget(widget)
            if widget in below:
                self._below.addWidget(widget, 1 if widget is self.filters else 0)
            else:
                self._lines.addWidget(widget, 0, place)
        self._show_count()

    def _width_of(self, find: QWidget, *others: QWidget) -> int:
        return find.minimumWidth() + sum(widget.sizeHint().width() for widget in others) + 8 * UNIT

    def _show_count(self) -> None:
        """How many lines are shown, cut where the find box would have no room beside it."""
        text, tip = self._count, ""
        if self._room == 0:
            room = self.width() - self._width_of(self.find_box, self.regex) + 6 * UNIT
            text = self.counts.fontMetrics().elidedText(self._count, Qt.TextElideMode.ElideRight, max(0, room))
            tip = self._count
        if text != self.counts.text():
            self.counts.setText(text)
        if tip != self.counts.toolTip():
            self.counts.setToolTip(tip)
            self.counts.setAccessibleDescription(tip)
