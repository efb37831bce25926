"""What a change of the script or its plan tells its listeners."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.document import Change
from adstudio.planning.film.live_plan import Outcome
from adstudio.planning.film.plan_changes import PlanChanges


@dataclass(frozen=True)
class ChangeEvent:
    """The step (None where only the plan changed) and what it did to the plan.

    `urgent`: it answers the describer's input, so it is painted before anything else is done.
    """

    change: Change | None
    outcome: Outcome
    changes: PlanChanges
    urgent: bool = True
