"""Going through the timeline by keyboard: along a lane, and from lane to lane. Pure."""

from __future__ import annotations

from adstudio.core.timebase import Span
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.timeline.hit_testing import Item
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.rows import Rows, gap_key

ITEM_LANES = (Lane.SCENES, Lane.DIALOGUE, Lane.GAPS, Lane.ACTION, Lane.NARRATION)
"""The lanes that have items, from top to bottom."""

_LINE_LANES = (Lane.ACTION, Lane.NARRATION)


def items(rows: Rows, lane: Lane) -> list[tuple[int, int, Item]]:
    """The items of a lane in order of time, with their starts and ends."""
    strips = {
        Lane.SCENES: ((Kind.SCENE, rows.scenes),),
        Lane.DIALOGUE: ((Kind.CUE, rows.cues),),
        Lane.GAPS: ((Kind.GAP, rows.free), (Kind.SILENCE, rows.silences), (Kind.OPENING, rows.openings)),
        Lane.ACTION: ((Kind.LINE, rows.occurrences),),
        Lane.NARRATION: ((Kind.LINE, rows.narration),),
    }[lane]
    found = [
        (start, end, Item(kind, key, lane))
        for kind, strip in strips
        for key, start, end in zip(strip.keys, strip.starts, strip.ends, strict=True)
    ]
    if len(strips) > 1:
        found.sort(key=lambda each: each[:2])
    return found


def span_of(rows: Rows, item: Item) -> Span | None:
    """Where an item lies; None when it is not there any more."""
    strip = {
        Kind.SCENE: rows.scenes,
        Kind.CUE: rows.cues,
        Kind.GAP: rows.free,
        Kind.SILENCE: rows.silences,
        Kind.OPENING: rows.openings,
    }.get(item.kind) or (rows.narration if item.lane is Lane.NARRATION else rows.occurrences)
    place = strip.place.get(item.key)
    return None if place is None else Span(strip.starts[place], strip.ends[place])


def current(rows: Rows, selection: Selection, lane: Lane) -> Item | None:
    """The selected item; a line in `lane` where it stands there, else where it is to be seen."""
    if selection.kind is Kind.GAP:
        return None if selection.gap is None else Item(Kind.GAP, gap_key(selection.gap), Lane.GAPS)
    if selection.current is None:
        return None
    if selection.kind is not Kind.LINE:
        place = {Kind.CUE: Lane.DIALOGUE, Kind.SCENE: Lane.SCENES}.get(selection.kind, Lane.GAPS)
        return Item(selection.kind, selection.current, place)
    for each in (lane, Lane.NARRATION, Lane.ACTION):
        if span_of(rows, Item(Kind.LINE, selection.current, each)) is not None and each in _LINE_LANES:
            return Item(Kind.LINE, selection.current, each)
    return Item(Kind.LINE, selection.current, Lane.NARRATION)


def along(rows: Rows, item: Item | None, by: int, lane: Lane, at: int) -> Item | None:
    """The next item of the lane, or the one before; from nowhere it is the nearest to a time."""
    found = items(rows, item.lane if item else lane)
    place = next((n for n, (_, _, each) in enumerate(found) if each == item), None)
    if place is None:
        return nearest(rows, lane, at)
    return found[min(max(0, place + by), len(found) - 1)][2]


def first(rows: Rows, lane: Lane) -> Item | None:
    """The first item of a lane."""
    found = items(rows, lane)
    return found[0][2] if found else None


def last(rows: Rows, lane: Lane) -> Item | None:
    """The last item of a lane."""
    found = items(rows, lane)
    return found[-1][2] if found else None


def across(rows: Rows, item: Item | None, by: int, lane: Lane, at: int) -> Item | None:
    """The item of the next lane that has any, or of the one before, that is nearest in time.

    A line that is both said and seen stays itself when one goes between the two.
    """
    span = span_of(rows, item) if item else None
    middle = at if span is None else (span.start + span.end) // 2
    place = ITEM_LANES.index(item.lane if item else lane)
    for other in (
        ITEM_LANES[place + by :: 1] if by > 0 else ITEM_LANES[max(0, place + by) :: -1] if place + by >= 0 else ()
    ):
        if item is not None and item.kind is Kind.LINE and other in _LINE_LANES:
            same = Item(Kind.LINE, item.key, other)
            if span_of(rows, same) is not None:
                return same
        found = nearest(rows, other, middle)
        if found is not None:
            return found
    return item


def nearest(rows: Rows, lane: Lane, ms: int) -> Item | None:
    """The item of a lane that is nearest to a time."""
    found = items(rows, lane)
    if not found:
        return None
    return min(found, key=lambda each: (max(each[0] - ms, ms - each[1], 0), abs(each[0] + each[1] - 2 * ms)))[2]
