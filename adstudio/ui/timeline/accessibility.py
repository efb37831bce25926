"""The timeline as a screen reader meets it: a list of everything on it, lane by lane, with the current item.

Hazards of PySide6: `interface_cast` must not be overridden (it crashes), so items have no actions of their own and the
window's actions act on the selection; the program must call `QAccessible.setActive(False)` after its event loop; and
Qt keeps a bare pointer to every interface that a client has seen, so one must be withdrawn from Qt (`_withdraw`)
before Python lets go of it.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate
from typing import cast

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from shiboken6 import isValid

from adstudio.ui.timeline.canvas import Canvas
from adstudio.ui.timeline.item_descriptions import details, name_of, sentence
from adstudio.ui.timeline.items import ITEM_LANES, Item, current, hit, item_box, items_in, span_of
from adstudio.ui.timeline.rows import gap_key

NONE = cast("QAccessibleInterface", None)
"""Qt takes a null pointer for “there is none”; its stubs do not say so."""


class ItemInterface(QAccessibleInterface):
    """One item of the timeline."""

    def __init__(self, timeline: TimelineInterface, item: Item) -> None:
        super().__init__()
        self._timeline = timeline
        self.item = item

    def isValid(self) -> bool:
        """Whether it is still there."""
        return self._timeline.isValid() and span_of(self._timeline.canvas.rows, self.item) is not None

    def object(self) -> QObject:
        """It has no object of its own."""
        return cast("QObject", None)

    def parent(self) -> QAccessibleInterface:
        """The timeline."""
        return self._timeline

    def child(self, _index: int) -> QAccessibleInterface:
        """It has no children."""
        return NONE

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface:
        """It has no children."""
        return NONE

    def childCount(self) -> int:
        """It has no children."""
        return 0

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        """It has no children."""
        return -1

    def role(self) -> QAccessible.Role:
        """An item of a list."""
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        """Selected, current, in view?"""
        state = QAccessible.State()
        canvas = self._timeline.canvas
        set_flag(state, "selectable", "focusable")
        if not self.isValid():
            set_flag(state, "invalid")
            return state
        chosen = canvas.overlay.selection
        if self.item.key in chosen.ids or (chosen.gap is not None and self.item.key == gap_key(chosen.gap)):
            set_flag(state, "selected")
        if self._timeline.current() == self.item:
            set_flag(state, *(("active", "focused") if canvas.hasFocus() else ("active",)))
        if not canvas.rect().intersects(self._timeline.place_of(self.item)):
            set_flag(state, "offscreen")
        return state

    def text(self, kind: QAccessible.Text) -> str:
        """Its words, and all that is shown of it."""
        if not self.isValid():
            return ""
        rows = self._timeline.canvas.rows
        match kind:
            case QAccessible.Text.Name:
                return f"{name_of(rows, self.item)}, {self.item.lane.value}"
            case QAccessible.Text.Description:
                return details(rows, self.item)
            case QAccessible.Text.Value:
                return sentence(rows, self.item)
            case _:
                return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Texts are written in the table or with Return."""

    def rect(self) -> QRect:
        """Where it lies on the screen."""
        canvas = self._timeline.canvas
        if not self._timeline.isValid():
            return QRect()
        found = self._timeline.place_of(self.item)
        return QRect(canvas.mapToGlobal(found.topLeft()), found.size())


class TimelineInterface(QAccessibleInterface):
    """The whole timeline."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self.canvas = canvas
        self._children: dict[Item, ItemInterface] = {}
        self._version = -1
        self._lanes: list[list[Item]] = []
        self._starts: list[int] = []
        self._places: dict[Item, int] = {}

    def _renew(self) -> None:
        rows = self.canvas.rows
        if rows.version != self._version:
            self._version = rows.version
            self._lanes = [[item for _, _, item in items_in(rows, lane)] for lane in ITEM_LANES]
            self._starts = [0, *accumulate(len(lane) for lane in self._lanes)]
            self._places = {item: n for n, item in enumerate(item for lane in self._lanes for item in lane)}
            for item in self._children.keys() - self._places.keys():
                _withdraw(self._children.pop(item))

    def release(self) -> None:
        """The canvas is gone: no client reaches an item any more, even one that it still holds."""
        while self._children:
            _withdraw(self._children.popitem()[1])

    def place(self, item: Item) -> int:
        """The number of an item among the children, or -1."""
        self._renew()
        return self._places.get(item, -1)

    def of(self, item: Item) -> ItemInterface:
        """The interface of an item."""
        found = self._children.get(item)
        if found is None:
            found = self._children[item] = ItemInterface(self, item)
        return found

    def current(self) -> Item | None:
        """The selected item."""
        return current(self.canvas.rows, self.canvas.overlay.selection, self.canvas.overlay.lane)

    def place_of(self, item: Item) -> QRect:
        """Where an item lies in the canvas, the part that is in view where it is partly."""
        canvas = self.canvas
        found = item_box(canvas.view, canvas.bands, canvas.rows, item)
        if found is None:
            return QRect()
        area = QRect(
            QPoint(int(max(-1e6, found.left)), int(found.top)), QPoint(int(min(1e6, found.right)), int(found.bottom))
        )
        seen = area.intersected(canvas.rect())
        return area if seen.isEmpty() else seen

    def isValid(self) -> bool:
        """Whether the widget is there."""
        return isValid(self.canvas)

    def object(self) -> QObject:
        """The widget."""
        return self.canvas

    def parent(self) -> QAccessibleInterface:
        """The widget around it."""
        parent = self.canvas.parentWidget()
        return NONE if parent is None else QAccessible.queryAccessibleInterface(parent)

    def child(self, index: int) -> QAccessibleInterface:
        """An item by its number."""
        self._renew()
        if not 0 <= index < self._starts[-1]:
            return NONE
        lane = bisect_right(self._starts, index) - 1
        return self.of(self._lanes[lane][index - self._starts[lane]])

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        """The item at a point of the screen."""
        canvas = self.canvas
        point = canvas.mapFromGlobal(QPoint(x, y))
        found = hit(canvas.view, canvas.bands, canvas.rows, point.x(), point.y()).item
        return NONE if found is None else self.of(found)

    def childCount(self) -> int:
        """How many items there are."""
        self._renew()
        return self._starts[-1]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """The number of an item."""
        return self.place(child.item) if isinstance(child, ItemInterface) else -1

    def focusChild(self) -> QAccessibleInterface:
        """The current item."""
        item = self.current()
        return NONE if item is None or self.place(item) < 0 else self.of(item)

    def role(self) -> QAccessible.Role:
        """A list."""
        return QAccessible.Role.List

    def state(self) -> QAccessible.State:
        """It can have the focus."""
        state = QAccessible.State()
        set_flag(state, "focusable", "multiSelectable", *(("focused",) if self.canvas.hasFocus() else ()))
        return state

    def text(self, kind: QAccessible.Text) -> str:
        """Its name, what to do with it, and what is current in it."""
        match kind:
            case QAccessible.Text.Name:
                return self.canvas.accessibleName()
            case QAccessible.Text.Description:
                return self.canvas.accessibleDescription()
            case QAccessible.Text.Value:
                item = self.current()
                return "" if item is None else sentence(self.canvas.rows, item)
            case _:
                return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing of it can be set."""

    def rect(self) -> QRect:
        """Where it lies on the screen."""
        return QRect(self.canvas.mapToGlobal(QPoint(0, 0)), self.canvas.size())


def _withdraw(item: ItemInterface) -> None:
    """Have Qt forget an item, and delete its interface: a client that asks for it again is answered that it is gone."""
    QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(item))


def set_flag(state: QAccessible.State, *names: str) -> None:
    """Set some of a state's flags."""
    for name in names:
        setattr(state, name, True)


@cache
def install() -> None:
    """Let Qt ask for the interface of a canvas; once is enough for the whole program."""
    QAccessible.installFactory(interface_for)


def interface_for(_name: str, thing: QObject | None) -> QAccessibleInterface | None:
    """The factory to be installed: makes the interface of a canvas, which the canvas then keeps."""
    if not isinstance(thing, Canvas):
        return None
    if not isinstance(thing.accessible, TimelineInterface):
        thing.accessible = TimelineInterface(thing)
        thing.destroyed.connect(thing.accessible.release)
    return thing.accessible


def announce_current(canvas: Canvas) -> None:
    """Announce the current item to screen readers."""
    if not QAccessible.isActive():
        return
    timeline = QAccessible.queryAccessibleInterface(canvas)
    if isinstance(timeline, TimelineInterface):
        item = timeline.current()
        place = -1 if item is None else timeline.place(item)
        if place >= 0:
            event = QAccessibleEvent(canvas, QAccessible.Event.Focus)
            event.setChild(place)
            QAccessible.updateAccessibility(event)
