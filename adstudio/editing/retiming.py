"""Syncing all dialogue cues to the film by an offset and a drift ratio."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from adstudio.core.script import Cue, Script
from adstudio.core.steps import Replace, Step
from adstudio.editing.change import EditRefused, one_step

MIN_RATIO, MAX_RATIO = Fraction(1, 2), Fraction(2)
"""The range of plausible drift ratios."""


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
    return one_step(_label(offset, ratio), steps)


def retime_cue(cue: Cue, offset: int, ratio: Fraction = Fraction(1)) -> Cue:
    """The cue with its times multiplied by `ratio` and then shifted by `offset` ms, even outside the film."""
    return replace(cue, start=round(cue.start * ratio) + offset, end=round(cue.end * ratio) + offset)


def _label(offset: int, ratio: Fraction) -> str:
    moved = f"{abs(offset) / 1000:.2f} s {'later' if offset > 0 else 'earlier'}" if offset else ""
    drift = f"times × {float(ratio):.2%}" if ratio != 1 else ""
    return "Sync subtitles: " + ", ".join(part for part in (drift, moved) if part)
