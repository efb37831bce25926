"""The request and the events of the process that asks a model who speaks."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from adstudio.connections.model_access import Connection
from adstudio.core.cast import People
from adstudio.core.script import Cue
from adstudio.llm.messages import Usage
from adstudio.system.worker import Failed, WorkerProtocol


@dataclass(frozen=True)
class AskSpeakers:
    """Which model is asked who speaks cues that neither a label, the describer nor the screenplay names.

    `film` is the film's name in the request store; no more is sent once it has cost `most_micro_usd` (millionths of a
    US dollar) over all runs. `again`: what was withheld or cut short is requested again. Answers are stored in
    `store`, or where they always are.
    """

    connection: Connection
    film: str
    cues: tuple[Cue, ...]
    people: People
    screenplay: Path | None = None
    most_micro_usd: int | None = None
    again: bool = False
    store: Path | None = None


@dataclass(frozen=True)
class ShareAsked:
    """How much has been asked, 0 to 1."""

    fraction: float


@dataclass(frozen=True)
class SpeakersAsked:
    """Names (cue id, name) that the model gave, of how many cues asked; what ended the run early, if anything did.

    `failed` counts cues of which no answer came, and `why` says why.
    """

    names: tuple[tuple[str, str], ...]
    asked: int
    halted: str = ""
    stopped: bool = False
    failed: int = 0
    why: str = ""
    usage: Usage = field(default_factory=Usage)


AskEvent = ShareAsked | SpeakersAsked | Failed
PROTOCOL = WorkerProtocol[AskSpeakers, AskEvent]("adstudio.drafting.speakers.worker", AskSpeakers, AskEvent)
"""Between the editor and the process that asks for it."""
