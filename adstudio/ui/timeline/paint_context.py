"""What the painters of the lanes are given, and the part they paint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from adstudio.ui.timeline.film_data import FilmData
from adstudio.ui.timeline.lane_densities import LaneDensities
from adstudio.ui.timeline.lanes import Band, Lane
from adstudio.ui.timeline.paint_resources import PaintResources, hair
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.timeline.visible_range import VisibleRange


@dataclass(frozen=True)
class PaintContext:
    """A part of the timeline to be painted: `view` is its time range, `bands` are the lanes.

    `densities` is None until numpy may be imported.
    """

    painter: QPainter
    view: VisibleRange
    bands: dict[Lane, Band]
    rows: Rows
    ink: PaintResources
    film: FilmData
    densities: LaneDensities | None

    def fill(self, band: Band, colour: QColor, left: float = 0, right: float | None = None) -> None:
        """Fill a lane, or a part of it."""
        right = self.view.width if right is None else right
        self.painter.fillRect(QRectF(left, band.top, right - left, band.height), colour)

    def rectangles(self, found: list[QRectF], colour: QColor | QBrush) -> None:
        """Fill rectangles in one go."""
        if found:
            self.painter.setPen(Qt.PenStyle.NoPen)
            self.painter.setBrush(colour)
            self.painter.drawRects(found)

    def uprights(self, places: list[float], top: float, bottom: float, colour: QColor) -> None:
        """Vertical hairlines at these pixels, as rectangles that are filled: crisp at every scale."""
        wide, high = hair(self.view.step), bottom - top
        self.rectangles([QRectF(x, top, wide, high) for x in places], colour)

    def polygon(self, points: Iterable[tuple[float, float]], colour: QColor) -> None:
        """Fill a polygon, its slanting sides smoothed."""
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(colour)
        with self.smooth():
            self.painter.drawPolygon(_polygon(points))

    def polyline(self, points: Iterable[tuple[float, float]], colour: QColor) -> None:
        """A bracket of upright and level lines, two pixels wide."""
        pen = QPen(colour, 2)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        self.painter.setPen(pen)
        self.painter.drawPolyline(_polygon(points))

    def path(self, path: QPainterPath, colour: QColor, width: float, dashes: tuple[float, ...] = ()) -> None:
        """Draw a curve, where it is dashed with these lengths of line and of space in turn."""
        pen = QPen(colour, width)
        if dashes:
            pen.setDashPattern(dashes)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.setPen(pen)
        with self.smooth():
            self.painter.drawPath(path)

    def image(self, band: Band, image: QImage) -> None:
        """Draw an image over the whole view, as high as the items of a lane."""
        top, bottom = band.row()
        self.painter.drawImage(QRectF(0, top, self.view.width, bottom - top), image)

    @contextmanager
    def smooth(self) -> Iterator[None]:
        """Slanting lines are smoothed; upright and level ones stay crisp."""
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        yield
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _polygon(points: Iterable[tuple[float, float]]) -> QPolygonF:
    return QPolygonF([QPointF(*point) for point in points])
