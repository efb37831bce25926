"""Parts of the drafts panel: the table's keys, a sentence on one line, what the model says of one scene."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QTextCursor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from adstudio.ui.drafts.scenes_table import ROW_HEIGHT, Column
from adstudio.ui.widgets.row_table import RowTable
from adstudio.ui.widgets.text import Label
from adstudio.ui.widgets.theme import UNIT

RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
ROOM_FOR_LENGTH, ROOM_FOR_TIMES = 180 * UNIT, 160 * UNIT
FRAMELESS = """
QPlainTextEdit { border: 1px solid transparent; border-radius: 0; }
QPlainTextEdit:focus { border-color: palette(highlight); }
"""
NAME = "What the model says of the scene in hand"


class ScenesTable(RowTable):
    """Return and a double click go to the scene, Tab leads out."""

    def __init__(self, go: Callable[[int], None]) -> None:
        super().__init__("Scenes and their drafts", "Return goes to the scene in the film", "Columns of the scenes")
        self._go = go
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setMinimumHeight(3 * ROW_HEIGHT)
        self.set_row_height(ROW_HEIGHT)
        self.horizontalHeader().setStretchLastSection(True)
        self.doubleClicked.connect(lambda index: self._go(index.row()))

    def event(self, event: QEvent) -> bool:
        """All of this list is meant by the key that selects everything, while the hand is in it."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            everything = event.matches(QKeySequence.StandardKey.SelectAll)
            if everything:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return goes to the scene; letters are for actions."""
        if event.key() in RETURN and self.currentIndex().isValid():
            self._go(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, what is found comes before times."""
        super().resizeEvent(event)
        wide = self.viewport().width()
        self.setColumnHidden(Column.LENGTH, wide < ROOM_FOR_LENGTH)
        self.setColumnHidden(Column.FROM, wide < ROOM_FOR_TIMES)


class Elided(QLabel):
    """A sentence on one line, cut where there is no room; all of it is in the tip, and heard."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(20 * UNIT)
        self.whole = ""

    def show_text(self, text: str) -> None:
        """Show a sentence."""
        if text != self.whole:
            self.whole = text
            self.setToolTip(text)
            self.setAccessibleDescription(text)
            self._cut()

    def resizeEvent(self, event: object) -> None:
        """Cut anew."""
        del event
        self._cut()

    def _cut(self) -> None:
        self.setText(self.fontMetrics().elidedText(self.whole, Qt.TextElideMode.ElideRight, self.width()))


class SceneDetail(QWidget):
    """What the model says of a scene: its name and state, and below them a text that grows at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.heading = Label()
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.heading.setAccessibleName("The scene in hand")
        self.heading.setProperty("quiet", "true")
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.heading.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(NAME)
        self.text.setPlaceholderText(NAME)
        self.text.setTabChangesFocus(True)
        self.text.setStyleSheet(FRAMELESS)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addWidget(self.text, 1)
        self._shown = ("", "")

    def show_scene(self, scene: str, heading: str, tip: str, text: str) -> None:
        """Show a scene (id); what is added to its text does not move what is being read."""
        if heading != self.heading.text():
            self.heading.setText(heading)
        self.heading.setToolTip(tip)
        shown_of, shown = self._shown
        if (scene, text) == self._shown:
            return
        self._shown = (scene, text)
        if shown_of != scene or not text.startswith(shown):
            self.text.setPlainText(text)
            return
        down = self.text.verticalScrollBar()
        at_end = down.value() >= down.maximum()
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text[len(shown) :])
        if at_end:
            down.setValue(down.maximum())
