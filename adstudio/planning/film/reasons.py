"""Why in, why out where rules apply: at once where branch and bound finds it in a moment, else from the worker."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.plan import Plan, Status
from adstudio.core.script import FUSED_LINES, NO_PIN
from adstudio.core.timebase import Span
from adstudio.planning.engines.branch_and_bound import Ruleless, solve_by_branching
from adstudio.planning.engines.options import row_at
from adstudio.planning.engines.traceback import repair_path
from adstudio.planning.film.partition import AT_ONCE
from adstudio.planning.film.scene_plans import WHOLE_FILM, PartState
from adstudio.planning.film.second_opinion import Purpose, SceneRequest, validated
from adstudio.planning.live.explain import GapValue, LineChanges, Reason, line_changes, longer_gap, reason_between
from adstudio.planning.problem import Problem

MAX_IMMEDIATE = 300
"""Elements of a part up to which a plan is found without a noticeable delay."""


def reason_in_part(state: PartState, identity: str, free: Ruleless | None = None) -> Reason:
    """The reason of a line in a part; open where finding it takes longer, or the part's plan is not proven.

    `free` is the part without rules, where that is known.
    """
    shown, unknown = state.plan, Reason(identity, identity in state.plan.by_line, loss=None, open=True)
    large = free is None and len(state.problem.elements) > MAX_IMMEDIATE
    if shown.status is not Status.OPTIMAL or large:
        return unknown
    asked = _reversed(state, identity)
    other = solve_by_branching(asked, AT_ONCE, ruleless=None if free is None else _changed(free, asked, identity))
    if other.status is Status.INFEASIBLE:
        return unknown._replace(open=False)
    return reason_between(asked, identity, shown, other) if other.status is Status.OPTIMAL else unknown


def gap_value_in_part(state: PartState, gap: Span) -> GapValue | None:
    """What one more second of a gap would bring to a part, other scenes as shown; None where finding out takes long."""
    shown, problem = state.plan, state.problem
    if shown.status is not Status.OPTIMAL or len(problem.elements) > MAX_IMMEDIATE or gap not in problem.gaps:
        return None
    asked = _preferring_shown(state, longer_gap(problem, problem.gaps.index(gap)))
    other = solve_by_branching(asked, AT_ONCE)
    in_scene = state.scene != WHOLE_FILM
    if other.status is Status.INFEASIBLE:
        return GapValue(gap, None, in_scene=in_scene)
    if other.status is not Status.OPTIMAL:
        return None
    value = (other.objective or 0) - (shown.objective or 0)
    return GapValue(gap, value, LineChanges(line_changes(asked, shown, other)), in_scene)


def _changed(free: Ruleless, asked: Problem, identity: str) -> Ruleless:
    """The frontiers and the path of a problem without rules in which one line is different."""
    place = asked.index[identity]
    chain, path = free.chain.fork(), free.path.copy()
    around = range(place, place + 1)
    if asked.fusions:
        # The fusions that say it may not be spoken then, or may be again.
        beside = FUSED_LINES[-1] - 1
        around = range(max(0, place - beside), min(len(asked.elements), place + beside + 1))
    first, last = chain.splice(around.start, around.stop, [row_at(asked, at, {}, free.lifted) for at in around])
    if chain.feasible:
        repair_path(chain, path, first, last)
    return Ruleless(chain, path, free.lifted)


def question(state: PartState, identity: str, backend: str, limit: float) -> SceneRequest:
    """The request that finds a line's reason."""
    asked, shown = _reversed(state, identity), state.plan.objective or 0
    return SceneRequest(state.scene, Purpose.EXPLAIN, asked, backend, limit, shown, identity)


def _reversed(state: PartState, identity: str) -> Problem:
    """The part with a line forced in, or out where it is in, and the shown plan preferred."""
    problem, spoken = state.problem, identity in state.plan.by_line
    elements = list(problem.elements)
    place = problem.index[identity]
    pin = NO_PIN if spoken else elements[place].pin
    elements[place] = replace(elements[place], pin=replace(pin, selected=not spoken))
    return _preferring_shown(state, replace(problem, elements=tuple(elements)))


def _preferring_shown(state: PartState, problem: Problem) -> Problem:
    return replace(problem, previous=state.plan.choices)


def reason_from_answer(request: SceneRequest, shown: Plan, answer: Plan) -> Reason | None:
    """The reason that follows from an answer; None where the answer is unproven or invalid."""
    if answer.status is Status.INFEASIBLE:
        return Reason(request.about, spoken=request.about in shown.by_line, loss=None)
    other = validated(request.problem, answer)
    if other is None or other.objective is None or other.status is not Status.OPTIMAL:
        return None
    return reason_between(request.problem, request.about, shown, other)
