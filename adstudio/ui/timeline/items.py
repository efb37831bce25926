"""The items of the timeline: where each is, what lies under the pointer, and which the keyboard goes to next. Pure.

One geometry serves painting, hit testing and the screen reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from adstudio.core.timebase import Span
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.timeline.lanes import Band, Lane, lane_at
from adstudio.ui.timeline.rows import Rows, gap_key
from adstudio.ui.timeline.sorted_spans import SortedSpans
from adstudio.ui.timeline.visible_range import VisibleRange

LEAST_WIDTH = 2.0
"""Pixels: nothing is narrower, so that nothing is lost."""
MARK_WIDTH = 8.0
"""Pixels of the mark for a cue of no length, or one that ends before it starts."""
OPENING_HEIGHT = 8
"""Pixels at the top of the gaps lane that belong to openings."""
INSIDE = 6.0
"""Pixels of an item that belong to its edge; in a short item its outer thirds do."""
OUTSIDE = 3.0
"""Pixels beside an item that still belong to its edge."""
ITEM_LANES = (Lane.SCENES, Lane.DIALOGUE, Lane.GAPS, Lane.ACTION, Lane.NARRATION)
"""The lanes that have items, from top to bottom."""


class Part(Enum):
    """Which part of an item."""

    BODY = "body"
    START = "start"
    END = "end"


@dataclass(frozen=True)
class Item:
    """One thing on the timeline: what it is, its id (or a gap's key), and the lane in which it is looked at."""

    kind: Kind
    key: str
    lane: Lane


@dataclass(frozen=True)
class Hit:
    """Where the pointer is: the lane, and the item with its part if there is one."""

    lane: Lane | None = None
    item: Item | None = None
    part: Part = Part.BODY


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


def strips_in(rows: Rows, lane: Lane) -> tuple[tuple[Kind, SortedSpans], ...]:
    """The strips of a lane with the kinds of their items, the topmost first."""
    match lane:
        case Lane.SCENES:
            return ((Kind.SCENE, rows.scenes),)
        case Lane.DIALOGUE:
            return ((Kind.CUE, rows.cues),)
        case Lane.GAPS:
            return ((Kind.OPENING, rows.openings), (Kind.SILENCE, rows.silences), (Kind.GAP, rows.free))
        case Lane.ACTION:
            return ((Kind.LINE, rows.occurrences),)
        case Lane.NARRATION:
            return ((Kind.LINE, rows.narration),)
        case _:
            return ()


def items_in(rows: Rows, lane: Lane) -> list[tuple[int, int, Item]]:
    """The items of a lane in order of time, with their starts and ends."""
    strips = strips_in(rows, lane)
    found = [
        (start, end, Item(kind, key, lane))
        for kind, strip in reversed(strips)
        for key, start, end in zip(strip.keys, strip.starts, strip.ends, strict=True)
    ]
    if len(strips) > 1:
        found.sort(key=lambda each: each[:2])
    return found


def strip_of_item(rows: Rows, item: Item) -> SortedSpans:
    """The strip that an item is in, if it is still there."""
    return dict(strips_in(rows, item.lane)).get(item.kind, SortedSpans())


def span_of(rows: Rows, item: Item) -> Span | None:
    """Where an item lies; None when it is not there any more."""
    return strip_of_item(rows, item).span(item.key)


def box(view: VisibleRange, band: Band, strip: SortedSpans, i: int) -> Box:
    """The rectangle of an item."""
    top, bottom = band.row(strip.levels[i], strip.depths[i])
    left, right = view.x(strip.starts[i]), view.x(strip.ends[i])
    if band.lane is Lane.DIALOGUE and strip.ends[i] <= strip.starts[i]:
        return Box(left - MARK_WIDTH / 2, top, left + MARK_WIDTH / 2, bottom)
    return Box(left, top, max(right, left + LEAST_WIDTH), bottom)


def opening_box(view: VisibleRange, band: Band, strip: SortedSpans, i: int) -> Box:
    """The handle of an opening, at the top of the gaps lane."""
    return box(view, band, strip, i)._replace(top=band.top, bottom=band.top + OPENING_HEIGHT)


def item_box(view: VisibleRange, bands: dict[Lane, Band], rows: Rows, item: Item) -> Box | None:
    """The rectangle of an item; None when it is not there any more."""
    strip = strip_of_item(rows, item)
    place = strip.place.get(item.key)
    if place is None:
        return None
    return (opening_box if item.kind is Kind.OPENING else box)(view, bands[item.lane], strip, place)


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
            found = rows[stacked] = band.row(*stacked)
        if pointed and strip.ends[i] <= strip.starts[i]:
            yield i, box(view, band, strip, i)
        else:
            yield i, Box(left, found[0], max(right, left + LEAST_WIDTH), found[1])


def hit(view: VisibleRange, bands: dict[Lane, Band], rows: Rows, x: float, y: float) -> Hit:
    """What lies at a pixel. Of items that lie over each other it is the one that starts last, as that is on top."""
    lane = lane_at(bands, y)
    if lane is None:
        return Hit()
    band = bands[lane]
    for kind, strip in strips_in(rows, lane):
        edges = lane in (Lane.GAPS, Lane.ACTION)
        foot = band.top + OPENING_HEIGHT if kind is Kind.OPENING else None
        found = _in_strip(view, band, strip, x, y, edges=edges, foot=foot)
        if found is not None:
            key, part = found
            return Hit(lane, Item(kind, key, lane), part)
    return Hit(lane)


def _in_strip(
    view: VisibleRange, band: Band, strip: SortedSpans, x: float, y: float, *, edges: bool, foot: float | None
) -> tuple[str, Part] | None:
    if foot is not None and y > foot:
        return None
    reach = max(MARK_WIDTH, OUTSIDE)
    best: tuple[float, str, Part] | None = None
    for i in reversed(strip.between(view.time(x - reach), view.time(x + reach))):
        found = box(view, band, strip, i)
        distance = max(found.left - x, x - found.right, 0.0)
        if distance > (OUTSIDE if edges or found.right - found.left < 2 * OUTSIDE else 0.0):
            continue
        if foot is None and strip.depths[i] > 1 and not found.top - 1 <= y <= found.bottom + 1:
            continue
        if best is None or distance < best[0]:
            best = distance, strip.keys[i], part_at(found, x) if edges else Part.BODY
    return None if best is None else (best[1], best[2])


def part_at(found: Box, x: float) -> Part:
    """The part of an item that a pixel belongs to: a short item has edges too, and a body between them."""
    zone = min(INSIDE, (found.right - found.left) / 3)
    if x < found.left + zone:
        return Part.START
    return Part.END if x > found.right - zone else Part.BODY


def within(view: VisibleRange, bands: dict[Lane, Band], rows: Rows, area: Box) -> tuple[str, ...]:
    """The lines that a rubber band touches in the action or the narration lane, in order of time."""
    found: dict[str, None] = {}
    for lane, strip in ((Lane.ACTION, rows.occurrences), (Lane.NARRATION, rows.narration)):
        band = bands[lane]
        if area.bottom <= band.top or area.top >= band.bottom:
            continue
        for i in strip.between(view.time(area.left), view.time(area.right)):
            each = box(view, band, strip, i)
            if each.top < area.bottom and each.bottom > area.top:
                found[strip.keys[i]] = None
    return tuple(found)


def current(rows: Rows, selection: Selection, lane: Lane) -> Item | None:
    """The selected item; a line in `lane` if it is there, else where it is visible."""
    if selection.kind is Kind.GAP:
        return None if selection.gap is None else Item(Kind.GAP, gap_key(selection.gap), Lane.GAPS)
    if selection.current is None:
        return None
    if selection.kind is not Kind.LINE:
        place = {Kind.CUE: Lane.DIALOGUE, Kind.SCENE: Lane.SCENES}.get(selection.kind, Lane.GAPS)
        return Item(selection.kind, selection.current, place)
    lines = (Item(Kind.LINE, selection.current, each) for each in (lane, Lane.NARRATION, Lane.ACTION))
    found = next((line for line in lines if span_of(rows, line) is not None), None)
    return found or Item(Kind.LINE, selection.current, Lane.NARRATION)


def along(rows: Rows, item: Item | None, by: int, lane: Lane, at: int) -> Item | None:
    """The next item of the lane, or the one before; from nowhere it is the nearest to a time."""
    found = items_in(rows, item.lane if item else lane)
    place = next((n for n, (_, _, each) in enumerate(found) if each == item), None)
    if place is None:
        return nearest(rows, lane, at)
    return found[min(max(0, place + by), len(found) - 1)][2]


def end_of_lane(rows: Rows, lane: Lane, place: int) -> Item | None:
    """The first item of a lane (place 0) or the last one (-1)."""
    found = items_in(rows, lane)
    return found[place][2] if found else None


def across(rows: Rows, item: Item | None, by: int, lane: Lane, at: int) -> Item | None:
    """The item of the next lane that has any, or of the one before, that is nearest in time.

    A line that is in both the action and the narration lane stays selected between the two.
    """
    span = span_of(rows, item) if item else None
    middle = at if span is None else (span.start + span.end) // 2
    place = ITEM_LANES.index(item.lane if item else lane)
    for other in ITEM_LANES[place + 1 :] if by > 0 else reversed(ITEM_LANES[:place]):
        if item is not None and item.kind is Kind.LINE:
            same = Item(Kind.LINE, item.key, other)
            if span_of(rows, same) is not None:
                return same
        found = nearest(rows, other, middle)
        if found is not None:
            return found
    return item


def nearest(rows: Rows, lane: Lane, ms: int) -> Item | None:
    """The item of a lane that is nearest to a time."""
    found = items_in(rows, lane)
    if not found:
        return None
    return min(found, key=lambda each: (max(each[0] - ms, ms - each[1], 0), abs(each[0] + each[1] - 2 * ms)))[2]
