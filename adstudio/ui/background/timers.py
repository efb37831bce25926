"""Timers that run once, a while after they were last started."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def single_shot(parent: QObject, ms: int, do: Callable[[], object]) -> QTimer:
    """A timer that belongs to `parent` and calls `do` so long after each start; another start puts it off."""
    timer = QTimer(parent, singleShot=True, interval=ms)
    timer.timeout.connect(do)
    return timer
