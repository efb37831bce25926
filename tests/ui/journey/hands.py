"""A describer's hands: key presses and mouse moves that reach the window through the display, as real ones do."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, QPoint
from PySide6.QtWidgets import QApplication, QWidget

QUIET = 0.06  # seconds without an event of ours until a thing is taken to have arrived
PATIENCE = 300.0


class Hands:
    """Acts on the window that has the word: the dialog on top, else the main window."""

    def __init__(self, shots: Path) -> None:
        self._shots = shots
        self._number = 0

    def pump(self, seconds: float = QUIET) -> None:
        """Let the program work."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
            time.sleep(0.002)

    def wait(self, what: Callable[[], object], told: str) -> None:
        """Let the program work until something is so."""
        until = time.monotonic() + PATIENCE
        while not what():
            if time.monotonic() > until:
                self.shot("waited in vain")
                raise AssertionError(f"it did not come: {told}")
            self.pump(0.02)

    def key(self, *keys: str) -> None:
        """Press keys, each by X's name, such as `ctrl+z`."""
        self._focus()
        self._do("key", "--clearmodifiers", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self._focus()
        self._do("type", "--delay", "4", "--", text)

    def click(self, widget: QWidget, place: QPoint | None = None, *, count: int = 1) -> None:
        """Click into a widget, at its middle unless a place is given."""
        self.move(widget, place)
        self._do("click", "--repeat", str(count), "--delay", "40", "1")

    def move(self, widget: QWidget, place: QPoint | None = None) -> None:
        """Move the mouse over a widget."""
        at = widget.mapToGlobal(place or widget.rect().center())
        self._do("mousemove", str(at.x()), str(at.y()))

    def drag(self, widget: QWidget, start: QPoint, end: QPoint, *, holding: str = "", midway: str = "") -> None:
        """Drag with the left button, in steps as a hand does; `midway` is a key pressed before the button is let go."""
        self.move(widget, start)
        if holding:
            self._do("keydown", holding)
        self._do("mousedown", "1")
        for step in range(1, 9):
            self.move(widget, start + (end - start) * step / 8)
        if midway:
            self._do("key", midway)
        self._do("mouseup", "1")
        if holding:
            self._do("keyup", holding)

    def shot(self, name: str) -> None:
        """Keep a picture of the screen."""
        self._number += 1
        self.pump()
        screen = QApplication.primaryScreen()
        screen.grabWindow(0).save(str(self._shots / f"{self._number:02d} {name}.png"))

    def _focus(self) -> None:
        """Give the keyboard to the window on top; there is no window manager that would."""
        if QApplication.activePopupWidget() is not None:
            return
        window = QApplication.activeModalWidget() or _main_window()
        if window is not None and QApplication.activeWindow() is not window:
            self._do("windowfocus", str(int(window.winId())))
            self.wait(lambda: QApplication.activeWindow() is window, "the window has the keyboard")

    def _do(self, *command: str) -> None:
        process = subprocess.Popen(["xdotool", *command], stdin=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE
        while process.poll() is None:
            if time.monotonic() > until:
                process.kill()
                raise AssertionError(f"xdotool {command} hangs")
            self.pump(0.005)
        if process.returncode:
            raise AssertionError(f"xdotool {command} failed with {process.returncode}")
        self.pump()


def _main_window() -> QWidget | None:
    windows = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and widget.isWindow()]
    return max(windows, key=lambda widget: widget.width() * widget.height(), default=None)
