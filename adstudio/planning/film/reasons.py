"""Why in and why out where rules or shares bind: at once where the exact engine can tell, else asked of CP-SAT.

A line that no rule ties is judged with the tied ones staying in or out as they are shown. What a tied line would cost,
or any line where gaps may only be filled in part, only CP-SAT can tell.
"""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.plan import Plan, Status
from adstudio.core.script import NO_PIN
from adstudio.planning.film.partition import ruleless
from adstudio.planning.film.scene_plans import State
from adstudio.planning.film.second_opinion import Purpose, SceneRequest, taken_over
from adstudio.planning.live.explain import Reason, reason, settled
from adstudio.planning.problem import NO_SHARE_LIMIT, Element

AT_ONCE = 300
"""Elements of a part for which the exact engine answers without being noticed."""


def reason_in_part(state: State, identity: str) -> Reason | None:
    """The reason of a part's line: its loss is None where a rule ties it, and it is None where it would take long."""
    problem, spoken = state.problem, state.plan.by_element
    if problem.max_share < NO_SHARE_LIMIT or len(problem.elements) > AT_ONCE:
        return None
    tied = problem.rules.mentioned
    if identity in tied:
        return Reason(identity, spoken=identity in spoken, loss=None)

    def as_shown(element: Element) -> Element:
        if element.id not in tied or element.must or element.pin.selected is False:
            return element
        return replace(element, pin=replace(element.pin, selected=element.id in spoken))

    fixed = replace(ruleless(problem), elements=tuple(as_shown(element) for element in problem.elements))
    planner = settled(fixed, state.plan)
    return reason(planner, problem.index[identity]) if planner.path else None


def question(state: State, identity: str, backend: str, limit: float) -> SceneRequest:
    """What to ask CP-SAT for a line's reason: its part, planned with the line forced in, or out where it is in."""
    problem, spoken = state.problem, identity in state.plan.by_element
    elements = list(problem.elements)
    place = problem.index[identity]
    pin = NO_PIN if spoken else elements[place].pin
    elements[place] = replace(elements[place], pin=replace(pin, selected=not spoken))
    previous = tuple((delivery.element, delivery.variant) for delivery in state.plan.deliveries)
    asked = replace(problem, elements=tuple(elements), previous=previous)
    return SceneRequest(state.scene, Purpose.EXPLAIN, asked, backend, limit, state.plan.objective or 0, identity)


def told_by(request: SceneRequest, shown: Plan, answer: Plan) -> Reason | None:
    """The reason that an answer gives; None where it is not proven or not sound."""
    spoken = request.about in shown.by_element
    if answer.status is Status.INFEASIBLE:
        return Reason(request.about, spoken=spoken, loss=None)
    other = taken_over(request.problem, answer)
    if other is None or other.objective is None or other.status is not Status.OPTIMAL:
        return None
    gone = () if spoken else tuple(name for name in shown.by_element if name not in other.by_element)
    return Reason(request.about, spoken=spoken, loss=request.expected - other.objective, displaces=gone)
