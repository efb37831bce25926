"""Announcing changes in words: at once where the describer waits for it, else after painting."""

from __future__ import annotations

from PySide6.QtCore import QObject, SignalInstance

from adstudio.ui.background.event_queue import EventQueue
from adstudio.ui.session.change_event import ChangeEvent

DELAY_MS = 10
"""How much later what nobody waits for is announced."""


class DeferredAnnouncements(QObject):
    """Announces each change once and in order: what is still pending is announced before anything newer is shown."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._queue = EventQueue(self)

    def turn(self) -> SignalInstance:
        """A new signal that brings each ChangeEvent; in an event of its own where nobody waits for it."""
        return self._queue.turn()

    def announce(self, event: ChangeEvent) -> None:
        """Announce what is on display now."""
        self._queue.begin(event, DELAY_MS)
        if event.urgent:
            self.catch_up()

    def catch_up(self) -> None:
        """Announce what is still pending now."""
        self._queue.finish()

    def forget(self) -> None:
        """Drop what is still pending: its document is no longer open."""
        self._queue.stop()
