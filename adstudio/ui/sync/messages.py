"""How the subtitles lie to the speech, in the describer's words."""

from __future__ import annotations

from adstudio.gaps.subtitle_sync import DRIFTS, SyncEstimate
from adstudio.ui.widgets.formatting import counted, duration


def late_sentence(found: SyncEstimate) -> str:
    """By how much the subtitles are off: a cue's time multiplied by the ratio and moved by the offset is the film's."""
    drift = DRIFTS.get(found.ratio)
    off = f"{duration(abs(found.offset_ms))} {'early' if found.offset_ms > 0 else 'late'}"
    if drift is None:
        return f"The subtitles are {off} against the speech in the film."
    start = f", and {off} at its start" if abs(found.offset_ms) >= 50 else ""
    return f"The subtitles drift against the speech in the film: they were {drift}{start}."


def detected_sentence(count: int) -> str:
    """That there is speech but no dialogue."""
    return f"The project has no subtitles, but speech is heard in the film, {counted(count, 'time')}."


def moved_sentence(count: int, found: SyncEstimate, undo: str) -> str:
    """What was done, and how it is taken back."""
    what = f"{duration(abs(found.offset_ms))} {'later' if found.offset_ms > 0 else 'earlier'}"
    if found.ratio != 1:
        what = "into step"
    return f"Moved {counted(count, 'cue')} {what}; {undo} takes that back."
