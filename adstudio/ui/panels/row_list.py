"""A list of sentences about lines: a click or Return goes to the line, a key goes from one row to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from adstudio.ui.widgets.row_table import LeavesLetters
from adstudio.ui.widgets.theme import UNIT


class RowList(LeavesLetters, QListWidget):
    """`go` is called with the number of the row that is chosen."""

    def __init__(self, name: str, go: Callable[[int], object]) -> None:
        super().__init__()
        self._go = go
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setProperty("inset", "true")
        self.setMinimumHeight(6 * UNIT)
        self.itemActivated.connect(lambda item: go(self.row(item)))
        self.itemClicked.connect(lambda item: go(self.row(item)))

    def add(self, text: str, said: str, colour: str | None = None, *, selectable: bool = True, tip: str = "") -> None:
        """Add a row; `said` is its sentence without signs, `tip` what else is worth knowing of it."""
        item = QListWidgetItem(text)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
        item.setToolTip(f"{said}\n{tip}" if tip else said)
        if colour is not None:
            item.setForeground(QColor(colour))
        if not selectable:
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.addItem(item)

    @contextmanager
    def refilled(self) -> Iterator[None]:
        """Rows are added anew, and the one that says what the current one said stays current.

        Where that is gone, the one before it is: the next one is then the one that came after it.
        """
        row, said, scrolled = self.currentRow(), self._said(self.currentRow()), self.verticalScrollBar().value()
        self.clear()
        yield
        same = next((each for each in range(self.count()) if said and self._said(each) == said), row - 1)
        if 0 <= same < self.count() and self.item(same).flags() & Qt.ItemFlag.ItemIsSelectable:
            self.setCurrentRow(same)
        self.verticalScrollBar().setValue(scrolled)

    def _said(self, row: int) -> str:
        item = self.item(row)
        return "" if item is None else str(item.data(Qt.ItemDataRole.AccessibleTextRole))

    def go_to_next(self, rows: int) -> int:
        """Go to the row after the one chosen last, after the last of the first `rows` to the first; which it is."""
        row = (self.currentRow() + 1) % rows
        self.setCurrentRow(row)
        self._go(row)
        return row
