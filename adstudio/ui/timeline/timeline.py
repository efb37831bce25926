"""The timeline: canvas, headings and scroll bar, tied to the session, the keyboard and the actions of the view menu."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QMenu, QScrollBar, QToolTip, QWidget

from adstudio.core.timebase import Span
from adstudio.media import cache
from adstudio.ui.session.context import Context
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.reason_texts import reason_text
from adstudio.ui.session.selection import Kind
from adstudio.ui.timeline.accessibility import announce_current, install
from adstudio.ui.timeline.canvas import Canvas
from adstudio.ui.timeline.film_loader import FilmLoader
from adstudio.ui.timeline.item_descriptions import sentence, tip
from adstudio.ui.timeline.items import Item, across, along, current, end_of_lane, hit, span_of
from adstudio.ui.timeline.lane_headings import STEP, LaneHeadings, sizes_from, sizes_text
from adstudio.ui.timeline.lanes import RESIZABLE, Lane
from adstudio.ui.timeline.pointer import Gesture, Pointer
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.timeline.visible_range import MARGIN, VisibleRange

ZOOM = 1.5
INITIAL_RANGE = 90_000
"""Milliseconds in view when a longer film is opened."""
LANES = "timeline.lanes"
PICTURE = 200
"""Pixels that a thumbnail may reach beyond its shot in the strip of the film."""

DESCRIPTION = "Arrow keys go along a lane and from lane to lane."


Group = tuple[str, ...]

_LINE: tuple[Group, ...] = (
    ("line.edit", "line.accept", "line.confirm"),
    ("line.keep_in", "line.keep_out", "line.free"),
    ("line.pin_wording", "line.pin_start", "line.start_here", "line.override", "line.not_before"),
    ("line.split", "line.join", "line.note"),
    ("hear.line", "hear.variants"),
    ("edit.delete",),
)
_LINES: tuple[Group, ...] = (
    ("line.keep_in", "line.keep_out", "line.free", "plan.keep"),
    ("rule.alternatives", "rule.requires", "rule.together", "rule.penalty", "rule.remove"),
    ("line.merge", "line.accept", "line.confirm"),
    ("edit.delete",),
)
_BY_KIND: dict[Kind, tuple[Group, ...]] = {
    Kind.GAP: (("line.new",), ("play.loop_gap", "hear.gap", "view.fit_gap"), ("gap.start_here", "gap.end_here")),
    Kind.SILENCE: (("edit.delete",),),
    Kind.OPENING: (("edit.delete",),),
    Kind.CUE: (("gap.opening",), ("gap.mark_in", "gap.mark_out")),
    Kind.SCENE: (("scene.reviewed", "scene.rename"), ("scene.split", "scene.merge"), ("view.fit_scene",)),
    Kind.NOTHING: (
        ("line.new",),
        ("gap.mark_in", "gap.mark_out", "gap.silence", "gap.opening"),
        ("view.fit_film", "view.fit_scene", "view.fit_gap"),
    ),
}


def menu_groups(kind: Kind, count: int) -> tuple[Group, ...]:
    """The actions of the context menu of so many selected items, in groups."""
    if kind is Kind.LINE:
        return _LINES if count > 1 else _LINE
    return _BY_KIND[kind]


class Timeline(QWidget):
    """Everything of the film along one axis of time. It shows the session and acts on it; it owns nothing itself."""

    current_changed = Signal(str)
    """Another item is current while the keys are elsewhere: what it is, in one sentence."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._session = context.session
        self.rows = Rows()
        self.films = FilmLoader(context, self)
        install()
        self.canvas = Canvas(self.rows, self.films.data, context.theme.tokens, self)
        self.canvas.setObjectName("timeline.canvas")
        self.canvas.setAccessibleName("Timeline")
        self.canvas.setAccessibleDescription(DESCRIPTION)
        self.headings = LaneHeadings(self.canvas, self)
        self.pointer = Pointer(self.canvas, self._session, self)
        self.bar = QScrollBar(Qt.Orientation.Horizontal)
        self.bar.setAccessibleName("Time in view")
        self.setObjectName("timeline")
        self.setAccessibleName("Timeline")
        self.setFocusProxy(self.canvas)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.headings, 0, 0)
        grid.addWidget(self.canvas, 0, 1)
        grid.addWidget(self.bar, 1, 1)
        self._initial_range_due = False
        self._listen()
        self._connect_actions()
        self._opened()

    def sizeHint(self) -> QSize:
        """Wide, and as high as the lanes like."""
        hint = self.canvas.sizeHint()
        return QSize(hint.width() + self.headings.width(), hint.height() + self.bar.sizeHint().height())

    def _listen(self) -> None:
        session = self._session
        session.opened.connect(self._opened)
        session.current_plan.replanned.connect(self._replanned)
        session.cursor.selection_changed.connect(self._selection_changed)
        session.cursor.playhead_moved.connect(self._playhead_moved)
        self._context.theme.changed.connect(self._theme_changed)
        self._context.preferences.changed.connect(self._preference_changed)
        self.films.loaded.connect(self._film_loaded)
        self.films.data.pictures.decoded.connect(self._picture_decoded)
        self.canvas.view_changed.connect(self._view_changed)
        self.canvas.set_sizes(sizes_from(self._context.preferences.text(LANES), self.canvas.sizes))
        self.headings.resized.connect(lambda: self._context.preferences.store(LANES, sizes_text(self.canvas.sizes)))
        self.canvas.installEventFilter(self)
        self.bar.valueChanged.connect(self._bar_moved)
        self.pointer.menu_requested.connect(self._menu)
        self.pointer.snap = self._context.preferences.flag("timeline.snap", default=True)

    def _connect_actions(self) -> None:
        actions, preferences = self._context.actions, self._context.preferences
        actions.connect("view.zoom_in", lambda: self.zoom(ZOOM))
        actions.connect("view.zoom_out", lambda: self.zoom(1 / ZOOM))
        actions.connect("view.lane_higher", lambda: self._resize_lane(STEP))
        actions.connect("view.lane_lower", lambda: self._resize_lane(-STEP))
        actions.connect("view.lanes_reset", self.headings.reset, lambda: bool(self.canvas.sizes.wished))
        actions.connect("view.fit_film", lambda: self.canvas.show_view(self.view.fitted_film()))
        actions.connect("view.fit_scene", self.fit_scene, lambda: bool(self._session.script.scenes))
        actions.connect("view.fit_gap", self.fit_gap, lambda: bool(self._session.gaps))
        for name, flag in (("view.follow", "timeline.follow"), ("view.snap", "timeline.snap")):
            actions.connect(
                name,
                lambda flag=flag: preferences.store_flag(flag, not preferences.flag(flag, default=True)),
                checked=lambda flag=flag: preferences.flag(flag, default=True),
            )

    # Looking

    @property
    def view(self) -> VisibleRange:
        """The part of the film that is in view."""
        return self.canvas.view

    def zoom(self, factor: float) -> None:
        """Closer (above 1) or further away, about the playhead where it is in view, else about the middle."""
        view = self.view
        x = view.x(self._session.cursor.playhead)
        self.canvas.show_view(view.zoomed(factor, x if 0 <= x <= view.width else view.width / 2))

    def fit(self, span: Span) -> None:
        """Bring a time range into view, with some room around it."""
        self.canvas.show_view(self.view.fitted(span))

    def show_range(self, left: float, ms_per_px: float) -> None:
        """Show the part of the film that begins at a pixel, at a scale; also where the film was just opened."""
        self._initial_range_due = False
        view = self.view
        self.canvas.show_view(view.zoomed(view.ms_per_px / ms_per_px, 0).scrolled_to(left))

    def fit_scene(self) -> None:
        """Bring the selected scene, or the one at the playhead, into view."""
        chosen, at = self._session.cursor.selection, self._session.cursor.playhead
        for scene in self._session.script.scenes:
            picked = chosen.kind is Kind.SCENE and scene.id == chosen.current
            if picked or (chosen.kind is not Kind.SCENE and scene.span.start <= at <= scene.span.end):
                self.fit(scene.span)
                return
        self._session.messages.say("There is no scene at the playhead.")

    def fit_gap(self) -> None:
        """Bring the selected gap, or the one at the playhead, into view."""
        chosen = self._session.cursor.selection.gap or self._session.current_plan.gap_at(self._session.cursor.playhead)
        if chosen is None:
            self._session.messages.say("There is no gap at the playhead.")
        else:
            self.fit(chosen)

    def current_item(self) -> Item | None:
        """The selected item, in the lane in which it is looked at."""
        return current(self.rows, self._session.cursor.selection, self.canvas.overlay.lane)

    def current_sentence(self) -> str:
        """The current item in words; empty where nothing is selected."""
        item = self.current_item()
        return "" if item is None else sentence(self.rows, item)

    # The session

    def _opened(self) -> None:
        self.pointer.cancel()
        session = self._session
        plan = session.current_plan
        self.rows.update(session.script, plan.outcome, session.gaps, plan.reviewed_scenes)
        self.canvas.show_view(self.view.of_film(session.script.film.end).scrolled_to(-MARGIN))
        self._initial_range_due = True
        if self.isVisible():
            self._show_initial_range()
        overlay = self.canvas.overlay
        cursor = session.cursor
        overlay.selection, overlay.marks, overlay.playhead = cursor.selection, cursor.marks, cursor.playhead
        overlay.hover = None
        self._mark_changes()
        self.canvas.invalidate(None)

    def showEvent(self, event: QShowEvent) -> None:
        """A film that was opened before the window had its size gets its first look now."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._show_initial_range)

    def _show_initial_range(self) -> None:
        """All of a short film; of a longer one, as much as stays legible."""
        if not self._initial_range_due:
            return
        self._initial_range_due = False
        view = self.view
        first = Span(0, min(INITIAL_RANGE, view.end))
        self.canvas.show_view(
            view.fitted_film() if view.end <= INITIAL_RANGE else view.fitted(first).scrolled_to(-MARGIN)
        )

    def _replanned(self, event: ChangeEvent) -> None:
        session = self._session
        self._mark_changes()
        plan = session.current_plan
        dirty = self.rows.update(session.script, plan.outcome, session.gaps, plan.reviewed_scenes)
        overlay = self.canvas.overlay
        overlay.selection = session.cursor.selection
        if overlay.hover is not None and span_of(self.rows, overlay.hover) is None:
            overlay.hover = None
        if self.view.end != session.script.film.end:
            self.canvas.show_view(self.view.of_film(session.script.film.end))
        self.pointer.script_changed()
        (self.canvas.paint_now if event.urgent else self.canvas.paint_soon)(dirty)

    def _mark_changes(self) -> None:
        """Mark what differs from the plan before the describer's last act."""
        overlay, changes = self.canvas.overlay, self._session.current_plan.changes
        overlay.removed = frozenset(changes.dropped)
        overlay.added = changes.elements - overlay.removed

    def _selection_changed(self) -> None:
        overlay, session = self.canvas.overlay, self._session
        same = overlay.selection == session.cursor.selection
        overlay.selection, overlay.marks = session.cursor.selection, session.cursor.marks
        self.canvas.update()
        item = self.current_item()
        if same or item is None or self.pointer.doing is not Gesture.NOTHING:
            return
        self._show_current(item)

    def _playhead_moved(self, ms: int) -> None:
        self.canvas.move_playhead(ms)
        following = self._context.preferences.flag("timeline.follow", default=True)
        if following and self.pointer.doing is Gesture.NOTHING:
            self.canvas.show_view(self.view.turned_to(ms))

    def _film_loaded(self, kind: cache.Kind | None) -> None:
        self.headings.update()
        if kind is cache.Kind.SHOTS:
            shots = self.films.data.shots
            self.rows.set_shots(() if shots is None else shots.boundaries)
        if kind is not None:
            self.canvas.invalidate(None)

    def _picture_decoded(self, start: int, end: int) -> None:
        self.canvas.invalidate([(start, end + PICTURE * self.view.ms_per_px)])

    def _theme_changed(self) -> None:
        self.canvas.apply_theme(self._context.theme.tokens)
        self.headings.update()

    def _preference_changed(self, name: str) -> None:
        if name == "timeline.snap":
            self.pointer.snap = self._context.preferences.flag(name, default=True)

    def _resize_lane(self, by: int) -> None:
        """Make the lane of the current item higher or lower, and say what became of it."""
        item = self.current_item()
        lane = item.lane if item is not None else self.canvas.overlay.lane
        lane = lane if lane in RESIZABLE else Lane.NARRATION
        if self.headings.change(lane, by):
            said = f"{lane.value}: {self.canvas.bands[lane].height} pixels high."
        else:
            said = f"{lane.value} can be no {'higher' if by > 0 else 'lower'} in this window."
        self._session.messages.say(said)

    # The scroll bar

    def _view_changed(self) -> None:
        view = self.view
        with QSignalBlocker(self.bar):
            self.bar.setRange(-MARGIN, int(view.greatest_left))
            self.bar.setPageStep(view.width)
            self.bar.setSingleStep(max(1, view.width // 20))
            self.bar.setValue(int(view.left))

    def _bar_moved(self, value: int) -> None:
        self.canvas.show_view(self.view.scrolled_to(value))

    # Keyboard, tool tips, menus

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys, tool tips and the context menu of the canvas."""
        if watched is not self.canvas:
            return False
        match event:
            case QKeyEvent() if event.type() == QEvent.Type.KeyPress:
                return self._key(event)
            case QHelpEvent() if event.type() == QEvent.Type.ToolTip:
                self._show_tip(event.pos(), event.globalPos())
                return True
            case QContextMenuEvent():
                if event.reason() is QContextMenuEvent.Reason.Keyboard:
                    self._menu(self.current_item(), QPointF(self._place_of_current()))
                return True
            case _:
                if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
                    self.canvas.overlay.focused = event.type() == QEvent.Type.FocusIn
                    self.canvas.update()
                return False

    def _key(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        rows, at, item = self.rows, self._session.cursor.playhead, self.current_item()
        lane = item.lane if item else self.canvas.overlay.lane
        found: Item | None
        match event.key():
            case Qt.Key.Key_Left | Qt.Key.Key_Right as key:
                found = along(rows, item, -1 if key == Qt.Key.Key_Left else 1, lane, at)
            case Qt.Key.Key_Up | Qt.Key.Key_Down as key:
                found = across(rows, item, -1 if key == Qt.Key.Key_Up else 1, lane, at)
            case Qt.Key.Key_Home | Qt.Key.Key_End as key:
                found = end_of_lane(rows, lane, 0 if key == Qt.Key.Key_Home else -1)
            case Qt.Key.Key_PageUp | Qt.Key.Key_PageDown as key:
                share = -0.9 if key == Qt.Key.Key_PageUp else 0.9
                self.canvas.show_view(self.view.scrolled(share * self.canvas.width()))
                return True
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._context.actions["line.edit"].trigger()
                return True
            case _:
                return False
        if found is not None:
            self._go_to(found)
        return True

    def _go_to(self, item: Item) -> None:
        before = self._session.cursor.selection
        self.pointer.select(item)
        if self._session.cursor.selection == before:  # the same line in its other lane
            self._show_current(item)
            self.canvas.update()

    def _show_current(self, item: Item) -> None:
        """Scroll as little as needed to see an item, and announce it."""
        span = span_of(self.rows, item)
        if span is not None:
            self.canvas.show_view(self.view.showing(span))
        if self.canvas.hasFocus():
            announce_current(self.canvas)
        else:
            self.current_changed.emit(self.current_sentence())

    def _place_of_current(self) -> QPoint:
        item = self.current_item()
        span = span_of(self.rows, item) if item else None
        if item is None or span is None:
            return self.canvas.mapToGlobal(self.canvas.rect().center())
        x = max(0.0, min(float(self.canvas.width()), self.view.x(span.start)))
        return self.canvas.mapToGlobal(QPoint(int(x), self.canvas.bands[item.lane].bottom))

    def _show_tip(self, at: QPoint, where: QPoint) -> None:
        canvas = self.canvas
        item = hit(canvas.view, canvas.bands, self.rows, at.x(), at.y()).item
        if item is None or self.pointer.doing is not Gesture.NOTHING:
            QToolTip.hideText()
            return
        why = reason_text(self._session, item.key).short if item.kind is Kind.LINE else ""
        text = escape(tip(self.rows, item, why)).replace("\n", "<br>")
        QToolTip.showText(where, f"<qt>{text}</qt>", canvas)

    def _menu(self, item: Item | None, where: QPointF) -> None:
        """Shows the actions that make sense for what is under the pointer."""
        actions, menu = self._context.actions, QMenu(self)
        actions.refresh()
        menu.aboutToHide.connect(menu.deleteLater)
        for group in menu_groups(item.kind if item else Kind.NOTHING, len(self._session.cursor.selection.ids)):
            if not menu.isEmpty():
                menu.addSeparator()
            for name in group:
                menu.addAction(actions[name])
        menu.popup(where.toPoint())
