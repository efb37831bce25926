"""The heights of the docks at the bottom of a window that becomes lower and higher again."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar

from adstudio.ui.background.timers import single_shot
from adstudio.ui.widgets.theme import UNIT

VERTICAL = Qt.Orientation.Vertical
SETTLING_MS = 100
"""From the last change of the window until its docks get their sizes: by then every panel has said what it needs."""
ROOM_FOR_ROWS = 36 * UNIT
"""Wished heights up to this are not reduced with the window: a list would be left without a row."""
TRIES = 3
"""Qt may give a dock its height at the cost of the next one, which then lacks some."""


class DockHeights(QObject):
    """Keeps the heights of the docks at the bottom: what a low window takes they get back once there is room again.

    Qt gives a dock what is left in a low window and, when that grows, all of it to the middle. `rows` are the docks one
    above the other, each row those that are tabs of one another. Wished heights go with the window's at that time.
    """

    def __init__(self, window: QMainWindow, rows: Iterable[tuple[str, ...]]) -> None:
        super().__init__(window)
        self._window, self._rows = window, tuple(rows)
        self._height = window.height()
        self._wished: dict[int, int] = {}
        self._wished_at = self._height
        self._tries = 0
        """How often the docks may still be given their heights since the window got another."""
        self._settling = single_shot(self, SETTLING_MS, self._settle)
        window.installEventFilter(self)

    def watch(self) -> None:
        """Follow the docks from now on: moving the line between them is a wish."""
        for dock in self._window.findChildren(QDockWidget):
            if any(dock.objectName() in row for row in self._rows):
                dock.installEventFilter(self)

    @property
    def stored_heights(self) -> str:
        """What is wished, to be stored: the window's height, and after it each row's."""
        return " ".join(map(str, (self._wished_at, *(self._wished.get(row, 0) for row in range(len(self._rows))))))

    def forget(self) -> None:
        """Another layout is set up: what was wished in the one before is no longer."""
        self._wished.clear()

    def take(self, stored_heights: str) -> None:
        """Restore what was stored."""
        with suppress(ValueError):
            at, *heights = map(int, stored_heights.split())
            if at > 0 and len(heights) == len(self._rows):
                self._wished_at = at
                self._wished = {row: height for row, height in enumerate(heights) if height > 0}
        self._tries = TRIES
        self._settling.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another height of the window, or of a dock."""
        if event.type() == QEvent.Type.Resize:
            # When the window changes its height, its docks are resized before it is.
            if self._window.height() != self._height:
                self._height, self._tries = self._window.height(), TRIES
                self._settling.start()
            elif watched is not self._window and not self._settling.isActive() and self._is_wish():
                self._wished, self._wished_at = self._found(), self._height
        return super().eventFilter(watched, event)

    def _is_wish(self) -> bool:
        """Whether the user resized a dock; in a low window only dragging counts."""
        return self._height >= self._wished_at or QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton

    def _found(self) -> dict[int, int]:
        return {row: dock.height() for row, dock in self._shown().items()}

    def _shown(self) -> dict[int, QDockWidget]:
        """The visible dock of each row."""
        docks = {dock.objectName(): dock for dock in self._window.findChildren(QDockWidget)}
        found: dict[int, QDockWidget] = {}
        for row, names in enumerate(self._rows):
            seen = (docks[name] for name in names if name in docks and not docks[name].isFloating())
            dock = next((dock for dock in seen if not dock.visibleRegion().isEmpty()), None)
            if dock is not None:
                found[row] = dock
        return found

    def _tab_bar(self, dock: QDockWidget) -> int:
        """The height of the tabs above a dock, which Qt counts as part of it."""
        if not self._window.tabifiedDockWidgets(dock):
            return 0
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return max((bar.height() for bar in bars if bar.isVisible()), default=0)

    def _settle(self) -> None:
        low = min(self._height, self._wished_at)
        shrunk = {row: height * low // self._wished_at for row, height in self._wished.items()}
        wished = {row: max(shrunk[row], min(height, ROOM_FOR_ROWS)) for row, height in self._wished.items()}
        lacking = [(dock, wished[row]) for row, dock in self._shown().items() if dock.height() < wished.get(row, 0)]
        if self._tries and lacking:
            self._tries -= 1
            heights = [high + self._tab_bar(dock) for dock, high in lacking]
            self._settling.start()
            self._window.resizeDocks([dock for dock, _ in lacking], heights, VERTICAL)
        elif not self._wished:
            self._wished, self._wished_at = self._found(), self._height
