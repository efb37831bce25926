"""Regions: silences, which are kept free of narration, and openings, where narration may overlap dialogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from adstudio.core.script import Opening, Script, Silence
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused, checked_text, clamped, item_of, one_step, timed_steps
from adstudio.editing.ids import Ids
from adstudio.editing.names import span_text

MIN_REGION_MS = 40
"""The shortest region: one frame at 25 frames per second."""

R = TypeVar("R", Silence, Opening)
Region = Silence | Opening
"""A silence or an opening."""


def draw_silence(script: Script, ids: Ids, start: int, end: int, note: str = "") -> Step | None:
    """Add a silence, given in either direction; it merges with silences that it touches.

    Raises:
        EditRefused: if it is too short.
    """
    drawn = Silence("", _span(script, start, end, "A silence"), checked_text(note))
    steps = timed_steps(script.silences, *merge_region(ids, script.silences, drawn))
    return one_step(f"Add silence {span_text(script.film, drawn.span)}", steps)


def draw_opening(script: Script, ids: Ids, start: int, end: int, note: str = "") -> Step | None:
    """Allow narration over dialogue in a span; it merges with openings that it touches.

    Raises:
        EditRefused: if it is too short.
    """
    drawn = Opening("", _span(script, start, end, "An opening"), checked_text(note))
    steps = timed_steps(script.openings, *merge_region(ids, script.openings, drawn))
    return one_step(f"Allow narration {span_text(script.film, drawn.span)}", steps)


def move_region(script: Script, identity: str, start: int) -> Step | None:
    """Move a region to a new start, keeping its length, within the film."""
    length = _region(script, identity).span.length
    start = max(0, min(start, script.film.end - length))
    moved = replace(_region(script, identity), span=Span(start, clamped(script, start + length)))
    return _replace(script, moved, "Move")


def resize_region(script: Script, identity: str, *, start: int | None = None, end: int | None = None) -> Step | None:
    """Move one edge of a region, or both.

    Raises:
        EditRefused: if it would be too short, or no longer exists.
    """
    old = _region(script, identity)
    new_start = old.span.start if start is None else clamped(script, start)
    new_end = old.span.end if end is None else clamped(script, end)
    if new_end - new_start < MIN_REGION_MS:
        raise _too_short("A silence" if isinstance(old, Silence) else "An opening")
    return _replace(script, replace(old, span=Span(new_start, new_end)), "Resize")


def delete_regions(script: Script, identities: Iterable[str]) -> Step | None:
    """Delete regions.

    Raises:
        EditRefused: if one no longer exists.
    """
    gone = [_region(script, identity) for identity in dict.fromkeys(identities)]
    silences: dict[str, Silence | None] = {item.id: None for item in gone if isinstance(item, Silence)}
    openings: dict[str, Opening | None] = {item.id: None for item in gone if isinstance(item, Opening)}
    return one_step(f"Delete {len(gone)} regions", region_steps(script, silences, openings))


def set_region_note(script: Script, identity: str, text: str) -> Step | None:
    """Set a region's note."""
    old = _region(script, identity)
    return _replace(script, replace(old, note=checked_text(text)), "Edit note of")


def region_steps(
    script: Script,
    silences: Mapping[str, Silence | None],
    openings: Mapping[str, Opening | None],
    new: Iterable[Region] = (),
) -> list[Step]:
    """Steps that change, remove (None) and add silences and openings, each kind in order of time."""
    added = tuple(new)
    return [
        *timed_steps(script.silences, silences, [item for item in added if isinstance(item, Silence)]),
        *timed_steps(script.openings, openings, [item for item in added if isinstance(item, Opening)]),
    ]


def merge_region(ids: Ids, items: tuple[R, ...], new: R) -> tuple[dict[str, R | None], list[R]]:
    """The regions changed (None: removed) and added when one is drawn, which merges with those it touches."""
    touched = [item for item in items if item.span.overlap(new.span) is not None]
    if not touched:
        return {}, [replace(new, id=ids.fresh(type(new)))]
    spans = [new.span, *(item.span for item in touched)]
    changed: dict[str, R | None] = {item.id: None for item in touched}
    changed[touched[0].id] = replace(
        touched[0],
        span=Span(min(span.start for span in spans), max(span.end for span in spans)),
        note=checked_text("; ".join(dict.fromkeys(item.note for item in (*touched, new) if item.note))),
    )
    return changed, []


def _span(script: Script, start: int, end: int, what: str) -> Span:
    first, last = sorted((clamped(script, start), clamped(script, end)))
    if last - first < MIN_REGION_MS:
        raise _too_short(what)
    return Span(first, last)


def _too_short(what: str) -> EditRefused:
    return EditRefused(f"{what} must be at least {MIN_REGION_MS / 1000:g} s long: make it longer, or delete it.")


def _region(script: Script, identity: str) -> Region:
    return item_of((*script.silences, *script.openings), identity, "region")


def _replace(script: Script, new: Region, verb: str) -> Step | None:
    silences = {new.id: new} if isinstance(new, Silence) else {}
    openings = {new.id: new} if isinstance(new, Opening) else {}
    what = "silence" if silences else "opening"
    return one_step(f"{verb} {what} {span_text(script.film, new.span)}", region_steps(script, silences, openings))
