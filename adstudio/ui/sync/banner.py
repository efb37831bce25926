"""A quiet strip over the work area while the subtitles are out of step: a sentence, the fix, and a way to leave it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QSizePolicy, QWidget

from adstudio.ui.session.context import Theme
from adstudio.ui.sync.monitor import SyncMonitor
from adstudio.ui.widgets.controls import Button
from adstudio.ui.widgets.text import Label
from adstudio.ui.widgets.theme import UNIT

NAME = "Subtitles and speech"


class SyncBanner(QFrame):
    """Hidden while there is nothing to offer."""

    left = Signal()
    """It goes while the hand is on it."""

    def __init__(self, watch: SyncMonitor, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._watch, self._theme = watch, theme
        self.setObjectName("in_step")
        self.setAccessibleName(NAME)
        self._text = Label(textFormat=Qt.TextFormat.PlainText)
        self._text.setAccessibleName(NAME)
        self._text.setWordWrap(True)
        self._text.setMinimumWidth(40 * UNIT)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.mend = Button("", watch.mend)
        self.leave = Button("Leave it as it is", watch.leave, "Do not say this again while the project is open")
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        row.setSpacing(2 * UNIT)
        row.addWidget(self._text, 1)
        row.addWidget(self.mend)
        row.addWidget(self.leave)
        watch.changed.connect(self._renew)
        theme.changed.connect(self._dress)
        self._dress()
        self._renew()

    @property
    def sentence(self) -> str:
        """What it says; empty where it is hidden."""
        return self._text.text()

    def enter(self) -> None:
        """Put the hand on the fix."""
        self.mend.setFocus(Qt.FocusReason.OtherFocusReason)

    def _renew(self) -> None:
        offer = self._watch.offer
        sentence = "" if offer is None else offer.sentence
        self._text.setText(sentence)
        self.setAccessibleDescription(sentence)
        if offer is not None:
            self.mend.setText(offer.button)
            self.mend.setAccessibleName(offer.button)
            self.mend.setToolTip("One step; Undo takes it back")
        focus = QApplication.focusWidget()
        focused = offer is None and focus is not None and self.isAncestorOf(focus)
        self.setVisible(offer is not None)
        if focused:
            self.left.emit()

    def _dress(self) -> None:
        tokens = self._theme.tokens
        self.setStyleSheet(
            f"#in_step {{ background: {tokens.window}; border-bottom: 1px solid {tokens.line}; }}"
            f"#in_step QLabel {{ color: {tokens.text}; }}"
        )
