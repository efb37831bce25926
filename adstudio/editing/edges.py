"""Dragging a gap's edge: inward keeps a stretch silent there, outward frees one from the dialogue."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum

from adstudio.core.script import Opening, Script, Silence
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.change import bounded, one_step
from adstudio.editing.ids import Ids
from adstudio.editing.names import at_time
from adstudio.editing.refusal import EditRefused
from adstudio.editing.regions import LEAST_STRETCH_MS, S, Stretch, drawn, stretch_steps
from adstudio.gaps.gaps import Gaps, find_gaps, gaps_of, said_until


class Edge(Enum):
    """Which edge of a gap."""

    START = "start"
    END = "end"


def set_gap_edge(script: Script, ids: Ids, gap: Span, edge: Edge, t: int) -> Step | None:
    """Make a gap begin or end at a time.

    Inward, an opening at that edge shrinks first, then a silence is made or grows; outward, a silence at that edge
    shrinks first, then an opening is made or grows. So dragging again adjusts what the last drag made, and back at the
    dialogue's edge it is gone. What is shorter than `LEAST_STRETCH_MS` is not made and not left. A gap that is long
    enough is never made too short to be one.

    Raises:
        EditRefused: where the gap is not there any more.
    """
    if gap not in gaps_of(_near(script, gap)).gaps:
        raise EditRefused("That gap is not there any more.")
    least = script.settings.gaps.least
    kept = max(least if gap.length >= least else 0, min(gap.length, LEAST_STRETCH_MS))
    t = bounded(script, t)
    t, now = (min(t, gap.end - kept), gap.start) if edge is Edge.START else (max(t, gap.start + kept), gap.end)
    zone = Span(min(t, now), max(t, now))
    if not zone.length:
        return None
    inward = (t > now) is (edge is Edge.START)
    steps = _silenced(script, ids, zone) if inward else _freed(script, ids, zone)
    return one_step(f"Drag the {edge.value} of a gap to {at_time(t)}", steps)


def _silenced(script: Script, ids: Ids, zone: Span) -> list[Step]:
    """Nothing in the zone is free any more."""
    openings, new = _cut(ids, script.openings, zone)
    left = _after(script.openings, openings, new)
    free = _hull(_found(script, zone, script.silences, left).gaps, zone)
    silences: dict[str, Silence | None] = {}
    made: list[Stretch] = list(new)
    if free is not None:
        silences, drawn_new = drawn(ids, script.silences, Silence("", free))
        made += [item for item in drawn_new if item.span.length >= LEAST_STRETCH_MS]
    return stretch_steps(script, silences, openings, made)


def _freed(script: Script, ids: Ids, zone: Span) -> list[Step]:
    """All of the zone is free."""
    silences, new = _cut(ids, script.silences, zone)
    left = _after(script.silences, silences, new)
    occupied = _hull(_found(script, zone, left, script.openings).occupied, zone)
    openings: dict[str, Opening | None] = {}
    made: list[Stretch] = list(new)
    if occupied is not None:
        openings, drawn_new = drawn(ids, script.openings, Opening("", occupied))
        made += [item for item in drawn_new if item.span.length >= LEAST_STRETCH_MS]
    return stretch_steps(script, silences, openings, made)


def _cut(ids: Ids, items: tuple[S, ...], zone: Span) -> tuple[dict[str, S | None], list[S]]:
    """What changes, and what comes, when a zone is taken out of stretches."""
    changed: dict[str, S | None] = {}
    new: list[S] = []
    for item in items:
        if item.span.start >= zone.end or item.span.end <= zone.start:
            continue
        ends = (item.span.start, zone.start), (zone.end, item.span.end)
        parts = [Span(start, end) for start, end in ends if end - start >= LEAST_STRETCH_MS]
        changed[item.id] = replace(item, span=parts[0]) if parts else None
        new += [replace(item, id=ids.fresh(type(item)), span=part) for part in parts[1:]]
    return changed, new


def _after(items: tuple[S, ...], changed: dict[str, S | None], new: Iterable[S]) -> tuple[S, ...]:
    kept = [changed.get(item.id, item) for item in items]
    return (*(item for item in kept if item is not None), *new)


def _found(script: Script, zone: Span, silences: tuple[Silence, ...], openings: tuple[Opening, ...]) -> Gaps:
    """What is free in a zone and what is not, down to the millisecond."""
    cues = _near(script, zone).cues
    return find_gaps(cues, silences, script.film.end, replace(script.settings.gaps, least=0), openings)


def _near(script: Script, zone: Span) -> Script:
    """The script with the dialogue alone that touches a zone or lies in it: all that its gaps depend on."""
    margins = script.settings.gaps
    first, last = zone.start - margins.margin_after, zone.end + margins.margin_before
    cues = tuple(cue for cue in script.cues if cue.start <= last and said_until(cue) >= first)
    return replace(script, cues=cues)


def _hull(spans: Iterable[Span], zone: Span) -> Span | None:
    """From the first to the last of what lies in the zone."""
    inside = [Span(max(span.start, zone.start), min(span.end, zone.end)) for span in spans if _meet(span, zone)]
    return Span(inside[0].start, inside[-1].end) if inside else None


def _meet(span: Span, zone: Span) -> bool:
    return span.start < zone.end and zone.start < span.end
