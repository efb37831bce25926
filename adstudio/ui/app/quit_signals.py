"""Ctrl-C in the terminal and being told to end: the window closes in order, whatever it is doing."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Sequence
from types import FrameType, TracebackType
from typing import Any, Self

from PySide6.QtCore import QCoreApplication, QSocketNotifier

AT_ONCE = 3
"""The signal at which the process ends without more ado: every step is in the project's file by then."""


class QuitSignals:
    """Inside, SIGINT, SIGTERM and SIGHUP end the event loop; `code` is then what the process returns, else 0.

    Steps that are not saved stay in the project's file, and the next start offers them. Python hears of a signal only
    when it runs; a pipe wakes the event loop for it.
    """

    def __init__(self, received: Sequence[int] = ()) -> None:
        """`received`: the signals that another handler has taken, and takes until this one is installed."""
        self.code = 0
        self._earlier = received
        self._received = 0
        self._before: dict[int, Any] = {}
        self._reader, self._writer = socket.socketpair()
        self._notifier: QSocketNotifier | None = None
        self._wakeup = -1

    def __enter__(self) -> Self:
        for each in (self._reader, self._writer):
            each.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._woken)
        self._wakeup = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            # One that the caller had ignored (nohup) stays ignored.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._end)
        if self._earlier:
            self._end(self._earlier[0], None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
        self._reader.close()
        self._writer.close()

    def _end(self, number: int, _frame: FrameType | None) -> None:
        self._received += 1
        if self._received >= AT_ONCE:
            os._exit(128 + number)
        self.code = self.code or 128 + number
        QCoreApplication.exit(self.code)

    def _woken(self) -> None:
        with contextlib.suppress(OSError):
            self._reader.recv(4096)
        if self.code:
            # Told before the event loop ran, Qt has forgotten it.
            QCoreApplication.exit(self.code)
