"""Live planning in the editor: at every state of the document the plan to show, and what is still to be worked out.

Without rules and shares the exact engine plans the film as one, within the user's own step. A scene with rules is shown
as it was or quickly repaired, and CP-SAT is asked for the best; the rest of the film is planned around it (DESIGN
section 4). The same document gives the same objective, whichever way it was come by.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import Enum

from adstudio.core.plan import Conflict, Delivery, Plan, Status
from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.engines.options import KEEP, row
from adstudio.planning.film.film_problem import element_of
from adstudio.planning.film.incremental_problem import FilmElements
from adstudio.planning.film.reasons import question, reason_in_part, told_by
from adstudio.planning.film.scene_plans import Settled, SettledParts
from adstudio.planning.film.second_opinion import (
    Purpose,
    SceneRequest,
    choices_in,
    confirmation,
    stretch_around,
    taken_over,
)
from adstudio.planning.film.suspended_pins import Holds, SetAside
from adstudio.planning.live import explain
from adstudio.planning.live.explain import GapWorth, Reason
from adstudio.planning.live.incremental import LivePlanner
from adstudio.planning.problem import Problem

log = logging.getLogger(__name__)

LIMIT = 10.0
"""Seconds that a request may take, unless the describer sets another limit."""

MOST_OPINIONS = 4
"""Second opinions that are asked for at once; after a change all over the film the exact proof has to do."""

REMEMBERED = 64
"""Stretches whose confirmation is remembered, so that undo asks nothing again."""


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
    says: str = "proven best"


@dataclass(frozen=True)
class Outcome:
    """What the editor shows of one state of the document.

    `plan` is always the film's and never blank for a conflict; `conflicts` are the holds and rules that cannot hold, an
    irreducible one each, and `set_aside` all of them in one row; `shown_apart` are the lines of such holds where the
    describer put them, outside the plan; `open` is what CP-SAT still has to plan or to confirm.
    """

    plan: Plan
    conflicts: tuple[tuple[Conflict, ...], ...] = ()
    shown_apart: tuple[Delivery, ...] = ()
    open: tuple[SceneRequest, ...] = ()
    proof: Proof = Proof(Standing.EXACT)

    @property
    def set_aside(self) -> tuple[Conflict, ...]:
        """Every hold and rule of the conflicts."""
        return tuple(dict.fromkeys(cause for conflict in self.conflicts for cause in conflict))

    def shows_as(self, other: Outcome) -> bool:
        """Whether both put the same lines at the same times, with the same conflicts: only the proof may differ."""
        return (
            self.plan.deliveries == other.plan.deliveries
            and self.conflicts == other.conflicts
            and self.shown_apart == other.shown_apart
        )


@dataclass(frozen=True, slots=True)
class Engines:
    """The describer's choice: `backend` is auto, exact, cpsat or gurobi, `limit` the seconds that a request may take.

    `exact` asks for no second opinions; scenes with rules still need CP-SAT.
    """

    backend: str = "auto"
    limit: float = LIMIT

    @property
    def asked(self) -> str:
        """The engine that requests name."""
        return "gurobi" if self.backend == "gurobi" else "cpsat"


class FilmPlanner:
    """The plan of a film, kept at hand while its script is edited.

    `replan` is called with each state of the document, `accept` with each answer of the worker; both give the outcome
    to show. Neither raises for anything a describer can do.
    """

    def __init__(
        self, script: Script, gaps: Sequence[Span], plan: Plan | None = None, engines: Engines | None = None
    ) -> None:
        self.engines = engines or Engines()
        self._elements = FilmElements()
        self._holds = Holds()
        self._parts = SettledParts(self._holds)
        self._live: LivePlanner | None = None
        self._touched: dict[str, int] = {}
        self._confirmed: list[Problem] = []
        self._answered: list[SceneRequest] = []
        self._dispute: tuple[Plan, str] | None = None
        self._script = script
        self._film = self._elements.update(script, gaps)
        self._aside = SetAside(self._film)
        self._settled: Settled | None = None
        self.outcome = self._planned(plan)

    def replan(self, script: Script, gaps: Sequence[Span], plan: Plan | None = None) -> Outcome:
        """The outcome of this state of the document, from whichever state it came.

        Args:
            script: the document's script.
            gaps: its gaps: sorted, disjoint, not touching.
            plan: the plan kept beside this revision, where undo or redo has come back to one; of equally good plans it
                is shown again.
        """
        before, scenes = self._film, self._elements.scenes
        self._script = script
        self._film = self._elements.update(script, gaps)
        if self._film is before and plan is None and (before.plain or scenes == self._elements.scenes):
            return self.outcome
        if self._film is not before:
            self._dispute = None
            fresh = {self._film.elements[place].id: place for place in self._elements.touched[:MOST_OPINIONS]}
            known = {identity: place for identity, place in self._touched.items() if identity not in fresh}
            self._touched = dict([*fresh.items(), *known.items()][:MOST_OPINIONS])
        self.outcome = self._planned(plan)
        return self.outcome

    def fork(self) -> FilmPlanner:
        """A planner at the same state, that goes its own way from here: to plan what is not in the document yet."""
        other = copy(self)
        live = None if self._live is None else self._live.fork()
        vars(other).update(_elements=copy(self._elements), _answered=self._answered.copy(), _live=live)
        return other

    def settle(self) -> None:
        """Do what can wait until the hand rests; else the next call does it."""
        while self.settle_some():
            pass

    def settle_some(self) -> bool:
        """A bite of `settle`, of some milliseconds; tells whether there was anything to do."""
        return self._live is not None and self._live.settle_some()

    def use(self, engines: Engines) -> Outcome:
        """Other engines from now on."""
        if engines.limit > self.engines.limit or engines.asked != self.engines.asked:
            self._parts.ask_again()
            self._answered.clear()
        self.engines = engines
        self.outcome = self._planned(None)
        return self.outcome

    @property
    def problem(self) -> Problem:
        """The film's problem as it is planned: without the holds that were set aside."""
        return self._aside.problem

    def accept(self, request: SceneRequest, plan: Plan) -> Outcome | None:
        """What an answer of the worker makes of the plan; None where it answers what is no longer asked."""
        if request not in self.outcome.open:
            return None
        answer = taken_over(request.problem, plan)
        if request.purpose is Purpose.PLAN:
            self._parts.answer(request, plan, answer)
        else:
            self._hear(request, plan, answer)
        self.outcome = self._planned(self.outcome.plan)
        return self.outcome

    def refuse(self, request: SceneRequest, why: str) -> Outcome | None:
        """A request that failed is not asked again for this state; None where it is no longer asked anyway."""
        if request not in self.outcome.open:
            return None
        log.warning("%s of %s failed: %s", request.purpose.value, request.scene or "a stretch", why)
        if request.purpose is Purpose.PLAN:
            self._parts.answer(request, None, None)
        self._forget(request)
        self.outcome = self._planned(self.outcome.plan)
        return self.outcome

    def _planned(self, wanted: Plan | None) -> Outcome:
        """Set holds aside that cannot hold, settle the parts, plan the rest around them."""
        known: list[tuple[Conflict, ...]] = []
        while True:
            self._aside = self._holds.set_aside(self._film, known)
            problem = self._aside.problem
            if problem.plain:
                self._settled = None
                plan = self._exact(problem, wanted)
                break
            self._settled = self._parts.settle(
                self._script, problem, self._elements.scenes, lambda p: self._exact(p, None), self.engines.limit
            )
            if self._settled.conflict and self._settled.conflict not in known:
                known.append(self._settled.conflict)
                continue
            rest = self._settled.rest
            plan = self._settled.plan_with(None if rest is None else self._exact(rest, wanted))
            break
        return self._outcome(plan)

    def _exact(self, problem: Problem, wanted: Plan | None) -> Plan:
        live = self._live
        if live is None:
            previous = () if wanted is None else tuple((d.element, d.variant) for d in wanted.deliveries)
            live = self._live = LivePlanner(replace(problem, previous=previous))
            return live.plan
        plan = live.plan if problem == live.problem else live.replan(problem)
        if wanted is not None and plan.objective is not None and plan.deliveries != wanted.deliveries:
            plan = live.prefer(wanted)
        return plan

    def _outcome(self, plan: Plan) -> Outcome:
        settled = self._settled
        requests = [] if settled is None else [replace(r, backend=self.engines.asked) for r in settled.requests]
        names = self._elements.scenes
        at_hand = {names[place] for place in self._touched.values() if place < len(names)}
        requests.sort(key=lambda request: request.scene not in at_hand)
        opinions, confirmed = self._opinions()
        proof = Proof(Standing.EXACT, says="proven best by the exact engine")
        gap = (plan.bound or 0) - (plan.objective or 0)
        if settled is not None and (gap or requests):
            proof = Proof(Standing.OPEN, gap, f"at most {gap / 10**9:.3f} below the best")
        elif settled is not None:
            proof = Proof(Standing.IN_PARTS, says=settled.says)
        elif confirmed and not opinions:
            proof = Proof(Standing.CONFIRMED, says="proven best by the exact engine, and CP-SAT agrees")
        if self._dispute is not None:
            plan, says = self._dispute
            proof = Proof(Standing.DISPUTED, gap, says)
        return Outcome(plan, self._aside.conflicts, self._aside.shown, (*requests, *opinions), proof)

    def _opinions(self) -> tuple[list[SceneRequest], bool]:
        """The second opinions still wanted on the exact plan, and whether one has been given on what is shown."""
        live, requests, heard = self._live, list[SceneRequest](), list[bool]()
        if live is None or not live.path or self.engines.backend == "exact" or not self._touched:
            return requests, False
        problem, names = live.problem, self._elements.scenes
        alone = self._settled.alone if self._settled is not None else frozenset[str]()
        runs: set[tuple[int, int]] = set()
        for identity in self._touched:
            place = self._place_of(problem, identity)
            if place is None or names[place] in alone or (self._settled is not None and self._settled.whole):
                continue
            run = stretch_around(place, names)
            if run in runs:
                continue
            runs.add(run)
            request = confirmation(
                problem, live.plan, live.path, run, names[place], self.engines.asked, self.engines.limit
            )
            heard.append(request.problem in self._confirmed)
            if not heard[-1] and request not in self._answered:
                requests.append(request)
        return requests, bool(heard) and all(heard)

    def _place_of(self, problem: Problem, identity: str) -> int | None:
        """Where a touched element stands: mostly where it stood, else by the index, which takes longer to make."""
        place = self._touched[identity]
        if place < len(problem.elements) and problem.elements[place].id == identity:
            return place
        return problem.index.get(identity)

    def _hear(self, request: SceneRequest, plan: Plan, answer: Plan | None) -> None:
        """A second opinion: it agrees, or disagrees and may be right, or has none."""
        self._forget(request)
        agrees = answer is not None and answer.objective == request.expected
        if agrees and plan.status is Status.OPTIMAL:
            self._confirmed = [request.problem, *self._confirmed][:REMEMBERED]
            return
        if answer is None and plan.deliveries:
            log.warning("%s answered with a plan that is not sound; it is dropped", plan.backend)
            return
        better = answer is not None and answer.objective is not None and answer.objective > request.expected
        wrong = plan.status is Status.INFEASIBLE or (plan.status is Status.OPTIMAL and not agrees)
        if not better and not wrong:
            return
        where = f"scene {request.scene}" if request.scene else "a stretch of the film"
        shown = self.outcome.plan
        if answer is not None and better:
            mended = self._with(answer, request)
            if mended is not None and (mended.objective or 0) > (shown.objective or 0):
                says = f"{plan.backend} found a better plan of {where} than the exact engine: it is shown"
                self._dispute = (mended, says)
                log.error("%s: %s instead of %s", says, answer.objective, request.expected)
                return
        says = f"{plan.backend} and the exact engine disagree about {where}: the better plan is shown"
        self._dispute = (shown, says)
        log.error("%s: expected %s, answered %s", says, request.expected, plan.objective)

    def _with(self, answer: Plan, request: SceneRequest) -> Plan | None:
        """The shown plan with another plan of a stretch in it; None where the two do not go together."""
        live = self._live
        if live is None:
            return None
        inside = set(request.problem.index)
        outside = [d for d in live.plan.deliveries if d.element not in inside]
        order = live.problem.index
        deliveries = sorted([*outside, *answer.deliveries], key=lambda d: order[d.element])
        choices = choices_in(live.problem, Plan(Status.FEASIBLE, answer.backend, deliveries=tuple(deliveries)))
        if choices is None:
            return None
        plan = timed_plan(live.problem, choices, backend=answer.backend, status=Status.FEASIBLE)
        return plan if self._settled is None or plan is None else self._settled.plan_with(plan)

    def _forget(self, request: SceneRequest) -> None:
        self._answered = [request, *self._answered][:REMEMBERED]

    def reason(self, identity: str) -> Reason | None:
        """Why an eventuality is in or out of the plan that is shown; None where that is not known at once.

        With rules it is answered for the scenes as they are shown; a `loss` of None then says that rules tie the line:
        ask CP-SAT by `question`.
        """
        live = self._live
        place = self._film.index.get(identity)
        if place is None or live is None:
            return None
        part = None if self._settled is None else self._settled.part_of(identity)
        if part is not None:
            return reason_in_part(part, identity)
        return explain.reason(live, place) if live.path else None

    def question(self, identity: str) -> SceneRequest | None:
        """What to ask the worker for a reason that `reason` cannot tell; None where it can, or for nobody's line."""
        part = None if self._settled is None else self._settled.part_of(identity)
        return None if part is None else question(part, identity, self.engines.asked, self.engines.limit)

    def told(self, request: SceneRequest, plan: Plan) -> Reason | None:
        """The reason that the worker's answer to a `question` gives; None where the scene is another by now."""
        part = None if self._settled is None else self._settled.part_of(request.about)
        if part is None or self.question(request.about) != request:
            return None
        return told_by(request, part.plan, plan)

    def reasons(self) -> tuple[Reason, ...]:
        """The reason of every eventuality that is left out."""
        spoken = self.outcome.plan.by_element
        names = [element.id for element in self._film.elements if element.id not in spoken]
        return tuple(found for name in names if (found := self.reason(name)) is not None)

    def gap_worth(self, gap: Span) -> GapWorth | None:
        """What one more second at the end of a gap would bring, scenes planned alone staying as they are."""
        live = self._live
        whole = self._settled is not None and self._settled.whole
        if live is None or not live.path or whole or gap not in live.problem.gaps:
            return None
        return explain.gap_worth(live, live.problem.gaps.index(gap))

    def objective_with(self, eventuality: Eventuality) -> int | None:
        """What the film would be worth, in billionths, if an eventuality were as given: nothing is kept of it.

        None where it is not in the script, is planned alone, or its pins would not hold.
        """
        live = self._live
        place = self._film.index.get(eventuality.id)
        if live is None or not live.path or place is None:
            return None
        if self._settled is not None and self._settled.part_of(eventuality.id) is not None:
            return None
        element = element_of(self._script, eventuality, self._elements.bound(place))
        best = live.objective_with(place, row(live.problem, element))
        if best is None:
            return None
        others = (self.outcome.plan.objective or 0) - (live.plan.objective or 0)
        return best // KEEP + others
