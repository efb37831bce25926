"""All dialogue cues put in step with the film: moved by one offset, their drift taken out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from adstudio.core.script import Cue, Script
from adstudio.core.steps import Replace, Step
from adstudio.editing.change import one_step
from adstudio.editing.refusal import EditRefused

SLOWEST, FASTEST = Fraction(1, 2), Fraction(2)
"""The ratios between which anything is a drift."""


def retimed(script: Script, offset: int, ratio: Fraction = Fraction(1)) -> Step | None:
    """Multiply the times of all cues by `ratio` and then move them by `offset` ms, as one step.

    Nothing else moves: occurrences, pins and silences are of the film, not of its subtitles. A cue that comes to lie
    outside the film, wholly or in part, keeps its times, so that no word is lost and the next retiming can bring it
    back; gaps pass over what is outside. One whose end stands before its start keeps that too.

    Raises:
        EditRefused: for a ratio that is no drift, or where no cue would be left within the film.
    """
    if not SLOWEST <= ratio <= FASTEST:
        raise EditRefused("Subtitles that drift are off by a few parts in a hundred: give a ratio near 1.")
    moved = [retimed_cue(cue, offset, ratio) for cue in script.cues]
    if moved and not any(cue.start < script.film.end and max(cue.start, cue.end) >= 0 for cue in moved):
        raise EditRefused("No cue would be left within the film: give a smaller offset.")
    steps = [Replace(old, new) for old, new in zip(script.cues, moved, strict=True) if new != old]
    return one_step(_label(offset, ratio), steps)


def retimed_cue(cue: Cue, offset: int, ratio: Fraction = Fraction(1)) -> Cue:
    """The cue with its times multiplied by `ratio` and then moved by `offset` ms, wherever that is."""
    return replace(cue, start=round(cue.start * ratio) + offset, end=round(cue.end * ratio) + offset)


def _label(offset: int, ratio: Fraction) -> str:
    moved = f"{abs(offset) / 1000:.2f} s {'later' if offset > 0 else 'earlier'}" if offset else ""
    drift = f"{float(ratio):.2%} of their times" if ratio != 1 else ""
    return "Put the subtitles in step: " + ", ".join(part for part in (drift, moved) if part)
