"""A list of whole rows in a panel: read with the arrow keys, left with Tab, its letters left to the actions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from adstudio.ui.widgets.theme import UNIT


class RowTable(QTableView):
    """Whole rows of one height; what a letter does is said elsewhere."""

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
        """In logical pixels."""
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters are for actions."""
        if event.text().isprintable() and event.text().strip() and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are for actions."""
