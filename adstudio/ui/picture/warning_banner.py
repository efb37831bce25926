"""A strip over the picture that says in one sentence what is wrong, and offers what can be done. Never modal."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from adstudio.ui.session.context import Theme
from adstudio.ui.widgets.theme import UNIT


class WarningBanner(QFrame):
    """Hidden while all is well."""

    shown = Signal(str)
    """It says another sentence, to be announced."""

    def __init__(self, theme: Theme, find: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._dismissed = ""
        self._quiet = False
        self.setObjectName("banner")
        self.setAccessibleName("About the picture")
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._mark = QLabel("⚠")
        self._find = QPushButton("Relink video…")
        self._find.setToolTip(find.toolTip())
        self._find.clicked.connect(find.trigger)
        self._dismiss = QPushButton("Dismiss")
        self._dismiss.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        row.setSpacing(2 * UNIT)
        row.addWidget(self._mark)
        row.addWidget(self._text, 1)
        row.addWidget(self._find)
        row.addWidget(self._dismiss)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    @property
    def sentence(self) -> str:
        """What it says."""
        return self._text.text()

    def say(self, sentence: str, *, find: bool, quiet: bool = False) -> None:
        """Say something, until it is dismissed; nothing for an empty sentence.

        `find` offers to look for the video; what is `quiet` is as the describer wanted it, and no warning.
        """
        if not sentence:
            self._dismissed = ""
            self._text.clear()
            self.hide()
        elif sentence not in {self._dismissed, self.sentence}:
            self._text.setText(sentence)
            self.setAccessibleDescription(sentence)
            self._find.setVisible(find)
            self._quiet = quiet
            self._mark.setVisible(not quiet)
            self._dress()
            self.show()
            self.shown.emit(sentence)

    def dismiss(self) -> None:
        """Be gone until there is something else to say."""
        self._dismissed = self.sentence
        self._text.clear()
        self.hide()

    def _dress(self) -> None:
        tokens = self._theme.tokens
        ground, edge, text = tokens.warning_wash, tokens.warning, tokens.text
        if self._quiet:
            ground, edge, text = tokens.window, tokens.line, tokens.quiet
        self.setStyleSheet(
            f"#banner {{ background: {ground}; border-bottom: 1px solid {edge}; }}#banner QLabel {{ color: {text}; }}"
        )
