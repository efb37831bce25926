"""The names of who speaks the cues, found by a machine, as one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adstudio.core.cast import SpeakerSource
from adstudio.core.script import Cue, Script
from adstudio.core.steps import Step
from adstudio.editing.change import one_step, timed_steps

NAME_SPEAKERS = "Name speakers"
GUESSED = (
    SpeakerSource.SCREENPLAY,
    SpeakerSource.MODEL,
    SpeakerSource.VOICE,
    SpeakerSource.DIARISATION,
    SpeakerSource.CAST,
)
"""Sources whose names a later run may change or take back."""


def set_speakers(
    script: Script, names: Mapping[str, tuple[str, SpeakerSource, int]], *, others_stay: bool = False
) -> Step | None:
    """Set who speaks cues: the name, how it is known, and the confidence (thousandths), by the id of the cue.

    A name that was found before and is not any more is taken back, unless `others_stay`. Those of the describer and of
    labels stay.
    """
    changed: dict[str, Cue | None] = {}
    for cue in script.cues:
        if cue.speaker and cue.speaker_source not in GUESSED:
            continue
        found = names.get(cue.id)
        if found is None and others_stay:
            continue
        speaker, source, confidence = (None, None, None) if found is None else found
        new = replace(cue, speaker=speaker, speaker_source=source, speaker_confidence=confidence)
        if new != cue:
            changed[cue.id] = new
    return one_step(NAME_SPEAKERS, timed_steps(script.cues, changed))
