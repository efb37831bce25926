"""Whether a screen reader is about to be connected, before the event loop runs, which connects it."""

from __future__ import annotations

import os
import sys

ALWAYS = "QT_LINUX_ACCESSIBILITY_ALWAYS_ON"
"""The variable by which Qt connects whoever there is."""
PATIENCE_MS = 200


def will_connect() -> bool:
    """Whether Qt will find one that runs on this desktop; False where nobody answers in time."""
    if not sys.platform.startswith("linux"):
        return False
    return bool(os.environ.get(ALWAYS)) or any(map(_is_on, ("IsEnabled", "ScreenReaderEnabled")))


def _is_on(status: str) -> bool:
    """One of the properties that Qt goes by, as the desktop's accessibility service states it; it is not started."""
    from PySide6.QtDBus import QDBus, QDBusConnection, QDBusMessage

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    where = ("org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties")
    question = QDBusMessage.createMethodCall(*where, "Get")
    question.setAutoStartService(False)
    question.setArguments(["org.a11y.Status", status])
    answer = bus.call(question, QDBus.CallMode.Block, PATIENCE_MS).arguments()
    return bool(answer) and getattr(answer[0], "variant", lambda: answer[0])() is True
