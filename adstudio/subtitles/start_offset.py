"""Dialogue whose times count from a timecode instead of the film's start: brought into the film, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Cue, CueKind
from adstudio.core.start_timecode import StartTimecode
from adstudio.core.timebase import clock

HOUR_MS = 3_600_000
NEARLY_NONE = 0.1
"""Part of the spoken cues: with fewer in the film, an offset that brings nearly all in is believed."""
NEARLY_ALL = 0.9
LEAST_FILM_MS = 60_000
"""In a shorter piece of a film it may well be that nobody speaks."""


class OffsetError(BadInputError):
    """Subtitles none of whose dialogue lies in the film."""


def from_start(
    cues: Sequence[Cue], end: int | None, first: StartTimecode | None, name: str
) -> tuple[tuple[Cue, ...], tuple[Oddity, ...]]:
    """The cues with the label of the film's first frame taken off, where that brings them into the film, and that told.

    `end` is the film's (ms), None where only the cues tell it; `name` is the file's. Narration would be spoken over all
    of a dialogue that is elsewhere, so such a file is not used.

    Raises:
        OffsetError: where (nearly) no spoken cue lies in the film, with what its times count from and how to mend it.
    """
    spoken = [cue.start for cue in cues if cue.kind in (CueKind.SPEECH, CueKind.SUNG)]
    if not spoken:
        return tuple(cues), ()
    if end is None:
        if first is None or first.clock_offset < HOUR_MS or min(spoken) < first.clock_offset:
            return tuple(cues), ()
        return _moved(cues, first)
    inside = _inside(spoken, 0, end)
    if inside >= NEARLY_NONE * len(spoken):
        return tuple(cues), ()
    if first is not None and _inside(spoken, first.clock_offset, end) >= NEARLY_ALL * len(spoken):
        return _moved(cues, first)
    hours = min(spoken) // HOUR_MS * HOUR_MS
    if hours and _inside(spoken, hours, end) >= NEARLY_ALL * len(spoken):
        label = clock(hours)[:8]
        raise OffsetError(
            f"the times in {name} count from {label}, not from the film’s start, so that none of its dialogue lies in "
            f"the film: give the timecode of the film’s first frame (--start-timecode {label}:00), and it is taken off"
        )
    if not inside and end >= LEAST_FILM_MS:
        raise OffsetError(
            f"none of the dialogue in {name} lies in the film: it begins at {clock(min(spoken))[:8]} and the film "
            f"ends at {clock(end)[:8]}: give the subtitles of this film, or shift them; "
            "if nobody speaks in it, leave them out"
        )
    return tuple(cues), ()


def _inside(times: Sequence[int], offset: int, end: int) -> int:
    return sum(offset <= time < offset + end for time in times)


def _moved(cues: Sequence[Cue], first: StartTimecode) -> tuple[tuple[Cue, ...], tuple[Oddity, ...]]:
    off = first.clock_offset
    moved = tuple(
        replace(cue, start=cue.start - off, end=cue.end - off) for cue in cues if min(cue.start, cue.end) >= off
    )
    told = [Oddity(f"its times count from the film’s start timecode ({first.written}), so that is taken off them")]
    if len(moved) < len(cues):
        told.append(Oddity(f"{len(cues) - len(moved):,} cues lie before the film’s first frame: passed over"))
    return moved, tuple(told)
