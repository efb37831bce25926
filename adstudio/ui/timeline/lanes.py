"""The lanes from top to bottom, and how high each is. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

UNIT = 4


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


_COMPACT = {
    Lane.RULER: 24,
    Lane.SCENES: 20,
    Lane.SHOTS: 28,
    Lane.SOUND: 24,
    Lane.DIALOGUE: 24,
    Lane.GAPS: 24,
    Lane.ACTION: 56,
    Lane.THREADS: 12,
    Lane.NARRATION: 32,
}
_WANTED = {
    Lane.RULER: 24,
    Lane.SCENES: 24,
    Lane.SHOTS: 56,
    Lane.SOUND: 48,
    Lane.DIALOGUE: 40,
    Lane.GAPS: 32,
    Lane.ACTION: 72,
    Lane.THREADS: 28,
    Lane.NARRATION: 48,
}
_MOST = {Lane.SHOTS: 96, Lane.SOUND: 112, Lane.DIALOGUE: 56, Lane.ACTION: 144, Lane.THREADS: 40, Lane.NARRATION: 64}

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
    """Hand out what is left over, four pixels at a time to the lane that is furthest from what it wants."""
    while spare > 0:
        growing = [lane for lane, size in most.items() if 0 < sizes[lane] < size]
        if not growing:
            return
        sizes[min(growing, key=lambda lane: sizes[lane] / most[lane])] += UNIT
        spare -= 1


def lane_at(bands: dict[Lane, Band], y: float) -> Lane | None:
    """The lane at a height."""
    for band in bands.values():
        if band.top <= y < band.bottom:
            return band.lane
    return None
