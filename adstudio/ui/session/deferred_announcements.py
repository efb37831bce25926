"""News put in words: at once where a hand waits for it, else later, since it is painted first."""

from __future__ import annotations

from PySide6.QtCore import QObject, SignalInstance

from adstudio.ui.background.event_queue import Turns
from adstudio.ui.session.change_event import News

TELL_MS = 10
"""What no hand waits for is put in words that much later."""


class Telling(QObject):
    """Tells of each news once and in order: what still waits is told before anything newer comes to be shown."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._turns = Turns(self)

    def turn(self) -> SignalInstance:
        """A signal that brings each News; in a turn of its own where no hand waits for it."""
        return self._turns.turn()

    def tell(self, news: News) -> None:
        """Tell of what is shown now."""
        self._turns.begin(news, TELL_MS)
        if news.to_hand:
            self.catch_up()

    def catch_up(self) -> None:
        """What still waits is told now."""
        self._turns.finish()

    def forget(self) -> None:
        """What still waits is of a document that is not open any more."""
        self._turns.stop()
