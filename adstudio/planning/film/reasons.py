"""Why in, why out where rules apply: at once where the exact engine can answer, else by CP-SAT.

A line in no rule is judged with the lines in rules fixed as shown. What a line in a rule would cost takes CP-SAT.
"""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.plan import Plan, Status
from adstudio.core.script import NO_PIN
from adstudio.planning.film.partition import ruleless
from adstudio.planning.film.scene_plans import PartState
from adstudio.planning.film.second_opinion import Purpose, SceneRequest, validated
from adstudio.planning.live.explain import Reason, planner_for, reason, reason_between
from adstudio.planning.problem import Element

MAX_IMMEDIATE = 300
"""Elements of a part up to which the exact engine answers without a noticeable delay."""


def reason_in_part(state: PartState, identity: str) -> Reason | None:
    """The reason of a line in a part; without a loss for a line in a rule, None where it would take long."""
    problem, spoken = state.problem, state.plan.by_element
    if len(problem.elements) > MAX_IMMEDIATE:
        return None
    tied = problem.rules.mentioned
    if identity in tied:
        return Reason(identity, spoken=identity in spoken, loss=None)

    def as_shown(element: Element) -> Element:
        if element.id not in tied or element.must or element.pin.selected is False:
            return element
        return replace(element, pin=replace(element.pin, selected=element.id in spoken))

    fixed = replace(ruleless(problem), elements=tuple(as_shown(element) for element in problem.elements))
    planner = planner_for(fixed, state.plan)
    return reason(planner, problem.index[identity]) if planner.path else None


def question(state: PartState, identity: str, backend: str, limit: float) -> SceneRequest:
    """The request that finds a line's reason: its part, planned with the line forced in, or out where it is in."""
    problem, spoken = state.problem, identity in state.plan.by_element
    elements = list(problem.elements)
    place = problem.index[identity]
    pin = NO_PIN if spoken else elements[place].pin
    elements[place] = replace(elements[place], pin=replace(pin, selected=not spoken))
    previous = tuple((delivery.element, delivery.variant) for delivery in state.plan.deliveries)
    asked = replace(problem, elements=tuple(elements), previous=previous)
    return SceneRequest(state.scene, Purpose.EXPLAIN, asked, backend, limit, state.plan.objective or 0, identity)


def reason_from_answer(request: SceneRequest, shown: Plan, answer: Plan) -> Reason | None:
    """The reason that follows from an answer; None where the answer is unproven or invalid."""
    if answer.status is Status.INFEASIBLE:
        return Reason(request.about, spoken=request.about in shown.by_element, loss=None)
    other = validated(request.problem, answer)
    if other is None or other.objective is None or other.status is not Status.OPTIMAL:
        return None
    return reason_between(request.problem, request.about, shown, other)
