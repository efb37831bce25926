"""The three layouts: write, review, listen. Each is remembered as the describer left it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget

from adstudio.ui.desk import Desk

if TYPE_CHECKING:
    from adstudio.ui.window import Window

VERSION = 1
"""Raised when the docks change, so that an old arrangement is not forced on new ones."""

NAMES = ("write", "review", "listen")

_SHOWN = {
    "write": ("inspector", "timeline", "scenes"),
    "review": ("scenes", "inspector", "timeline", "problems", "changes", "tasks", "history"),
    "listen": ("timeline",),
}
_SHARES = {"write": (3, 4), "review": (1, 1), "listen": (4, 1)}
_HEIGHTS = {"write": 280, "review": 300, "listen": 240}


class Layouts:
    """Shows, hides and remembers the panels."""

    def __init__(self, desk: Desk, window: Window) -> None:
        self._desk = desk
        self._window = window
        for name in NAMES:
            desk.actions.connect(f"view.layout_{name}", lambda name=name: self.use(name), self._is_open)
        desk.actions.connect("view.picture", self._toggle_picture, self._is_open, self._picture_shown)

    @property
    def current(self) -> str:
        """The layout in use."""
        name = self._desk.preferences.text("layout", "review")
        return name if name in NAMES else "review"

    def use(self, name: str) -> None:
        """Remember how the present layout stands and go to another; going to the present one sets it up afresh."""
        if name == self.current:
            self._set_up(name)
            return
        self.remember()
        self._desk.preferences.store("layout", name)
        self.restore()

    def remember(self) -> None:
        """Keep how the present layout stands."""
        self._desk.preferences.store_arrangement(self.current, self._window.saveState(VERSION))
        self._desk.preferences.store_arrangement(f"{self.current}.work", self._window.work.saveState())

    def restore(self) -> None:
        """Put the panels where they were left, or where they start."""
        name = self.current
        state = self._desk.preferences.arrangement(name)
        if state.isEmpty() or not self._window.restoreState(state, VERSION):
            self._set_up(name)
            return
        work = self._desk.preferences.arrangement(f"{name}.work")
        if not work.isEmpty():
            self._window.work.restoreState(QByteArray(work))

    def _set_up(self, name: str) -> None:
        window = self._window
        docks = {dock.objectName(): dock for dock in window.findChildren(QDockWidget)}
        for dock_name, dock in docks.items():
            dock.setFloating(False)
            dock.setVisible(dock_name in _SHOWN[name])
        window.picture.setVisible(True)
        total = max(400, window.height() - _HEIGHTS[name])
        share = _SHARES[name]
        window.work.setSizes([total * part // sum(share) for part in share])
        width = window.width()
        window.resizeDocks(
            [docks["scenes"], docks["inspector"]], [width * 13 // 100, width * 22 // 100], Qt.Orientation.Horizontal
        )
        window.resizeDocks([docks["timeline"], docks["problems"]], [_HEIGHTS[name], 120], Qt.Orientation.Vertical)

    def _is_open(self) -> bool:
        return self._desk.session.project is not None

    def _picture_shown(self) -> bool:
        return self._window.picture.isVisible()

    def _toggle_picture(self) -> None:
        self._window.picture.setVisible(not self._window.picture.isVisible())
        self._desk.actions.refresh()
