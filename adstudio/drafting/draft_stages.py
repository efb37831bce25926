"""The stages that a draft goes through."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.progress import Stage
from adstudio.drafting.request import Sources

_LINES = (Stage.SEGMENTING, Stage.GROUNDING, Stage.COMPRESSING, Stage.SCORING)
_SCREENPLAY = (Stage.DETECTING_CUTS, Stage.ALIGNING, *_LINES)
_DESCRIPTION = (Stage.READING_DESCRIPTION, Stage.DETECTING_CUTS, *_LINES)
_PLANNING = (Stage.FINDING_GAPS, Stage.PLANNING, Stage.WRITING_PROJECT)


def stages_of(sources: Sources) -> tuple[Stage, ...]:
    """The stages of a draft from these sources, in their order. One that has nothing to do is skipped."""
    stages: list[Stage] = []
    if sources.subtitles is not None:
        stages.append(Stage.READING_SUBTITLES)
    if sources.video is not None:
        stages.append(Stage.PROBING_VIDEO)
        if sources.subtitles is None and sources.listening:
            stages.append(Stage.DETECTING_SPEECH)
    if sources.candidates is not None:
        stages.append(Stage.READING_CANDIDATES)
    elif sources.text is not None:
        stages += text_stages(sources.screenplay, video=sources.video is not None)
        stages.append(Stage.SUGGESTING_RULES)
    elif sources.in_scenes and sources.video is not None:
        stages.append(Stage.DETECTING_CUTS)
    return (*stages, *_PLANNING)


def text_stages(screenplay: Path | None, *, video: bool) -> tuple[Stage, ...]:
    """The stages from a text to lines; without a screenplay the text is a description."""
    stages: list[Stage] = [*(_DESCRIPTION if screenplay is None else _SCREENPLAY)]
    if screenplay is not None and screenplay.suffix.lower() == ".pdf":
        # Other formats are read in an instant, and report nothing.
        stages.insert(0, Stage.READING_SCREENPLAY)
    return tuple(stage for stage in stages if stage is not Stage.DETECTING_CUTS or video)
