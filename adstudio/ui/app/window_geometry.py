"""Where the window stands: most of the screen at first, then where it was left, always on a screen that is there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from adstudio.ui.session.preferences import Preferences

FIRST_SHARE = 90
"""The hundredths of the screen's room, each way, that the window takes at the first start."""
TITLE = 32
"""The pixels kept for the title bar that the desktop puts round a window."""
LEAST = 200
"""The pixels, each way, of a window that somebody can have left so."""
PREFERENCE = "window"
_STORED = re.compile(r"(-?[0-9]{1,5}) (-?[0-9]{1,5}) ([0-9]{1,5}) ([0-9]{1,5})( maximised)?\Z", re.ASCII)


def first_place(room: QRect) -> QRect:
    """Most of a screen's room, in its middle."""
    rect = QRect(0, 0, room.width() * FIRST_SHARE // 100, room.height() * FIRST_SHARE // 100)
    rect.moveCenter(room.center())
    return rect


def on_a_screen(wanted: QRect, rooms: Sequence[QRect]) -> QRect:
    """The place nearest to the wanted one that is wholly on one of the screens, no larger than its room."""

    def seen(room: QRect) -> int:
        part = wanted.intersected(room)
        return part.width() * part.height() if part.isValid() else 0

    room = max(rooms, key=seen)
    rect = QRect(wanted.topLeft(), wanted.size().boundedTo(room.size()))
    rect.moveLeft(max(room.left(), min(rect.left(), room.right() - rect.width() + 1)))
    rect.moveTop(max(room.top(), min(rect.top(), room.bottom() - rect.height() + 1)))
    return rect


def place(window: QWidget, preferences: Preferences) -> None:
    """Put a window that is not shown yet where it was left, or where it starts."""
    primary = QGuiApplication.primaryScreen()
    if primary is None:
        return
    found = _STORED.match(preferences.text(PREFERENCE))
    if found is None or min(int(found[3]), int(found[4])) < LEAST:
        window.setGeometry(first_place(primary.availableGeometry()))
        return
    others = [screen for screen in QGuiApplication.screens() if screen is not primary]
    rooms = [screen.availableGeometry() for screen in (primary, *others)]
    x, y, width, height = (int(number) for number in found.groups()[:4])
    window.setGeometry(on_a_screen(QRect(x, y, width, height), [room.adjusted(0, TITLE, 0, 0) for room in rooms]))
    if found[5]:
        window.setWindowState(Qt.WindowState.WindowMaximized)


def remember(window: QWidget, preferences: Preferences) -> None:
    """Keep where a window stands; a maximised one comes back so, over the place that it had before."""
    whole = window.isMaximized() or window.isFullScreen()
    stands = window.normalGeometry() if whole else window.geometry()
    if stands.isValid():
        numbers = f"{stands.x()} {stands.y()} {stands.width()} {stands.height()}"
        preferences.store(PREFERENCE, numbers + (" maximised" if whole else ""))
