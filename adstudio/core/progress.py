"""How far a long task is: its stage, the fraction of it that is done, and a detail, as one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from adstudio.core.counts import percent


class Stage(Enum):
    """What a long task is doing. The values are keys in messages between our processes; `stage_name` is for people."""

    READING_SUBTITLES = "reading_subtitles"
    PROBING_VIDEO = "probing_video"
    CHECKING_VIDEO = "checking_video"
    DETECTING_SPEECH = "detecting_speech"
    FINDING_WORDS = "finding_words"
    READING_CANDIDATES = "reading_candidates"
    READING_SCREENPLAY = "reading_screenplay"
    READING_DESCRIPTION = "reading_description"
    READING_SCRIPTS = "reading_scripts"
    DETECTING_CUTS = "detecting_cuts"
    ALIGNING = "aligning"
    SEGMENTING = "segmenting"
    GROUNDING = "grounding"
    COMPRESSING = "compressing"
    SCORING = "scoring"
    SUGGESTING_RULES = "suggesting_rules"
    MAKING_CLIPS = "making_clips"
    DRAFTING = "drafting"
    FINDING_GAPS = "finding_gaps"
    PLANNING = "planning"
    WRITING_PROJECT = "writing_project"
    COPYING_SAMPLE = "copying_sample"
    SPEAKING = "speaking"
    MEASURING_SOUND = "measuring_sound"
    MIXING = "mixing"
    READING_CONTROL_TRACK = "reading_control_track"
    WRITING_FILM = "writing_film"
    MEASURING_DIFFICULTY = "measuring_difficulty"
    MAKING_ABLATIONS = "making_ablations"
    MAKING_QUESTIONS = "making_questions"
    ANSWERING_QUESTIONS = "answering_questions"
    EVALUATING = "evaluating"


_NAMES = {
    Stage.READING_SUBTITLES: "reading the subtitles",
    Stage.PROBING_VIDEO: "inspecting the video",
    Stage.CHECKING_VIDEO: "checking whether the video has changed",
    Stage.DETECTING_SPEECH: "detecting speech",
    Stage.FINDING_WORDS: "finding words in the sound",
    Stage.READING_CANDIDATES: "reading the candidates",
    Stage.READING_SCREENPLAY: "reading the screenplay",
    Stage.READING_DESCRIPTION: "reading the description",
    Stage.READING_SCRIPTS: "reading the scripts",
    Stage.DETECTING_CUTS: "detecting cuts",
    Stage.ALIGNING: "matching the screenplay to the film",
    Stage.SEGMENTING: "extracting descriptions",
    Stage.GROUNDING: "finding when things happen",
    Stage.COMPRESSING: "shortening",
    Stage.SCORING: "ranking importance",
    Stage.SUGGESTING_RULES: "looking for lines that repeat or require one another",
    Stage.MAKING_CLIPS: "preparing clips",
    Stage.DRAFTING: "drafting",
    Stage.FINDING_GAPS: "finding the gaps",
    Stage.PLANNING: "planning",
    Stage.WRITING_PROJECT: "writing the project",
    Stage.COPYING_SAMPLE: "copying the sample film",
    Stage.SPEAKING: "speaking the lines",
    Stage.MEASURING_SOUND: "measuring the sound",
    Stage.MIXING: "mixing",
    Stage.READING_CONTROL_TRACK: "reading the control track back",
    Stage.WRITING_FILM: "writing the film",
    Stage.MEASURING_DIFFICULTY: "measuring how hard the scenes are",
    Stage.MAKING_ABLATIONS: "planning the ablations",
    Stage.MAKING_QUESTIONS: "making questions",
    Stage.ANSWERING_QUESTIONS: "answering questions",
    Stage.EVALUATING: "comparing with the references",
}


@dataclass(frozen=True)
class Progress:
    """How far a task is. `fraction` of the stage is done, 0 to 1, None where it cannot be measured.

    `detail` is what it is at within the stage, for people; empty where the stage's name says enough.
    """

    stage: Stage
    fraction: float | None = None
    detail: str = ""


OnProgress = Callable[[Progress], None]
"""Is told how far a task is; may raise to stop it."""


def ignore_progress(_progress: Progress) -> None:
    """For tasks whose progress nobody follows."""


def stage_name(stage: Stage) -> str:
    """A stage in words, as part of a sentence: no capital, no full stop."""
    return _NAMES[stage]


def progress_text(progress: Progress) -> str:
    """What a task is doing and how far it is: `shortening: 40 %`."""
    name = progress.detail or stage_name(progress.stage)
    return name if progress.fraction is None else f"{name}: {percent(progress.fraction)}"


class StageState(Enum):
    """Where a stage is, in the words that show it."""

    WAITING = "to come"
    RUNNING = "now"
    DONE = "done"
    SKIPPED = "not needed"


@dataclass(frozen=True)
class StageStatus:
    """One stage of a task; `fraction` of it is done, 0 to 1, None where that cannot be measured."""

    stage: Stage
    state: StageState = StageState.WAITING
    fraction: float | None = None


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
