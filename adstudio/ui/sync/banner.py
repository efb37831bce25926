"""A quiet strip above the work area while the subtitles are out of sync: a sentence, the fix, a way to dismiss it."""

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
    """It is hidden while it has the focus."""

    def __init__(self, monitor: SyncMonitor, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._monitor, self._theme = monitor, theme
        self.setObjectName("sync_banner")
        self.setAccessibleName(NAME)
        self._text = Label(textFormat=Qt.TextFormat.PlainText)
        self._text.setAccessibleName(NAME)
        self._text.setWordWrap(True)
        self._text.setMinimumWidth(40 * UNIT)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.fix = Button("", monitor.fix)
        self.dismiss = Button("Leave it as it is", monitor.dismiss, "Do not offer this again while the project is open")
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        row.setSpacing(2 * UNIT)
        row.addWidget(self._text, 1)
        row.addWidget(self.fix)
        row.addWidget(self.dismiss)
        monitor.changed.connect(self._renew)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self._renew()

    @property
    def sentence(self) -> str:
        """What it says; empty where it is hidden."""
        return self._text.text()

    def enter(self) -> None:
        """Focus the fix."""
        self.fix.setFocus(Qt.FocusReason.OtherFocusReason)

    def _renew(self) -> None:
        offer = self._monitor.offer
        sentence = "" if offer is None else offer.sentence
        self._text.setText(sentence)
        self.setAccessibleDescription(sentence)
        if offer is not None:
            self.fix.setText(offer.button)
            self.fix.setAccessibleName(offer.button)
            self.fix.setToolTip("One step; Undo takes it back")
        focus = QApplication.focusWidget()
        focused = offer is None and focus is not None and self.isAncestorOf(focus)
        self.setVisible(offer is not None)
        if focused:
            self.left.emit()

    def _apply_theme(self) -> None:
        tokens = self._theme.tokens
        self.setStyleSheet(
            f"#sync_banner {{ background: {tokens.window}; border-bottom: 1px solid {tokens.line}; }}"
            f"#sync_banner QLabel {{ color: {tokens.text}; }}"
        )
