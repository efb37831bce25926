"""What the editor asks of the process that polishes the plan's lines, and what that tells."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from adstudio.connections.model_access import Connection
from adstudio.core.plan import Delivery
from adstudio.core.script import Script
from adstudio.drafting.events import Noted
from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.polish.proposals import ScenePolished
from adstudio.llm.messages import Usage
from adstudio.system.worker import Failed, WorkerProtocol


@dataclass(frozen=True)
class PolishRequest:
    """The lines that are spoken, as the editor shows them, and which of them are wanted: those of some scenes, or all.

    Lines that are a person's work are polished too if `whole`. Answers are cached in `store`, or where they always are.
    """

    script: Script
    connection: Connection
    deliveries: tuple[Delivery, ...]
    scenes: tuple[str, ...] = ()
    whole: bool = False
    options: ModelOptions = field(default_factory=ModelOptions)
    store: Path | None = None


@dataclass(frozen=True)
class PolishFinished:
    """How many proposals there are, why it ended early, if it did, and requests and tokens over all runs."""

    proposals: int
    halted: str = ""
    stopped: bool = False
    asked: int = 0
    usage: Usage = field(default_factory=Usage)


PolishEvent = ScenePolished | Spent | Noted | PolishFinished | Failed
PROTOCOL = WorkerProtocol[PolishRequest, PolishEvent]("adstudio.drafting.polish.worker", PolishRequest, PolishEvent)
"""Between the editor and the process that polishes for it."""
