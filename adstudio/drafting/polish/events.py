"""The requests and events of the process that polishes the plan's lines."""

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
    """The spoken lines of a plan, and which of them to polish: those of some scenes, or all.

    Human work is polished too if `whole`. Answers are stored in `store`, or in the default place.
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
    """The number of proposals, why the run ended early, if it did, and requests and tokens over all runs."""

    proposals: int
    halted: str = ""
    stopped: bool = False
    asked: int = 0
    usage: Usage = field(default_factory=Usage)


PolishEvent = ScenePolished | Spent | Noted | PolishFinished | Failed
PROTOCOL = WorkerProtocol[PolishRequest, PolishEvent]("adstudio.drafting.polish.worker", PolishRequest, PolishEvent)
"""Between the editor and the process that polishes for it."""
