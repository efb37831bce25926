"""The lanes from top to bottom, and how high each is. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

UNIT = 4
ITEM_PADDING = 4
"""Pixels above and below the items of a lane."""


class Lane(Enum):
    """A row of the timeline, by what it shows."""

    RULER = "Time"
    SCENES = "Scenes"
    SHOTS = "Shots"
    SOUND = "Sound"
    DIALOGUE = "Dialogue"
    GAPS = "Gaps"
    ACTION = "Action"
    THREADS = ""
    NARRATION = "Narration"


@dataclass(frozen=True)
class Band:
    """A lane's place: `top` and `height` in pixels, multiples of four."""

    lane: Lane
    top: int
    height: int

    @property
    def bottom(self) -> int:
        """Where the next lane begins."""
        return self.top + self.height

    def row(self, level: int = 0, depth: int = 1) -> tuple[int, int]:
        """Top and bottom of a row of items in the lane; a pixel or two stays between rows."""
        padding = 0 if self.lane is Lane.SCENES else ITEM_PADDING
        room = self.height - 2 * padding
        between = 2 if depth > 1 and room / depth >= 8 else 0
        first = self.top + padding + round(level * (room + between) / depth)
        last = self.top + padding + round((level + 1) * (room + between) / depth) - between
        return first, max(first + 2, last)


_HEIGHTS = {
    Lane.RULER: (24, 24, 24),
    Lane.SCENES: (20, 24, 24),
    Lane.SHOTS: (28, 56, 96),
    Lane.SOUND: (24, 48, 112),
    Lane.DIALOGUE: (24, 40, 56),
    Lane.GAPS: (24, 32, 32),
    Lane.ACTION: (56, 72, 144),
    Lane.THREADS: (12, 28, 40),
    Lane.NARRATION: (32, 48, 64),
}
"""How high a lane is in a small window, how high it is by default, and how high it may grow."""
_COMPACT, _WANTED, _MOST = ({lane: heights[n] for lane, heights in _HEIGHTS.items()} for n in range(3))

COMPACT_HEIGHT = sum(_COMPACT.values())
WANTED_HEIGHT = sum(_WANTED.values())
LEAST_HEIGHT = COMPACT_HEIGHT - _COMPACT[Lane.SHOTS] - _COMPACT[Lane.SOUND]


@lru_cache(maxsize=64)
def arrange(height: int) -> dict[Lane, Band]:
    """Share a height among the lanes; where it is scarce, first the shots and then the sound are left out."""
    sizes = dict(_COMPACT)
    for lane in (Lane.SHOTS, Lane.SOUND):
        if sum(sizes.values()) > height:
            sizes[lane] = 0
    for most in (_WANTED, _MOST):
        _grow(sizes, most, (height - sum(sizes.values())) // UNIT)
    bands: dict[Lane, Band] = {}
    top = 0
    for lane in Lane:
        bands[lane] = Band(lane, top, sizes[lane])
        top += sizes[lane]
    return bands


def _grow(sizes: dict[Lane, int], most: dict[Lane, int], spare: int) -> None:
    """Share out what is left over, four pixels at a time to the lane that is furthest from its size."""
    while spare > 0:
        growing = [lane for lane, size in most.items() if 0 < sizes[lane] < size]
        if not growing:
            return
        sizes[min(growing, key=lambda lane: sizes[lane] / most[lane])] += UNIT
        spare -= 1


def lane_at(bands: dict[Lane, Band], y: float) -> Lane | None:
    """The lane at a height."""
    return next((band.lane for band in bands.values() if band.top <= y < band.bottom), None)
