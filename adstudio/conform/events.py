"""What the editor asks of the process that compares cuts, and what it says: see `PROTOCOL`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adstudio.conform.new_cut import FormerCut, NewCut, NewCutRequest
from adstudio.system.worker import Failed, WorkerProtocol

CRASHED = "The cuts could not be compared; see the log for details."


@dataclass(frozen=True)
class CompareCuts:
    """Compare a new cut with the film of a project."""

    former: FormerCut
    project: Path
    request: NewCutRequest


@dataclass(frozen=True)
class CutProgress:
    """What is being done, and how much of it: 0 to 1, None if that is not known."""

    what: str
    fraction: float | None = None


@dataclass(frozen=True)
class CutCompared:
    """What the comparison showed."""

    cut: NewCut


CutEvent = CutProgress | CutCompared | Failed
PROTOCOL = WorkerProtocol[CompareCuts, CutEvent]("adstudio.conform.worker", CompareCuts, CutEvent)
