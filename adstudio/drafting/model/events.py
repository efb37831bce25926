"""What a draft by a model says while it goes on, and what comes of each scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from adstudio.core.script import Eventuality
from adstudio.llm.messages import Usage


class SceneState(StrEnum):
    """Where a scene stands."""

    WAITING = "waiting"
    SHOWING = "showing"
    """Its clip is being made."""
    DESCRIBING = "describing"
    CUTTING = "cutting"
    """Its description is cut into elements."""
    FINDING = "finding"
    """Its elements are found, worded and weighed."""
    MENDING = "mending"
    """Wordings are asked for again."""
    DONE = "done"
    PARTIAL = "partial"
    """There are lines, but some of it could not be had; why is said."""
    BLOCKED = "blocked"
    FAILED = "failed"
    STOPPED = "stopped"
    LIMITED = "limit reached"
    """Not begun, or not gone on with, since the film may not cost more; what had come is kept."""


FINAL = frozenset(
    {
        SceneState.DONE,
        SceneState.PARTIAL,
        SceneState.BLOCKED,
        SceneState.FAILED,
        SceneState.STOPPED,
        SceneState.LIMITED,
    }
)


@dataclass(frozen=True)
class Moved:
    """A scene has come to another state; `why` is a sentence where something went wrong."""

    scene: str
    state: SceneState
    why: str = ""


@dataclass(frozen=True)
class Delayed:
    """Nothing comes of a scene for now, and why; it is asked once more after a while, and what comes then ends this."""

    scene: str
    why: str


@dataclass(frozen=True)
class Telling:
    """The description that is being written of a part of a scene, as far as it has come."""

    scene: str
    part: int
    text: str


@dataclass(frozen=True)
class Found:
    """An element that has just come, not checked yet; times are milliseconds of the film."""

    scene: str
    part: int
    id: str
    text: str
    start: int | None
    end: int | None


@dataclass(frozen=True)
class Spent:
    """What this run has taken so far, and how many asks have ended in it."""

    usage: Usage
    ended: int


@dataclass(frozen=True)
class SceneDraft:
    """What came of a scene: its lines in textual order, `why` it is not whole where it is not, and what was mended.

    That it was stopped, or that the limit was reached, is its state; `why` is then what else was in the way.
    """

    scene: str
    state: SceneState
    lines: tuple[Eventuality, ...] = ()
    why: str = ""
    description: str = ""
    notes: tuple[str, ...] = ()


STOPPED = "it was stopped"


def missing_reason(draft: SceneDraft) -> str:
    """Why a scene is not whole, in words; empty where it is."""
    return "; ".join(filter(None, (STOPPED if draft.state is SceneState.STOPPED else "", draft.why)))


SceneEvent = Moved | Delayed | Telling | Found | Spent | SceneDraft
"""`SceneDraft` is heard as soon as a scene has come to its end."""
Hear = Callable[[SceneEvent], None]
