"""What the model says of one scene."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.text import Label
from adstudio.ui.widgets.theme import UNIT

FRAMELESS = """
QPlainTextEdit { border: 1px solid transparent; border-radius: 0; }
QPlainTextEdit:focus { border-color: palette(highlight); }
"""
NAME = "What the model says of the current scene"


class SceneDetail(QWidget):
    """What the model says of a scene: its name and state, and below them a text that grows at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.heading = Label(textFormat=Qt.TextFormat.PlainText)
        self.heading.setAccessibleName("Current scene")
        self.heading.setProperty("quiet", "true")
        self.heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.heading.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        self.text = QPlainTextEdit(readOnly=True, placeholderText=NAME, tabChangesFocus=True)
        self.text.setAccessibleName(NAME)
        self.text.setStyleSheet(FRAMELESS)
        self.setLayout(column(self.heading, self.text, spacing=0))
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
