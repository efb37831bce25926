"""What a draft tells while it goes on, and what came of it: one stream, in a process of its own or in this one."""

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
    """Something that people should know, without a full stop; the draft goes on all the same."""

    sentence: str


class Answered(StrEnum):
    """What was asked of a film before, and what becomes of it."""

    NOTHING = "nothing"
    REUSED = "reused"
    """It is not asked again, where it is asked of the same model in just the same way."""
    ASKED_ANEW = "asked anew"
    RESUMED_ANEW = "resumed anew"
    """Everything was to be asked anew before, and that was not finished."""


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
    """A model has drafted all scenes already that nobody has reviewed; `people` were given, and are not taken over."""

    people: bool = False


@dataclass(frozen=True)
class ModelFinished:
    """The model has been asked about all scenes: how many came to which end, and why it ended early, if it did.

    `usage` and `requests` are this run's; `asked` and `total` those of all runs; `kept` counts answers of earlier runs
    that were used, by model. `answered`: the server has answered in this run, so what allowed it is noted.
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
        """How many of them did not come whole, for whatever reason."""
        return self.scenes - self.states.get(SceneState.DONE, 0)


@dataclass(frozen=True)
class Weighed:
    """A server has scored so many lines; `missing` says why scenes (ids) were not, and `left` lines were reviewed."""

    lines: int
    asked: int
    usage: Usage
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    left: int = 0


@dataclass(frozen=True)
class PolicyChanged:
    """The project allows from now on what it did not allow before."""

    before: Policy
    after: Policy


@dataclass(frozen=True)
class PolicyUnchanged:
    """Nothing was asked, so the project does not allow what was allowed for this run."""


@dataclass(frozen=True)
class Landed:
    """So many scenes were put into the project that exists, in so many steps; `saved` where nobody had worked on it."""

    scenes: int
    steps: int
    saved: bool


@dataclass(frozen=True)
class Finished:
    """The project is written. What was odd, by the name of its source; `notes` are what a model's answers needed.

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
    """The screenplay hardly matches this film, in a sentence; it is used all the same with `Sources.any_screenplay`."""

    message: str


@dataclass(frozen=True)
class SampleRequest:
    """The sample film is made and drafted into this folder."""

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
