"""What the editor asks of the process that scores gaps, and what it says: see `PROTOCOL`."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.evaluation.row_scores import GapScore, GapTexts
from adstudio.system.worker import Failed, WorkerProtocol

CRASHED = "The scores could not be computed; see the log for details."


@dataclass(frozen=True)
class ScoreGaps:
    """Score these gaps of a film, all in which descriptions are compared."""

    gaps: tuple[GapTexts, ...]


@dataclass(frozen=True)
class GapsScored:
    """The scores of each gap; None where the reference says nothing."""

    scores: tuple[GapScore | None, ...]


Event = GapsScored | Failed
PROTOCOL = WorkerProtocol[ScoreGaps, Event]("adstudio.evaluation.row_scores_worker", ScoreGaps, Event)
