"""The three layouts: write, review, listen. Each is remembered as the describer left it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QLayout, QMainWindow, QSplitter, QWidget

from adstudio.ui.app.dock_heights import SETTLING_MS, VERTICAL, DockHeights
from adstudio.ui.app.window_geometry import on_a_screen
from adstudio.ui.background.timers import single_shot
from adstudio.ui.picture.picture import Picture
from adstudio.ui.session.context import Context
from adstudio.ui.table.panel import ScriptTable
from adstudio.ui.widgets.theme import UNIT, text_scale

VERSION = 5
"""Raised when the docks change, so that an old arrangement is not forced on new ones."""

HORIZONTAL = Qt.Orientation.Horizontal
FULL_HEIGHT = 1080
"""The pixels of a window for which the heights are meant; in a lower one they shrink with it."""
ROOMY = QSize(1000, 700)
"""The least window that has room for everything; in a smaller one a layout starts without sides and tabs."""
STACKED = 860
"""The least height of a window that has room for picture and table one above the other."""
LEAST_TABS = 24 * UNIT
"""The height of the tabs when a layout is set up, however low the window: a strip of controls is not cut."""
SETTLING_TRIES = 20
"""While its panels still ask for more than a window has, it keeps its size so many times as long."""
TABS = ("problems", "changes", "tasks", "drafts", "polish", "lexicon", "checks", "booth", "history")

VOICE_BAR = "voice bar"
"""Not a dock: a strip below picture and table."""
SHOWN, HIDDEN = "shown", "hidden"


@dataclass(frozen=True)
class Layout:
    """How a layout is at first.

    `shares` are those of picture and table, and `low_shares` where a low window has them side by side instead; `sides`
    are the hundredths of the window's width that scenes and inspector take, `heights` the pixels of timeline and tabs.
    """

    shown: tuple[str, ...]
    side_by_side: Qt.Orientation
    shares: tuple[int, int]
    sides: tuple[int, int]
    heights: tuple[int, int]
    low_shares: tuple[int, int] = (1, 1)


LAYOUTS = {
    "write": Layout(("inspector", "timeline"), HORIZONTAL, (1, 3), (12, 24), (336, 100)),
    "review": Layout(("scenes", "inspector", "timeline", *TABS), VERTICAL, (1, 1), (12, 22), (372, 104), (2, 3)),
    "listen": Layout((VOICE_BAR, "timeline"), VERTICAL, (4, 1), (12, 22), (384, 100)),
}


@dataclass(frozen=True)
class SmallWindowState:
    """What a small window has put aside: whether picture and table stand side by side, whether scenes may be hidden.

    `before` is how window and work stood before it became small, None where it was small from the start; `hidden`
    whether the list of scenes comes back once there is room.
    """

    scarce: tuple[bool, bool] = (False, False)
    before: tuple[QByteArray, QByteArray] | None = None
    hidden: bool = False


class Layouts:
    """Shows, hides and remembers the panels."""

    def __init__(
        self,
        context: Context,
        window: QMainWindow,
        picture: Picture,
        table: ScriptTable,
        work_area: QSplitter,
        voice_bar: QWidget,
    ) -> None:
        self._context = context
        self._window = window
        self._picture, self._table, self._work_area = picture, table, work_area
        self._voice_bar = voice_bar
        self._docked = True
        """Whether the picture is in the window once it has no window of its own."""
        self._held = window.size()
        self._tries = SETTLING_TRIES
        self._heights = DockHeights(window, (("timeline",), TABS))
        self._settling = single_shot(window, SETTLING_MS, self._release_size)
        self._fitting = single_shot(window, 0, self._fit)
        self._aside = SmallWindowState()
        for name in LAYOUTS:
            context.actions.connect(f"view.layout_{name}", lambda name=name: self.use(name), self._is_open)
        context.actions.connect("view.picture", self._toggle_picture, self._is_open, lambda: not picture.isHidden())
        context.actions.connect(
            "view.voice_bar", self._toggle_voice_bar, self._is_open, lambda: not voice_bar.isHidden()
        )
        self._picture.second_changed.connect(self._second_changed)
        context.theme.changed.connect(self.resized)

    @property
    def current(self) -> str:
        """The layout in use."""
        name = self._context.preferences.text("layout", "write")
        return name if name in LAYOUTS else "write"

    @property
    def _room(self) -> QSize:
        """The window's size, in pixels of text of ordinary size."""
        return self._window.size() / text_scale()

    def use(self, name: str) -> None:
        """Remember how the present layout stands and go to another; going to the present one sets it up afresh."""
        focus = self._window.focusWidget()
        if name == self.current:
            self._set_up(name)
        else:
            self.remember()
            self._context.preferences.store("layout", name)
            self.restore()
        if focus is not None and not focus.isVisible():
            self._table.setFocus()

    def remember(self) -> None:
        """Keep how the present layout stands, and how it stood before the window became smaller."""
        self._keep(_class(self._aside.scarce), self._stands())
        if self._aside.before is not None:
            self._keep("", self._aside.before)
        self._context.preferences.store(f"layout.{self.current}.heights", self._heights.stored_heights)

    def _keep(self, size: str, stands: tuple[QByteArray, QByteArray]) -> None:
        for part, state in zip(("", ".work"), stands, strict=True):
            self._context.preferences.store_arrangement(f"{self.current}{size}{part}", state)

    def _stands(self) -> tuple[QByteArray, QByteArray]:
        return self._window.saveState(VERSION), self._work_area.saveState()

    def resized(self) -> None:
        """The window, or its text, has another size: in a small one, parts of it stand otherwise."""
        if self._is_open() and _scarce(self._room) != self._aside.scarce:
            self._fitting.start()

    def _fit(self) -> None:
        """Put aside what a small window has no room for, and bring it back once there is room."""
        scarce = _scarce(self._room)
        if not self._is_open() or scarce == self._aside.scarce:
            return
        self.hold_size()
        (low, narrow), was = scarce, self._aside
        before = was.before if any(was.scarce) else self._stands()
        layout, work = LAYOUTS[self.current], self._work_area
        if low and not was.scarce[0] and work.orientation() is VERTICAL:
            _arrange(work, HORIZONTAL, layout.low_shares)
        elif was.scarce[0] and not low and (was.before is None or not work.restoreState(was.before[1])):
            _arrange(work, layout.side_by_side, layout.shares)
        scenes = self._docks()["scenes"]
        hidden = was.hidden
        if narrow != was.scarce[1]:
            hidden = narrow and not scenes.isHidden()
            scenes.setVisible(not narrow and (was.hidden or not scenes.isHidden()))
            QTimer.singleShot(0, self._window, self._share_width)
        self._aside = SmallWindowState(scarce, before if any(scarce) else None, hidden)
        QTimer.singleShot(0, self._window, self._table.show_current)

    def hold_size(self) -> None:
        """Let the window keep its size while panels come and go: what they need together is known at the end only."""
        if not self._window.isVisible():
            return
        self._limit(QLayout.SizeConstraint.SetNoConstraint)
        if not self._settling.isActive():
            self._held = self._window.size()
        self._tries = SETTLING_TRIES
        self._settling.start()

    def _release_size(self) -> None:
        window, room = self._window, self._window.screen().availableGeometry()
        if self._tries and not _fits(window.minimumSizeHint(), self._held):
            # On a slow machine panels that go are still there.
            self._tries -= 1
            self._settling.start()
            return
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

    def _share_width(self) -> None:
        """Scenes and inspector take of another width what they take of any."""
        docks, width = self._docks(), self._window.width()
        sides = (docks["scenes"], docks["inspector"])
        self._window.resizeDocks(sides, [width * each // 100 for each in LAYOUTS[self.current].sides], HORIZONTAL)

    def restore(self) -> None:
        """Put the panels where they were left, or where they start."""
        self.hold_size()
        self._heights.watch()
        name, scarce = self.current, _scarce(self._room)
        key = f"{name}{_class(scarce)}"
        state = self._context.preferences.arrangement(key)
        restored = not state.isEmpty() and self._window.restoreState(state, VERSION)
        # What was left in a larger window would make this one larger than it is.
        if not restored or not _fits(self._window.minimumSizeHint(), self._window.size()):
            self._set_up(name)
            return
        self._aside = SmallWindowState(scarce, None, scarce[1] and "scenes" in LAYOUTS[name].shown)
        wish = self._context.preferences.text(self._voice_bar_wish)
        by_default = VOICE_BAR in _compact(LAYOUTS[name], self._room).shown
        self._voice_bar.setVisible(wish == SHOWN if wish else by_default)
        work = self._context.preferences.arrangement(f"{key}.work")
        if not work.isEmpty():
            self._work_area.restoreState(QByteArray(work))
        self._heights.take(self._context.preferences.text(f"layout.{name}.heights"))

    def _set_up(self, name: str) -> None:
        self.hold_size()
        self._heights.forget()
        window, scarce = self._window, _scarce(self._room)
        layout = _compact(LAYOUTS[name], self._room)
        self._aside = SmallWindowState(scarce, None, scarce[1] and "scenes" in LAYOUTS[name].shown)
        docks = self._docks()
        for dock_name, dock in docks.items():
            dock.setFloating(False)
            dock.setVisible(dock_name in layout.shown)
        docks["problems"].raise_()
        self._voice_bar.setVisible(VOICE_BAR in layout.shown)
        self._context.preferences.store(self._voice_bar_wish, "")
        self._docked = True
        self._picture.setVisible(self._picture.second_screen is None)
        _arrange(self._work_area, layout.side_by_side, layout.shares)
        # The window gives a dock that has just been shown its place first, and its size when it has nothing to do.
        QTimer.singleShot(0, window, lambda: self._size(layout))

    def _docks(self) -> dict[str, QDockWidget]:
        return {dock.objectName(): dock for dock in self._window.findChildren(QDockWidget)}

    def _size(self, layout: Layout) -> None:
        window, docks = self._window, self._docks()
        below = (docks["timeline"], docks["problems"])
        self._share_width()
        heights = [min(height, height * window.height() // FULL_HEIGHT) for height in layout.heights]
        heights[1] = max(heights[1], LEAST_TABS)
        window.resizeDocks(list(below), heights, VERTICAL)
        QTimer.singleShot(0, window, self._table.show_current)

    def _is_open(self) -> bool:
        return self._context.session.project is not None

    @property
    def _voice_bar_wish(self) -> str:
        """The preference that says whether the present layout has the voice bar; empty where nobody has chosen."""
        return f"layout.{self.current}.voice_bar"

    def _toggle_voice_bar(self) -> None:
        """Shown by the key, it gets the keyboard."""
        shown = self._voice_bar.isHidden()
        had_focus = self._voice_bar.isAncestorOf(self._window.focusWidget() or self._window)
        self._voice_bar.setVisible(shown)
        self._context.preferences.store(self._voice_bar_wish, SHOWN if shown else HIDDEN)
        if shown:
            self._voice_bar.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif had_focus:
            self._table.setFocus()
        self._context.actions.refresh()

    def _toggle_picture(self) -> None:
        """With a window of its own, the picture can be in this one as well."""
        self._docked = self._picture.isHidden()
        self._picture.setVisible(self._docked)
        self._context.actions.refresh()

    def _second_changed(self, there: bool) -> None:
        """No empty box stays where the picture was, and it comes back where it was."""
        if there:
            self._docked = not self._picture.isHidden()
        self._picture.setVisible(self._docked and not there)


def _fits(small: QSize, large: QSize) -> bool:
    return small.width() <= large.width() and small.height() <= large.height()


def _scarce(size: QSize) -> tuple[bool, bool]:
    """Whether a window is too small for picture and table one above the other, and for the list of scenes."""
    return size.height() < STACKED or size.width() < ROOMY.width(), size.width() < ROOMY.width()


def _class(scarce: tuple[bool, bool]) -> str:
    """What the arrangement of so small a window is called, behind its layout's name."""
    low, narrow = scarce
    return ".narrow" if narrow else ".low" if low else ""


def _arrange(work: QSplitter, side_by_side: Qt.Orientation, shares: tuple[int, int]) -> None:
    work.setOrientation(side_by_side)
    work.setSizes([1000 * part // sum(shares) for part in shares])


def _compact(layout: Layout, size: QSize) -> Layout:
    """The layout for a window: in a small one picture and table are side by side, and the rest one action away."""
    low, narrow = _scarce(size)
    aside = (("scenes",) if narrow else ()) + (() if _fits(ROOMY, size) else (VOICE_BAR, *TABS))
    shown = tuple(name for name in layout.shown if name not in aside)
    stacked = layout.side_by_side is VERTICAL
    beside = (HORIZONTAL, layout.low_shares) if low and stacked else (layout.side_by_side, layout.shares)
    return replace(layout, shown=shown, side_by_side=beside[0], shares=beside[1])
