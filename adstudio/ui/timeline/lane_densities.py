"""The densities of the lanes: far out, items are narrower than a pixel, and each column says how much of it is covered.

Covered time up to t is piecewise linear in t, so a column's share is the difference of two interpolated values: the
cost is that of the columns, however many items there are. Densities are made when they are first looked at, and again
when their rows have changed; numpy is imported when first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtGui import QColor, QImage

from adstudio.core.script import Eventuality
from adstudio.ui.timeline.lanes import Band
from adstudio.ui.timeline.rows import Rows, alike
from adstudio.ui.timeline.sorted_spans import SortedSpans
from adstudio.ui.timeline.visible_range import VisibleRange
from adstudio.ui.widgets.theme import Tokens, mixed, salience_colour

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Colours = NDArray[np.uint32]

T = TypeVar("T")
LEAST_WIDTH = 12.0
"""Pixels: below this mean width items are shown as a density."""
PEAK_MS = 10
"""Milliseconds of one peak of a line's waveform."""
TABLE = 64
"""Colours between two ends of a scale."""


@dataclass(frozen=True, eq=False)
class Density:
    """The edges of some spans in order of time; `order` says which edge each is, starts first and then ends."""

    edges: Floats
    order: NDArray[np.intp]

    def grown(self, weights: Floats) -> Floats:
        """At each edge the time covered up to there, each span counted with its weight."""
        import numpy as np

        slopes = np.cumsum(np.concatenate((weights, -weights))[self.order])
        found = np.zeros(len(self.edges))
        np.cumsum(np.diff(self.edges) * slopes[:-1], out=found[1:])
        return found

    def columns(self, grown: Floats, view: VisibleRange) -> Floats:
        """Of each pixel column of a view the share that is covered, above 1 where spans overlap."""
        import numpy as np

        count, ms_per_column = round(view.width / view.step), view.ms_per_px * view.step
        if not len(self.edges):
            return np.zeros(count)
        bounds = view.time(0) + np.arange(count + 1) * ms_per_column
        return np.diff(np.interp(bounds, self.edges, grown)) / ms_per_column


def density_of(starts: Sequence[int], ends: Sequence[int]) -> Density:
    """The density of spans; those of no length count as a millisecond, so that none is lost."""
    import numpy as np

    first = np.asarray(starts, dtype=np.float64)
    last = np.maximum(np.asarray(ends, dtype=np.float64), first + 1)
    times = np.concatenate((first, last))
    order = np.argsort(times, kind="stable")
    return Density(times[order], order)


class Saliences:
    """The salience of every line as an array that is updated where lines have changed."""

    def __init__(self) -> None:
        self.order = object()
        """Another object after lines were added, removed or moved."""
        self._lines: tuple[Eventuality, ...] = ()
        self._values: Floats | None = None

    def of(self, lines: tuple[Eventuality, ...]) -> Floats:
        """The saliences in the order of the script, in millionths; none counts as 0."""
        import numpy as np

        old, self._lines = self._lines, lines
        if self._values is None or len(old) != len(lines):
            self._values = np.array([line.salience or 0 for line in lines], dtype=np.float64)
            self.order = object()
        elif old is not lines:
            first = alike(old, lines)
            last = len(lines) - alike(old[first:][::-1], lines[first:][::-1])
            for place in range(first, last):
                self._values[place] = lines[place].salience or 0
            if any(old[place].id != lines[place].id for place in range(first, last)):
                self.order = object()
        return self._values


class LaneDensities:
    """Keeps a density for each strip while the strip stays the same object."""

    def __init__(self, rows: Rows, tokens: Tokens) -> None:
        import numpy as np

        self._numpy = np
        self._rows = rows
        self._cache: dict[str, tuple[tuple[object, ...], Any]] = {}
        self._salience = Saliences()
        self._held: NDArray[np.uint32] = np.zeros((1, 1), np.uint32)
        self.salience = self._table(lambda share: salience_colour(tokens, share))
        self.outline = self._table(lambda share: mixed(tokens.panel, tokens.salience_most, 0.12 + 0.3 * share))
        self.cues = self._table(lambda share: mixed(tokens.panel, tokens.dialogue, share))
        self.free = self._table(lambda share: mixed(tokens.panel, tokens.gap, share))

    def shares(self, name: str, strip: SortedSpans, view: VisibleRange) -> Floats:
        """Of each column of a view the share that a strip covers."""
        density, grown = self._coverage(name, strip)
        return density.columns(grown, view)

    def lines(
        self, name: str, strip: SortedSpans, view: VisibleRange, *, placed: bool = False
    ) -> tuple[Floats, Floats]:
        """The same of lines, or only of those that are `placed`, and the mean salience (0…1) of what covers it."""
        np, rows = self._numpy, self._rows
        lines, plan = rows.script.eventualities, rows.plan if placed else None

        def weighted() -> tuple[Density, Floats, Floats]:
            density, grown = self._coverage(name, strip)
            salience = self._salience.of(lines)
            weights = np.clip(salience[self._places(name, strip)] / rows.greatest, 0, 1)
            if plan is not None:
                chosen = np.array([each in plan.by_line for each in strip.keys], dtype=np.float64)
                weights, grown = weights * chosen, density.grown(chosen)
            return density, grown, density.grown(weights)

        density, grown, weights = self._cached(f"{name}, weighted, {placed}", (strip, lines, plan), weighted)
        shares, saliences = density.columns(grown, view), density.columns(weights, view)
        return shares, np.divide(saliences, shares, out=np.zeros(len(shares)), where=shares > 1e-9)

    def _cached(self, name: str, sources: tuple[object, ...], make: Callable[[], T]) -> T:
        """What `make` returned for these very objects; made anew when one is another."""
        cached = self._cache.get(name)
        if cached is None or any(old is not new for old, new in zip(cached[0], sources, strict=True)):
            cached = self._cache[name] = sources, make()
        return cached[1]

    def _coverage(self, name: str, strip: SortedSpans) -> tuple[Density, Floats]:
        """The density of a strip, and what it covers."""

        def make() -> tuple[Density, Floats]:
            density = density_of(strip.starts, strip.ends)
            return density, density.grown(self._numpy.ones(len(strip)))

        return self._cached(name, (strip,), make)

    def _places(self, name: str, strip: SortedSpans) -> NDArray[np.intp]:
        """The indexes of a strip's lines in the script."""
        index, np = self._rows.script.eventuality_index, self._numpy
        return self._cached(
            f"{name}, places",
            (strip, self._salience.order),
            lambda: np.array([index[key] for key in strip.keys], dtype=np.intp),
        )

    def _table(self, colour: Callable[[float], QColor]) -> Colours:
        values = [colour(n / (TABLE - 1)).rgba() for n in range(TABLE)]
        return self._numpy.array(values, dtype=self._numpy.uint32)

    def looked_up(self, table: Colours, share: Floats) -> Colours:
        """The colour of each column on a scale of 0…1."""
        np = self._numpy
        return table[np.clip(share * (TABLE - 1), 0, TABLE - 1).astype(np.intp)]

    def waves(self, lines: Sequence[tuple[float, float, bytes, QColor]], view: VisibleRange) -> tuple[Floats, Colours]:
        """The waveforms of lines in the columns of a view, as shares of full scale, and the colour of each column.

        A line has its left and right pixel, its peaks in hundredths of a second, and its colour.
        """
        np = self._numpy
        count, ms_per_column = round(view.width / view.step), view.ms_per_px * view.step
        shares, colours = np.zeros(count), np.zeros(count, np.uint32)
        for left, right, peaks, colour in lines:
            first, last = max(0, round(left / view.step)), min(count, round(right / view.step))
            bins = np.frombuffer(peaks, np.uint8)
            edges = (
                (((np.arange(first, last + 1) - left / view.step) * ms_per_column) / PEAK_MS).astype(np.intp).clip(0)
            )
            known = int(np.searchsorted(edges[:-1], len(bins)))
            if not known:
                continue
            shown = slice(first, first + known)
            # Where two edges are in one bin, reduceat takes that bin; the last column goes to the end of what it gets.
            shares[shown] = np.maximum.reduceat(bins[: max(edges[known], edges[known - 1] + 1)], edges[:known]) / 255
            colours[shown] = colour.rgba()
        return shares, colours

    def bars(self, shares: Floats, colours: Colours | QColor, band: Band) -> QImage:
        """Bars that stand on the ground of a lane, each as high as its share of the height."""
        np = self._numpy
        if isinstance(colours, QColor):
            colours = np.full(len(shares), colours.rgba(), dtype=np.uint32)
        top, bottom = band.row()
        height = bottom - top
        tops = (height - np.clip(np.ceil(shares * height), 0, height)).astype(np.int16)
        # multiplying by 0 outside the bars is faster than selecting
        return self._image((np.arange(height, dtype=np.int16)[:, None] >= tops[None, :]) * colours[None, :])

    def level(self, shares: Floats, table: Colours) -> QImage:
        """One row of colours from a scale, wherever there is anything; to be stretched to any height."""
        np = self._numpy
        return self._image(np.where(shares > 0, self.looked_up(table, shares), np.uint32(0))[None, :])

    def centred(self, shares: Floats, colour: QColor, height: int) -> QImage:
        """Bars that reach as far up as down from the middle: the sound."""
        np = self._numpy
        half = (height - 1) / 2
        distance = np.abs(np.arange(height) - half).astype(np.float32)
        inside = distance[:, None] <= np.maximum(0.5, shares * half).astype(np.float32)[None, :]
        return self._image(inside * np.uint32(colour.rgba()))

    def _image(self, pixels: NDArray[np.uint32]) -> QImage:
        """An image of these pixels; it is to be drawn before the next one is made."""
        height, width = pixels.shape
        self._held = pixels  # Qt reads it where it lies
        return QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
