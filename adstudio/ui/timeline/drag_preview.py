"""What is shown of a drag under way: the time, the worth of the plan that would come, and why it would not fit."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.timebase import Span
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.ui.timeline.drags import Drag, DragHandle, Moved, misfit
from adstudio.ui.timeline.items import Part
from adstudio.ui.timeline.paint_drag import DragPreview
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.widgets import formatting


def drag_preview(drag: Drag, there: Moved, rows: Rows, planner: FilmPlanner, x: float) -> DragPreview:
    """The ghost of a drag that has come to a place, its label at pixel `x`."""
    span, film = there.spans[0], rows.script.film
    warning = ""
    match drag.handle:
        case DragHandle.DELIVERY:
            label, warning = formatting.timecode(film, span.start), _misfit(drag, there, rows)
            if not warning:
                worth, warning = _worth(drag, span, rows, planner)
                label += worth
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
    match drag.handle:
        case DragHandle.DELIVERY:
            strip = rows.narration
        case DragHandle.OCCURRENCE | DragHandle.OCCURRENCE_EDGE:
            strip = rows.occurrences
        case DragHandle.CUE_END:
            strip = rows.cues
        case _:
            return tuple((0, 1) for _ in drag.spans)
    places = [strip.place.get(key) for key in drag.ids]
    return tuple((0, 1) if place is None else (strip.levels[place], strip.depths[place]) for place in places)


def _misfit(drag: Drag, there: Moved, rows: Rows) -> str:
    """Why the first of the dragged lines that cannot stand where it would come to lie cannot."""
    for key, span in zip(drag.ids, there.spans, strict=True):
        why = misfit(rows.script, rows.gaps, rows.script.eventuality(key), span)
        if why:
            return why
    return ""


def _worth(drag: Drag, span: Span, rows: Rows, planner: FilmPlanner) -> tuple[str, str]:
    """What the film would gain or lose by the pin, where that is known at once, and a warning where it cannot hold."""
    now = rows.plan.objective
    if len(drag.ids) != 1 or now is None:
        return "", ""
    line = rows.script.eventuality(drag.ids[0])
    then = planner.objective_with(replace(line, pin=replace(line.pin, start=span.start, selected=None)))
    if then is None:
        return "", "" if _planned_alone(drag, rows) else "not with the other pins"
    return (f" · {formatting.worth(then - now)}" if abs(then - now) >= 5_000_000 else ""), ""


def _planned_alone(drag: Drag, rows: Rows) -> bool:
    """Whether the line's scene has rules: then nobody knows the worth before CP-SAT has planned it."""
    script = rows.script
    scene = script.eventuality(drag.ids[0]).scene
    index = script.eventuality_index
    return any(key in index and script.eventuality(key).scene == scene for key in script.rules.mentioned)
