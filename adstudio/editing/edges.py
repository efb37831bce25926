"""Dragging a gap's edge: inward adds silence, outward opens dialogue for narration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum

from adstudio.core.script import Opening, Script, Silence
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused, clamped, one_step
from adstudio.editing.ids import Ids
from adstudio.editing.regions import MIN_REGION_MS, R, Region, merge_region, region_steps
from adstudio.gaps.gaps import Gaps, gaps_of, spoken_until
from adstudio.gaps.word_edges import cues_as_spoken


class Edge(Enum):
    """Which edge of a gap."""

    START = "start"
    END = "end"


def set_gap_edge(script: Script, ids: Ids, gap: Span, edge: Edge, t: int) -> Step | None:
    """Make a gap start or end at `t`.

    Inward, an opening at that edge shrinks before a silence is added or extended; outward, a silence shrinks before an
    opening is added or extended. Dragging again thus adjusts the last drag's result, and dragging back to the dialogue
    removes it. Regions shorter than `MIN_REGION_MS` are dropped. A gap of sufficient length never becomes too short.

    Raises:
        EditRefused: if the gap no longer exists.
    """
    if gap not in gaps_of(_with_cues_near(script, gap)).gaps:
        raise EditRefused("That gap no longer exists.")
    least = script.settings.gaps.least
    minimum = max(least if gap.length >= least else 0, min(gap.length, MIN_REGION_MS))
    t = clamped(script, t)
    t, now = (min(t, gap.end - minimum), gap.start) if edge is Edge.START else (max(t, gap.start + minimum), gap.end)
    zone = Span(min(t, now), max(t, now))
    if not zone.length:
        return None
    inward = (t > now) is (edge is Edge.START)
    steps = _silence_zone(script, ids, zone) if inward else _open_zone(script, ids, zone)
    return one_step(f"Drag the {edge.value} of a gap to {script.film.timecode(t)}", steps)


def _silence_zone(script: Script, ids: Ids, zone: Span) -> list[Step]:
    """Steps after which nothing in the zone is free."""
    openings, new = _cut(ids, script.openings, zone)
    left = _after(script.openings, openings, new)
    free = _hull(_gaps_in(script, zone, script.silences, left).gaps, zone)
    silences: dict[str, Silence | None] = {}
    new_regions: list[Region] = list(new)
    if free is not None:
        silences, drawn_new = merge_region(ids, script.silences, Silence("", free))
        new_regions += [item for item in drawn_new if item.span.length >= MIN_REGION_MS]
    return region_steps(script, silences, openings, new_regions)


def _open_zone(script: Script, ids: Ids, zone: Span) -> list[Step]:
    """Steps after which all of the zone is free."""
    silences, new = _cut(ids, script.silences, zone)
    left = _after(script.silences, silences, new)
    occupied = _hull(_gaps_in(script, zone, left, script.openings).occupied, zone)
    openings: dict[str, Opening | None] = {}
    new_regions: list[Region] = list(new)
    if occupied is not None:
        openings, drawn_new = merge_region(ids, script.openings, Opening("", occupied))
        new_regions += [item for item in drawn_new if item.span.length >= MIN_REGION_MS]
    return region_steps(script, silences, openings, new_regions)


def _cut(ids: Ids, items: tuple[R, ...], zone: Span) -> tuple[dict[str, R | None], list[R]]:
    """The regions changed (None: removed) and added when a zone is cut out of them."""
    changed: dict[str, R | None] = {}
    new: list[R] = []
    for item in items:
        if item.span.start >= zone.end or item.span.end <= zone.start:
            continue
        ends = (item.span.start, zone.start), (zone.end, item.span.end)
        parts = [Span(start, end) for start, end in ends if end - start >= MIN_REGION_MS]
        changed[item.id] = replace(item, span=parts[0]) if parts else None
        new += [replace(item, id=ids.fresh(type(item)), span=part) for part in parts[1:]]
    return changed, new


def _after(items: tuple[R, ...], changed: dict[str, R | None], new: Iterable[R]) -> tuple[R, ...]:
    current = [changed.get(item.id, item) for item in items]
    return (*(item for item in current if item is not None), *new)


def _gaps_in(script: Script, zone: Span, silences: tuple[Silence, ...], openings: tuple[Opening, ...]) -> Gaps:
    """What is free and occupied around a zone, to the millisecond."""
    exact = replace(script.settings, gaps=replace(script.settings.gaps, least=0))
    return gaps_of(replace(_with_cues_near(script, zone), silences=silences, openings=openings, settings=exact))


def _with_cues_near(script: Script, zone: Span) -> Script:
    """The script with only the cues that can affect gaps in the zone."""
    margins = script.settings.gaps
    first, last = zone.start - margins.margin_after, zone.end + margins.margin_before
    both = zip(script.cues, cues_as_spoken(script), strict=True)
    cues = tuple(cue for cue, spoken in both if spoken.start <= last and spoken_until(spoken) >= first)
    return replace(script, cues=cues)


def _hull(spans: Iterable[Span], zone: Span) -> Span | None:
    """From the start of the first to the end of the last span, within the zone."""
    inside = [Span(max(span.start, zone.start), min(span.end, zone.end)) for span in spans if _overlap(span, zone)]
    return Span(inside[0].start, inside[-1].end) if inside else None


def _overlap(span: Span, zone: Span) -> bool:
    return span.start < zone.end and zone.start < span.end
