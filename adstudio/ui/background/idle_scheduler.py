"""The hand at rest: what is not urgent is done then, each bite in a turn of its own, so that no key waits for it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

from adstudio.ui.background.event_queue import Turns

REST_MS = 60
"""The hand rests when it has done nothing for this long."""
TIDY_MS = 240
"""And it rests well when it has done nothing for that much longer."""

Bite = Callable[[], bool]
"""Does a little of what waits; tells whether there was anything to do, or whether more is left."""


class Rest(QObject):
    """Waits until the hand rests. Then the plan settles, `came` is emitted, each turn is had, and the file is tidied.

    Turns are had one after the other, in the order in which they were asked for. Where the hand comes between, those
    that are left are had at the next rest, after all that come before them.
    """

    came = Signal()
    """The hand rests, and the plan has settled."""

    def __init__(self, settle_some: Bite, tidy_some: Bite, parent: QObject) -> None:
        super().__init__(parent)
        self._settle_some, self._tidy_some = settle_some, tidy_some
        self._turns = Turns(self)
        self._settling, self._tidying = QTimer(self), QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.timeout.connect(self.settle)
        self._tidying.setSingleShot(True)
        self._tidying.timeout.connect(self._tidy)

    def turn(self) -> SignalInstance:
        """A signal that is emitted at each rest in a turn of the event loop that nothing else is done in."""
        return self._turns.turn()

    @property
    def is_there(self) -> bool:
        """Whether the hand has done nothing for a while, and the plan has settled."""
        return not self._settling.isActive()

    def begin(self) -> None:
        """The hand did something: wait anew."""
        self._turns.stop()
        self._tidying.stop()
        self._settling.start(REST_MS)

    def stop(self) -> None:
        """Wait no longer, and do nothing."""
        self._settling.stop()
        self._turns.stop()
        self._tidying.stop()

    def settle(self) -> None:
        """Do what is next at rest, now."""
        if self._settle_some():
            self._settling.start(0)
            return
        self._turns.begin(None)
        self._tidying.start(TIDY_MS)
        self.came.emit()

    def _tidy(self) -> None:
        if self._tidy_some():
            self._tidying.start(0)
