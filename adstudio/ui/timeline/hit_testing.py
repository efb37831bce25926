"""What lies under the pointer. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from adstudio.ui.session.selection import Kind
from adstudio.ui.timeline.item_boxes import MARK_WIDTH, OPENING_HEIGHT, Box, box, opening_box
from adstudio.ui.timeline.lanes import Band, Lane, lane_at
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.timeline.sorted_spans import SortedSpans
from adstudio.ui.timeline.visible_range import VisibleRange

INSIDE = 6.0
"""Pixels of an item that belong to its edge; in a short item its outer thirds do."""
OUTSIDE = 3.0
"""Pixels beside an item that still belong to its edge."""


class Part(Enum):
    """Which part of an item."""

    BODY = "body"
    START = "start"
    END = "end"


@dataclass(frozen=True)
class Item:
    """One thing on the timeline: what it is, its id (or a gap's key), and the lane that it is looked at in."""

    kind: Kind
    key: str
    lane: Lane


@dataclass(frozen=True)
class Hit:
    """Where the pointer is: the lane, and the item with its part if there is one."""

    lane: Lane | None = None
    item: Item | None = None
    part: Part = Part.BODY


def hit(view: VisibleRange, bands: dict[Lane, Band], rows: Rows, x: float, y: float) -> Hit:
    """What lies at a pixel. Of items that lie over each other it is the one that starts last, as that is on top."""
    lane = lane_at(bands, y)
    if lane is None:
        return Hit()
    band = bands[lane]
    for kind, strip in _strips(rows, lane):
        edges = kind in (Kind.GAP, Kind.SILENCE, Kind.OPENING) or lane is Lane.ACTION
        height = band.top + OPENING_HEIGHT if kind is Kind.OPENING else None
        found = _in_strip(view, band, strip, x, y, edges=edges, foot=height)
        if found is not None:
            key, part = found
            return Hit(lane, Item(kind, key, lane), part)
    return Hit(lane)


def _strips(rows: Rows, lane: Lane) -> tuple[tuple[Kind, SortedSpans], ...]:
    """The strips of a lane, the topmost first."""
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


def _in_strip(
    view: VisibleRange, band: Band, strip: SortedSpans, x: float, y: float, *, edges: bool, foot: float | None
) -> tuple[str, Part] | None:
    if foot is not None and y > foot:
        return None
    reach = max(MARK_WIDTH, OUTSIDE)
    best: tuple[float, str, Part] | None = None
    for i in reversed(strip.between(view.time(x - reach), view.time(x + reach))):
        found = box(view, band, strip, i) if foot is None else opening_box(view, band, strip, i)
        beside = max(found.left - x, x - found.right, 0.0)
        if beside > (OUTSIDE if edges or found.right - found.left < 2 * OUTSIDE else 0.0):
            continue
        if foot is None and strip.depths[i] > 1 and not found.top - 1 <= y <= found.bottom + 1:
            continue
        if best is None or beside < best[0]:
            best = beside, strip.keys[i], part_at(found, x) if edges else Part.BODY
    return None if best is None else (best[1], best[2])


def part_at(found: Box, x: float) -> Part:
    """The part of an item that a pixel belongs to: a short item has edges too, and a body between them."""
    zone = min(INSIDE, (found.right - found.left) / 3)
    if x < found.left + zone:
        return Part.START
    return Part.END if x > found.right - zone else Part.BODY


def within(view: VisibleRange, bands: dict[Lane, Band], rows: Rows, area: Box) -> tuple[str, ...]:
    """The lines that a rubber band touches where they happen or where they are spoken, in order of time."""
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
