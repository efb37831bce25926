"""The bar above the script table: find box, filters, order, and how many lines are shown."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QToolButton,
    QWidget,
)

from adstudio.ui.table.line_facts import Filter
from adstudio.ui.table.row_order import Column
from adstudio.ui.widgets.controls import Option, Picker
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.text import tone, words
from adstudio.ui.widgets.theme import UNIT

HEIGHT = 7 * UNIT
NARROWEST, COMFORTABLE = 20 * UNIT, 40 * UNIT
"""Widths of the find box: what it has at least, and what it has where the filters are beside it."""
BOTH = 2
SIDE_BY_SIDE = 3
"""With room for so many filters beside the find box, they have no row of their own."""

ORDERS = {
    Column.TIME: "By in time",
    Column.OUT: "By out time",
    Column.ROOM: "By time to spare",
    Column.DRIFT: "Farthest first",
    Column.ORIGIN: "By author",
    Column.SEEN: "By review",
    Column.SURE: "Least sure first",
}
"""Names of orders, where “By” and the column’s title would read oddly."""


class FilterChips(QWidget):
    """One filter is chosen, and always visible: one chosen in the menu comes out of it."""

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widths: dict[QAbstractButton, int] = {}
        """Cached until a text or the style changes, because the style computes them slowly."""
        self._shown: tuple[object, ...] = ()
        self.chips: dict[Filter, Option] = {}
        group = QButtonGroup(self)
        for wanted in Filter:
            chip = Option()
            chip.setParent(self)
            chip.setChecked(wanted is Filter.ALL)
            chip.clicked.connect(self._choose)
            group.addButton(chip)
            self.chips[wanted] = chip
        self.more = QToolButton(self, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setText("More…")
        self.more.setAccessibleName("More filters")
        self.more.setToolTip("More filters")
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.menu = QMenu(self.more)
        self.menu.aboutToShow.connect(self._fill)
        self.more.setMenu(self.menu)
        self._fit_height()

    @property
    def in_order(self) -> tuple[QAbstractButton, ...]:
        """Where the Tab key goes; it skips what is hidden."""
        return (*self.chips.values(), self.more)

    @property
    def current(self) -> Filter:
        """The filter that is chosen."""
        return next(wanted for wanted, chip in self.chips.items() if chip.isChecked())

    def choose(self, wanted: Filter) -> None:
        """Choose a filter; whoever does so shows its lines."""
        self.chips[wanted].setChecked(True)
        self._share()

    def show_counts(self, counts: dict[Filter, int]) -> None:
        """How many lines pass each."""
        for wanted, chip in self.chips.items():
            number = counts[wanted]
            text = f"{wanted.value} {number}"
            if chip.text() != text:
                chip.setText(text)
                self._widths.pop(chip, None)
                chip.setAccessibleName(f"{wanted.value}: {counted(number, 'item')}")
        self._share()

    def sizeHint(self) -> QSize:
        """All in one line."""
        return QSize(self.width_of(len(self.chips)), self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        """The filter that is chosen, and the menu."""
        widest = max(map(self._width, self.chips.values()))
        return QSize(widest + UNIT + self._width(self.more), self.minimumHeight())

    def _fit_height(self) -> None:
        """As high as text of the size that is chosen needs."""
        self.setFixedHeight(max(HEIGHT, self.fontMetrics().height() + 2 * UNIT))

    def width_of(self, number: int) -> int:
        """What the first filters need, with the menu where these are not all."""
        chips = list(self.chips.values())[:number]
        buttons = [*chips, self.more] if number < len(self.chips) else chips
        return sum(map(self._width, buttons)) + UNIT * (len(buttons) - 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many as there is room for."""
        super().resizeEvent(event)
        self._share()

    def changeEvent(self, event: QEvent) -> None:
        """Another theme may have another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._widths.clear()
            self._fit_height()
            self._share()

    def _width(self, button: QAbstractButton) -> int:
        if button not in self._widths:
            self._widths[button] = button.sizeHint().width()
        return self._widths[button]

    def _choose(self) -> None:
        self._share()
        self.chosen.emit()

    def _fill(self) -> None:
        """List the hidden filters."""
        self.menu.clear()
        for chip in self.chips.values():
            if chip.isHidden():
                self.menu.addAction(chip.text(), chip.click)

    def _share(self) -> None:
        """Show as many of the first as fit, and always the chosen one."""
        widths = {wanted: self._width(chip) for wanted, chip in self.chips.items()}
        state = (self.width(), self.current, *widths.values())
        if state == self._shown:
            return
        self._shown = state
        seen = self._seen(widths)
        x = 0
        for wanted, chip in self.chips.items():
            chip.setVisible(wanted in seen)
            if wanted in seen:
                chip.setGeometry(x, 0, widths[wanted], self.height())
                x += widths[wanted] + UNIT
        self.more.setVisible(len(seen) < len(self.chips))
        self.more.setGeometry(x, 0, self._width(self.more), self.height())

    def _seen(self, widths: dict[Filter, int]) -> set[Filter]:
        if self.width_of(len(self.chips)) <= self.width():
            return set(self.chips)
        seen = {self.current}
        room = self.width() - self._width(self.more) - UNIT - widths[self.current]
        for wanted, width in widths.items():
            if wanted in seen:
                continue
            room -= width + UNIT
            if room < 0:
                break
            seen.add(wanted)
        return seen


class FindBox(QLineEdit):
    """Words to look for. Escape clears it, once more leads back to the table; Return and Down lead to what is found."""

    left = Signal()
    entered = Signal()

    def event(self, event: QEvent) -> bool:
        """Escape is handled here."""
        is_shortcut = event.type() == QEvent.Type.ShortcutOverride
        if is_shortcut and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape clears or leaves, Return and Down go to what is found."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down}:
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class TableHeader(QWidget):
    """One row where there is room; else the filters move to a second one, and then the order too."""

    wanted_changed = Signal()
    order_chosen = Signal(int)
    """A column; −1 for script order."""
    left = Signal()
    """Finding is done; focus returns to the table."""
    entered = Signal()
    """What is found is to be gone to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._room = BOTH
        """How much of filters and order is beside the find box: 2 both, 1 the order, 0 nothing."""
        self._count = ""
        self.find_box = FindBox()
        self.find_box.setPlaceholderText("Find in the script")
        self.find_box.setAccessibleName("Find in the script")
        self.find_box.setClearButtonEnabled(True)
        self.find_box.textChanged.connect(self.wanted_changed)
        self.find_box.left.connect(self.left)
        self.find_box.entered.connect(self.entered)
        self.regex = QToolButton()
        self.regex.setText("Regex")
        self.regex.setCheckable(True)
        self.regex.setMinimumHeight(7 * UNIT)
        self.regex.setAccessibleName("Regular expression")
        self.regex.setToolTip("Search by regular expression")
        self.regex.toggled.connect(self.wanted_changed)
        self.filters = FilterChips()
        self.filters.chosen.connect(self.wanted_changed)
        self.order = Picker("Order of the rows")
        self.order.addItem("Script order", -1)
        for column in Column:
            if column not in {Column.NUMBER, Column.TEXT}:
                self.order.addItem(ORDERS.get(column, f"By {column.title.lower()}"), int(column))
                self.order.setItemData(self.order.count() - 1, column.meaning, Qt.ItemDataRole.ToolTipRole)
        self.order.activated.connect(lambda: self.order_chosen.emit(int(self.order.currentData())))
        self.counts = words(quiet=True, figures=True)
        self.counts.setAccessibleName("Lines shown")
        self.counts.setMinimumHeight(7 * UNIT)

        self._lines = QGridLayout(self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(UNIT)
        self._lines.setColumnStretch(0, 1)
        self._below = QHBoxLayout()
        self._below.setSpacing(UNIT)
        self._lines.addLayout(self._below, 1, 0, 1, 5)
        self._lay_out()

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
        self.filters.choose(Filter.ALL)

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
        self._share_room()

    @property
    def narrowest(self) -> int:
        """What the find box needs, with the rest below it."""
        return NARROWEST + self.regex.sizeHint().width() + UNIT

    def resizeEvent(self, event: QResizeEvent) -> None:
        """One line, or two."""
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """Move to the second line what has no room beside the number of lines in full."""
        one = self._width_of(self.regex, self.order) + self.counts.fontMetrics().horizontalAdvance(self._count)
        beside = one + COMFORTABLE - NARROWEST + self.filters.width_of(SIDE_BY_SIDE) + UNIT
        room = int(one <= self.width()) + int(beside <= self.width())
        if room != self._room:
            self._room = room
            self._lay_out()
        self._show_count()

    def _lay_out(self) -> None:
        self.find_box.setMinimumWidth(NARROWEST if self._room < BOTH else COMFORTABLE)
        below = (self.filters, self.order)[: BOTH - self._room]
        for place, widget in enumerate((self.find_box, self.regex, self.filters, self.order, self.counts)):
            self._lines.removeWidget(widget)
            self._below.removeWidget(widget)
            if widget in below:
                self._below.addWidget(widget, 1 if widget is self.filters else 0)
            else:
                self._lines.addWidget(widget, 0, place)
        self._show_count()

    def _width_of(self, *others: QWidget) -> int:
        """What the find box needs with others beside it."""
        return NARROWEST + sum(widget.sizeHint().width() for widget in others) + 8 * UNIT

    def _show_count(self) -> None:
        """How many lines are shown, elided if the find box would have no room beside it."""
        text, tip = self._count, ""
        if self._room == 0:
            room = self.width() - self._width_of(self.regex) + 4 * UNIT
            text = self.counts.fontMetrics().elidedText(self._count, Qt.TextElideMode.ElideRight, max(0, room))
            tip = self._count
        if text != self.counts.text():
            self.counts.setText(text)
        if tip != self.counts.toolTip():
            self.counts.setToolTip(tip)
            self.counts.setAccessibleDescription(tip)
