"""News put in words: at once where a hand waits for it, else later, since it is painted first."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from adstudio.ui.news import News

TELL_MS = 10
"""What no hand waits for is put in words that much later."""


class Telling(QObject):
    """Tells of each news once and in order: what still waits is told before anything newer comes to be shown."""

    told = Signal(object)
    """News."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._untold: News | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(TELL_MS)
        self._later.timeout.connect(self.catch_up)

    def tell(self, news: News) -> None:
        """Tell of what is shown now."""
        self._untold = news
        if news.to_hand:
            self.catch_up()
        else:
            self._later.start()

    def catch_up(self) -> None:
        """What still waits is told now."""
        news, self._untold = self._untold, None
        if news is not None:
            self.told.emit(news)

    def forget(self) -> None:
        """What still waits is of a document that is not open any more."""
        self._untold = None
