"""Dialogue cues: their times and kinds, and cues created from detected speech."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.steps import Insert, Step
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused, clamped, item_of, one_step, timed_steps
from adstudio.editing.ids import Ids
from adstudio.editing.names import quoted

CUES_FROM_SPEECH = "Detect dialogue from audio"


def set_cue_times(script: Script, identity: str, *, start: int | None = None, end: int | None = None) -> Step | None:
    """Change a cue's start, end, or both, which also repairs a cue that ends before it starts.

    Raises:
        EditRefused: if it would have no length, or no longer exists.
    """
    cue = item_of(script.cues, identity, "cue")
    new_start = cue.start if start is None else clamped(script, start)
    new_end = cue.end if end is None else clamped(script, end)
    if (new_start, new_end) == (cue.start, cue.end):
        return None
    if new_end <= new_start:
        starts = f"{quoted(cue.text)} starts at {script.film.timecode(new_start)}"
        raise EditRefused(f"A cue cannot end before it starts: {starts}. Set a later end.")
    retimed = replace(cue, start=new_start, end=new_end)
    return one_step(f"Retime {quoted(cue.text)}", timed_steps(script.cues, {cue.id: retimed}))


def set_cue_kind(script: Script, identities: Iterable[str], kind: CueKind) -> Step | None:
    """Set the kind of cues: speech, sound, music or singing, which affects the gaps (`GapSettings`).

    Raises:
        EditRefused: if a cue no longer exists.
    """
    cues = [item_of(script.cues, identity, "cue") for identity in dict.fromkeys(identities)]
    changed: dict[str, Cue | None] = {cue.id: replace(cue, kind=kind) for cue in cues if cue.kind is not kind}
    return one_step(f"Mark {len(changed)} cues as {kind.value}", timed_steps(script.cues, changed))


def cues_from_speech(script: Script, ids: Ids, spans: Iterable[Span]) -> Step | None:
    """Use the speech detected in a film as its dialogue: one cue without text for each span.

    Raises:
        EditRefused: if the script already has dialogue.
    """
    if script.cues:
        raise EditRefused("The script already has dialogue, which detected speech would overlap.")
    end = script.film.end
    speech = [Span(span.start, min(span.end, end)) for span in sorted(spans) if 0 <= span.start < end]
    steps = [Insert(Cue(ids.fresh(Cue), span.start, span.end, ""), None) for span in speech]
    return one_step(CUES_FROM_SPEECH, steps)
