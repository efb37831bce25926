"""Runs deferred work in small slices while the user is idle."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, SignalInstance

from adstudio.ui.background.event_queue import EventQueue
from adstudio.ui.background.timers import single_shot

IDLE_MS = 60
"""Without input for this long, the user is idle."""
TIDY_MS = 240
"""After this much longer, the project file is tidied."""

Slice = Callable[[], bool]
"""Does a little of what is pending; True where there was something to do, or more is left."""


class IdleScheduler(QObject):
    """Waits until the user is idle. Then the plan settles, `became_idle` is emitted, turns run, and the file is tidied.

    Turns run one after the other, in the order in which they were asked for. Where input comes between, those left run
    the next time, after all that precede them.
    """

    became_idle = Signal()
    """The user is idle, and the plan has settled. What takes more than a moment asks for a `turn`."""

    def __init__(self, settle: Slice, tidy: Slice, parent: QObject) -> None:
        super().__init__(parent)
        self._settle_slice, self._tidy_slice = settle, tidy
        self._queue = EventQueue(self)
        self._settle_timer = single_shot(self, IDLE_MS, self.settle)
        self._tidy_timer = single_shot(self, TIDY_MS, self._tidy)

    def turn(self) -> SignalInstance:
        """A new signal, emitted whenever the user is idle, in an event in which nothing else is done."""
        return self._queue.turn()

    @property
    def is_idle(self) -> bool:
        """Whether there was no input for a while, and the plan has settled."""
        return not self._settle_timer.isActive()

    def begin(self) -> None:
        """There was input: wait anew."""
        self._queue.stop()
        self._tidy_timer.stop()
        self._settle_timer.start(IDLE_MS)

    def stop(self) -> None:
        """Stop waiting, and do nothing."""
        self._settle_timer.stop()
        self._queue.stop()
        self._tidy_timer.stop()

    def settle(self) -> None:
        """Do what is next while idle, now."""
        if self._settle_slice():
            self._settle_timer.start(0)
            return
        self._queue.begin(None)
        self._tidy_timer.start(TIDY_MS)
        self.became_idle.emit()

    def _tidy(self) -> None:
        if self._tidy_slice():
            self._tidy_timer.start(0)
