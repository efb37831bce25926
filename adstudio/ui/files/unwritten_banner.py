"""A strip above the work area while steps are not on disk: how many, why, and what to do. Never modal."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from adstudio.ui.session.context import Context
from adstudio.ui.widgets.banner import Banner


class UnwrittenBanner(Banner):
    """Hidden while everything is on disk; the session announces the problem once, this keeps it in view."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__("Steps not yet on the disk", parent)
        self._session, self._theme = context.session, context.theme
        self._elsewhere = QPushButton("Save as…")
        self._elsewhere.setToolTip("Continue in another file, for example on another disk")
        self._elsewhere.clicked.connect(context.actions["file.save_as"].trigger)
        self._again = QPushButton("Try again")
        self._again.setToolTip("Try to write the steps again")
        self._again.clicked.connect(self._session.storage.write_again)
        self.fill(QLabel("⚠"), self.text, self._elsewhere, self._again)
        self._session.storage.unwritten_changed.connect(self._renew)
        context.theme.changed.connect(self._dress)
        self._dress()
        self._renew()

    def _renew(self) -> None:
        sentence = self._session.storage.unwritten.sentence
        self.say(sentence and f"{sentence}.")

    def _dress(self) -> None:
        tokens = self._theme.tokens
        self.dress(tokens.warning_wash, tokens.warning, tokens.text)
