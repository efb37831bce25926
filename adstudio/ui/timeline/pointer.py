"""The mouse on the timeline: click, drag, rubber band, pan, wheel, pinch. One drag is one step, Escape leaves none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent

from adstudio.ui.session.selection import NOTHING, Kind, Selection
from adstudio.ui.session.session import Session
from adstudio.ui.timeline import drags
from adstudio.ui.timeline.canvas import Canvas
from adstudio.ui.timeline.drags import Drag, DragHandle, Moved, Snap, drag_preview, snapped, targets
from adstudio.ui.timeline.items import Box, Hit, Item, Part, hit, span_of, within
from adstudio.ui.timeline.lanes import Lane

DRAG_THRESHOLD = 4
"""Pixels that the pointer may move before a press becomes a drag."""
BORDER = 28
"""Pixels from the edge within which a drag scrolls."""
SCROLL_MS = 16
NOTCH = 120
ZOOM_PER_NOTCH = 1.25
SCROLL_PER_NOTCH = 0.1
"""The share of the width that a notch of the wheel scrolls."""

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
_LINE_LANES = (Lane.ACTION, Lane.THREADS, Lane.NARRATION)


class Gesture(Enum):
    """What the pressed button means."""

    NOTHING = "nothing"
    PRESSED = "pressed"
    DRAGGING = "dragging"
    RUBBER = "rubber band"
    SCRUBBING = "scrubbing"
    PANNING = "panning"


@dataclass
class Press:
    """A button that was pressed: where, at what time of the film, on what, and what a drag from there would be."""

    at: QPointF
    ms: int
    found: Hit
    drag: Drag | None = None
    selected_before: Selection | None = None
    """Of a rubber band: the selection that it adds to."""
    single: bool = False
    """The item was selected already: without a drag it becomes the only one."""


class Pointer(QObject):
    """Turns mouse events of the canvas into selections, seeks and steps."""

    menu_requested = Signal(object, QPointF)
    """Item or None, and the point of the screen."""

    def __init__(self, canvas: Canvas, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._session = session
        self.snap = True
        self.doing = Gesture.NOTHING
        self._press: Press | None = None
        self._there: Moved | None = None
        self._onto: tuple[int, ...] = ()
        self._last = QPointF()
        self._snap_suspended = False
        self._scroll = QTimer(self, interval=SCROLL_MS)
        self._scroll.timeout.connect(self._scroll_on)
        canvas.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes the mouse, and Escape while something is dragged."""
        match event:
            case _ if watched is not self._canvas:
                return False
            case QWheelEvent():
                return self._wheel(event)
            case QNativeGestureEvent():
                return self._pinch(event)
            case QMouseEvent():
                return self._mouse(event)
            case QKeyEvent() if self.doing is not Gesture.NOTHING and event.key() == Qt.Key.Key_Escape:
                if event.type() == QEvent.Type.ShortcutOverride:
                    event.accept()
                elif event.type() == QEvent.Type.KeyPress:
                    self.cancel()
                return True
            case _:
                if event.type() == QEvent.Type.Leave:
                    self._hover(None)
                elif event.type() == QEvent.Type.Hide:
                    self.cancel()
                return False

    def _mouse(self, event: QMouseEvent) -> bool:
        match event.type():
            case QEvent.Type.MouseButtonPress:
                self._pressed(event)
            case QEvent.Type.MouseMove:
                self._moved(event.position(), event.modifiers())
            case QEvent.Type.MouseButtonRelease:
                self._released(event)
            case QEvent.Type.MouseButtonDblClick:
                if event.button() is Qt.MouseButton.LeftButton:
                    self._double(event.position())
            case _:
                return False
        return True

    def script_changed(self) -> None:
        """The script is another: a drag of what is no longer there ends."""
        drag = self._press.drag if self._press else None
        if drag is not None and not drags.still_there(drag, self._canvas.rows):
            self.cancel()

    # Buttons

    def _hit(self, at: QPointF) -> Hit:
        canvas = self._canvas
        return hit(canvas.view, canvas.bands, canvas.rows, at.x(), at.y())

    def _pressed(self, event: QMouseEvent) -> None:
        at = event.position()
        if self.doing is not Gesture.NOTHING:
            return
        found = self._hit(at)
        self._last = at
        self._press = Press(at, self._canvas.view.ms(at.x()), found)
        if event.button() is Qt.MouseButton.MiddleButton:
            self.doing = Gesture.PANNING
            self._canvas.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() is Qt.MouseButton.RightButton:
            if found.item is not None and not self._is_selected(found.item):
                self._select(found.item, Qt.KeyboardModifier.NoModifier)
            self._press = None
            self.menu_requested.emit(found.item, event.globalPosition())
        elif event.button() is Qt.MouseButton.LeftButton:
            self._press_left(self._press, event.modifiers())
        else:
            self._press = None

    def _press_left(self, press: Press, modifiers: Qt.KeyboardModifier) -> None:
        found, session = press.found, self._session
        if found.lane is Lane.GAPS and modifiers & SHIFT:
            handle = DragHandle.OPENING if modifiers & CTRL else DragHandle.SILENCE
            near = snapped((press.ms,), self._snap_targets(None), self._canvas.view.ms_per_px) if self.snap else Snap()
            press.drag = drags.draw(press.ms + near.shift, handle)
            self.doing = Gesture.PRESSED
        elif found.item is not None:
            self.doing = Gesture.PRESSED  # first of all: what is under the pointer must not be scrolled away
            self._canvas.overlay.lane = found.item.lane
            already = self._is_selected(found.item)
            press.single = already and not modifiers & (CTRL | SHIFT)
            if not press.single:
                self._select(found.item, modifiers)
            if not modifiers & (CTRL | SHIFT):
                press.drag = drags.begin(found, self._canvas.rows, session.cursor.selection, press.ms)
        elif found.lane in _LINE_LANES or found.lane is Lane.GAPS:
            press.selected_before = session.cursor.selection if modifiers & (CTRL | SHIFT) else NOTHING
            self.doing = Gesture.PRESSED
        else:
            self.doing = Gesture.SCRUBBING
            session.cursor.seek(press.ms)

    def _moved(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        before, self._last = self._last, at
        press = self._press
        # Ctrl is no modifier of snapping while an opening is drawn: it is what draws one
        draws = press is None or (press.drag is not None and press.drag.draws)
        self._snap_suspended = bool(modifiers & (ALT if draws else CTRL | ALT))
        if press is None or self.doing is Gesture.NOTHING:
            self._hover(self._hit(at))
            return
        if self.doing is Gesture.PANNING:
            self._canvas.show_view(self._canvas.view.scrolled(before.x() - at.x()))
        elif self.doing is Gesture.SCRUBBING:
            self._session.cursor.seek(self._canvas.view.ms(at.x()))
        elif self.doing is Gesture.PRESSED and (at - press.at).manhattanLength() >= DRAG_THRESHOLD:
            self._begin(press)
        if self.doing in (Gesture.DRAGGING, Gesture.RUBBER):
            self._follow_pointer()
            near = at.x() < BORDER or at.x() > self._canvas.width() - BORDER
            if near and not self._scroll.isActive():
                self._scroll.start()
            elif not near:
                self._scroll.stop()

    def _begin(self, press: Press) -> None:
        if press.drag is not None:
            self.doing = Gesture.DRAGGING
            self._onto = self._snap_targets(press.drag)
            self._hover(None)
        elif press.selected_before is not None and press.found.lane in _LINE_LANES:
            self.doing = Gesture.RUBBER

    def _follow_pointer(self) -> None:
        press, canvas = self._press, self._canvas
        if press is None:
            return
        if self.doing is Gesture.RUBBER:
            start = canvas.view.x(press.ms)
            xs, ys = sorted((start, self._last.x())), sorted((press.at.y(), self._last.y()))
            canvas.overlay.rubber = Box(xs[0], ys[0], xs[1], ys[1])
        elif press.drag is not None:
            onto = self._onto if self.snap and not self._snap_suspended else ()
            to = round(canvas.view.time(self._last.x()))
            end = self._session.script.film.end
            self._there = drags.moved(press.drag, to, end, onto, canvas.view.ms_per_px)
            canvas.overlay.ghost = drag_preview(
                press.drag, self._there, canvas.rows, self._session.current_plan.planner, self._last.x()
            )
        canvas.update()

    def _released(self, event: QMouseEvent) -> None:
        press, doing, there = self._press, self.doing, self._there
        if press is None or doing is Gesture.NOTHING:
            return
        wanted = Qt.MouseButton.MiddleButton if doing is Gesture.PANNING else Qt.MouseButton.LeftButton
        if event.button() is not wanted:
            return
        rubber = self._canvas.overlay.rubber
        self.cancel()
        if doing is Gesture.DRAGGING and press.drag is not None and there is not None:
            step = drags.step_of(press.drag, there, self._session.edits.ids, self._session.plan)
            if step is not None:
                self._session.edits.attempt(step)
        elif doing is Gesture.RUBBER and rubber is not None:
            self._select_within(rubber, press.selected_before or NOTHING)
        elif doing is Gesture.PRESSED:
            if press.single and press.found.item is not None:
                self._select(press.found.item, Qt.KeyboardModifier.NoModifier)
            elif press.found.item is None:
                self._session.cursor.seek(press.ms)
        self._hover(self._hit(event.position()))

    def _double(self, at: QPointF) -> None:
        """Select and go there."""
        self.cancel()
        found = self._hit(at)
        if found.item is None:
            self._session.cursor.seek(self._canvas.view.ms(at.x()))
            return
        self._select(found.item, Qt.KeyboardModifier.NoModifier)
        span = span_of(self._canvas.rows, found.item)
        if span is not None:
            self._session.cursor.seek(span.start)

    def cancel(self) -> None:
        """Let go of everything; no step is left."""
        self._scroll.stop()
        self.doing = Gesture.NOTHING
        self._press = self._there = None
        overlay = self._canvas.overlay
        if overlay.ghost is not None or overlay.rubber is not None:
            overlay.ghost = overlay.rubber = None
            self._canvas.update()
        self._canvas.unsetCursor()

    def _scroll_on(self) -> None:
        """Scroll on while the pointer is near an edge."""
        x, width = self._last.x(), self._canvas.width()
        by = x - BORDER if x < BORDER else x - (width - BORDER)
        before = self._canvas.view
        self._canvas.show_view(before.scrolled(max(-40.0, min(40.0, by / 2))))
        if self._canvas.view != before:
            self._follow_pointer()

    def _snap_targets(self, drag: Drag | None) -> tuple[int, ...]:
        rows, session = self._canvas.rows, self._session
        own = [ms for span in (drag.spans if drag else ()) for ms in (span.start, span.end)]
        groups = [rows.cues.starts, rows.cues.ends, rows.free.starts, rows.free.ends, rows.shots.starts]
        if drag is not None and drag.handle is DragHandle.DELIVERY:
            others = [i for i, key in enumerate(rows.narration.keys) if key not in drag.ids]
            groups.append(tuple(ms for i in others for ms in (rows.narration.starts[i], rows.narration.ends[i])))
            own = []
        return targets(*groups, (session.cursor.playhead,), session.cursor.marks, without=own)

    # Selection

    def _is_selected(self, item: Item) -> bool:
        chosen = self._session.cursor.selection
        if item.kind is not chosen.kind:
            return False
        return span_of(self._canvas.rows, item) == chosen.gap if item.kind is Kind.GAP else item.key in chosen.ids

    def select(self, item: Item) -> None:
        """Select one item and look at it in its lane."""
        self._canvas.overlay.lane = item.lane
        self._select(item, Qt.KeyboardModifier.NoModifier)

    def _select(self, item: Item, modifiers: Qt.KeyboardModifier) -> None:
        session = self._session
        if item.kind is Kind.GAP:
            session.cursor.select(Selection(Kind.GAP, gap=span_of(self._canvas.rows, item)))
            return
        before = session.cursor.selection.ids if session.cursor.selection.kind is item.kind else ()
        ids: tuple[str, ...] = (item.key,)
        if modifiers & CTRL:
            ids = tuple(key for key in before if key != item.key) if item.key in before else (*before, item.key)
        elif modifiers & SHIFT and before and item.kind is Kind.LINE:
            ids = self._run(before[-1], item)
        session.cursor.select(Selection(item.kind, ids) if ids else NOTHING)

    def _run(self, first: str, item: Item) -> tuple[str, ...]:
        """The lines from one to another, in the order of their lane; the other is the current one."""
        strip = self._canvas.rows.narration if item.lane is Lane.NARRATION else self._canvas.rows.occurrences
        start, end = strip.place.get(first), strip.place[item.key]
        if start is None:
            return (first, item.key)
        keys = strip.keys[min(start, end) : max(start, end) + 1]
        return keys if end >= start else tuple(reversed(keys))

    def _select_within(self, area: Box, before: Selection) -> None:
        found = within(self._canvas.view, self._canvas.bands, self._canvas.rows, area)
        ids = (*(key for key in before.lines() if key not in found), *found)
        self._session.cursor.select(Selection(Kind.LINE, ids) if ids else NOTHING)

    # Wheel, pinch, hover

    def _wheel(self, event: QWheelEvent) -> bool:
        angle, pixels = event.angleDelta(), event.pixelDelta()
        canvas = self._canvas
        if event.modifiers() & (CTRL | ALT):
            turned = angle.y() or angle.x()
            canvas.show_view(canvas.view.zoomed(ZOOM_PER_NOTCH ** (turned / NOTCH), event.position().x()))
        elif not pixels.isNull():
            canvas.show_view(canvas.view.scrolled(-(pixels.x() or pixels.y())))
        else:
            turned = angle.x() or angle.y()
            share = SCROLL_PER_NOTCH * (4 if event.modifiers() & SHIFT else 1)
            canvas.show_view(canvas.view.scrolled(-turned / NOTCH * share * canvas.width()))
        if self.doing in (Gesture.DRAGGING, Gesture.RUBBER):
            self._follow_pointer()
        event.accept()
        return True

    def _pinch(self, event: QNativeGestureEvent) -> bool:
        if event.gestureType() is not Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self._canvas.show_view(self._canvas.view.zoomed(max(0.2, 1 + event.value()), event.position().x()))
        return True

    def _hover(self, found: Hit | None) -> None:
        canvas = self._canvas
        item = found.item if found else None
        if item != canvas.overlay.hover:
            canvas.overlay.hover = item
            canvas.update()
        if self.doing is Gesture.NOTHING:
            edge = found is not None and item is not None and found.part is not Part.BODY
            shape = Qt.CursorShape.SplitHCursor if edge else Qt.CursorShape.ArrowCursor
            if canvas.cursor().shape() is not shape:
                canvas.setCursor(shape)
