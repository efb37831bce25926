"""Where each item stands: one geometry for painting, hit testing and the screen reader. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from adstudio.ui.timeline.lanes import Band, Lane
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.timeline.sorted_spans import SortedSpans
from adstudio.ui.timeline.visible_range import VisibleRange

LEAST_WIDTH = 2.0
"""Pixels: nothing is narrower, so that nothing is lost."""
MARK_WIDTH = 8.0
"""Pixels of the mark for a cue of no length, or one that ends before it starts."""
OPENING_HEIGHT = 8
"""Pixels at the top of the gaps lane that belong to openings."""

PADDING = {Lane.DIALOGUE: 4, Lane.GAPS: 4, Lane.ACTION: 4, Lane.NARRATION: 4}
"""Pixels above and below the items of a lane."""


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        """The height of its centre."""
        return (self.top + self.bottom) / 2

    @property
    def centre(self) -> float:
        """The distance of its centre from the left."""
        return (self.left + self.right) / 2


@lru_cache(maxsize=512)
def row(lane: Lane, top: int, height: int, level: int, depth: int) -> tuple[int, int]:
    """Top and bottom of a row of a lane; a pixel or two stays between rows."""
    padding = PADDING.get(lane, 0)
    room = height - 2 * padding
    between = 2 if depth > 1 and room / depth >= 8 else 0
    first = top + padding + round(level * (room + between) / depth)
    last = top + padding + round((level + 1) * (room + between) / depth) - between
    return first, max(first + 2, last)


def strip_in(rows: Rows, lane: Lane) -> SortedSpans | None:
    """The main strip of a lane; silences and openings share the lane of the gaps."""
    return {
        Lane.SCENES: rows.scenes,
        Lane.SHOTS: rows.shots,
        Lane.DIALOGUE: rows.cues,
        Lane.GAPS: rows.free,
        Lane.ACTION: rows.occurrences,
        Lane.NARRATION: rows.narration,
    }.get(lane)


def box(view: VisibleRange, band: Band, strip: SortedSpans, i: int) -> Box:
    """The rectangle of an item."""
    top, bottom = row(band.lane, band.top, band.height, strip.levels[i], strip.depths[i])
    left, right = view.x(strip.starts[i]), view.x(strip.ends[i])
    if band.lane is Lane.DIALOGUE and strip.ends[i] <= strip.starts[i]:
        return Box(left - MARK_WIDTH / 2, top, left + MARK_WIDTH / 2, bottom)
    return Box(left, top, max(right, left + LEAST_WIDTH), bottom)


def opening_box(view: VisibleRange, band: Band, strip: SortedSpans, i: int) -> Box:
    """The handle of an opening, at the top of the gaps lane."""
    left, right = view.x(strip.starts[i]), view.x(strip.ends[i])
    return Box(left, band.top, max(right, left + LEAST_WIDTH), band.top + OPENING_HEIGHT)


def boxes(view: VisibleRange, band: Band, strip: SortedSpans) -> Iterator[tuple[int, Box]]:
    """The visible items of a lane with their rectangles; each is that of `box`."""
    start, end = view.shown
    reach = MARK_WIDTH * view.ms_per_px
    places = strip.between(start - reach, end + reach)
    rows: dict[tuple[int, int], tuple[int, int]] = {}
    pointed = band.lane is Lane.DIALOGUE
    for i, left, right in zip(places, view.xs(strip.starts, places), view.xs(strip.ends, places), strict=True):
        stacked = strip.levels[i], strip.depths[i]
        found = rows.get(stacked)
        if found is None:
            found = rows[stacked] = row(band.lane, band.top, band.height, *stacked)
        if pointed and strip.ends[i] <= strip.starts[i]:
            yield i, box(view, band, strip, i)
        else:
            yield i, Box(left, found[0], max(right, left + LEAST_WIDTH), found[1])
