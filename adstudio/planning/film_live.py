"""Live planning in the editor: at every state of the document the plan to show, and what is still to be worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from adstudio.core.plan import Conflict, Delivery, Plan
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.planning.film_elements import FilmElements
from adstudio.planning.live import LivePlanner
from adstudio.planning.second_opinion import SceneRequest


class Standing(Enum):
    """What is known of the plan that is shown."""

    EXACT = "exact"
    CONFIRMED = "confirmed"
    IN_PARTS = "in parts"
    OPEN = "open"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Proof:
    """Who proved the plan best, or how far it may be from it: `gap` is bound less objective, in billionths."""

    standing: Standing
    gap: int = 0
    says: str = ""


@dataclass(frozen=True)
class Outcome:
    """What the editor shows of one state of the document.

    `plan` is always the film's and never blank for a conflict; `set_aside` are the holds and rules that cannot hold,
    an irreducible conflict each; `shown_apart` the lines of such holds where the describer put them, outside the
    plan; `open` what CP-SAT still has to plan or to confirm.
    """

    plan: Plan
    set_aside: tuple[Conflict, ...] = ()
    shown_apart: tuple[Delivery, ...] = ()
    open: tuple[SceneRequest, ...] = ()
    proof: Proof = Proof(Standing.EXACT)


class FilmPlanner:
    """The plan of a film, kept at hand while its script is edited."""

    def __init__(self, script: Script, gaps: Sequence[Span], plan: Plan | None = None) -> None:
        self._elements = FilmElements()
        problem = self._elements.update(script, gaps)
        previous = () if plan is None else tuple((d.element, d.variant) for d in plan.deliveries)
        self._live = LivePlanner(replace(problem, previous=previous))
        self.outcome = Outcome(self._live.plan)

    def replan(self, script: Script, gaps: Sequence[Span]) -> Outcome:
        """The outcome of this state of the document, from whichever state it came."""
        problem = self._elements.update(script, gaps)
        self.outcome = Outcome(self._live.replan(problem))
        return self.outcome

    def settle(self) -> None:
        """Do what can wait until the hand rests."""
        self._live.settle()
