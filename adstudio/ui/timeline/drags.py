"""What a drag moves, where it would come to lie, and the one step that it is when let go. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from adstudio.core.script import Eventuality, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing import cues, edges, occurrences, pins, regions
from adstudio.editing.ids import Ids
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.timeline.items import Hit, Item, Part
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.rows import Rows, gap_key
from adstudio.ui.timeline.snapping import snapped

SHORTEST = 40
"""Milliseconds: a stretch that was drawn shorter is a click that slipped."""


class DragHandle(Enum):
    """What the hand has taken hold of."""

    DELIVERY = "speak at"
    OCCURRENCE = "happens"
    OCCURRENCE_EDGE = "happens until"
    GAP_EDGE = "gap"
    REGION = "region"
    REGION_EDGE = "region edge"
    CUE_END = "cue"
    SILENCE = "silence"
    OPENING = "free"


@dataclass(frozen=True)
class Drag:
    """A drag from its beginning: the items and their spans as they were, and the time that was taken hold of."""

    handle: DragHandle
    lane: Lane
    ids: tuple[str, ...]
    spans: tuple[Span, ...]
    at: int
    part: Part = Part.BODY


@dataclass(frozen=True)
class Moved:
    """Where a drag has come to: the spans as they would be, and the edge that they stick to, if any."""

    spans: tuple[Span, ...]
    edge: int | None = None

    @property
    def time(self) -> int:
        """The time to show beside the pointer."""
        return self.spans[0].start


def begin(found: Hit, rows: Rows, selection: Selection, at: int) -> Drag | None:
    """The drag of what lies under the pointer; several selected lines move together. None for what does not move."""
    item = found.item
    if item is None:
        return None
    match item.kind:
        case Kind.LINE:
            return _line_drag(item, found.part, rows, selection, at)
        case Kind.GAP if found.part is not Part.BODY:
            gap = rows.free.place[item.key]
            span = Span(rows.free.starts[gap], rows.free.ends[gap])
            return Drag(DragHandle.GAP_EDGE, item.lane, (item.key,), (span,), at, found.part)
        case Kind.CUE:
            start = rows.cue(rows.cues.place[item.key]).start
            span = Span(start, start)
            return (
                Drag(DragHandle.CUE_END, item.lane, (item.key,), (span,), at, Part.END)
                if _is_mark(rows, item)
                else None
            )
        case Kind.SILENCE | Kind.OPENING:
            strip = rows.silences if item.kind is Kind.SILENCE else rows.openings
            place = strip.place[item.key]
            span = Span(strip.starts[place], strip.ends[place])
            handle = DragHandle.REGION if found.part is Part.BODY else DragHandle.REGION_EDGE
            return Drag(handle, item.lane, (item.key,), (span,), at, found.part)
        case _:
            return None


def _is_mark(rows: Rows, item: Item) -> bool:
    """Whether a cue has no length, or ends before it starts: its end can be pulled out; other dialogue never moves."""
    place = rows.cues.place[item.key]
    return rows.cues.ends[place] <= rows.cues.starts[place]


def _line_drag(item: Item, part: Part, rows: Rows, selection: Selection, at: int) -> Drag | None:
    strip = rows.narration if item.lane is Lane.NARRATION else rows.occurrences
    if item.key not in strip.place:
        return None
    chosen = selection.lines() if item.key in selection.lines() else (item.key,)
    handle = DragHandle.DELIVERY if item.lane is Lane.NARRATION else DragHandle.OCCURRENCE
    if part is not Part.BODY:
        handle, chosen = DragHandle.OCCURRENCE_EDGE, (item.key,)
    ids = (item.key, *(key for key in chosen if key in strip.place and key != item.key))
    spans = tuple(Span(strip.starts[place], strip.ends[place]) for place in (strip.place[key] for key in ids))
    return Drag(handle, item.lane, ids, spans, at, part)


def draw(at: int, handle: DragHandle) -> Drag:
    """A silence or an opening that is being drawn from a time."""
    return Drag(handle, Lane.GAPS, (), (Span(at, at),), at, Part.END)


def moved(drag: Drag, to: int, end: int, onto: Sequence[int], ms_per_px: float) -> Moved:
    """Where the items lie when the hand is at `to`, in a film of that length; no snapping where `onto` is empty."""
    by = to - drag.at
    if drag.handle in (DragHandle.SILENCE, DragHandle.OPENING):
        snap = snapped((drag.at + by,), onto, ms_per_px)
        there = max(0, min(end, to + snap.shift))
        return Moved((Span(min(drag.at, there), max(drag.at, there)),), snap.edge)
    if drag.part is Part.BODY:
        first = drag.spans[0]
        snap = snapped((first.start + by, first.end + by), onto, ms_per_px)
        by += snap.shift
        by = max(-min(span.start for span in drag.spans), min(by, end - max(span.end for span in drag.spans)))
        landed = tuple(Span(span.start + by, span.end + by) for span in drag.spans)
        edge = snap.edge if snap.edge in (landed[0].start, landed[0].end) else None
        return Moved(landed, edge)
    span = drag.spans[0]
    at = (span.start if drag.part is Part.START else span.end) + by
    snap = snapped((at,), onto, ms_per_px)
    at = max(0, min(end, at + snap.shift))
    if drag.part is Part.START:
        return Moved((Span(min(at, span.end), span.end),), snap.edge)
    return Moved((Span(span.start, max(at, span.start)),), snap.edge)


def step_of(drag: Drag, there: Moved, ids: Ids) -> Callable[[Script], Step | None] | None:
    """What the describer has done by letting go; None where nothing has moved."""
    drawn = drag.handle in (DragHandle.SILENCE, DragHandle.OPENING)
    if there.spans == drag.spans or (drawn and there.spans[0].length < SHORTEST):
        return None
    make = _STEPS[drag.handle]
    return lambda script: make(script, drag, there, ids)


def _gap_edge(script: Script, drag: Drag, there: Moved, ids: Ids) -> Step | None:
    if drag.part is Part.START:
        return edges.set_gap_edge(script, ids, drag.spans[0], edges.Edge.START, there.spans[0].start)
    return edges.set_gap_edge(script, ids, drag.spans[0], edges.Edge.END, there.spans[0].end)


def _region_edge(script: Script, drag: Drag, there: Moved, _ids: Ids) -> Step | None:
    if drag.part is Part.START:
        return regions.resize_region(script, drag.ids[0], start=there.spans[0].start)
    return regions.resize_region(script, drag.ids[0], end=there.spans[0].end)


_STEPS: dict[DragHandle, Callable[[Script, Drag, Moved, Ids], Step | None]] = {
    DragHandle.DELIVERY: lambda script, drag, there, _: pins.pin_starts(
        script, {key: span.start for key, span in zip(drag.ids, there.spans, strict=True)}
    ),
    DragHandle.OCCURRENCE: lambda script, drag, there, _: occurrences.move_occurrence(
        script, drag.ids, there.spans[0].start - drag.spans[0].start
    ),
    DragHandle.OCCURRENCE_EDGE: lambda script, drag, there, _: occurrences.set_occurrence(
        script, drag.ids[0], there.spans[0]
    ),
    DragHandle.GAP_EDGE: _gap_edge,
    DragHandle.REGION: lambda script, drag, there, _: regions.move_region(script, drag.ids[0], there.spans[0].start),
    DragHandle.REGION_EDGE: _region_edge,
    DragHandle.CUE_END: lambda script, drag, there, _: cues.set_cue_times(script, drag.ids[0], end=there.spans[0].end),
    DragHandle.SILENCE: lambda script, _, there, ids: regions.draw_silence(
        script, ids, there.spans[0].start, there.spans[0].end
    ),
    DragHandle.OPENING: lambda script, _, there, ids: regions.draw_opening(
        script, ids, there.spans[0].start, there.spans[0].end
    ),
}


def still_there(drag: Drag, rows: Rows) -> bool:
    """Whether everything that is dragged still stands where the drag took it up."""
    match drag.handle:
        case DragHandle.DELIVERY:
            return all(key in rows.script.eventuality_index for key in drag.ids)
        case DragHandle.OCCURRENCE | DragHandle.OCCURRENCE_EDGE:
            strip = rows.occurrences
        case DragHandle.GAP_EDGE:
            return gap_key(drag.spans[0]) in rows.free.place
        case DragHandle.REGION | DragHandle.REGION_EDGE:
            strip = rows.silences if drag.ids[0] in rows.silences.place else rows.openings
        case DragHandle.CUE_END:
            strip = rows.cues
        case DragHandle.SILENCE | DragHandle.OPENING:
            return True
    places = [strip.place.get(key) for key in drag.ids]
    return all(
        place is not None and Span(strip.starts[place], strip.ends[place]) == span
        for place, span in zip(places, drag.spans, strict=True)
    )


def misfit(script: Script, gaps: Sequence[Span], line: Eventuality, span: Span) -> str:
    """Why a line cannot be spoken in a span, in a few words; empty where it can."""
    if line.within is not None and not line.within.contains(span):
        return "outside its limits"
    if line.pin.override:
        return ""
    if not any(gap.contains(span) for gap in gaps):
        return "not in one gap"
    if line.occurrence is None:
        return "no action time"
    if abs(span.doubled_midpoint - line.occurrence.doubled_midpoint) > 2 * script.settings.delta_max:
        return "too far from the action"
    return ""
