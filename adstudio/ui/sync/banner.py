"""A quiet strip above the work area while the subtitles are out of sync: a sentence, the fix, a way to dismiss it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from adstudio.ui.session.context import Theme
from adstudio.ui.sync.monitor import SyncMonitor
from adstudio.ui.widgets.banner import Banner
from adstudio.ui.widgets.controls import Button


class SyncBanner(Banner):
    """Hidden while there is nothing to offer."""

    left = Signal()
    """It is hidden while it has the focus."""

    def __init__(self, monitor: SyncMonitor, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("Subtitles and speech", parent)
        self._monitor, self._theme = monitor, theme
        self.fix = Button("", monitor.fix)
        self.dismiss = Button("Leave it as it is", monitor.dismiss, "Do not offer this again while the project is open")
        self.fill(self.text, self.fix, self.dismiss)
        monitor.changed.connect(self._renew)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self._renew()

    def enter(self) -> None:
        """Focus the fix."""
        self.fix.setFocus(Qt.FocusReason.OtherFocusReason)

    def _renew(self) -> None:
        offer = self._monitor.offer
        if offer is not None:
            self.fix.setText(offer.button)
            self.fix.setAccessibleName(offer.button)
            self.fix.setToolTip("One step; Undo takes it back")
        focus = QApplication.focusWidget()
        focused = offer is None and focus is not None and self.isAncestorOf(focus)
        self.say("" if offer is None else offer.sentence)
        if focused:
            self.left.emit()

    def _apply_theme(self) -> None:
        tokens = self._theme.tokens
        self.dress(tokens.window, tokens.line, tokens.text)
