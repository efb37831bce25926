"""A strip above the work area while steps are not on disk: how many, why, and what to do. Never modal."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from adstudio.ui.session.context import Context
from adstudio.ui.widgets.form import row
from adstudio.ui.widgets.text import Label
from adstudio.ui.widgets.theme import UNIT


class UnwrittenBanner(QFrame):
    """Hidden while everything is on disk; the session announces the problem once, this keeps it in view."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._theme = context.session, context.theme
        self.setObjectName("unwritten")
        self.setAccessibleName("Steps not yet on the disk")
        self._text = Label(textFormat=Qt.TextFormat.PlainText)
        self._text.setAccessibleName("Steps not yet on the disk")
        self._text.setWordWrap(True)
        self._text.setMinimumWidth(40 * UNIT)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._elsewhere = QPushButton("Save as…")
        self._elsewhere.setToolTip("Continue in another file, for example on another disk")
        self._elsewhere.clicked.connect(context.actions["file.save_as"].trigger)
        self._again = QPushButton("Try again")
        self._again.setToolTip("Try to write the steps again")
        self._again.clicked.connect(self._session.storage.write_again)
        layout = row(QLabel("⚠"), self._text, self._elsewhere, self._again, grows=self._text)
        layout.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        self.setLayout(layout)
        self._session.storage.unwritten_changed.connect(self._renew)
        context.theme.changed.connect(self._dress)
        self._dress()
        self._renew()

    @property
    def sentence(self) -> str:
        """The message; empty while hidden."""
        return self._text.text()

    def _renew(self) -> None:
        sentence = self._session.storage.unwritten.sentence
        self._text.setText(sentence and f"{sentence}.")
        self.setAccessibleDescription(self._text.text())
        self.setVisible(bool(sentence))

    def _dress(self) -> None:
        tokens = self._theme.tokens
        self.setStyleSheet(
            f"#unwritten {{ background: {tokens.warning_wash}; border-bottom: 1px solid {tokens.warning}; }}"
            f"#unwritten QLabel {{ color: {tokens.text}; }}"
        )
