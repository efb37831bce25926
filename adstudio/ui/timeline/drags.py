"""What a drag moves, where it would land and snap, what is shown meanwhile, and the one step it ends in. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing import cues, edges, occurrences, pins, regions
from adstudio.editing.ids import Ids
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.timeline.drag_fit import drag_fit
from adstudio.ui.timeline.items import Hit, Part, span_of, strip_of_item, strips_in
from adstudio.ui.timeline.lanes import Lane
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.widgets import formatting

SHORTEST = 40
"""Milliseconds: a shorter region was drawn by a click that slipped."""
REACH = 8
"""Pixels from which an edge snaps to another."""


class DragHandle(Enum):
    """What is being dragged."""

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
    """A drag from its beginning: the items and their spans as they were, and the time at which it was grabbed."""

    handle: DragHandle
    lane: Lane
    ids: tuple[str, ...]
    spans: tuple[Span, ...]
    at: int
    part: Part = Part.BODY

    @property
    def draws(self) -> bool:
        """Whether a region is being drawn, instead of an item moved."""
        return self.handle in (DragHandle.SILENCE, DragHandle.OPENING)


@dataclass(frozen=True)
class Moved:
    """Where a drag has come to: the spans as they would be, and the edge that they snap to, if any."""

    spans: tuple[Span, ...]
    edge: int | None = None


@dataclass(frozen=True)
class Snap:
    """How far to move, in milliseconds, and the time of the edge it snapped to (None: nothing near)."""

    shift: int = 0
    edge: int | None = None


def targets(*groups: Iterable[int | None], without: Iterable[int] = ()) -> tuple[int, ...]:
    """The times that something can snap to, in order; its own edges are `without`."""
    return tuple(sorted({ms for group in groups for ms in group if ms is not None} - set(without)))


def snapped(edges: Sequence[int], onto: Sequence[int], ms_per_px: float) -> Snap:
    """How to move the edges, all by the same, so that the one nearest to a target lies on it."""
    best = Snap()
    least = REACH * ms_per_px
    for edge in edges:
        place = bisect_left(onto, edge)
        for target in onto[max(0, place - 1) : place + 1]:
            if abs(target - edge) < least:
                least, best = abs(target - edge), Snap(target - edge, target)
    return best


def begin(found: Hit, rows: Rows, selection: Selection, at: int) -> Drag | None:
    """The drag of what lies under the pointer; several selected lines move together. None for what does not move."""
    item, part = found.item, found.part
    span = span_of(rows, item) if item else None
    if item is None or span is None:
        return None
    ids = (item.key,)
    match item.kind:
        case Kind.LINE if part is Part.BODY:
            strip = strip_of_item(rows, item)
            chosen = selection.lines() if item.key in selection.lines() else ()
            ids = (item.key, *(key for key in chosen if key in strip.place and key != item.key))
            handle = DragHandle.DELIVERY if item.lane is Lane.NARRATION else DragHandle.OCCURRENCE
            return Drag(handle, item.lane, ids, tuple(filter(None, map(strip.span, ids))), at)
        case Kind.LINE:
            handle = DragHandle.OCCURRENCE_EDGE
        case Kind.GAP if part is not Part.BODY:
            handle = DragHandle.GAP_EDGE
        case Kind.CUE if not span.length:
            # only the end of a cue that has no length, or ends before it starts, can be moved
            handle, part = DragHandle.CUE_END, Part.END
        case Kind.SILENCE | Kind.OPENING:
            handle = DragHandle.REGION if part is Part.BODY else DragHandle.REGION_EDGE
        case _:
            return None
    return Drag(handle, item.lane, ids, (span,), at, part)


def draw(at: int, handle: DragHandle) -> Drag:
    """A silence or an opening that is being drawn from a time."""
    return Drag(handle, Lane.GAPS, (), (Span(at, at),), at, Part.END)


def moved(drag: Drag, to: int, end: int, onto: Sequence[int], ms_per_px: float) -> Moved:
    """Where the items lie when the pointer is at `to`, in a film of that length; no snapping where `onto` is empty."""
    by = to - drag.at
    if drag.draws:
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


def step_of(drag: Drag, there: Moved, ids: Ids, plan: Plan) -> Callable[[Script], Step | None] | None:
    """What the describer has done by letting go; None where nothing has moved."""
    span = there.spans[0]
    if there.spans == drag.spans or (drag.draws and span.length < SHORTEST):
        return None
    match drag.handle:
        case DragHandle.DELIVERY:
            starts = {key: each.start for key, each in zip(drag.ids, there.spans, strict=True)}
            return lambda script: pins.pin_starts(script, starts, plan)
        case DragHandle.OCCURRENCE:
            return lambda script: occurrences.move_occurrence(script, drag.ids, span.start - drag.spans[0].start)
        case DragHandle.SILENCE:
            return lambda script: regions.draw_silence(script, ids, span.start, span.end)
        case DragHandle.OPENING:
            return lambda script: regions.draw_opening(script, ids, span.start, span.end)
        case _:
            return lambda script: _edge_step(script, drag, span, ids)


def _edge_step(script: Script, drag: Drag, span: Span, ids: Ids) -> Step | None:
    """The step of a drag that moves one item, or one of its edges."""
    key, at_start = drag.ids[0], drag.part is Part.START
    match drag.handle:
        case DragHandle.OCCURRENCE_EDGE:
            return occurrences.set_occurrence(script, key, span)
        case DragHandle.CUE_END:
            return cues.set_cue_times(script, key, end=span.end)
        case DragHandle.REGION:
            return regions.move_region(script, key, span.start)
        case DragHandle.REGION_EDGE if at_start:
            return regions.resize_region(script, key, start=span.start)
        case DragHandle.REGION_EDGE:
            return regions.resize_region(script, key, end=span.end)
        case _:
            edge, at = (edges.Edge.START, span.start) if at_start else (edges.Edge.END, span.end)
            return edges.set_gap_edge(script, ids, drag.spans[0], edge, at)


def still_there(drag: Drag, rows: Rows) -> bool:
    """Whether everything that is dragged is still where the drag began."""
    if drag.handle is DragHandle.DELIVERY:
        return all(key in rows.script.eventuality_index for key in drag.ids)
    strips = [strip for _, strip in strips_in(rows, drag.lane)]
    # a region that is being drawn has no id yet
    dragged = zip(drag.ids, drag.spans, strict=False)
    return all(span in [strip.span(key) for strip in strips] for key, span in dragged)


@dataclass(frozen=True)
class DragPreview:
    """What is being moved: its spans, the row each has in its lane, and what to say of it."""

    lane: Lane
    spans: tuple[Span, ...]
    rows: tuple[tuple[int, int], ...]
    label: str
    warning: str = ""
    edge: int | None = None
    at: float = 0.0


def drag_preview(drag: Drag, there: Moved, rows: Rows, planner: FilmPlanner, x: float) -> DragPreview:
    """The preview of a drag at its present place, its label at pixel `x`."""
    span, film = there.spans[0], rows.script.film
    warning = ""
    match drag.handle:
        case DragHandle.DELIVERY:
            found = drag_fit(drag.ids, there.spans, rows, planner)
            label, warning = formatting.timecode(film, span.start), found.warning
            label += f" · {found.note}" if found.note else ""
        case DragHandle.CUE_END | DragHandle.GAP_EDGE | DragHandle.REGION_EDGE | DragHandle.OCCURRENCE_EDGE:
            at = span.start if drag.part is Part.START else span.end
            label = f"{formatting.timecode(film, at)} · {formatting.duration(span.length)}"
        case DragHandle.SILENCE:
            label = f"silence {formatting.duration(span.length)}"
        case DragHandle.OPENING:
            label = f"free {formatting.duration(span.length)}"
        case _:
            label = f"{formatting.timecode(film, span.start)} – {formatting.timecode(film, span.end)}"
    return DragPreview(drag.lane, there.spans, _levels(drag, rows), label, warning, there.edge, x)


def _levels(drag: Drag, rows: Rows) -> tuple[tuple[int, int], ...]:
    if drag.lane is Lane.GAPS:
        return tuple((0, 1) for _ in drag.spans)
    ((_, strip),) = strips_in(rows, drag.lane)
    places = [strip.place.get(key) for key in drag.ids]
    return tuple((0, 1) if place is None else (strip.levels[place], strip.depths[place]) for place in places)
