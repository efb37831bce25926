"""The table of compared lines: what is different about each, and both sides beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView

from adstudio.core.film import Film
from adstudio.ui.widgets.formatting import quoted_line, timecode
from adstudio.ui.widgets.row_table import KeyedTable, RowModel
from adstudio.ui.widgets.theme import UNIT
from adstudio.versions.comparing import ComparedLine
from adstudio.versions.descriptions import author, change_words, spoken_words

NOT_SPOKEN = "not spoken"
HELP = "Return goes to the line in the script"


class Column(IntEnum):
    """What is shown of a line."""

    CHANGE, OLD_TIME, OLD_BY, OLD_TEXT, NEW_TIME, NEW_BY, NEW_TEXT = range(7)


TITLES = {
    Column.CHANGE: "Change",
    Column.OLD_TIME: "Was at",
    Column.OLD_BY: "Was by",
    Column.OLD_TEXT: "Older wording",
    Column.NEW_TIME: "Is at",
    Column.NEW_BY: "Is by",
    Column.NEW_TEXT: "Newer wording",
}
HELPS = {
    Column.OLD_TIME: "When the older version speaks it.",
    Column.OLD_BY: "Who worded it in the older version: a person or a machine.",
    Column.NEW_TIME: "When the newer version speaks it.",
    Column.NEW_BY: "Who worded it in the newer version: a person or a machine.",
}
_SAMPLES = {
    Column.CHANGE: "reworded, brought in",
    Column.OLD_TIME: "00:00:00:00",
    Column.OLD_BY: "machine",
    Column.NEW_TIME: "00:00:00:00",
    Column.NEW_BY: "machine",
}


class ComparedModel(RowModel[Column]):
    """The lines of a comparison that are shown."""

    columns = Column
    titles = TITLES
    helps = HELPS

    def __init__(self) -> None:
        super().__init__()
        self.rows: Sequence[ComparedLine] = ()
        self._films = (Film("", 0), Film("", 0))

    def show(self, rows: Sequence[ComparedLine], old: Film, new: Film) -> None:
        """Show these; times are written as the films have them."""
        self.beginResetModel()
        self.rows, self._films = rows, (old, new)
        self.endResetModel()

    def count(self) -> int:
        """One row for each line."""
        return len(self.rows)

    def text(self, row: int, column: Column) -> str:
        """What a cell shows."""
        line = self.rows[row]
        if column is Column.CHANGE:
            return change_words(line)
        is_old = column in (Column.OLD_TIME, Column.OLD_BY, Column.OLD_TEXT)
        state, film = (line.old if is_old else line.new), self._films[0 if is_old else 1]
        if state is None:
            return ""
        if column in (Column.OLD_TIME, Column.NEW_TIME):
            return timecode(film, state.start) if state.spoken and state.start is not None else NOT_SPOKEN
        return author(state) if column in (Column.OLD_BY, Column.NEW_BY) else state.text

    def spoken(self, row: int, column: Column) -> str:
        """The first cell says what is different, word by word."""
        line = self.rows[row]
        if column is Column.CHANGE:
            words = spoken_words(line.words) if line.old is not None and line.new is not None else ""
            return ": ".join(filter(None, (change_words(line), words)))
        return self.text(row, column)

    def title(self, row: int) -> str:
        """A row is called by its line."""
        line = self.rows[row]
        state = line.new or line.old
        return "" if state is None else quoted_line(state.text)

    def row_of(self, identity: str) -> int:
        """The row of a line; -1 where it is not shown."""
        return next((row for row, line in enumerate(self.rows) if line.id == identity), -1)


class ComparedTable(KeyedTable):
    """The compared lines; `keys` are what Return does here."""

    def __init__(self, rows: ComparedModel, keys: Mapping[Qt.Key, Callable[[], object]]) -> None:
        super().__init__("Compared lines", HELP, "Columns of compared lines", rows, keys)
        self.setStyleSheet(f"QTableView::item {{ padding: 0 {2 * UNIT}px; }}")  # as the headings have
        for place in (Column.OLD_TEXT, Column.NEW_TEXT):
            self.horizontalHeader().setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
        self.setMinimumHeight(30 * UNIT)
        self.fit()

    def fit(self) -> None:
        """Rows and columns for the font."""
        metrics = self.fontMetrics()
        self.set_row_height(metrics.height() + 2 * UNIT)
        for place, sample in _SAMPLES.items():
            self.horizontalHeader().resizeSection(place, metrics.horizontalAdvance(sample) + 8 * UNIT)
