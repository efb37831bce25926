"""Faults of the program itself: written to the log, told in one sentence, and never the end of the describer's work."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from adstudio.system.locations import log_file

log = logging.getLogger(__name__)

QUIET_S = 10.0
"""Seconds in which further faults are only written down: one in painting would be told of without end."""

Tell = Callable[[str], None]


class ErrorReporter:
    """Takes the place of `sys.excepthook` while the window is open; Qt hands on what slots and events raise."""

    def __init__(self, tell: Tell = lambda _: None, now: Callable[[], float] = time.monotonic) -> None:
        self.tell = tell
        self._now = now
        self._reported_at = -QUIET_S
        self._before = sys.excepthook

    def __enter__(self) -> Self:
        self._before, sys.excepthook = sys.excepthook, self.report
        return self

    def __exit__(self, *_: object) -> None:
        sys.excepthook = self._before

    def report(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """A fault: the whole of it to the log, a sentence to the describer."""
        if issubclass(kind, KeyboardInterrupt):
            return
        log.error("a fault in adstudio", exc_info=(kind, error, trace))
        if self._now() - self._reported_at < QUIET_S:
            return
        self._reported_at = self._now()
        try:
            self.tell(sentence(error))
        except Exception:
            log.exception("the fault could not be told")


def sentence(error: BaseException) -> str:
    """What the describer is told."""
    if isinstance(error, MemoryError):
        return "Not enough memory: close other programs. Your work is safe."
    return f"Internal error in adstudio. Your work is safe; details are in {log_file()}."
