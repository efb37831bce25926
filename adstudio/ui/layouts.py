"""The three layouts: write, review, listen. Each is remembered as the describer left it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QLayout

from adstudio.ui.desk import Desk
from adstudio.ui.dock_heights import DockHeights
from adstudio.ui.geometry import on_a_screen

if TYPE_CHECKING:
    from adstudio.ui.window import Window

VERSION = 4
"""Raised when the docks change, so that an old arrangement is not forced on new ones."""

HORIZONTAL, VERTICAL = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
FULL_HEIGHT = 1080
"""The pixels of a window for which the heights are meant; in a lower one they shrink with it."""
ROOMY = QSize(1000, 700)
"""The least window that has room for everything; in a smaller one a layout starts without sides and tabs."""
SETTLING_MS = 100
"""Until then every panel that has come has said how much room it needs."""
TABS = ("problems", "changes", "tasks", "drafts", "polish", "history")


@dataclass(frozen=True)
class Layout:
    """How a layout stands at first.

    `shares` are those of picture and table, `sides` the hundredths of the window's width that scenes and inspector
    take, `heights` the pixels of timeline and tabs.
    """

    shown: tuple[str, ...]
    side_by_side: Qt.Orientation
    shares: tuple[int, int]
    sides: tuple[int, int]
    heights: tuple[int, int]


LAYOUTS = {
    "write": Layout(("inspector", "timeline"), HORIZONTAL, (2, 3), (12, 24), (384, 100)),
    "review": Layout(("scenes", "inspector", "timeline", *TABS), VERTICAL, (2, 3), (12, 22), (372, 104)),
    "listen": Layout(("timeline",), VERTICAL, (4, 1), (12, 22), (384, 100)),
}
"""What is shown, and how large."""


class Layouts:
    """Shows, hides and remembers the panels."""

    def __init__(self, desk: Desk, window: Window) -> None:
        self._desk = desk
        self._window = window
        self._docked = True
        """Whether the picture is in the window once it has no window of its own."""
        self._held = window.size()
        self._heights = DockHeights(window, (("timeline",), TABS))
        self._settling = QTimer(window)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLING_MS)
        self._settling.timeout.connect(self._let_size_go)
        for name in LAYOUTS:
            desk.actions.connect(f"view.layout_{name}", lambda name=name: self.use(name), self._is_open)
        desk.actions.connect("view.picture", self._toggle_picture, self._is_open, self._picture_shown)
        window.picture.second_changed.connect(self._second_changed)

    @property
    def current(self) -> str:
        """The layout in use."""
        name = self._desk.preferences.text("layout", "review")
        return name if name in LAYOUTS else "review"

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
        self._desk.preferences.store(f"layout.{self.current}.heights", self._heights.told)

    def hold_size(self) -> None:
        """Let the window keep its size while panels come and go: what they need together is known at the end only."""
        if not self._window.isVisible():
            return
        self._limit(QLayout.SizeConstraint.SetNoConstraint)
        if not self._settling.isActive():
            self._held = self._window.size()
        self._settling.start()

    def _let_size_go(self) -> None:
        window, room = self._window, self._window.screen().availableGeometry()
        # Never beyond the screen, whatever the panels ask for.
        if _fits(window.minimumSizeHint(), room.size()):
            self._limit(QLayout.SizeConstraint.SetDefaultConstraint)
        if not window.isMaximized() and not _fits(window.size(), self._held):
            window.setGeometry(on_a_screen(window.geometry(), [room]))

    def _limit(self, constraint: QLayout.SizeConstraint) -> None:
        layout = self._window.layout()
        if layout is not None:
            layout.setSizeConstraint(constraint)
            layout.activate()

    def restore(self) -> None:
        """Put the panels where they were left, or where they start."""
        self.hold_size()
        self._heights.watch()
        name = self.current
        state = self._desk.preferences.arrangement(name)
        if state.isEmpty() or not self._window.restoreState(state, VERSION) or self._too_large():
            self._set_up(name)
            return
        work = self._desk.preferences.arrangement(f"{name}.work")
        if not work.isEmpty():
            self._window.work.restoreState(QByteArray(work))
        self._heights.take(self._desk.preferences.text(f"layout.{name}.heights"))

    def _set_up(self, name: str) -> None:
        self.hold_size()
        window, layout = self._window, LAYOUTS[name]
        if not _fits(ROOMY, window.size()):
            layout = _compact(layout)
        docks = {dock.objectName(): dock for dock in window.findChildren(QDockWidget)}
        for dock_name, dock in docks.items():
            dock.setFloating(False)
            dock.setVisible(dock_name in layout.shown)
        docks["problems"].raise_()
        self._docked = True
        window.picture.setVisible(window.picture.second_screen is None)
        window.work.setOrientation(layout.side_by_side)
        window.work.setSizes([1000 * part // sum(layout.shares) for part in layout.shares])
        # The window gives a dock that has just been shown its place first, and its size when it has nothing to do.
        QTimer.singleShot(0, window, lambda: self._size(layout, docks))

    def _size(self, layout: Layout, docks: dict[str, QDockWidget]) -> None:
        window = self._window
        sides, below = (docks["scenes"], docks["inspector"]), (docks["timeline"], docks["problems"])
        window.resizeDocks(list(sides), [window.width() * share // 100 for share in layout.sides], HORIZONTAL)
        heights = [min(height, height * window.height() // FULL_HEIGHT) for height in layout.heights]
        window.resizeDocks(list(below), heights, VERTICAL)
        QTimer.singleShot(0, window, window.table.show_current)

    def _too_large(self) -> bool:
        """Whether what was left in a larger window would make this one larger than it is."""
        return not _fits(self._window.minimumSizeHint(), self._window.size())

    def _is_open(self) -> bool:
        return self._desk.session.project is not None

    def _picture_shown(self) -> bool:
        return not self._window.picture.isHidden()

    def _toggle_picture(self) -> None:
        """With a window of its own, the picture can be in this one as well."""
        picture = self._window.picture
        self._docked = picture.isHidden()
        picture.setVisible(self._docked)
        self._desk.actions.refresh()

    def _second_changed(self, there: bool) -> None:
        """No empty box stays where the picture was, and it comes back where it was."""
        picture = self._window.picture
        if there:
            self._docked = not picture.isHidden()
        picture.setVisible(self._docked and not there)


def _fits(small: QSize, large: QSize) -> bool:
    return small.width() <= large.width() and small.height() <= large.height()


def _compact(layout: Layout) -> Layout:
    """The layout for a small screen: picture and table side by side, and what else there is one action away."""
    shown = tuple(name for name in layout.shown if name not in ("scenes", *TABS))
    return replace(layout, shown=shown, side_by_side=HORIZONTAL, shares=(1, 1))
