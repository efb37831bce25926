"""Going through the timeline by keyboard: along a lane, and from lane to lane. Pure."""

from __future__ import annotations

from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.timeline.items import ITEM_LANES, Item, items_in, span_of
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.rows import Rows, gap_key


def current(rows: Rows, selection: Selection, lane: Lane) -> Item | None:
    """The selected item; a line in `lane` where it stands there, else where it is to be seen."""
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

    A line that is both said and seen stays itself when one goes between the two.
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
