"""What a test of the window leaves behind: windows, timers that run, threads, and what Qt warned of meanwhile."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

PATIENCE = 60.0  # seconds for a thread that is just ending
PASSING = {"QTipLabel"}  # the tooltip: Qt makes it and takes it away, after a while


@contextmanager
def warnings_of_qt() -> Iterator[list[str]]:
    """Collects what Qt warns of (pytest-qt listens until the test itself is over, and no longer)."""
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler

    said: list[str] = []
    grave = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
    previous = qInstallMessageHandler(lambda kind, _context, text: said.append(text) if kind in grave else None)
    try:
        yield said
    finally:
        qInstallMessageHandler(previous)


def left_at_last(before: set[int]) -> list[str]:
    """What is still there once all that was to be deleted is deleted and every thread that was ending has ended."""
    from PySide6.QtCore import QCoreApplication, QEvent, QThread

    deadline = time.monotonic() + PATIENCE
    collected = False
    while True:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        left = {key: thing for key, thing in left_over().items() if key not in before}
        if not left:
            return []
        waits = any(isinstance(thing, (QThread, threading.Thread)) for thing in left.values())
        if collected and (not waits or time.monotonic() > deadline):
            return sorted(described(thing) for thing in left.values())
        del left
        gc.collect()  # a window may sit in a ring of references
        collected = True
        if waits:
            time.sleep(0.02)


def left_over() -> dict[int, Any]:
    """Windows, timers that run, and threads, by address: of the threads the daemons too, for mpv's is one."""
    from PySide6.QtCore import QThread, QTimer
    from PySide6.QtWidgets import QApplication
    from shiboken6 import getAllValidWrappers, getCppPointer

    found: dict[int, Any] = {id(thread): thread for thread in threading.enumerate()}
    if not isinstance(QApplication.instance(), QApplication):
        return found
    windows: list[Any] = [
        window
        for window in QApplication.topLevelWidgets()
        if window.parentWidget() is None and window.metaObject().className() not in PASSING
    ]
    running: list[Any] = [
        thing
        for thing in getAllValidWrappers()
        if (isinstance(thing, QTimer) and thing.isActive())
        or (isinstance(thing, QThread) and thing.isRunning() and not thing.isCurrentThread())
    ]
    return found | {getCppPointer(thing)[0]: thing for thing in windows + running}


def described(thing: Any) -> str:
    """What it is, what it belongs to, and which attribute of which object holds it."""
    from PySide6.QtCore import QTimer

    if isinstance(thing, threading.Thread):
        return f"thread {thing.name!r}"
    text = type(thing).__name__
    if thing.objectName():
        text += f" {thing.objectName()!r}"
    if isinstance(thing, QTimer):
        text += f" every {thing.interval()} ms"
    parent, parents = thing.parent(), []
    while parent is not None:
        parents.append(type(parent).__name__)
        parent = parent.parent()
    if parents:
        text += " of " + " of ".join(parents)
    holders = holders_of(thing)
    return text + (f", held by {' and '.join(holders)}" if holders else "")


def holders_of(thing: Any) -> list[str]:
    """The attributes, as module.class.name, whose value it is."""
    found: set[str] = set()
    gc.unfreeze()  # the collector names no referrers among what it is spared
    for holder in gc.get_referrers(thing):
        owners = gc.get_referrers(holder) if isinstance(holder, dict) else [holder]
        for owner in owners:
            names = getattr(owner, "__dict__", None)
            if isinstance(names, dict) and not isinstance(owner, (type, ModuleType)):
                place = f"{type(owner).__module__}.{type(owner).__qualname__}"
                found |= {f"{place}.{name}" for name, value in list(names.items()) if value is thing}
    return sorted(found)
