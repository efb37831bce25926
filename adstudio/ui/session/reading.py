"""Whether a screen reader is still asking about what was selected.

Orca 43 hears of everything that changes in the window before it reads what was selected, and asks about each change. So
panels that only follow the selection wait until it has asked for all that it reads: half a second after the key is
enough on an idle machine, and by far too early on a busy one.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from adstudio.ui.background.timers import single_shot

PAUSE_MS = 500
"""A screen reader that has asked nothing for so long has asked for all that it reads."""
LONGEST_MS = 5_000
"""Nothing waits longer, whatever is asked."""


class Reading(QObject):
    """Told of each question that a screen reader asks about a line."""

    asked = Signal()
    """A question."""


class AfterReading(QObject):
    """Does something once a screen reader has asked all that it asks about what was just selected."""

    def __init__(self, reading: Reading, do: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._pause = single_shot(self, PAUSE_MS, do)
        self._since = QElapsedTimer()
        reading.asked.connect(self._put_off)

    @property
    def is_due(self) -> bool:
        """Whether it is still to be done."""
        return self._pause.isActive()

    def start(self) -> None:
        """Something else was selected: do it later."""
        self._since.start()
        self._pause.start()

    def stop(self) -> None:
        """It has been done."""
        self._pause.stop()

    def _put_off(self) -> None:
        if self._pause.isActive() and not self._since.hasExpired(LONGEST_MS):
            self._pause.start()
