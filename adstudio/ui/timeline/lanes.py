"""The lanes from top to bottom, and how high each is. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    PEOPLE = "People"
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
    Lane.PEOPLE: (20, 24, 32),
    Lane.SOUND: (24, 48, 112),
    Lane.DIALOGUE: (24, 40, 56),
    Lane.GAPS: (24, 32, 32),
    Lane.ACTION: (56, 72, 144),
    Lane.THREADS: (12, 28, 40),
    Lane.NARRATION: (32, 48, 64),
}
"""How high a lane is in a small window, how high it is by default, and how high it may grow."""
_SCARCE = {Lane.PEOPLE: 0, Lane.SHOTS: 0, Lane.THREADS: 0, Lane.ACTION: 48}
"""What goes, or gets lower still, where even that is too much, the first one first. The sound never goes."""
WITHOUT_TEXT = (Lane.SHOTS, Lane.SOUND, Lane.THREADS)
TEXT_HEIGHT = 16
"""Pixels of the text in the lanes for which the heights are meant; they grow with it."""
TEXT_PADDING = 4
RESIZABLE = tuple(lane for lane in Lane if lane not in (Lane.RULER, Lane.THREADS))
"""The lanes whose height the describer may set."""
GREATEST_HEIGHT = 320


def _on_grid(height: int) -> int:
    return -(-height // UNIT) * UNIT


@dataclass(frozen=True)
class LaneSizes:
    """What the heights of lanes depend on, apart from the room: the text's height, and what the describer has set.

    Without `people` nobody's face is known, and their lane is not there.
    """

    text: int = TEXT_HEIGHT
    wished: tuple[tuple[Lane, int], ...] = ()
    people: bool = False

    def compact(self, lane: Lane) -> int:
        """How high a lane is in a small window."""
        if lane is Lane.PEOPLE and not self.people:
            return 0
        least = _HEIGHTS[lane][0]
        return least if lane in WITHOUT_TEXT else max(least, _on_grid(self.text + TEXT_PADDING))

    def wanted(self, lane: Lane) -> int:
        """How high a lane is where there is room."""
        return self._scaled(lane, 1)

    def most(self, lane: Lane) -> int:
        """How high a lane may grow."""
        return self._scaled(lane, 2)

    @property
    def compact_height(self) -> int:
        """All lanes in a small window."""
        return sum(map(self.compact, Lane))

    @property
    def wanted_height(self) -> int:
        """All lanes, each as high as it likes to be."""
        wished = dict(self.wished)
        there = (lane for lane in Lane if lane is not Lane.PEOPLE or self.people)
        return sum(max(self.compact(lane), wished.get(lane, self.wanted(lane))) for lane in there)

    @property
    def least_height(self) -> int:
        """The lanes that are never left out."""
        return sum(min(self.compact(lane), _SCARCE.get(lane, self.compact(lane))) for lane in Lane)

    def with_height(self, lane: Lane, height: int) -> LaneSizes:
        """With another height for a lane, on the grid and within what it may have."""
        height = max(self.compact(lane), min(_on_grid(height), GREATEST_HEIGHT))
        return replace(self, wished=tuple({**dict(self.wished), lane: height}.items()))

    def without_height(self, lane: Lane) -> LaneSizes:
        """With the lane as high as it is by default."""
        return replace(self, wished=tuple(pair for pair in self.wished if pair[0] is not lane))

    def _scaled(self, lane: Lane, n: int) -> int:
        if lane is Lane.PEOPLE and not self.people:
            return 0
        found = _HEIGHTS[lane][n]
        scaled = found if lane in WITHOUT_TEXT else _on_grid(found * max(self.text, TEXT_HEIGHT) // TEXT_HEIGHT)
        return max(self.compact(lane), scaled)


DEFAULT_SIZES = LaneSizes()
COMPACT_HEIGHT = DEFAULT_SIZES.compact_height
WANTED_HEIGHT = DEFAULT_SIZES.wanted_height
LEAST_HEIGHT = DEFAULT_SIZES.least_height


@lru_cache(maxsize=64)
def arrange(height: int, wanted: LaneSizes = DEFAULT_SIZES) -> dict[Lane, Band]:
    """Share a height among the lanes: first what they need, then what the describer has set, then what they like.

    Where it is scarce the shots go first, and the sound never does.
    """
    sizes = {lane: wanted.compact(lane) for lane in Lane}
    for lane, scarce in _SCARCE.items():
        if sum(sizes.values()) > height:
            sizes[lane] = min(sizes[lane], scarce)
    for lane, wish in wanted.wished:
        if sizes[lane]:
            spare = (height - sum(sizes.values())) // UNIT * UNIT
            sizes[lane] += max(0, min(wish - sizes[lane], spare))
    free = [lane for lane in Lane if lane not in dict(wanted.wished)]
    for most in (wanted.wanted, wanted.most):
        _grow(sizes, {lane: most(lane) for lane in free}, (height - sum(sizes.values())) // UNIT)
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
