"""What a draft reports while it runs, and its outcome: one stream, from a process of its own or from this one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from adstudio.core.errors import Oddity
from adstudio.core.policy import Policy
from adstudio.core.progress import Progress
from adstudio.drafting.model.estimate import Estimate
from adstudio.drafting.model.events import SceneEvent, SceneState
from adstudio.drafting.model.timed_lines import Realistic
from adstudio.drafting.report import PlanSummary, Report
from adstudio.drafting.request import DraftRequest
from adstudio.llm.messages import Usage
from adstudio.system.worker import Failed, WorkerProtocol


@dataclass(frozen=True)
class Noted:
    """Something for people to know, without a full stop; the draft continues."""

    sentence: str


class Answered(StrEnum):
    """What becomes of a film's earlier answers."""

    NOTHING = "nothing"
    REUSED = "reused"
    """They are used for the same requests to the same model."""
    ASKED_ANEW = "asked anew"
    RESUMED_ANEW = "resumed anew"
    """An unfinished draft anew is continued."""


@dataclass(frozen=True)
class Estimated:
    """What a draft is going to take. `length` is the film's, in milliseconds."""

    estimate: Estimate
    length: int
    before: Answered = Answered.NOTHING


@dataclass(frozen=True)
class Resumed:
    """Drafting resumes in the project that exists already."""


@dataclass(frozen=True)
class NothingToDraft:
    """A model has drafted all unreviewed scenes already; `people` were given and are not recorded."""

    people: bool = False


@dataclass(frozen=True)
class ModelFinished:
    """The model has drafted: how many scenes are in which state, and why it ended early, if it did.

    `usage` and `requests` are this run's; `asked` and `total` those of all runs; `reused` counts answers of earlier
    runs that were used, by model.
    """

    states: Mapping[SceneState, int] = field(default_factory=dict[SceneState, int])
    halted: str = ""
    asked: int = 0
    total: Usage = field(default_factory=Usage)
    requests: int = 0
    usage: Usage = field(default_factory=Usage)
    reused: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def scenes(self) -> int:
        """How many scenes there were to draft."""
        return sum(self.states.values())

    @property
    def incomplete(self) -> int:
        """How many of them are not complete, for whatever reason."""
        return self.scenes - self.states.get(SceneState.DONE, 0)


@dataclass(frozen=True)
class Weighed:
    """A server has scored `lines`; `missing` says why scenes (ids) were not, and `left` lines were reviewed."""

    lines: int
    asked: int
    usage: Usage
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    left: int = 0


@dataclass(frozen=True)
class PolicyChanged:
    """The project now allows what it did not allow before."""

    before: Policy
    after: Policy


@dataclass(frozen=True)
class PolicyUnchanged:
    """Nothing was sent, so the project does not allow what was allowed for this run."""


@dataclass(frozen=True)
class Landed:
    """Scenes were inserted into the existing project; it was `saved` if nobody had worked on it."""

    scenes: int
    steps: int
    saved: bool


@dataclass(frozen=True)
class Finished:
    """The project is written, with oddities by source and `notes` on corrections of a model's answers.

    `realistic` is about lines that a model wrote with their times.
    """

    project: Path
    oddities: tuple[tuple[str, Oddity], ...] = ()
    report: Report | None = None
    notes: tuple[tuple[str, Oddity], ...] = ()
    realistic: Realistic | None = None
    plan: PlanSummary | None = None
    scenes: int = 0


@dataclass(frozen=True)
class OtherFilm:
    """The screenplay hardly matches this film (a sentence); `Sources.any_screenplay` uses it all the same."""

    message: str


@dataclass(frozen=True)
class SampleRequest:
    """The sample film is copied and drafted into this folder."""

    folder: Path


DraftEvent = (
    Progress
    | SceneEvent
    | Noted
    | Estimated
    | Resumed
    | NothingToDraft
    | ModelFinished
    | Weighed
    | PolicyChanged
    | PolicyUnchanged
    | Landed
    | Finished
    | OtherFilm
    | Failed
)
Emit = Callable[[DraftEvent], None]
PROTOCOL = WorkerProtocol[DraftRequest | SampleRequest, DraftEvent](
    "adstudio.drafting.worker", DraftRequest | SampleRequest, DraftEvent
)
"""Between the editor and the process that drafts for it."""
