"""The densities of the lanes, made when they are first looked at and again when their rows are others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QImage

from adstudio.ui.theme import Tokens, mixed, salience_colour
from adstudio.ui.timeline.density import Density, density_of
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.timeline.strip import Strip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Colours = NDArray[np.uint32]

TABLE = 64
"""Colours between two ends of a scale."""


class Densities:
    """Keeps a density for each strip while the strip stays the same object."""

    def __init__(self, rows: Rows, tokens: Tokens) -> None:
        import numpy as np

        self._numpy = np
        self._rows = rows
        self._strips: dict[str, tuple[Density, Floats, object]] = {}
        self._lines: dict[str, tuple[object, object, object, tuple[Density, Floats, Floats]]] = {}
        self._held = b""
        self.salience = self._table(lambda share: salience_colour(tokens, share))
        self.outline = self._table(lambda share: mixed(tokens.panel, tokens.salience_most, 0.12 + 0.3 * share))
        self.cues = self._table(lambda share: mixed(tokens.panel, tokens.dialogue, share))
        self.free = self._table(lambda share: mixed(tokens.panel, tokens.gap, share))

    def shares(self, name: str, strip: Strip, start: float, ms_per_column: float, count: int) -> Floats:
        """Of each column the share that a strip covers."""
        density, grown, _ = self._channels(name, strip)
        return density.columns(grown, start, ms_per_column, count)

    def lines(
        self, name: str, strip: Strip, start: float, ms_per_column: float, count: int, *, placed: bool = False
    ) -> tuple[Floats, Floats]:
        """The same of lines, or only of those that are `placed`, and the mean salience (0…1) of what covers it."""
        np = self._numpy
        density, grown, weighted = self._of_lines(name, strip, placed=placed)
        shares = density.columns(grown, start, ms_per_column, count)
        weights = density.columns(weighted, start, ms_per_column, count)
        return shares, np.divide(weights, shares, out=np.zeros(count), where=shares > 1e-9)

    def _channels(self, name: str, strip: Strip) -> tuple[Density, Floats, object]:
        """The density of a strip, what it covers, and the strip that this was made of."""
        kept = self._strips.get(name)
        if kept is not None and kept[2] is strip:
            return kept
        density = density_of(strip.starts, strip.ends)
        found = density, density.grown(self._numpy.ones(len(strip))), strip
        self._strips[name] = found
        return found

    def _of_lines(self, name: str, strip: Strip, *, placed: bool) -> tuple[Density, Floats, Floats]:
        np, rows = self._numpy, self._rows
        lines, plan = rows.script.eventualities, rows.plan if placed else None
        key = f"{name} placed" if placed else name
        kept = self._lines.get(key)
        if kept is not None and kept[0] is strip and kept[1] is lines and kept[2] is plan:
            return kept[3]
        density, grown, _ = self._channels(name, strip)
        index = rows.script.eventuality_index
        salience = np.array([line.salience or 0 for line in lines], dtype=np.float64) / rows.greatest
        weights = np.clip(salience, 0, 1)[[index[each] for each in strip.keys]] if len(strip) else np.zeros(0)
        if plan is not None:
            chosen = np.array([each in plan.by_element for each in strip.keys], dtype=np.float64)
            weights, grown = weights * chosen, density.grown(chosen)
        found = density, grown, density.grown(weights)
        self._lines[key] = strip, lines, plan, found
        return found

    def _table(self, colour: Callable[[float], QColor]) -> Colours:
        values = [colour(n / (TABLE - 1)).rgba() for n in range(TABLE)]
        return self._numpy.array(values, dtype=self._numpy.uint32)

    def looked_up(self, table: Colours, share: Floats) -> Colours:
        """The colour of each column on a scale of 0…1."""
        np = self._numpy
        return table[np.clip(share * (TABLE - 1), 0, TABLE - 1).astype(np.intp)]

    def one(self, colour: QColor, columns: int) -> Colours:
        """The same colour for every column."""
        return self._numpy.full(columns, colour.rgba(), dtype=self._numpy.uint32)

    def standing(self, shares: Floats, colours: Colours, height: int) -> QImage:
        """Bars that stand on the ground, each as high as its share of the height."""
        np = self._numpy
        tops = height - np.clip(np.ceil(shares * height), 0, height)
        return self._image(np.where(np.arange(height)[:, None] >= tops[None, :], colours[None, :], np.uint32(0)))

    def level(self, shares: Floats, colours: Colours) -> QImage:
        """One row of colours, wherever there is anything; to be stretched to any height."""
        np = self._numpy
        return self._image(np.where(shares > 0, colours, np.uint32(0))[None, :])

    def centred(self, shares: Floats, colour: QColor, height: int) -> QImage:
        """Bars that reach as far up as down from the middle: the sound."""
        np = self._numpy
        half = (height - 1) / 2
        distance = np.abs(np.arange(height) - half)
        inside = distance[:, None] <= np.maximum(0.5, shares * half)[None, :]
        return self._image(np.where(inside, np.uint32(colour.rgba()), np.uint32(0)))

    def _image(self, pixels: NDArray[np.uint32]) -> QImage:
        """An image of these pixels; it is to be drawn before the next one is made."""
        height, width = pixels.shape
        self._held = pixels.tobytes()
        return QImage(self._held, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
