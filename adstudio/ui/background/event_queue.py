"""What is done for one reason, each part of it in a turn of the event loop of its own: a key comes between."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance


class _Turn(QObject):
    came = Signal(object)


class Turns(QObject):
    """Signals that are emitted one after the other, in the order in which they were asked for."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._all: list[_Turn] = []
        self._due: list[_Turn] = []
        self._news: object = None
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.timeout.connect(self._go_on)

    def turn(self) -> SignalInstance:
        """One signal more, which brings what `begin` is given."""
        turn = _Turn(self)
        self._all.append(turn)
        return turn.came

    def begin(self, news: object, after_ms: int = 0) -> None:
        """Begin with the first, after so long; what is left of those before is not done any more."""
        self._due, self._news = list(self._all), news
        if self._due:
            self._next.start(after_ms)

    def finish(self) -> None:
        """Do what is left, now."""
        self._next.stop()
        while self._due:
            self._due.pop(0).came.emit(self._news)
        self._news = None

    def stop(self) -> None:
        """Do nothing of what is left."""
        self._next.stop()
        self._due, self._news = [], None

    def _go_on(self) -> None:
        turn = self._due.pop(0)
        turn.came.emit(self._news)
        if not self._due:
            self._news = None
        elif not self._next.isActive():
            self._next.start(0)
