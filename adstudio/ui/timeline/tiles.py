"""Tiles of painted film: scrolling only moves them, an edit repaints those that it touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil

from PySide6.QtGui import QImage, QPainter

from adstudio.ui.timeline.rows import Dirty
from adstudio.ui.timeline.view import View

WIDTH = 640
"""Pixels of a tile; it is made so that it ends with a pixel of the screen."""
SPARE = 6
"""Tiles that are kept beside those in view."""

Paint = Callable[[QPainter, View], None]


class Tiles:
    """Images of stretches of the film at one zoom."""

    def __init__(self) -> None:
        self._made: dict[int, QImage] = {}
        self._zoom: tuple[float, float, int, int] = (0, 0, 0, 0)
        self._origin = 0.0

    def forget(self, dirty: Dirty = None) -> None:
        """Paint again what lies in these stretches of time; everything where there is None."""
        if dirty is None:
            self._made.clear()
            return
        ms_per_px, step, _, _ = self._zoom
        width = _width(step or 1) * ms_per_px
        if not width:
            return
        # hairlines, marks and threads reach a little beyond their times
        beside, origin = 24 * ms_per_px, self._origin * ms_per_px
        for start, end in dirty:
            first, last = int((start - beside - origin) // width), int((end + beside - origin) // width)
            if last - first > len(self._made):
                for number in [n for n in self._made if first <= n <= last]:
                    del self._made[number]
            else:
                for number in range(first, last + 1):
                    self._made.pop(number, None)

    def visible(
        self, view: View, height: int, first_x: float, last_x: float, paint: Paint
    ) -> Iterator[tuple[float, QImage]]:
        """The tiles between two pixels of the view with their places; what is not there is painted."""
        zoom = (view.ms_per_px, view.step, height, view.end)
        if zoom != self._zoom:
            self._made.clear()
            self._zoom = zoom
            self._origin = view.left  # so that as few tiles as can be are painted while somebody zooms
        width = _width(view.step)
        left = view.left - self._origin
        first, last = int((left + first_x) // width), int((left + last_x - 0.5) // width)
        for number in range(first, last + 1):
            tile = self._made.get(number)
            if tile is None:
                tile = self._paint(self._origin + number * width, width, height, view, paint)
                self._made[number] = tile
            yield number * width - left, tile
        self._thin_out(int(view.width // width) + 2 + SPARE, (first + last) / 2)

    @staticmethod
    def _paint(left: float, width: float, height: int, view: View, paint: Paint) -> QImage:
        tile = QImage(round(width / view.step), round(height / view.step), QImage.Format.Format_RGB32)
        tile.setDevicePixelRatio(1 / view.step)
        painter = QPainter(tile)
        stretch = View(ceil(width), view.end, view.ms_per_px, left, view.step)
        paint(painter, stretch)
        painter.end()
        return tile

    def _thin_out(self, most: int, middle: float) -> None:
        if len(self._made) > most:
            for number in sorted(self._made, key=lambda n: abs(n - middle))[most:]:
                del self._made[number]


def _width(step: float) -> float:
    return round(WIDTH / step) * step
