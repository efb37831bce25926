"""Tiles of painted film: scrolling only moves them, an edit repaints the parts of them that it touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, floor

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from adstudio.ui.timeline.rows import Dirty
from adstudio.ui.timeline.sorted_spans import merged
from adstudio.ui.timeline.visible_range import VisibleRange

WIDTH = 1920
"""Pixels of a tile; it is made so that it ends with a pixel of the screen. One covers most windows: whoever zooms waits
for one sheet to be laid out, not for three."""
SPARE = 2
"""Tiles that are cached besides those in view."""

OVERHANG = 24
"""Pixels that hairlines, marks and threads reach beyond their times."""

PART = 64
"""Pixels of the screen; hatching meets where it is painted from a multiple of its own width."""

Paint = Callable[[QPainter, VisibleRange], None]


class Tiles:
    """Images of parts of the film at one zoom."""

    def __init__(self) -> None:
        self._tiles: dict[int, QImage] = {}
        self._used: list[QImage] = []
        """Images of tiles that went: to paint over one is cheaper than to have the memory for another cleared."""
        self._stale: dict[int, list[tuple[float, float]]] = {}
        """The ranges of pixels of each tile that are out of date, in order, none of which touch."""
        self._zoom: tuple[float, float, int, int] = (0, 0, 0, 0)
        self._origin = 0.0

    def forget(self, dirty: Dirty = None) -> None:
        """Have these time ranges painted again, or everything."""
        if dirty is None:
            self._used = [*self._used, *self._tiles.values()][-SPARE:]
            self._tiles.clear()
            self._stale.clear()
            return
        ms_per_px, step, _, _ = self._zoom
        if not ms_per_px:
            return
        width, part = _width(step), PART * step
        for start, end in dirty:
            left, right = start / ms_per_px - self._origin - OVERHANG, end / ms_per_px - self._origin + OVERHANG
            for number in self._tiles:
                first = max(0.0, floor((left - number * width) / part) * part)
                last = min(width, ceil((right - number * width) / part) * part)
                if first < last:
                    self._stale[number] = merged([*self._stale.get(number, ()), (first, last)])

    def visible(
        self, view: VisibleRange, height: int, first_x: float, last_x: float, paint: Paint
    ) -> Iterator[tuple[float, QImage]]:
        """The tiles between two pixels of the view with their places; what is not there is painted."""
        zoom = (view.ms_per_px, view.step, height, view.end)
        if zoom != self._zoom:
            self.forget()
            self._zoom = zoom
            self._origin = view.left  # so that as few tiles as possible are painted during a zoom
        width = _width(view.step)
        left = view.left - self._origin
        first, last = int((left + first_x) // width), int((left + last_x - 0.5) // width)
        for number in range(first, last + 1):
            tile = self._tiles.get(number)
            if tile is None:
                self._stale[number] = [(0.0, width)]
                tile = self._tiles[number] = self._blank(QSize(round(width / view.step), round(height / view.step)))
                tile.setDevicePixelRatio(1 / view.step)
            seen = (left + first_x - number * width, left + last_x - number * width)
            for stale in self._seen(number, seen, view.step):
                self._paint(tile, self._origin + number * width, stale, view, paint)
            yield number * width - left, tile
        self._thin_out(int(view.width // width) + 2 + SPARE, (first + last) / 2)

    def _blank(self, size: QSize) -> QImage:
        while self._used:
            image = self._used.pop()
            if image.size() == size:
                return image
        return QImage(size, QImage.Format.Format_RGB32)

    def _seen(self, number: int, seen: tuple[float, float], step: float) -> list[tuple[float, float]]:
        """What is out of date of a tile between two of its pixels; it will be painted now, the rest when it is seen."""
        part = PART * step
        left, right = floor(seen[0] / part) * part, ceil(seen[1] / part) * part
        now, later = list[tuple[float, float]](), list[tuple[float, float]]()
        for first, last in self._stale.pop(number, ()):
            if first < right and last > left:
                now.append((max(first, left), min(last, right)))
            later += [each for each in ((first, min(last, left)), (max(first, right), last)) if each[0] < each[1]]
        if later:
            self._stale[number] = later
        return now

    @staticmethod
    def _paint(tile: QImage, left: float, stale: tuple[float, float], view: VisibleRange, paint: Paint) -> None:
        """Paint the pixels between `stale` of the tile whose first pixel is `left`."""
        first, last = stale
        painter = QPainter(tile)
        painter.translate(first, 0)
        painter.setClipRect(QRectF(0, 0, last - first, tile.height() * view.step))
        paint(painter, VisibleRange(ceil(last - first), view.end, view.ms_per_px, left + first, view.step))
        painter.end()

    def _thin_out(self, most: int, middle: float) -> None:
        if len(self._tiles) > most:
            for number in sorted(self._tiles, key=lambda n: abs(n - middle))[most:]:
                del self._tiles[number]
                self._stale.pop(number, None)


def _width(step: float) -> float:
    return round(WIDTH / step) * step
