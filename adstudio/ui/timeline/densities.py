"""The densities of the lanes, made when they are first looked at and again when their rows are others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QImage

from adstudio.core.script import Eventuality
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
        self._kept: dict[str, tuple[object, object, Density]] = {}
        self.salience = self._table(lambda share: salience_colour(tokens, share))
        self.outline = self._table(lambda share: mixed(tokens.panel, tokens.salience_most, 0.12 + 0.3 * share))
        self.cues = self._table(lambda share: mixed(tokens.panel, tokens.dialogue, share))
        self.free = self._table(lambda share: mixed(tokens.panel, tokens.gap, share))

    def of_strip(self, name: str, strip: Strip) -> Density:
        """The covered time of a strip."""
        return self._make(name, strip, None, lambda: density_of(strip.starts, strip.ends))

    def of_lines(self, name: str, strip: Strip) -> Density:
        """The covered time of lines, weighted by salience between 0 and 1."""
        rows = self._rows

        def make() -> Density:
            index, lines, greatest = rows.script.eventuality_index, rows.script.eventualities, rows.greatest
            return density_of(strip.starts, strip.ends, [_share(lines[index[key]], greatest) for key in strip.keys])

        return self._make(name, strip, rows.script.eventualities, make)

    def of_placed(self) -> Density:
        """What happens and is described."""
        rows, strip = self._rows, self._rows.happens

        def make() -> Density:
            index, lines, greatest = rows.script.eventuality_index, rows.script.eventualities, rows.greatest
            placed = rows.plan.by_element
            some = [i for i, key in enumerate(strip.keys) if key in placed]
            return density_of(
                [strip.starts[i] for i in some],
                [strip.ends[i] for i in some],
                [_share(lines[index[strip.keys[i]]], greatest) for i in some],
            )

        return self._make("placed", rows.plan, rows.script.eventualities, make)

    def _make(self, name: str, one: object, other: object, make: Callable[[], Density]) -> Density:
        kept = self._kept.get(name)
        if kept is not None and kept[0] is one and kept[1] is other:
            return kept[2]
        density = make()
        self._kept[name] = one, other, density
        return density

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

    @staticmethod
    def _image(pixels: NDArray[np.uint32]) -> QImage:
        height, width = pixels.shape
        return QImage(pixels.tobytes(), width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied).copy()


def _share(line: Eventuality, greatest: int) -> float:
    return max(0.0, min(1.0, (line.salience or 0) / greatest))
