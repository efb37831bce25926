"""The docks of the window: making them, bringing one to the front, and closing the one at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, SignalInstance
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QSplitter, QTabBar, QWidget

from adstudio.ui.app.layouts import TABS
from adstudio.ui.session.messages import Messages
from adstudio.ui.timeline.timeline import Timeline
from adstudio.ui.widgets.dock_title import DockTitle
from adstudio.ui.widgets.theme import UNIT

ROOM_TO_READ = 48 * UNIT
"""The height in which a tab shows its strip and a few rows, the tabs above it included."""


class Docks(QObject):
    """The docks of a window, each known by the panel in it.

    Where a panel is closed that has the focus, `take_focus` is called: Qt would give it to whatever comes next.
    """

    def __init__(self, window: QMainWindow, take_focus: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._take_focus = window, take_focus
        self._of_panels: dict[QWidget, QDockWidget] = {}
        window.setDockNestingEnabled(True)
        for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.BottomRightCorner):
            window.setCorner(corner, Qt.DockWidgetArea.BottomDockWidgetArea)

    def __getitem__(self, panel: QWidget) -> QDockWidget:
        """The dock of a panel."""
        return self._of_panels[panel]

    def add(self, name: str, title: str, panel: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        """A new dock with a panel, still hidden."""
        dock = self._of_panels[panel] = QDockWidget(title, self._window)
        # The window may be on the screen already; a project's panels are not to be seen on the welcome page.
        dock.hide()
        dock.setObjectName(name)
        dock.setWidget(panel)
        dock.setAccessibleName(title)
        dock.setTitleBarWidget(DockTitle(dock, UNIT if name in TABS else 2 * UNIT))
        self._window.addDockWidget(area, dock)
        dock.installEventFilter(self)
        return dock

    def set_panel(self, dock: QDockWidget, panel: QWidget, counted: SignalInstance, count: int) -> None:
        """Make this the panel of a dock, whose name shows the panel's `count`, and each one that `counted` brings."""
        self._of_panels[panel] = dock
        counted.connect(lambda new: show_count(dock, new))
        show_count(dock, count)

    def bring(self, panel: QWidget) -> None:
        """Show a panel in front of the others."""
        dock = self[panel]
        dock.show()
        dock.raise_()

    def make_room(self, panel: QWidget, timeline: Timeline) -> None:
        """Room to read a panel: the timeline gives it, down to its compact lanes; picture and table give the rest."""
        window, dock = self._window, self[panel]
        layout = window.layout()
        if layout is not None:
            layout.activate()  # a layout that was just set up has yet to give its docks their heights
        high = min(ROOM_TO_READ, window.height() * 3 // 10)
        tabs = max((bar.height() for bar in window.findChildren(QTabBar) if bar.parent() is window), default=0)
        taken = high - tabs - dock.height()
        if taken <= 0 or dock.isFloating():
            return
        above, canvas = self[timeline], timeline.canvas
        least = canvas.sizes.compact_height + above.height() - canvas.height()
        if above.isVisible() and not above.isFloating() and above.height() > least:
            window.resizeDocks([above, dock], [max(above.height() - taken, least), high], Qt.Orientation.Vertical)
        else:
            window.resizeDocks([dock], [high], Qt.Orientation.Vertical)

    def close_one(self, closable: Sequence[QDockWidget], tabs: Sequence[QDockWidget], messages: Messages) -> None:
        """Close that of `closable` which has the focus, or else the one in front of the `tabs`."""
        focus = QApplication.focusWidget()
        here = next((dock for dock in closable if focus is not None and dock.isAncestorOf(focus)), None)
        dock = here or next((each for each in tabs if not each.visibleRegion().isEmpty()), None)
        if dock is None:
            messages.say("No panel is open that could be closed.")
            return
        dock.close()
        messages.say(f"{dock.accessibleName()} closed. The layouts in View open all panels again.")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A dock is about to be closed."""
        if event.type() == QEvent.Type.Close and isinstance(watched, QDockWidget):
            focus = QApplication.focusWidget()
            if focus is not None and watched.isAncestorOf(focus):
                self._take_focus()
        return super().eventFilter(watched, event)


def split_around(content: QWidget) -> QSplitter:
    """A widget in a splitter of its own.

    Orca reads all labels of a panel that the keyboard enters, half a minute of the inspector, but none of a split pane.
    """
    holder = QSplitter(childrenCollapsible=False)
    holder.addWidget(content)
    return holder


def show_count(dock: QDockWidget, count: int) -> None:
    """Show a number behind the dock's name; nothing for 0."""
    title = dock.accessibleName()
    dock.setWindowTitle(f"{title} · {count}" if count else title)
