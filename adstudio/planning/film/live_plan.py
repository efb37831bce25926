"""Live planning in the editor: for every state of the document the plan to show, and what is still to be solved.

Without rules the exact engine plans the film as one, within the user's own step, and so it does a scene with rules
where that is proven at once. Otherwise the scene is shown as well as it could be planned while the worker looks for the
optimum. The rest of the film is planned around it (DESIGN section 4). The same document gives the same objective,
whatever edits led to it.
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
from adstudio.planning.engines.branch_and_bound import Ruleless
from adstudio.planning.film.approved_choices import approved_choices
from adstudio.planning.film.film_problem import element_of
from adstudio.planning.film.incremental_problem import IncrementalProblem
from adstudio.planning.film.reasons import gap_value_in_part, question, reason_from_answer, reason_in_part
from adstudio.planning.film.scene_plans import PROVEN_BY_EXACT, PartPlanner, PlannedParts, part_confirmation
from adstudio.planning.film.second_opinion import (
    Purpose,
    SceneRequest,
    choices_in,
    confirmation,
    range_around,
    validated,
)
from adstudio.planning.film.suspended_pins import PinSuspender, SuspendedPins
from adstudio.planning.live import explain
from adstudio.planning.live.alternatives import LivePlanner
from adstudio.planning.live.explain import GapValue, Reason
from adstudio.planning.problem import Problem

log = logging.getLogger(__name__)

DEFAULT_LIMIT = 10.0
"""Seconds that a request may take by default."""

MAX_OPINIONS = 4
"""Second opinions requested at once; after a change all over the film, the exact engine's proof has to do."""

MAX_REMEMBERED = 64
"""Stretches whose confirmation is remembered, so that undo requests nothing again."""


class ProofState(Enum):
    """What is known of the plan that is shown."""

    EXACT = "exact"
    CONFIRMED = "confirmed"
    IN_PARTS = "in parts"
    OPEN = "open"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Proof:
    """Which engine proved the plan optimal, or how far from it the plan may be.

    `gap` is the bound minus the objective, in billionths.
    """

    state: ProofState
    gap: int = 0
    text: str = "proven optimal"


@dataclass(frozen=True)
class Outcome:
    """What the editor shows of one state of the document.

    `plan` is always the whole film's and never blanked by a conflict; each of `conflicts` is irreducible, and
    `suspended` lists all their causes; `overlay` are the lines of suspended pins where the describer put them, outside
    the plan; `open` is what the worker still has to plan or to confirm.
    """

    plan: Plan
    conflicts: tuple[tuple[Conflict, ...], ...] = ()
    overlay: tuple[Delivery, ...] = ()
    open: tuple[SceneRequest, ...] = ()
    proof: Proof = Proof(ProofState.EXACT)

    @property
    def suspended(self) -> tuple[Conflict, ...]:
        """Every pin and rule in the conflicts."""
        return tuple(dict.fromkeys(cause for conflict in self.conflicts for cause in conflict))

    def shows_as(self, other: Outcome) -> bool:
        """Whether both show the same lines at the same times with the same conflicts: only the proof may differ."""
        return (
            self.plan.deliveries == other.plan.deliveries
            and self.conflicts == other.conflicts
            and self.overlay == other.overlay
        )


@dataclass(frozen=True, slots=True)
class Engines:
    """The describer's choice: `backend` is auto, exact, cpsat or gurobi, `limit` the seconds that a request may take.

    `exact` means no second opinions; scenes with rules that are not proven at once may still need CP-SAT.
    """

    backend: str = "auto"
    limit: float = DEFAULT_LIMIT

    @property
    def second(self) -> str:
        """The engine for second opinions."""
        return "gurobi" if self.backend == "gurobi" else "cpsat"

    @property
    def with_rules(self) -> str:
        """The engine for what rules tie."""
        return "auto" if self.backend == "exact" else self.backend


class FilmPlanner:
    """The plan of a film, updated while its script is edited.

    Call `replan` with each state of the document and `accept` with each answer of the worker; both return the outcome
    to show. Neither raises for anything a describer can do.

    Among equally good plans the first one is that which has most in common with `plan`, or where none is given with
    what people have approved: no accepted line goes out, or is worded otherwise, because a project was opened again.
    """

    def __init__(
        self, script: Script, gaps: Sequence[Span], plan: Plan | None = None, engines: Engines | None = None
    ) -> None:
        self.engines = engines or Engines()
        self._elements = IncrementalProblem()
        self._pins = PinSuspender()
        self._parts = PartPlanner(self._pins)
        self._live: LivePlanner | None = None
        self._touched: dict[str, int] = {}
        self._confirmed: list[Problem] = []
        self._answered: list[SceneRequest] = []
        self._dispute: tuple[Plan, str] | None = None
        self._script = script
        self._film = self._elements.update(script, gaps)
        self._suspension = SuspendedPins(self._film)
        self._settled: PlannedParts | None = None
        self.outcome = self._planned(plan)

    def replan(self, script: Script, gaps: Sequence[Span], plan: Plan | None = None) -> Outcome:
        """The outcome of this state of the document.

        Args:
            script: the document's script.
            gaps: its gaps: sorted, disjoint, not touching.
            plan: the plan stored with this revision, where undo or redo has returned to one; it is preferred among
                equally good plans.
        """
        before, scenes = self._film, self._elements.scenes
        self._script = script
        self._film = self._elements.update(script, gaps)
        if self._film is before and plan is None and (before.plain or scenes == self._elements.scenes):
            return self.outcome
        if self._film is not before:
            self._dispute = None
            fresh = {self._film.elements[place].id: place for place in self._elements.touched[:MAX_OPINIONS]}
            known = {identity: place for identity, place in self._touched.items() if identity not in fresh}
            self._touched = dict([*fresh.items(), *known.items()][:MAX_OPINIONS])
        self.outcome = self._planned(plan)
        return self.outcome

    def fork(self) -> FilmPlanner:
        """An independent planner in the same state, to plan what is not in the document yet."""
        other = copy(self)
        live = None if self._live is None else self._live.fork()
        vars(other).update(_elements=copy(self._elements), _answered=self._answered.copy(), _live=live)
        return other

    def settle(self) -> None:
        """Do the work that can wait until the user pauses; otherwise the next call does it."""
        while self.settle_some():
            pass

    def settle_some(self) -> bool:
        """A few milliseconds of `settle`; returns whether there was anything to do."""
        return self._live is not None and self._live.settle_some()

    def use(self, engines: Engines) -> Outcome:
        """Switch to these engines."""
        if engines.limit > self.engines.limit or engines.with_rules != self.engines.with_rules:
            self._parts.ask_again()
            self._answered.clear()
        self.engines = engines
        self.outcome = self._planned(None)
        return self.outcome

    @property
    def problem(self) -> Problem:
        """The film's problem as it is planned: without the suspended pins."""
        return self._suspension.problem

    def accept(self, request: SceneRequest, plan: Plan) -> Outcome | None:
        """The outcome after an answer of the worker; None where the request is no longer open."""
        if request not in self.outcome.open:
            return None
        answer = validated(request.problem, plan)
        if request.purpose is Purpose.PLAN:
            self._parts.answer(request, plan, answer)
        else:
            self._take_opinion(request, plan, answer)
        self.outcome = self._planned(self.outcome.plan)
        return self.outcome

    def refuse(self, request: SceneRequest, why: str) -> Outcome | None:
        """Record that a request failed, so that it is not repeated for this state; None where it is no longer open."""
        if request not in self.outcome.open:
            return None
        log.warning("%s of %s failed: %s", request.purpose.value, request.scene or "a part", why)
        if request.purpose is Purpose.PLAN:
            self._parts.answer(request, None, None)
        self._forget(request)
        self.outcome = self._planned(self.outcome.plan)
        return self.outcome

    def _planned(self, wanted: Plan | None) -> Outcome:
        """Suspend conflicting pins, settle the parts, plan the rest around them."""
        self._suspension = self._pins.suspend(self._film)
        problem = self._suspension.problem
        if problem.plain:
            self._settled = None
            return self._outcome(self._exact(problem, wanted))
        self._settled = self._parts.settle(
            self._script, problem, self._elements.scenes, self._ruleless, self.engines.limit
        )
        rest = self._settled.rest
        return self._outcome(self._settled.plan_with(None if rest is None else self._exact(rest, wanted)))

    def _ruleless(self, problem: Problem) -> Ruleless:
        """The whole film without rules."""
        self._exact(problem, None)
        if self._live is None:
            raise AssertionError("the film has just been planned")
        return self._live.ruleless

    def _exact(self, problem: Problem, wanted: Plan | None) -> Plan:
        live = self._live
        if live is None:
            previous = approved_choices(self._script) if wanted is None else wanted.choices
            live = self._live = LivePlanner(replace(problem, previous=previous))
            return live.plan
        plan = live.plan if problem == live.problem else live.replan(problem)
        if wanted is not None and plan.objective is not None and plan.deliveries != wanted.deliveries:
            plan = live.prefer(wanted)
        return plan

    def _outcome(self, plan: Plan) -> Outcome:
        settled = self._settled
        requests = [] if settled is None else [replace(r, backend=self.engines.with_rules) for r in settled.requests]
        names = self._elements.scenes
        edited = {names[place] for place in self._touched.values() if place < len(names)}
        requests.sort(key=lambda request: request.scene not in edited)
        opinions, confirmed = self._opinions()
        proof = Proof(ProofState.EXACT, text=PROVEN_BY_EXACT)
        gap = (plan.bound or 0) - (plan.objective or 0)
        if gap or requests:
            proof = Proof(ProofState.OPEN, gap, f"at most {gap / 10**9:.3f} below the optimum")
        elif settled is not None:
            agrees = " and confirmed by CP-SAT" if confirmed and not opinions else ""
            proof = Proof(ProofState.IN_PARTS, text=settled.proof_text + agrees)
        elif confirmed and not opinions:
            proof = Proof(ProofState.CONFIRMED, text=f"{PROVEN_BY_EXACT} and confirmed by CP-SAT")
        if self._dispute is not None:
            plan, text = self._dispute
            proof = Proof(ProofState.DISPUTED, gap, text)
        return Outcome(plan, self._suspension.conflicts, self._suspension.overlay, (*requests, *opinions), proof)

    def _opinions(self) -> tuple[list[SceneRequest], bool]:
        """The second opinions still to be requested, and whether the shown plan has been confirmed."""
        live, found = self._live, list[SceneRequest]()
        if live is None or live.plan.status is not Status.OPTIMAL or self.engines.backend == "exact":
            return found, False
        for identity in self._touched:
            request = self._opinion_on(live, identity)
            if request is not None and request not in found:
                found.append(request)
        confirmed = [request.problem in self._confirmed for request in found]
        left = [r for r, done in zip(found, confirmed, strict=True) if not done and r not in self._answered]
        return left, bool(confirmed) and all(confirmed)

    def _opinion_on(self, live: LivePlanner, identity: str) -> SceneRequest | None:
        """The second opinion on what is planned around a touched element."""
        problem, names = live.problem, self._elements.scenes
        second, limit = self.engines.second, self.engines.limit
        place = self._place_of(problem, identity)
        if place is None:
            return None
        part = None if self._settled is None else self._settled.part_of(identity)
        if part is not None:
            return part_confirmation(part, second, limit)
        return confirmation(problem, live.plan, range_around(place, names), names[place], second, limit)

    def _place_of(self, problem: Problem, identity: str) -> int | None:
        """The place of a touched element: usually its last one, else from the index, which is slower to build."""
        place = self._touched[identity]
        if place < len(problem.elements) and problem.elements[place].id == identity:
            return place
        return problem.index.get(identity)

    def _take_opinion(self, request: SceneRequest, plan: Plan, answer: Plan | None) -> None:
        """Record a second opinion, which agrees, disagrees (and may be right), or is inconclusive."""
        self._forget(request)
        agrees = answer is not None and answer.objective == request.expected
        if agrees and plan.status is Status.OPTIMAL:
            self._confirmed = [request.problem, *self._confirmed][:MAX_REMEMBERED]
            return
        if answer is None and plan.deliveries:
            log.warning("%s answered with an invalid plan, which is ignored", plan.backend)
            return
        better = answer is not None and answer.objective is not None and answer.objective > request.expected
        wrong = plan.status is Status.INFEASIBLE or (plan.status is Status.OPTIMAL and not agrees)
        if not better and not wrong:
            return
        where = f"scene {request.scene}" if request.scene else "part of the film"
        shown = self.outcome.plan
        if answer is not None and better:
            mended = self._with(answer, request)
            if mended is not None and (mended.objective or 0) > (shown.objective or 0):
                text = f"{plan.backend} found a better plan for {where} than the exact engine; it is shown"
                self._dispute = (mended, text)
                log.error("%s: %s instead of %s", text, answer.objective, request.expected)
                return
        text = f"{plan.backend} and the exact engine disagree about {where}; the better plan is shown"
        self._dispute = (shown, text)
        log.error("%s: expected %s, answered %s", text, request.expected, plan.objective)

    def _with(self, answer: Plan, request: SceneRequest) -> Plan | None:
        """The shown plan with a part of it replaced; None where the two cannot be combined."""
        live = self._live
        if live is None:
            return None
        inside = set(request.problem.index)
        outside = [d for d in live.plan.deliveries if inside.isdisjoint((d.element, *d.lines))]
        order = live.problem.index
        deliveries = sorted(
            [*outside, *answer.deliveries], key=lambda d: order[d.element if d.element in order else d.line]
        )
        choices = choices_in(live.problem, Plan(Status.FEASIBLE, answer.backend, deliveries=tuple(deliveries)))
        if choices is None:
            return None
        plan = timed_plan(live.problem, choices, backend=answer.backend, status=Status.FEASIBLE)
        return plan if self._settled is None or plan is None else self._settled.plan_with(plan)

    def _forget(self, request: SceneRequest) -> None:
        self._answered = [request, *self._answered][:MAX_REMEMBERED]

    def reason(self, identity: str) -> Reason | None:
        """Why an eventuality is in or out of the shown plan; None where there is no such line.

        With rules the answer is for the other scenes as they are shown; where it is open, ask the worker by `question`.
        """
        live = self._live
        place = self._film.index.get(identity)
        if place is None or live is None:
            return None
        part = None if self._settled is None else self._settled.part_of(identity)
        if part is not None:
            undivided = self._settled is not None and self._settled.undivided
            return reason_in_part(part, identity, live.ruleless if undivided else None)
        return explain.reason(live, place) if live.path else None

    def question(self, identity: str) -> SceneRequest | None:
        """The request for a reason that `reason` leaves open; None for a line outside the scenes with rules."""
        part = None if self._settled is None else self._settled.part_of(identity)
        return None if part is None else question(part, identity, self.engines.with_rules, self.engines.limit)

    def explained(self, request: SceneRequest, plan: Plan) -> Reason | None:
        """The reason that follows from the answer to a `question`; None where the scene has changed since."""
        part = None if self._settled is None else self._settled.part_of(request.about)
        if part is None or self.question(request.about) != request:
            return None
        return reason_from_answer(request, part.plan, plan)

    def gap_value(self, gap: Span) -> GapValue | None:
        """What one more second at the end of a gap would bring; None where rules make that take long to find."""
        live, settled = self._live, self._settled
        parts = [] if settled is None else settled.parts_at(gap)
        if parts:
            return gap_value_in_part(parts[0], gap) if len(parts) == 1 else None
        if live is None or not live.path or gap not in live.problem.gaps:
            return None
        return explain.gap_value(live, live.problem.gaps.index(gap))

    def reason_with(self, eventuality: Eventuality) -> Reason | None:
        """What it would cost to speak this version of an eventuality; without a loss where locks would conflict.

        None where the eventuality is not in the script, or is planned in a separate scene.
        """
        live = self._live
        place = self._film.index.get(eventuality.id)
        if live is None or not live.path or place is None:
            return None
        if self._settled is not None and self._settled.part_of(eventuality.id) is not None:
            return None
        return explain.reason_with(live, place, element_of(self._script, eventuality, self._elements.bound(place)))
