"""Signals emitted one after the other, each in an event of its own, so that a key press can come between."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance


class _Turn(QObject):
    due = Signal(object)


class EventQueue(QObject):
    """Emits its signals in the order in which they were asked for."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._turns: list[_Turn] = []
        self._pending: list[_Turn] = []
        self._content: object = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._go_on)

    def turn(self) -> SignalInstance:
        """A new signal, the last in the queue; it brings what `begin` is given."""
        turn = _Turn(self)
        self._turns.append(turn)
        return turn.due

    def begin(self, content: object, after_ms: int = 0) -> None:
        """Start with the first signal after a delay; what is pending from before is dropped."""
        self._pending, self._content = list(self._turns), content
        if self._pending:
            self._timer.start(after_ms)

    def finish(self) -> None:
        """Emit all that is pending, now."""
        self._timer.stop()
        while self._pending:
            self._pending.pop(0).due.emit(self._content)
        self._content = None

    def stop(self) -> None:
        """Drop all that is pending."""
        self._timer.stop()
        self._pending, self._content = [], None

    def _go_on(self) -> None:
        turn = self._pending.pop(0)
        turn.due.emit(self._content)
        if not self._pending:
            self._content = None
        elif not self._timer.isActive():
            self._timer.start(0)
