"""The painted parts of the timeline: tiles for what stays, an overlay for what changes all the time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import ceil
from time import perf_counter
from typing import cast

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from adstudio.ui.background.timers import single_shot
from adstudio.ui.timeline.film_data import FilmData
from adstudio.ui.timeline.lane_densities import LaneDensities
from adstudio.ui.timeline.lanes import DEFAULT_SIZES, WANTED_HEIGHT, Band, Lane, LaneSizes, arrange
from adstudio.ui.timeline.paint_context import PaintContext
from adstudio.ui.timeline.paint_dialogue import paint_dialogue, paint_gaps
from adstudio.ui.timeline.paint_events import paint_occurrences
from adstudio.ui.timeline.paint_film import paint_edges, paint_film, paint_outside
from adstudio.ui.timeline.paint_lines import paint_narration, paint_threads
from adstudio.ui.timeline.paint_overlay import OverlayState, paint_overlay
from adstudio.ui.timeline.paint_people import paint_people
from adstudio.ui.timeline.paint_resources import PaintResources
from adstudio.ui.timeline.rows import Dirty, Rows
from adstudio.ui.timeline.tiles import Tiles
from adstudio.ui.timeline.visible_range import VisibleRange
from adstudio.ui.widgets.focus_ring import OWN_RING
from adstudio.ui.widgets.theme import Tokens

SOON_MS = 3
"""What nobody waits for is painted in a turn of the event loop of its own."""


class Canvas(QWidget):
    """Shows the rows through a view. It knows nothing of the mouse: `pointer` and `timeline` do."""

    view_changed = Signal()
    lanes_changed = Signal()
    """The heights of lanes may be others."""

    def __init__(self, rows: Rows, film: FilmData, tokens: Tokens, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = rows
        self.film = film
        self.view = VisibleRange()
        self.overlay = OverlayState()
        self.ink = PaintResources(tokens)
        self.sizes: LaneSizes = DEFAULT_SIZES
        self.bands: dict[Lane, Band] = arrange(WANTED_HEIGHT)
        self.tiles = Tiles()
        self.frames: list[float] | None = None
        """Seconds each painting took, for a benchmark that asks for them."""
        self.accessible: object = None
        """The interface for screen readers, which has to be referenced from Python."""
        self._densities: LaneDensities | None = None
        self._numpy_allowed = False
        self._painted = False
        self._soon = single_shot(self, SOON_MS, self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setProperty(OWN_RING, "true")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._fit_text()

    def sizeHint(self) -> QSize:
        """As wide as there is room, and as high as the lanes need."""
        return QSize(1200, self.sizes.wanted_height)

    def minimumSizeHint(self) -> QSize:
        """Low enough for a small window."""
        return QSize(320, self.sizes.least_height)

    def apply_theme(self, tokens: Tokens) -> None:
        """Take over another theme, or another font."""
        self.ink = PaintResources(tokens)
        self._densities = None
        self._fit_text()
        self.invalidate(None)

    def set_sizes(self, sizes: LaneSizes) -> None:
        """Give the lanes other heights."""
        if sizes == self.sizes:
            return
        self.sizes = sizes
        self.setMinimumHeight(sizes.least_height)
        self.updateGeometry()
        self.fit_size()
        self.invalidate(None)
        self.lanes_changed.emit()

    def _fit_text(self) -> None:
        self.set_sizes(replace(self.sizes, text=ceil(self.ink.small.height)))
        self.setMinimumHeight(self.sizes.least_height)

    def show_view(self, view: VisibleRange) -> None:
        """Show another part of the film."""
        if view != self.view:
            self.view = view
            self.update()
            self.view_changed.emit()

    def invalidate(self, dirty: Dirty) -> None:
        """Paint these time ranges again, or everything."""
        self.tiles.forget(dirty)
        if dirty is None:
            self.update()
            return
        for start, end in dirty:
            left, right = self.view.x(start) - 32, self.view.x(end) + 32
            if right >= 0 and left <= self.width():
                first, last = max(0, int(left)), min(self.width(), int(right) + 1)
                self.update(QRect(first, 0, last - first, self.height()))

    def paint_now(self, dirty: Dirty) -> None:
        """As `invalidate`, but it is on the screen when this returns, marks and threads everywhere included."""
        self.tiles.forget(dirty)
        self.repaint()

    def paint_soon(self, dirty: Dirty) -> None:
        """As `paint_now`, but in a later turn of the event loop."""
        self.tiles.forget(dirty)
        self._soon.start()

    def move_playhead(self, ms: int) -> None:
        """Move the playhead: only its old and its new position are painted."""
        before, self.overlay.playhead = self.overlay.playhead, ms
        for each in (before, ms):
            x = self.view.x(each)
            if -8 <= x <= self.width() + 8:
                self.update(QRect(int(x) - 8, 0, 18, self.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lanes and view change with the size."""
        super().resizeEvent(event)
        self.fit_size()

    def fit_size(self) -> None:
        """Take over the widget's size and the screen's resolution."""
        self.bands = arrange(self.height(), self.sizes)
        self.show_view(self.view.sized(self.width(), 1 / self.devicePixelRatioF()))

    def event(self, event: QEvent) -> bool:
        """Notices when the window moves to a screen of another resolution, or the font changes."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.fit_size()
        elif event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self.apply_theme(self.ink.tokens)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Move the tiles into place, paint those that are missing, and the overlay."""
        began = perf_counter()
        painter = QPainter(self)
        # the stubs do not know that a region is iterable
        for area in cast("Iterable[QRect]", event.region()):
            self._paint_area(painter, area)
        painter.end()
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self._allow_numpy)
        if self.frames is not None:
            self.frames.append(perf_counter() - began)

    def _paint_area(self, painter: QPainter, area: QRect) -> None:
        painter.setClipRect(area)
        height = self.bands[Lane.NARRATION].bottom
        step = self.view.step
        for x, tile in self.tiles.visible(self.view, height, area.left(), area.right() + 1, self._paint_tile):
            painter.drawImage(QRectF(x, 0, tile.width() * step, tile.height() * step), tile)
        if area.bottom() >= height:
            painter.fillRect(QRect(area.left(), height, area.width(), self.height() - height), self.ink.window)
        paint_overlay(self._sheet(painter, self.view), self.overlay)

    def _sheet(self, painter: QPainter, view: VisibleRange) -> PaintContext:
        return PaintContext(painter, view, self.bands, self.rows, self.ink, self.film, self._densities)

    def _paint_tile(self, painter: QPainter, view: VisibleRange) -> None:
        if self._densities is None and self._numpy_allowed:
            self._densities = LaneDensities(self.rows, self.ink.tokens)
        sheet = self._sheet(painter, view)
        paint_film(sheet)
        paint_people(sheet)
        paint_dialogue(sheet)
        paint_gaps(sheet)
        paint_threads(sheet)
        paint_occurrences(sheet)
        paint_narration(sheet)
        paint_outside(sheet)
        paint_edges(sheet)

    def _allow_numpy(self) -> None:
        """The window is up: numpy may be imported now, for the sound and for what is too dense for rectangles."""
        self._numpy_allowed = True
        self.invalidate(None)
