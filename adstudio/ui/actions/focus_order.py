"""The way of the hand from panel to panel: picture, table, inspector, timeline, scenes, and the tabs at the foot.

Qt's own order of the Tab key is that in which things were made, and pages are made late; panels that lie behind
another tab are in it too. Here Tab goes down one panel and then to the next that is seen, F6 from panel to panel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget

from adstudio.ui.actions.actions import Actions


@dataclass(frozen=True)
class FocusPanel:
    """A part of the window by its name: what it is made of, in order, and where the hand goes first if there."""

    name: str
    parts: tuple[QWidget, ...]
    first: QWidget | None = None

    @property
    def seen(self) -> bool:
        """Whether it is to be seen: not hidden, and not behind another tab."""
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
    tabbed = widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
    return bool(tabbed) and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


class FocusOrder:
    """Takes the hand from panel to panel."""

    def __init__(
        self,
        window: QWidget,
        panels: Sequence[FocusPanel],
        actions: Actions,
        announce: Callable[[str], object],
        is_open: Callable[[], bool],
    ) -> None:
        self._window = window
        self._panels = tuple(panels)
        self._announce = announce
        actions.connect("view.next_panel", lambda: self.go(1), is_open)
        actions.connect("view.previous_panel", lambda: self.go(-1), is_open)

    def go(self, by: int) -> None:
        """To the next panel that is seen, or the one before."""
        panels = [panel for panel in self._panels if panel.seen and panel.stops()]
        here = self._place(panels, QApplication.focusWidget())
        if panels:
            place = (0 if by > 0 else -1) if here is None else (here + by) % len(panels)
            self.enter(panels[place])

    def enter(self, panel: FocusPanel) -> bool:
        """Put the hand into a panel, and say which; False where nothing in it takes the keys."""
        there = panel.stops()
        first = panel.first if panel.first in there else next(iter(there), None)
        if first is None:
            return False
        first.window().activateWindow()
        first.setFocus(Qt.FocusReason.TabFocusReason)
        self._announce(panel.name)
        return True

    def tab(self, by: int) -> bool:
        """The Tab key, forwards or backwards; False where the hand is nowhere that it stops."""
        focus = self._window.focusWidget()
        panels = [panel for panel in self._panels if panel.seen and self._docked(panel)]
        order = [stop for panel in panels for stop in panel.stops()]
        # What is in no panel, such as the tabs themselves, comes last.
        order += [stop for stop in stops(self._window) if not any(panel.holds(stop) for panel in self._panels)]
        if focus not in order:
            return False
        following = order[(order.index(focus) + by) % len(order)]
        reason = Qt.FocusReason.TabFocusReason if by > 0 else Qt.FocusReason.BacktabFocusReason
        following.setFocus(reason)
        return True

    def _docked(self, panel: FocusPanel) -> bool:
        return all(part.window() is self._window for part in panel.parts)

    @staticmethod
    def _place(panels: Sequence[FocusPanel], focus: QWidget | None) -> int | None:
        return next((place for place, panel in enumerate(panels) if panel.holds(focus)), None)
