"""Whether lines could be spoken where they are being dragged to, what that changes, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adstudio.core.timebase import Span
from adstudio.planning.drift import middles
from adstudio.planning.film.film_problem import bounded_scenes, element_of, scene_of_each
from adstudio.planning.film.live_plan import FilmPlanner
from adstudio.planning.film.reason_messages import ReasonWriter
from adstudio.planning.film.room import Obstacle, Rooms
from adstudio.ui.timeline.rows import Rows
from adstudio.ui.widgets import formatting

QUOTED_WORDS = 3
_SAYS = {
    Obstacle.LIMITS: "outside its limits",
    Obstacle.GAP: "not in one gap",
    Obstacle.NO_ACTION: "no action time",
    Obstacle.REACH: "too many gaps from its action",
}


@dataclass(frozen=True)
class DragFit:
    """What is said of lines at a place: `warning` why they cannot be spoken there, else `note` what that changes."""

    note: str = ""
    warning: str = ""


def drag_fit(ids: Sequence[str], spans: Sequence[Span], rows: Rows, planner: FilmPlanner) -> DragFit:
    """What happens when these lines are locked to start where these spans do, all other locks as they are."""
    there = dict(zip(ids, spans, strict=True))
    rooms = _rooms(rows, planner, there)
    notes: list[str] = []
    for identity, span in there.items():
        found = _line_fit(rooms, rows, identity, span)
        if found.warning:
            return found
        notes += [found.note] if found.note else []
    cost = _cost(ids, spans, rows, planner)
    return cost if cost.warning else DragFit(" · ".join([*notes[:1], *([cost.note] if cost.note else [])]))


def _rooms(rows: Rows, planner: FilmPlanner, there: dict[str, Span]) -> Rooms:
    """The rooms with the lines where they are dragged to; one in conflict is free of what the conflict did to it."""
    script, problem = rows.script, planner.problem
    suspended = [identity for identity in there if identity in rows.suspended]
    if suspended:
        elements, scenes = list(problem.elements), scene_of_each(script)
        bounded = bounded_scenes(script, scenes)
        for place in (script.eventuality_index[identity] for identity in suspended):
            scene = script.scene_by_id[scenes[place]].span if scenes[place] in bounded else None
            elements[place] = element_of(script, script.eventualities[place], scene)
        problem = replace(problem, elements=tuple(elements), gaps=rows.gaps)
    moved = (
        replace(each, start=there[each.element].start, end=there[each.element].end) if each.element in there else each
        for each in rows.plan.deliveries
    )
    return Rooms(script, problem, replace(rows.plan, deliveries=tuple(moved)))


def _line_fit(rooms: Rooms, rows: Rows, identity: str, span: Span) -> DragFit:
    """Whether a line could be spoken from the start of a span, in the wording it has or else in another."""
    element, delivery = rooms.element(identity), rows.delivery(identity)
    shown = 0 if delivery is None else delivery.variant
    locked = element.pin.variant
    others = sorted(range(len(element.durations)), key=lambda variant: -element.durations[variant])
    variants = [shown, *(variant for variant in others if variant != shown)] if locked is None else [locked]
    placed = [(variant, Span(span.start, span.start + element.durations[variant])) for variant in variants]
    found = {variant: rooms.obstacle(identity, at) for variant, at in placed}
    fitting = next((variant for variant in variants if found[variant] is None), None)
    if fitting is not None:
        return DragFit("" if fitting == shown else f"wording {fitting + 1}")
    for variant in variants:
        obstacle = found[variant]
        if obstacle is not None and obstacle.passes:
            return DragFit(_in_the_way(rooms, rows, identity, obstacle))
    variant, at = placed[-1]
    return DragFit(warning=_misfit(rooms, identity, at, found[variant]))


def _misfit(rooms: Rooms, identity: str, span: Span, obstacle: Obstacle | None) -> str:
    """Why a line cannot be spoken in a span whatever the other lines do, in a few words."""
    occurrence = rooms.element(identity).occurrence
    if obstacle in (Obstacle.EARLY, Obstacle.LATE) and occurrence is not None:
        earliest, latest = middles(rooms.problem, occurrence)
        over = max(earliest - span.doubled_midpoint, span.doubled_midpoint - latest)
        return f"{formatting.lacking((over + 1) // 2)} too {obstacle.value} for its action"
    return "" if obstacle is None else _SAYS[obstacle]


def _in_the_way(rooms: Rooms, rows: Rows, identity: str, obstacle: Obstacle) -> str:
    """What would have to give way for a line."""
    before, after = rooms.neighbours(identity)
    blocking = {Obstacle.BEFORE: before, Obstacle.AFTER: after}.get(obstacle)
    if blocking is None:
        return "others in its gap give way"
    text = rows.spoken_text(rows.script.eventuality(blocking.line))
    return f"{formatting.quoted_line(text, QUOTED_WORDS)} gives way"


def _cost(ids: Sequence[str], spans: Sequence[Span], rows: Rows, planner: FilmPlanner) -> DragFit:
    """What other lines would lose by the lock, where that is known at once; a warning where it conflicts."""
    if len(ids) != 1 or rows.plan.objective is None:
        return DragFit()
    line = rows.script.eventuality(ids[0])
    found = planner.reason_with(replace(line, pin=replace(line.pin, start=spans[0].start, selected=None)))
    if found is None or found.loss is None:
        # What the conflict took out of the gaps is still missing there.
        unknown = found is None or ids[0] in rows.suspended or _planned_alone(ids[0], rows)
        return DragFit() if unknown else DragFit(warning="conflicts with other locks")
    lost = (*found.others.displaced, *found.others.shortened)
    writer = ReasonWriter(planner.problem, rows.plan, rows.script.film.timecode, str, formatting.MANNER, most=1)
    return DragFit(f"costs {writer.seconds_of(lost)}" if lost else "")


def _planned_alone(identity: str, rows: Rows) -> bool:
    """Whether the line's scene has rules: then nobody knows the cost before it is planned."""
    script = rows.script
    scene = script.eventuality(identity).scene
    index = script.eventuality_index
    return any(key in index and script.eventuality(key).scene == scene for key in script.rules.mentioned)
