"""Dialogue cues: their times and kinds, syncing them to the film, and cues created from detected speech."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from adstudio.core.counts import percent
from adstudio.core.script import Cue, CueKind, Script
from adstudio.core.steps import Insert, Replace, Step
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused, clamped, item_of, one_step, timed_steps
from adstudio.editing.ids import Ids
from adstudio.editing.names import quoted_line

CUES_FROM_SPEECH = "Detect dialogue from audio"

MIN_RATIO, MAX_RATIO = Fraction(1, 2), Fraction(2)
"""The range of plausible drift ratios."""


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
        starts = f"{quoted_line(cue.text)} starts at {script.film.timecode(new_start)}"
        raise EditRefused(f"A cue cannot end before it starts: {starts}. Set a later end.")
    retimed = replace(cue, start=new_start, end=new_end)
    return one_step(f"Retime {quoted_line(cue.text)}", timed_steps(script.cues, {cue.id: retimed}))


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


def retime_cues(script: Script, offset: int, ratio: Fraction = Fraction(1)) -> Step | None:
    """Multiply the times of all cues by `ratio` and then shift them by `offset` ms, as one step.

    Nothing else moves: occurrences, pins and silences belong to the film, not to its subtitles. Cues that end up
    outside the film stay, so that no text is lost and another sync can bring them back; gaps ignore them. A cue that
    ends before it starts stays so.

    Raises:
        EditRefused: for an implausible ratio, or if no cue would be left within the film.
    """
    if not MIN_RATIO <= ratio <= MAX_RATIO:
        raise EditRefused("Subtitles drift by a few per cent at most: use a ratio near 1.")
    moved = [retime_cue(cue, offset, ratio) for cue in script.cues]
    if moved and not any(cue.start < script.film.end and max(cue.start, cue.end) >= 0 for cue in moved):
        raise EditRefused("No cue would be left within the film: use a smaller offset.")
    steps = [Replace(old, new) for old, new in zip(script.cues, moved, strict=True) if new != old]
    return one_step(_sync_label(offset, ratio), steps)


def retime_cue(cue: Cue, offset: int, ratio: Fraction = Fraction(1)) -> Cue:
    """The cue with its times multiplied by `ratio` and then shifted by `offset` ms, even outside the film."""
    return replace(cue, start=round(cue.start * ratio) + offset, end=round(cue.end * ratio) + offset)


def _sync_label(offset: int, ratio: Fraction) -> str:
    moved = f"{abs(offset) / 1000:.2f} s {'later' if offset > 0 else 'earlier'}" if offset else ""
    drift = f"times × {percent(float(ratio), 2)}" if ratio != 1 else ""
    return "Sync subtitles: " + ", ".join(part for part in (drift, moved) if part)
