"""The stages that a draft goes through, and how far each of them is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from adstudio.core.progress import Progress, Stage
from adstudio.drafting.request import Sources

_LINES = (Stage.SEGMENTING, Stage.GROUNDING, Stage.COMPRESSING, Stage.SCORING)
_SCREENPLAY = (Stage.DETECTING_CUTS, Stage.ALIGNING, *_LINES)
_DESCRIPTION = (Stage.READING_DESCRIPTION, Stage.DETECTING_CUTS, *_LINES)
_PLANNING = (Stage.FINDING_GAPS, Stage.PLANNING, Stage.WRITING_PROJECT)


class StageState(Enum):
    """Where a stage stands, in the words that show it."""

    WAITING = "to come"
    RUNNING = "now"
    DONE = "done"
    SKIPPED = "not needed"


@dataclass(frozen=True)
class StageStatus:
    """One stage of a draft; `fraction` of it is done, 0 to 1, None where that cannot be measured."""

    stage: Stage
    state: StageState = StageState.WAITING
    fraction: float | None = None


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


def not_begun(stages: Sequence[Stage]) -> tuple[StageStatus, ...]:
    """The stages before any of them has begun."""
    return tuple(map(StageStatus, stages))


def advanced(stages: Sequence[StageStatus], progress: Progress) -> tuple[StageStatus, ...]:
    """The stages once progress is reported; a stage that nobody expected is inserted where it is reported."""
    running = next((place for place, each in enumerate(stages) if each.state is StageState.RUNNING), None)
    place = next((place for place, each in enumerate(stages) if each.stage is progress.stage), None)
    known = list(stages)
    if place is None:
        behind = [number for number, each in enumerate(stages) if each.state is not StageState.WAITING]
        place = behind[-1] + 1 if behind else 0
        known.insert(place, StageStatus(progress.stage))
    if running is not None and running != place:
        known[running] = replace(known[running], state=StageState.DONE, fraction=1.0)
    for number in range(place):
        if known[number].state is StageState.WAITING:
            known[number] = replace(known[number], state=StageState.SKIPPED)
    known[place] = StageStatus(progress.stage, StageState.RUNNING, progress.fraction)
    return tuple(known)
