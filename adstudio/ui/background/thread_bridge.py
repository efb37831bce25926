"""The one way in for callbacks from foreign threads, such as mpv's (DESIGN 3.4)."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

Work = Callable[[], object]


class ThreadBridge(QObject):
    """Runs what other threads post on the window's thread, one after the other, in the order it came.

    `post` never waits for the window: a callback that did would hang the program when it is closed.
    """

    _posted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[Work] = deque()
        self._lock = threading.Lock()
        self._closed = False
        self._posted.connect(self._run, Qt.ConnectionType.QueuedConnection)

    def post(self, work: Work) -> None:
        """Have something done on the window's thread; from any thread. Dropped once closed."""
        with self._lock:
            if not self._closed:
                self._waiting.append(work)
                self._posted.emit()

    def close(self) -> None:
        """From now on nothing is run, not even what was posted before."""
        with self._lock:
            self._closed = True
            self._waiting.clear()

    def _run(self) -> None:
        # One for each signal, so that one that fails takes nothing along.
        if self._waiting:
            self._waiting.popleft()()
