"""The parts of a film that CP-SAT plans: what is shown of each now, what is still asked, and the rest around them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from adstudio.core.plan import Conflict, Delivery, Plan, Status
from adstudio.core.script import Pin, Rules, Script
from adstudio.planning.film.partition import (
    HeldLines,
    part_problem,
    places_by_scene,
    quick_plan,
    ruleless,
    scenes_alone,
    share_conflict,
)
from adstudio.planning.film.second_opinion import Purpose, SceneRequest
from adstudio.planning.film.suspended_pins import Holds
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, Problem, penalties_due

log = logging.getLogger(__name__)

WHOLE = ""
"""The name of the film as one part."""

REMEMBERED = 30
"""States of a part whose plan is remembered, for undo and redo."""


@dataclass(frozen=True)
class State:
    """What is known of one state of a part: the plan shown, and whether CP-SAT has had its say."""

    scene: str
    problem: Problem
    plan: Plan
    answered: bool


@dataclass(frozen=True)
class Settled:
    """The parts as they are shown, and the `rest` of the film around them: a problem for the exact engine.

    `conflict` is set, and nothing else, where shares do not allow what pins keep in. `whole` is set where the film is
    one part; then there is no rest.
    """

    problem: Problem
    states: tuple[State, ...] = ()
    rest: Problem | None = None
    requests: tuple[SceneRequest, ...] = ()
    alone: frozenset[str] = frozenset()
    whole: bool = False
    conflict: tuple[Conflict, ...] = ()

    def plan_with(self, rest: Plan | None) -> Plan:
        """The plan of the film: the parts, and this plan of the rest around them."""
        if rest is None or rest.objective is None:
            return self.states[0].plan
        said = {delivery.element for delivery in rest.deliveries}
        objective = rest.objective - 1000 * sum(p.cost for p in penalties_due(self.problem.rules, said))
        unproven = sum((s.plan.bound or 0) - (s.plan.objective or 0) for s in self.states)
        return replace(
            rest,
            status=Status.FEASIBLE if unproven else Status.OPTIMAL,
            backend="+".join(sorted({*(state.plan.backend for state in self.states), "exact"})),
            objective=objective,
            bound=objective + unproven,
        )

    def part_of(self, identity: str) -> State | None:
        """The part that an eventuality belongs to, if not to the rest."""
        return next((state for state in self.states if identity in state.problem.index), None)

    @property
    def says(self) -> str:
        """Who proved what, when all is proven."""
        engines = sorted({state.plan.backend for state in self.states} - {"exact"})
        names = {"cpsat": "CP-SAT", "gurobi": "Gurobi"}
        by = " and ".join(names.get(engine, engine) for engine in engines)
        if self.whole:
            return f"proven best by {by or 'the exact engine'}"
        return f"proven best scene by scene, by {by} and the exact engine" if by else "proven best by the exact engine"


class SettledParts:
    """Remembers what each part's states were planned as, so that only what has changed is planned again."""

    def __init__(self, holds: Holds) -> None:
        self._holds = holds
        self._states: dict[str, list[State]] = {}
        self._fixed: dict[str, tuple[Element, Delivery | None, Element]] = {}

    def settle(
        self, script: Script, problem: Problem, names: Sequence[str], exact: Callable[[Problem], Plan], limit: float
    ) -> Settled:
        """Plan every part at once, soundly, and list what CP-SAT has still to plan.

        `exact` is what plans the whole film without rules, where it has to be planned as one.
        """
        alone = scenes_alone(problem, names)
        found = None if alone is None else self._in_parts(script, problem, names, alone, limit)
        return found or self._as_one(problem, exact, limit)

    def ask_again(self) -> None:
        """Ask once more about what was left unproven, as when the describer allows more time."""
        for states in self._states.values():
            states[:] = [replace(s, answered=s.plan.status is Status.OPTIMAL) for s in states]

    def answer(self, request: SceneRequest, said: Plan | None, sound: Plan | None) -> None:
        """Take in what CP-SAT has made of a part; the better plan stays, and nothing is asked again."""
        states = self._states.get(request.scene, [])
        for place, state in enumerate(states):
            if state.problem == request.problem:
                states[place] = _answered(state, said, sound)

    def _in_parts(
        self, script: Script, problem: Problem, names: Sequence[str], alone: Sequence[str], limit: float
    ) -> Settled | None:
        places = places_by_scene(names, alone)
        held = HeldLines(problem)
        states: list[State] = []
        for scene in sorted(alone, key=lambda name: (script.scene_by_id[name].span, name)):
            part = part_problem(problem, script.scene_by_id[scene], places[scene], held)
            state = self._state(scene, part)
            if state is None:
                conflict = share_conflict(part) if problem.max_share < NO_SHARE_LIMIT else ()
                return Settled(problem, conflict=conflict) if conflict else None
            states.append(state)
            held.settle(places[scene], [(problem.index[d.element], d.start, d.end) for d in state.plan.deliveries])
        rest = self._around(problem, states)
        if not self._holds.fit(rest):
            return None
        return Settled(problem, tuple(states), rest, _requests(states, limit), frozenset(alone))

    def _state(self, name: str, part: Problem, free: Plan | None = None) -> State | None:
        """What is shown of a part: what was known of this very state of it, else a sound plan at once."""
        states = self._states.setdefault(name, [])
        for place, state in enumerate(states):
            if state.problem == part:
                states.insert(0, states.pop(place))
                return states[0]
        quick = quick_plan(part, states[0].plan if states else None, free)
        if quick is None:
            return None
        state = State(name, part, quick.plan, answered=quick.proven)
        states.insert(0, state)
        del states[REMEMBERED:]
        return state

    def _around(self, problem: Problem, states: Sequence[State]) -> Problem:
        """The film without rules, each element of a part held as its part says."""
        elements = list(problem.elements)
        fixed: dict[str, tuple[Element, Delivery | None, Element]] = {}
        for state in states:
            spoken = state.plan.by_element
            for name in state.problem.index:
                place, delivery = problem.index[name], spoken.get(name)
                known = self._fixed.get(name)
                if known is None or known[0] is not elements[place] or known[1] != delivery:
                    known = (elements[place], delivery, replace(elements[place], pin=_pin(delivery), within=None))
                fixed[name] = known
                elements[place] = known[2]
        self._fixed = fixed
        return replace(problem, elements=tuple(elements), rules=Rules(), max_share=NO_SHARE_LIMIT)

    def _as_one(self, problem: Problem, exact: Callable[[Problem], Plan], limit: float) -> Settled:
        """The whole film as one part."""
        state = self._state(WHOLE, problem, exact(ruleless(problem)))
        if state is None:
            conflict = share_conflict(problem) if problem.max_share < NO_SHARE_LIMIT else ()
            if conflict:
                return Settled(problem, conflict=conflict)
            state = State(WHOLE, problem, Plan(Status.FEASIBLE, "exact", 0, 0, 0), answered=True)
        return Settled(problem, (state,), None, _requests([state], limit), whole=True)


def _pin(delivery: Delivery | None) -> Pin:
    if delivery is None:
        return Pin(selected=False)
    return Pin(selected=True, variant=delivery.variant, start=delivery.start, override=True)


def _requests(states: Sequence[State], limit: float) -> tuple[SceneRequest, ...]:
    return tuple(
        SceneRequest(
            state.scene,
            Purpose.PLAN,
            state.problem,
            "cpsat",
            limit,
            state.plan.objective or 0,
        )
        for state in states
        if not state.answered
    )


def _answered(state: State, said: Plan | None, sound: Plan | None) -> State:
    """The state after an answer: the better of the two plans, under the lesser of the two bounds."""
    shown = state.plan
    if said is not None and said.status is Status.INFEASIBLE:
        log.error("%s calls scene %s infeasible, of which a sound plan is shown", said.backend, state.scene)
    if sound is None or sound.objective is None or sound.bound is None:
        return replace(state, answered=True)
    if shown.objective is None or shown.bound is None:
        return replace(state, plan=sound, answered=True)
    if sound.bound < shown.objective:
        log.error("%s proves less of scene %s than is shown of it", sound.backend, state.scene)
        return replace(state, answered=True)
    best = sound if sound.objective >= shown.objective else shown
    bound = min(sound.bound, shown.bound)
    proven = best.objective is not None and bound <= best.objective
    status = Status.OPTIMAL if proven else Status.FEASIBLE
    return replace(state, plan=replace(best, bound=best.objective if proven else bound, status=status), answered=True)
