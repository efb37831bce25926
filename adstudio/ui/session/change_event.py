"""What listeners of the session are told of a change."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.document import Change
from adstudio.planning.film.live_plan import Outcome
from adstudio.planning.film.plan_changes import PlanChanges


@dataclass(frozen=True)
class News:
    """What a listener needs to know: the step (None where only the plan moved), and what it did to the plan.

    Where it is no answer to the describer's hand, it need not be painted before the event loop gets round to it.
    """

    change: Change | None
    outcome: Outcome
    changes: PlanChanges
    to_hand: bool = True
