"""Silences the describer wants left alone, and openings freed for narration in spite of dialogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from adstudio.core.script import Opening, Script, Silence
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.change import bounded, one_step, timed_steps, written
from adstudio.editing.ids import Ids
from adstudio.editing.names import stretch
from adstudio.editing.refusal import EditRefused

LEAST_STRETCH_MS = 40
"""A silence or an opening is at least this long: a frame at 25 frames a second."""

S = TypeVar("S", Silence, Opening)
Stretch = Silence | Opening
"""A silence or an opening; the same functions move either."""


def draw_silence(script: Script, ids: Ids, start: int, end: int, note: str = "") -> Step | None:
    """Keep a stretch silent, drawn in either direction; silences that it meets become one with it.

    Raises:
        EditRefused: for a stretch that is too short.
    """
    span = _span(script, start, end, "A silence")
    changed, new = drawn(ids, script.silences, Silence("", span, written(note)))
    return one_step(f"Draw silence {stretch(span)}", timed_steps(script.silences, changed, new))


def draw_opening(script: Script, ids: Ids, start: int, end: int, note: str = "") -> Step | None:
    """Free a stretch for narration in spite of dialogue; openings that it meets become one with it.

    Raises:
        EditRefused: for a stretch that is too short.
    """
    span = _span(script, start, end, "An opening")
    changed, new = drawn(ids, script.openings, Opening("", span, written(note)))
    return one_step(f"Draw opening {stretch(span)}", timed_steps(script.openings, changed, new))


def move_stretch(script: Script, identity: str, start: int) -> Step | None:
    """Move a silence or an opening so that it starts at a time, its length kept, not beyond the film's ends."""
    length = _stretch(script, identity).span.length
    start = max(0, min(start, script.film.end - length))
    return _to(script, identity, Span(start, bounded(script, start + length)), "Move")


def resize_stretch(script: Script, identity: str, *, start: int | None = None, end: int | None = None) -> Step | None:
    """Move an edge of a silence or an opening, or both.

    Raises:
        EditRefused: where too little would be left, or it is not there any more.
    """
    old = _stretch(script, identity)
    new_start = old.span.start if start is None else bounded(script, start)
    new_end = old.span.end if end is None else bounded(script, end)
    if new_end - new_start < LEAST_STRETCH_MS:
        raise _too_short("A silence" if isinstance(old, Silence) else "An opening")
    return _to(script, identity, Span(new_start, new_end), "Change")


def delete_stretches(script: Script, identities: Iterable[str]) -> Step | None:
    """Take silences or openings away.

    Raises:
        EditRefused: for one that is not there any more.
    """
    gone = [_stretch(script, identity) for identity in dict.fromkeys(identities)]
    silences: dict[str, Silence | None] = {item.id: None for item in gone if isinstance(item, Silence)}
    openings: dict[str, Opening | None] = {item.id: None for item in gone if isinstance(item, Opening)}
    return one_step(f"Delete {len(gone)} stretches", stretch_steps(script, silences, openings))


def note_stretch(script: Script, identity: str, text: str) -> Step | None:
    """Write the note that goes with a silence or an opening."""
    old = _stretch(script, identity)
    return _changed(script, replace(old, note=written(text)), "Note")


def stretch_steps(
    script: Script,
    silences: Mapping[str, Silence | None],
    openings: Mapping[str, Opening | None],
    new: Iterable[Stretch] = (),
) -> list[Step]:
    """Steps that change, remove (None) and add silences and openings, each kind kept in order of time."""
    made = tuple(new)
    return [
        *timed_steps(script.silences, silences, [item for item in made if isinstance(item, Silence)]),
        *timed_steps(script.openings, openings, [item for item in made if isinstance(item, Opening)]),
    ]


def drawn(ids: Ids, items: tuple[S, ...], new: S) -> tuple[dict[str, S | None], list[S]]:
    """What changes, and what comes, when a stretch is drawn: those that it meets become one with it."""
    met = [item for item in items if item.span.overlap(new.span) is not None]
    if not met:
        return {}, [replace(new, id=ids.fresh(type(new)))]
    whole = [new.span, *(item.span for item in met)]
    changed: dict[str, S | None] = {item.id: None for item in met}
    changed[met[0].id] = replace(
        met[0],
        span=Span(min(span.start for span in whole), max(span.end for span in whole)),
        note=written("; ".join(dict.fromkeys(item.note for item in (*met, new) if item.note))),
    )
    return changed, []


def _span(script: Script, start: int, end: int, what: str) -> Span:
    first, last = sorted((bounded(script, start), bounded(script, end)))
    if last - first < LEAST_STRETCH_MS:
        raise _too_short(what)
    return Span(first, last)


def _too_short(what: str) -> EditRefused:
    return EditRefused(f"{what} needs at least {LEAST_STRETCH_MS / 1000:g} s: draw it longer, or delete it.")


def _stretch(script: Script, identity: str) -> Stretch:
    for item in (*script.silences, *script.openings):
        if item.id == identity:
            return item
    raise EditRefused("That stretch is not in the script any more.")


def _to(script: Script, identity: str, span: Span, verb: str) -> Step | None:
    return _changed(script, replace(_stretch(script, identity), span=span), verb)


def _changed(script: Script, new: Stretch, verb: str) -> Step | None:
    if isinstance(new, Silence):
        return one_step(f"{verb} silence {stretch(new.span)}", timed_steps(script.silences, {new.id: new}))
    return one_step(f"{verb} opening {stretch(new.span)}", timed_steps(script.openings, {new.id: new}))
