"""A strip above the work area: a sentence, and what can be done about it. Never modal."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from adstudio.ui.widgets.form import row
from adstudio.ui.widgets.text import Label
from adstudio.ui.widgets.theme import UNIT


class Banner(QFrame):
    """Hidden while it has nothing to say; `name` is what a screen reader calls it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName(name)
        self.text = Label(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.text.setAccessibleName(name)
        self.text.setMinimumWidth(40 * UNIT)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    @property
    def sentence(self) -> str:
        """What it says; empty where it is hidden."""
        return "" if self.isHidden() else self.text.text()

    def fill(self, *parts: QWidget) -> None:
        """Lay these out in a row; the sentence, which is one of them, takes the room that is left."""
        layout = row(*parts, grows=self.text)
        layout.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        self.setLayout(layout)

    def say(self, sentence: str) -> None:
        """Show a sentence; an empty one hides the strip."""
        self.text.setText(sentence)
        self.setAccessibleDescription(sentence)
        self.setVisible(bool(sentence))

    def dress(self, ground: str, line: str, text: str) -> None:
        """Take these colours."""
        self.setStyleSheet(
            f"#banner {{ background: {ground}; border-bottom: 1px solid {line}; }} #banner QLabel {{ color: {text}; }}"
        )
