"""The beginning of a file that will be written; cells that tabs separate stand under their headings."""

from __future__ import annotations

from itertools import accumulate, zip_longest

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QTextOption
from PySide6.QtWidgets import QPlainTextEdit

from adstudio.ui.widgets.theme import UNIT

BETWEEN_COLUMNS = 4 * UNIT
HEIGHT = 28 * UNIT


class FilePreview(QPlainTextEdit):
    """Text to look at, in the fixed font of the system at the size of `font`."""

    def __init__(self, font: QFont) -> None:
        super().__init__()
        self.setAccessibleName("Beginning of the file")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(font.pointSizeF())
        self.setFont(fixed)
        self.setMinimumHeight(HEIGHT)

    def show_text(self, text: str) -> None:
        """Show the beginning of a file, in columns where it has tabs."""
        self.setPlainText(text)
        self._align_columns()

    def changeEvent(self, event: QEvent) -> None:
        """In another font the columns have other widths."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._align_columns()

    def _align_columns(self) -> None:
        """A tab stop where each column begins: after what is widest in the one before it, in any script."""
        metrics = QFontMetricsF(self.document().defaultFont())
        # What follows the last tab of a line begins no column.
        rows = [line.split("\t")[:-1] for line in self.toPlainText().split("\n")]
        columns = zip_longest(*rows, fillvalue="")
        widths = [max(map(metrics.horizontalAdvance, column)) + BETWEEN_COLUMNS for column in columns]
        option = self.document().defaultTextOption()
        left = QTextOption.TabType.LeftTab
        option.setTabs([QTextOption.Tab(start, left) for start in accumulate(widths)])
        self.document().setDefaultTextOption(option)
