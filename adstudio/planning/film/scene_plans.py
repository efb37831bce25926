"""The parts of a film planned with rules: the plan shown of each, the open requests, and the rest of the film."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Rules, Script
from adstudio.core.timebase import Span
from adstudio.planning.engines.branch_and_bound import Ruleless
from adstudio.planning.film.partition import (
    FixedLines,
    fixed_part,
    part_problem,
    places_by_scene,
    quick_plan,
    ruleless,
    separable_scenes,
)
from adstudio.planning.film.second_opinion import MAX_SCENE, Purpose, SceneRequest
from adstudio.planning.film.suspended_pins import PinSuspender
from adstudio.planning.problem import Element, Problem, penalties_due

log = logging.getLogger(__name__)

WHOLE_FILM = ""
"""The name of the part that is the whole film."""

EXACT_ENGINE = "the exact engine"
PROVEN_BY_EXACT = f"proven optimal by {EXACT_ENGINE}"

MAX_STATES = 30
"""How many states of a part are remembered with their plans, for undo and redo."""


@dataclass(frozen=True)
class PartState:
    """One state of a part: its problem, the plan shown, and whether it is proven or the worker has answered.

    `fixed` are the lines of other parts in its problem, which use the share of its gaps.
    """

    scene: str
    problem: Problem
    plan: Plan
    answered: bool
    fixed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PlannedParts:
    """The parts as they are shown, and the `rest` of the film around them: a problem for the exact engine.

    `undivided` is set where the film is one part; then there is no rest.
    """

    problem: Problem
    states: tuple[PartState, ...] = ()
    rest: Problem | None = None
    requests: tuple[SceneRequest, ...] = ()
    separate: frozenset[str] = frozenset()
    undivided: bool = False

    def plan_with(self, rest: Plan | None) -> Plan:
        """The plan of the film: the parts, and this plan of the rest."""
        if rest is None or rest.objective is None:
            return self.states[0].plan
        answer = {name for delivery in rest.deliveries for name in delivery.lines}
        objective = rest.objective - 1000 * sum(p.cost for p in penalties_due(self.problem.rules, answer))
        unproven = sum((s.plan.bound or 0) - (s.plan.objective or 0) for s in self.states)
        return replace(
            rest,
            status=Status.FEASIBLE if unproven else Status.OPTIMAL,
            backend="+".join(sorted({*(state.plan.backend for state in self.states), "exact"})),
            objective=objective,
            bound=objective + unproven,
        )

    def part_of(self, identity: str) -> PartState | None:
        """The part that an eventuality belongs to; None where it belongs to the rest."""
        return next((s for s in self.states if identity in s.problem.index and identity not in s.fixed), None)

    def parts_at(self, gap: Span) -> list[PartState]:
        """The parts whose lines may be spoken in a gap."""
        return [state for state in self.states if state.problem.span.overlap(gap) is not None]

    @property
    def proof_text(self) -> str:
        """Which engine proved what, where everything is proven."""
        engines = sorted({state.plan.backend for state in self.states} - {"exact"})
        names = {"cpsat": "CP-SAT", "gurobi": "Gurobi"}
        by = " and ".join(names.get(engine, engine) for engine in engines)
        if self.undivided:
            return f"proven optimal by {by or EXACT_ENGINE}"
        return f"proven optimal scene by scene by {by} and {EXACT_ENGINE}" if by else PROVEN_BY_EXACT


def part_confirmation(state: PartState, backend: str, limit: float) -> SceneRequest | None:
    """The second opinion on a part that the exact engine has proven; None for any other, and for a large one."""
    shown = state.plan
    proven = shown.status is Status.OPTIMAL and shown.backend == "exact"
    if not proven or len(state.problem.elements) > MAX_SCENE:
        return None
    return SceneRequest(state.scene, Purpose.CONFIRM, state.problem, backend, limit, shown.objective or 0)


class PartPlanner:
    """Remembers the plans of each part's states, so that only what has changed is planned again."""

    def __init__(self, holds: PinSuspender) -> None:
        self._holds = holds
        self._states: dict[str, list[PartState]] = {}
        self._fixed: dict[str, tuple[Element, Delivery | None, Element]] = {}

    def settle(
        self,
        script: Script,
        problem: Problem,
        names: Sequence[str],
        free: Callable[[Problem], Ruleless],
        limit: float,
    ) -> PlannedParts:
        """Find a valid plan of every part at once, and list what the worker still has to plan.

        `free` plans the whole film without rules, where it has to be planned as one.
        """
        separate = separable_scenes(problem, names)
        found = None if separate is None else self._in_parts(script, problem, names, separate, limit)
        return found or self._as_one(problem, free, limit)

    def ask_again(self) -> None:
        """Solve again what was left unproven, as when the describer allows more time."""
        for states in self._states.values():
            states[:] = [replace(s, answered=s.plan.status is Status.OPTIMAL) for s in states]

    def answer(self, request: SceneRequest, answer: Plan | None, sound: Plan | None) -> None:
        """Record an answer of the worker: the better plan stays, and the part is not requested again."""
        states = self._states.get(request.scene, [])
        for place, state in enumerate(states):
            if state.problem == request.problem:
                states[place] = _answered(state, answer, sound)

    def _in_parts(
        self, script: Script, problem: Problem, names: Sequence[str], separate: Sequence[str], limit: float
    ) -> PlannedParts | None:
        places = places_by_scene(names, separate)
        fixed_lines = FixedLines(problem)
        states: list[PartState] = []
        for scene in sorted(separate, key=lambda name: (script.scene_by_id[name].span, name)):
            part = part_problem(problem, script.scene_by_id[scene], places[scene], fixed_lines)
            own = {problem.elements[place].id for place in places[scene]}
            state = self._state(scene, part, frozenset(part.index.keys() - own))
            if state is None:
                return None
            states.append(state)
            lines = [(problem.index[line.lines[0]], line) for line in state.plan.deliveries if line.lines[0] in own]
            fixed_lines.settle(places[scene], lines)
        rest = self._around(problem, states)
        if not self._holds.fit(rest):
            return None
        return PlannedParts(problem, tuple(states), rest, _requests(states, limit), frozenset(separate))

    def _state(
        self, name: str, part: Problem, others: frozenset[str] = frozenset(), free: Ruleless | None = None
    ) -> PartState | None:
        """The state of a part: the remembered one with the same problem, else one with a quick plan."""
        states = self._states.setdefault(name, [])
        for place, state in enumerate(states):
            if state.problem == part:
                states.insert(0, states.pop(place))
                return states[0]
        quick = quick_plan(part, states[0].plan if states else None, free)
        if quick is None:
            return None
        state = PartState(name, part, quick, quick.status is Status.OPTIMAL, others)
        states.insert(0, state)
        del states[MAX_STATES:]
        return state

    def _around(self, problem: Problem, states: Sequence[PartState]) -> Problem:
        """The film without rules, each element of a part pinned as its part plans it."""
        elements = list(problem.elements)
        settled: dict[str, tuple[Element, Delivery | None, Element]] = {}
        for state in states:
            for name in state.problem.index.keys() - state.fixed:
                place, delivery = problem.index[name], state.plan.spoken_as(name)
                known = self._fixed.get(name)
                fused = delivery is not None and bool(delivery.members)
                if fused or known is None or known[0] is not elements[place] or known[1] != delivery:
                    known = (elements[place], delivery, fixed_part(problem, elements[place], delivery))
                settled[name] = known
                elements[place] = known[2]
        self._fixed = settled
        return replace(problem, elements=tuple(elements), rules=Rules())

    def _as_one(self, problem: Problem, free: Callable[[Problem], Ruleless], limit: float) -> PlannedParts:
        """The whole film as one part."""
        state = self._state(WHOLE_FILM, problem, free=free(ruleless(problem)))
        if state is None:
            state = PartState(WHOLE_FILM, problem, Plan(Status.FEASIBLE, "exact", 0, 0, 0), answered=True)
        return PlannedParts(problem, (state,), None, _requests([state], limit), undivided=True)


def _requests(states: Sequence[PartState], limit: float) -> tuple[SceneRequest, ...]:
    return tuple(
        SceneRequest(
            state.scene,
            Purpose.PLAN,
            state.problem,
            "auto",
            limit,
            state.plan.objective or 0,
        )
        for state in states
        if not state.answered
    )


def _answered(state: PartState, answer: Plan | None, sound: Plan | None) -> PartState:
    """The state after an answer: the better of the two plans with the lower of the two bounds."""
    shown = state.plan
    if answer is not None and answer.status is Status.INFEASIBLE:
        log.error("%s calls scene %s infeasible, though a valid plan is shown", answer.backend, state.scene)
    if sound is None or sound.objective is None or sound.bound is None:
        return replace(state, answered=True)
    if shown.objective is None or shown.bound is None:
        return replace(state, plan=sound, answered=True)
    if sound.bound < shown.objective:
        log.error("%s claims a bound for scene %s below the plan that is shown", sound.backend, state.scene)
        return replace(state, answered=True)
    best = sound if sound.objective >= shown.objective else shown
    bound = min(sound.bound, shown.bound)
    proven = best.objective is not None and bound <= best.objective
    status = Status.OPTIMAL if proven else Status.FEASIBLE
    return replace(state, plan=replace(best, bound=best.objective if proven else bound, status=status), answered=True)
