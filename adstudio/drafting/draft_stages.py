"""The stages that a draft goes through, and how far each of them is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adstudio.drafting.draft import Sources

UNKNOWN = -1.0
"""How far something is of which nobody knows that."""
_WORDING = (
    "finding what is told",
    "finding when it is seen",
    "shortening",
    "weighing",
)
_RULES = "looking for lines that repeat or need one another"
_CUTS = "looking for cuts"
_SCREENPLAY = (_CUTS, "matching the screenplay to the film", *_WORDING)
_DESCRIPTION = ("reading the description", _CUTS, *_WORDING)
_PLANNING = ("finding the gaps", "planning", "writing the project")


class State(Enum):
    """Where a stage stands."""

    WAITING = "to come"
    RUNNING = "now"
    DONE = "done"
    PASSED = "not needed"


@dataclass(frozen=True)
class Stage:
    """One stage, in the words in which it is told; `share` is 0..1, or -1 where nobody knows."""

    what: str
    state: State = State.WAITING
    share: float = UNKNOWN


def course_of(sources: Sources) -> tuple[str, ...]:
    """The stages of a draft from these sources, in their order. One for which nothing is left to do is passed over."""
    stages: list[str] = []
    if sources.subtitles is not None:
        stages.append("reading the subtitles")
    if sources.video is not None:
        stages.append("looking at the video")
        if sources.subtitles is None and sources.listening:
            stages.append("listening for speech")
    if sources.candidates is not None:
        stages.append("reading the candidates")
    elif sources.text is not None:
        stages += text_course(sources.screenplay, video=sources.video is not None)
        stages.append(_RULES)
    elif sources.in_scenes and sources.video is not None:
        stages.append(_CUTS)
    return (*stages, *_PLANNING)


def text_course(screenplay: Path | None, *, video: bool) -> tuple[str, ...]:
    """The stages from a text to lines; without a screenplay the text is a description."""
    stages: list[str] = [*(_DESCRIPTION if screenplay is None else _SCREENPLAY)]
    if screenplay is not None and screenplay.suffix.lower() == ".pdf":
        # Other forms are read in an instant, of which nothing is told.
        stages.insert(0, "reading the screenplay")
    return tuple(stage for stage in stages if stage != _CUTS or video)


def begun(whats: Sequence[str]) -> tuple[Stage, ...]:
    """The stages before any of them has begun."""
    return tuple(Stage(what) for what in whats)


def gone_on(stages: Sequence[Stage], what: str, share: float) -> tuple[Stage, ...]:
    """The stages once one of them is told of; one that nobody expected comes in where it is told."""
    running = next((place for place, stage in enumerate(stages) if stage.state is State.RUNNING), None)
    place = next((place for place, stage in enumerate(stages) if stage.what == what), None)
    known = list(stages)
    if place is None:
        behind = [number for number, stage in enumerate(stages) if stage.state is not State.WAITING]
        place = behind[-1] + 1 if behind else 0
        known.insert(place, Stage(what))
    if running is not None and running != place:
        known[running] = replace(known[running], state=State.DONE, share=1.0)
    for number in range(place):
        if known[number].state is State.WAITING:
            known[number] = replace(known[number], state=State.PASSED)
    known[place] = replace(known[place], state=State.RUNNING, share=share)
    return tuple(known)


def over(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """The stages once all is done."""
    ends = {State.RUNNING: State.DONE, State.WAITING: State.PASSED}
    return tuple(replace(stage, state=ends.get(stage.state, stage.state)) for stage in stages)
