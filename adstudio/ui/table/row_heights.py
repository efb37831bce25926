"""Rows as high as their texts: of many those in sight at once, and the others a little later."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QHeaderView, QTableView

from adstudio.ui.background.timers import single_shot
from adstudio.ui.table.cell_painting import PADDING
from adstudio.ui.table.model import ScriptModel
from adstudio.ui.table.row_order import Column
from adstudio.ui.table.text_wrapping import TextWrapper

MOST_AT_ONCE = 500
"""Rows that are fitted to their texts at once; of more, first those in sight."""
FITTING_MS = 60


class RowHeights(QObject):
    """Fits the rows of a table to the texts of its model, in the table's font."""

    def __init__(self, view: QTableView, rows: ScriptModel) -> None:
        super().__init__(view)
        self._view, self._rows = view, rows
        self._fitting = single_shot(self, FITTING_MS, self._fit_some)
        self._fitted = 0
        """How many rows have been made as high as their texts since they were laid out anew, from the first on."""
        header = view.verticalHeader()
        header.hide()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.take_font()
        rows.dataChanged.connect(lambda first, last: self._fit_rows(range(first.row(), last.row() + 1)))
        rows.rowsInserted.connect(lambda _, first, last: self._fit_rows(range(first, last + 1)))
        rows.rowsMoved.connect(lambda *_: self.fit_all())
        rows.modelReset.connect(self.fit_all)

    def take_font(self) -> None:
        """The table has another font; whoever says so lets all rows be fitted."""
        self.wrapper = TextWrapper(self._view.font())
        header = self._view.verticalHeader()
        header.setMinimumSectionSize(self.wrapper.row)
        header.setDefaultSectionSize(self.wrapper.row)

    def fit_all(self) -> None:
        """Make all rows as high as their texts: of many those in sight now, and the others a little later."""
        number = self._rows.rowCount()
        if number > MOST_AT_ONCE:
            self._fit_rows(range(max(0, self._view.rowAt(0)), self._last_in_sight() + 1))
            self._fitted = 0
            self._fitting.start(FITTING_MS)
        else:
            self._fit_rows(range(number))

    def _fit_some(self) -> None:
        end = min(self._rows.rowCount(), self._fitted + MOST_AT_ONCE)
        self._fit_rows(range(self._fitted, end))
        self._fitted = end
        if end < self._rows.rowCount():
            self._fitting.start(0)

    def _last_in_sight(self) -> int:
        last = self._view.rowAt(self._view.viewport().height() - 1)
        return self._rows.rowCount() - 1 if last < 0 else last

    def _fit_rows(self, numbers: Iterable[int]) -> None:
        """Make rows as high as their texts are now; the row at the top stays where it is."""
        view, wrapper, ids = self._view, self.wrapper, self._rows.ids
        rows, width = view.verticalHeader(), view.horizontalHeader().sectionSize(Column.TEXT) - 2 * PADDING
        top = view.rowAt(0)
        offset = view.rowViewportPosition(top)
        changed = False
        rows.setUpdatesEnabled(False)
        for number in numbers:
            height = wrapper.height(len(wrapper.lines(self._rows.text(ids[number]), width)))
            if height != rows.sectionSize(number):
                changed = True
                rows.resizeSection(number, height)
        rows.setUpdatesEnabled(True)
        if changed:
            view.updateGeometries()
            if top >= 0:
                bar = view.verticalScrollBar()
                bar.setValue(bar.value() + view.rowViewportPosition(top) - offset)
            view.viewport().update()
