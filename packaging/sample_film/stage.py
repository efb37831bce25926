"""What a shot's drawing needs to know: when things happen in it, who is speaking now, and which drawing this is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sample_film.paint import eased
from sample_film.source import Shot
from sample_film.speech import SAMPLE_RATE
from sample_film.timeline import SpokenLine

DRAWING_MS = 80
"""A drawing stands for two frames."""

Draw = Callable[[float], Image.Image]
"""Paints the drawing at a second of its shot."""


class Still:
    """Gives the last picture again while what it shows has not changed."""

    def __init__(self) -> None:
        self._shown: tuple[object, Image.Image] | None = None

    def show(self, what: object, paint: Callable[[], Image.Image]) -> Image.Image:
        """The picture of `what`: the last one where that was the same, else painted anew."""
        if self._shown is None or self._shown[0] != what:
            self._shown = (what, paint())
        return self._shown[1]


Mouths = Mapping[str, NDArray[np.uint8]]


@dataclass(frozen=True)
class Stage:
    """A shot about to be drawn."""

    shot: Shot
    mouths: Mouths
    title: str
    credit: str

    def go(self, moment: str, t: float) -> float:
        """How far the movement of that name is at second `t`, from 0 to 1."""
        return eased(t, self.shot.moments[moment])

    def on(self, moment: str, t: float) -> bool:
        """Whether second `t` lies within the moment of that name."""
        start, end = self.shot.moments[moment]
        return start <= t < end

    def mouth(self, voice: str, t: float) -> float:
        """How far somebody's mouth is open, in four steps."""
        levels = self.mouths.get(voice)
        if levels is None:
            return 0.0
        return float(levels[min(self.drawing(t), len(levels) - 1)]) / 3

    def drawing(self, t: float) -> int:
        """The film's number of the drawing at second `t`."""
        return (self.shot.start + round(t * 1000)) // DRAWING_MS

    def blink(self, t: float, who: int) -> bool:
        """Whether somebody's eyes are shut for a moment."""
        number = self.drawing(t) + who * 17
        return number % 43 in (0, 1) or number % 97 == 60


def read_mouths(lines: Sequence[SpokenLine], end: int) -> Mouths:
    """For each voice, how loud it is in each drawing of the film, from 0 to 3."""
    found: dict[str, NDArray[np.uint8]] = {}
    step = SAMPLE_RATE * DRAWING_MS // 1000
    for line in lines:
        levels = found.setdefault(line.voice, np.zeros(end // DRAWING_MS + 1, np.uint8))
        first = line.starts // DRAWING_MS
        for k in range(math.ceil(len(line.speech) / step)):
            loud = float(np.sqrt(np.mean(line.speech[k * step : (k + 1) * step] ** 2)))
            if first + k < len(levels):
                levels[first + k] = min(3, int(loud * 14))
    return found
