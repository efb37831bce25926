"""The order in which the keyboard goes through the panels: picture, table, inspector, timeline, scenes, bottom tabs.

Qt's own order of the Tab key is that in which widgets were built, and pages are built late; panels behind another tab
are in it too. Here Tab goes down one panel and then to the next visible one, F6 from panel to panel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from adstudio.ui.actions.actions import Actions


@dataclass(frozen=True)
class FocusPanel:
    """A part of the window by its name: its widgets, in order, and the one that is focused first."""

    name: str
    parts: tuple[QWidget, ...]
    first: QWidget | None = None

    @property
    def seen(self) -> bool:
        """Whether it is visible: not hidden, and not behind another tab."""
        return any(part.isVisible() and _within_its_window(part) for part in self.parts)

    def holds(self, widget: QWidget | None) -> bool:
        """Whether a widget is in it."""
        return widget is not None and any(part is widget or part.isAncestorOf(widget) for part in self.parts)

    def stops(self) -> list[QWidget]:
        """Where the Tab key stops, in order."""
        return [stop for part in self.parts if part.isVisible() for stop in stops(part)]


def stops(part: QWidget) -> list[QWidget]:
    """Where the Tab key stops in a widget, in the order of its focus chain."""
    found: list[QWidget] = []
    each = part
    while True:
        if (each is part or part.isAncestorOf(each)) and _takes_tab(each):
            found.append(each)
        each = each.nextInFocusChain()
        if each is None or each is part:
            return found


def _within_its_window(part: QWidget) -> bool:
    """Qt puts what lies behind another tab outside the window; it is not hidden."""
    window = part.window()
    return window.rect().intersects(QRect(part.mapTo(window, QPoint(0, 0)), part.size()))


def _takes_tab(widget: QWidget) -> bool:
    if isinstance(widget, QTabBar) and not widget.count():
        return False  # Qt leaves one outside the window when every panel is hidden
    tabbed = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    return bool(tabbed) and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def _is_named_by_parents(widget: QWidget, name: str) -> bool:
    each: QWidget | None = widget
    while each is not None and each.accessibleName() != name:
        each = each.parentWidget()
    return each is not None


class FocusOrder:
    """Moves the focus from panel to panel; `panels` are asked for each time, as some are built late."""

    def __init__(
        self,
        window: QWidget,
        panels: Callable[[], Sequence[FocusPanel]],
        actions: Actions,
        announce: Callable[[str], object],
        is_open: Callable[[], bool],
    ) -> None:
        self._window = window
        self._panels = panels
        self._announce = announce
        actions.connect("view.next_panel", lambda: self.go(1), is_open)
        actions.connect("view.previous_panel", lambda: self.go(-1), is_open)

    @property
    def current(self) -> str:
        """The name of the panel that has the focus; empty where none has."""
        focus = QApplication.focusWidget()
        return next((panel.name for panel in self._panels() if panel.holds(focus)), "")

    def go(self, by: int) -> None:
        """To the next visible panel, or the one before; say which, unless the widgets around it have its name."""
        panels = [panel for panel in self._panels() if panel.seen and panel.stops()]
        focus = QApplication.focusWidget()
        here = next((place for place, panel in enumerate(panels) if panel.holds(focus)), None)
        if panels:
            self._enter(panels[(0 if by > 0 else -1) if here is None else (here + by) % len(panels)])

    def _enter(self, panel: FocusPanel) -> None:
        there = panel.stops()
        first = panel.first if panel.first in there else there[0]
        first.window().activateWindow()
        if not _is_named_by_parents(first, panel.name):
            self._announce(panel.name)
        first.setFocus(Qt.FocusReason.TabFocusReason)

    def tab(self, by: int) -> bool:
        """The Tab key, forwards or backwards; False if the focus is nowhere that it stops."""
        focus = self._window.focusWidget()
        panels = self._panels()
        docked = (each for each in panels if each.seen and all(part.window() is self._window for part in each.parts))
        order = [stop for panel in docked for stop in panel.stops()]
        # What is in no panel, such as the tabs themselves, comes last.
        order += [stop for stop in stops(self._window) if not any(panel.holds(stop) for panel in panels)]
        if focus not in order:
            return False
        following = order[(order.index(focus) + by) % len(order)]
        reason = Qt.FocusReason.TabFocusReason if by > 0 else Qt.FocusReason.BacktabFocusReason
        following.setFocus(reason)
        return True
