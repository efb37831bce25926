"""Subtitles laid over the speech that is heard in their film, and put in step with it where that is sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adstudio.core.script import Cue
from adstudio.editing.cues import retime_cue
from adstudio.gaps.subtitle_sync import estimate_sync, sync_text

if TYPE_CHECKING:
    from adstudio.media.speech_activity import Activity

NOTHING_TO_HEAR = "the film has no sound, so whether the subtitles are in step with it cannot be checked"


@dataclass(frozen=True)
class SyncCheck:
    """The cues, and what was found, in a sentence without its stop.

    `in_sync`: they were in step. `fixable`: they were not, and it is sure how they would be. `of_another`: they hardly
    agree with what is spoken at any shift.
    """

    cues: tuple[Cue, ...]
    finding: str
    in_sync: bool
    fixable: bool
    of_another: bool


def check_sync(cues: Sequence[Cue], activity: Activity, *, mend: bool) -> SyncCheck:
    """Dialogue cues against the speech that is heard; with `mend` they are moved where they are surely out of step."""
    found = estimate_sync(cues, activity.spans, activity.duration)
    finding = sync_text(found) if activity.has_sound else NOTHING_TO_HEAR
    if mend and found.needs_sync:
        cues = [retime_cue(cue, found.offset_ms, found.ratio) for cue in cues]
        finding += "; that is taken out here"
    return SyncCheck(tuple(cues), finding, found.in_sync, found.needs_sync, found.of_another)
