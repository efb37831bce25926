"""Dialogue cues: their times mended, and what they are taken for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.steps import Insert, Step
from adstudio.core.timebase import Span
from adstudio.editing.change import bounded, one_step, timed_steps
from adstudio.editing.ids import Ids
from adstudio.editing.names import at_time, named
from adstudio.editing.refusal import EditRefused

TAKE_HEARD = "Take the heard speech as dialogue"


def set_cue_times(script: Script, identity: str, *, start: int | None = None, end: int | None = None) -> Step | None:
    """Change when a cue starts, ends, or both; one that ended before it started can be mended so.

    Raises:
        EditRefused: where it would not last at all, or is not there any more.
    """
    cue = _cue(script, identity)
    new_start = cue.start if start is None else bounded(script, start)
    new_end = cue.end if end is None else bounded(script, end)
    if (new_start, new_end) == (cue.start, cue.end):
        return None
    if new_end <= new_start:
        raise EditRefused(
            f"A cue cannot end before it starts: {named(cue.text)} starts at {at_time(new_start)}, give it a later end."
        )
    return _to(script, replace(cue, start=new_start, end=new_end))


def move_cue(script: Script, identity: str, start: int) -> Step | None:
    """Move a cue so that it starts at a time, its length kept, not beyond the film's ends.

    Raises:
        EditRefused: for a cue whose end is wrong, or that is not there any more.
    """
    cue = _cue(script, identity)
    length = cue.end - cue.start
    if length <= 0:
        raise EditRefused(f"{named(cue.text)} ends before it starts: mend its end first.")
    moved = max(0, min(start, script.film.end - length))
    return _to(script, replace(cue, start=moved, end=bounded(script, moved + length)))


def set_cue_kind(script: Script, identities: Iterable[str], kind: CueKind) -> Step | None:
    """Say what cues are: speech, a sound label, music or singing; gaps open or close with it (`GapSettings`).

    Raises:
        EditRefused: for a cue that is not there any more.
    """
    cues = [_cue(script, identity) for identity in dict.fromkeys(identities)]
    changed: dict[str, Cue | None] = {cue.id: replace(cue, kind=kind) for cue in cues if cue.kind is not kind}
    return one_step(f"Take {len(changed)} cues for {kind.value}", timed_steps(script.cues, changed))


def take_heard(script: Script, ids: Ids, spans: Iterable[Span]) -> Step | None:
    """Take the stretches of speech heard in a film as its dialogue: cues without words, one for each.

    Raises:
        EditRefused: where the script has dialogue already.
    """
    if script.cues:
        raise EditRefused("The script has its dialogue already: heard speech would lie over it.")
    end = script.film.end
    heard = [Span(span.start, min(span.end, end)) for span in sorted(spans) if 0 <= span.start < end]
    steps = [Insert(Cue(ids.fresh(Cue), span.start, span.end, ""), None) for span in heard]
    return one_step(TAKE_HEARD, steps)


def _cue(script: Script, identity: str) -> Cue:
    cue = next((cue for cue in script.cues if cue.id == identity), None)
    if cue is None:
        raise EditRefused("That cue is not in the script any more.")
    return cue


def _to(script: Script, cue: Cue) -> Step | None:
    return one_step(f"Retime {named(cue.text)}", timed_steps(script.cues, {cue.id: cue}))
