"""What a draft by a model reports while it runs, and the drafts of its scenes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from adstudio.characters.cast_sources import FoundPerson
from adstudio.core.script import Eventuality, Fusion
from adstudio.llm.messages import Usage


class SceneState(StrEnum):
    """The state of a scene."""

    WAITING = "waiting"
    SHOWING = "showing"
    """Its clip is being made."""
    DESCRIBING = "describing"
    CUTTING = "cutting"
    """Its description is divided into elements."""
    FINDING = "finding"
    """Its elements are found, worded and weighed."""
    MENDING = "mending"
    """Wordings are requested again."""
    DONE = "done"
    PARTIAL = "partial"
    """There are lines, but something is missing; the reason is given."""
    BLOCKED = "blocked"
    FAILED = "failed"
    STOPPED = "stopped"
    LIMITED = "limit reached"
    """Not begun, or not continued, because of the cost limit; what was received is kept."""


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
    """A scene has changed its state; `why` is a sentence if something went wrong."""

    scene: str
    state: SceneState
    why: str = ""


@dataclass(frozen=True)
class Delayed:
    """Nothing is received of a scene for now, and why; it is retried, and the next event about it ends this."""

    scene: str
    why: str


@dataclass(frozen=True)
class Telling:
    """The description of a part of a scene, as far as it has been received."""

    scene: str
    part: int
    text: str


@dataclass(frozen=True)
class Found:
    """An element that was just received, not checked yet; times are milliseconds of the film."""

    scene: str
    part: int
    id: str
    text: str
    start: int | None
    end: int | None


@dataclass(frozen=True)
class Spent:
    """What this run has used so far, and how many of its requests have ended."""

    usage: Usage
    ended: int


@dataclass(frozen=True)
class SceneDraft:
    """The draft of a scene: its lines in textual order, `why` it is not complete if so, and notes on corrections.

    `fusions` are of lines that come from a text; a model fuses none. `people` are whom a screenplay lets speak.

    That it was stopped, or that the limit was reached, is its state; `why` is then any other reason.
    """

    scene: str
    state: SceneState
    lines: tuple[Eventuality, ...] = ()
    why: str = ""
    description: str = ""
    notes: tuple[str, ...] = ()
    fusions: tuple[Fusion, ...] = ()
    people: tuple[FoundPerson, ...] = ()


STOPPED = "it was stopped"


def missing_reason(draft: SceneDraft) -> str:
    """Why a scene is not complete, in words; "" if it is."""
    return "; ".join(filter(None, (STOPPED if draft.state is SceneState.STOPPED else "", draft.why)))


SceneEvent = Moved | Delayed | Telling | Found | Spent | SceneDraft
"""`SceneDraft` is reported as soon as a scene has ended."""
Hear = Callable[[SceneEvent], None]
