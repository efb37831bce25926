"""Dialogue whose times count from a start timecode instead of the film's start: shifted, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import StartTimecode, clock

HOUR_MS = 3_600_000
FEW = 0.1
"""With a smaller share of spoken cues in the film, an offset that brings `MOST` of them in is accepted."""
MOST = 0.9
MIN_FILM_MS = 60_000
"""A shorter clip may well have no dialogue."""


def shift_to_film_start(
    cues: Sequence[Cue], end: int | None, first: StartTimecode | None, name: str
) -> tuple[tuple[Cue, ...], tuple[Oddity, ...]]:
    """The cues, minus the start timecode if that brings them into the film, and a note saying so.

    `end` is the film's end (ms), None if known only from the cues; `name` is the file's name. Other dialogue outside
    the film is refused, since narration would be spoken over the real one.

    Raises:
        BadInputError: if (nearly) no spoken cue lies in the film; the message says why and what to do.
    """
    spoken = [cue.start for cue in cues if cue.kind in (CueKind.SPEECH, CueKind.SUNG)]
    if not spoken:
        return tuple(cues), ()
    if end is None:
        if first is None or first.clock_offset < HOUR_MS or min(spoken) < first.clock_offset:
            return tuple(cues), ()
        return _moved(cues, first)
    inside = _inside(spoken, 0, end)
    if inside >= FEW * len(spoken):
        return tuple(cues), ()
    if first is not None and _inside(spoken, first.clock_offset, end) >= MOST * len(spoken):
        return _moved(cues, first)
    hours = min(spoken) // HOUR_MS * HOUR_MS
    if hours and _inside(spoken, hours, end) >= MOST * len(spoken):
        label = clock(hours)[:8]
        raise BadInputError(
            f"the times in {name} count from {label} instead of the start of the film, so its dialogue lies outside "
            f"the film: give the timecode of the film’s first frame (--start-timecode {label}:00)"
        )
    if not inside and end >= MIN_FILM_MS:
        raise BadInputError(
            f"the dialogue in {name} lies outside the film: it starts at {clock(min(spoken))[:8]} and the film "
            f"ends at {clock(end)[:8]}. Use the subtitles of this film, or shift them; if it has no dialogue, leave "
            "them out"
        )
    return tuple(cues), ()


def _inside(times: Sequence[int], offset: int, end: int) -> int:
    return sum(offset <= time < offset + end for time in times)


def _moved(cues: Sequence[Cue], first: StartTimecode) -> tuple[tuple[Cue, ...], tuple[Oddity, ...]]:
    off = first.clock_offset
    moved = tuple(
        replace(cue, start=cue.start - off, end=cue.end - off) for cue in cues if min(cue.start, cue.end) >= off
    )
    notes = [Oddity(f"its times count from the film’s start timecode ({first.written}), which was subtracted")]
    if len(moved) < len(cues):
        notes.append(Oddity(f"{len(cues) - len(moved):,} cues before the film’s first frame were ignored"))
    return moved, tuple(notes)
