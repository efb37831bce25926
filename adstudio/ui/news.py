"""What listeners of the session are told of a change, and what is known of one before it is made."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.document import Change
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.steps import Step
from adstudio.gaps.gaps import Gaps
from adstudio.planning.changes import PlanChanges
from adstudio.planning.film_live import FilmPlanner, Outcome


@dataclass(frozen=True)
class News:
    """What a listener needs to know: the step (None where only the plan moved), and what it did to the plan.

    Where it is no answer to the describer's hand, it need not be painted before the event loop gets round to it.
    """

    change: Change | None
    outcome: Outcome
    changes: PlanChanges
    to_hand: bool = True


@dataclass(frozen=True)
class Ahead:
    """A state that a step would lead to, planned before it is taken.

    `before` is the plan that its changes refer to; they are None where they are still to be found.
    """

    step: Step
    script: Script
    gaps: Gaps
    planner: FilmPlanner
    outcome: Outcome
    before: Plan
    changes: PlanChanges | None = None
