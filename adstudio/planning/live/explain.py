"""Why in, why out: what a change would cost, which lines would go, and what more gap would bring (DESIGN section 4).

Everything is measured against the proven optimum. Without rules the frontiers give the answer: a prefix, the forced
wording and a suffix are joined. With rules, each question is a problem of its own for CP-SAT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from adstudio.core.plan import Plan, Status
from adstudio.core.script import NO_PIN
from adstudio.core.timebase import Span, seconds
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.options import GAIN_SCALE, row
from adstudio.planning.engines.traceback import Rewording
from adstudio.planning.live.incremental import LivePlanner
from adstudio.planning.problem import Element, Problem

FORMAT = "adstudio-explain/1"
SECOND = 1000


@dataclass(frozen=True, slots=True)
class Shortening:
    """A line that would be spoken in a shorter wording, and the variants before and after."""

    element: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Whether an eventuality is in, the loss if that were reversed, and which lines would then go or be shortened.

    `loss` is in billionths; None where it cannot be reversed.
    """

    element: str
    spoken: bool
    loss: int | None
    displaces: tuple[str, ...] = ()
    shortens: tuple[Shortening, ...] = ()


@dataclass(frozen=True, slots=True)
class GapValue:
    """What one more second at the end of a gap would bring, in billionths; None where no plan would be found then.

    Under `reach` it can cost something: a line whose action a gap did not overlap before may lose the gaps around it.
    """

    gap: Span
    value: int | None


@dataclass(frozen=True)
class Explanation:
    """The optimum, the reason of each eventuality asked about, and the value of each gap."""

    objective: int
    reasons: tuple[Reason, ...]
    gaps: tuple[GapValue, ...]


Solve = Callable[[Problem], Plan]


def explain(problem: Problem, solve: Solve, only: str | None = None) -> Explanation | Plan:
    """Explain the optimal plan of a problem, or one element of it; without a proven plan, that plan is returned.

    `solve` plans problems with rules (CP-SAT).
    """
    plan = solve_exact(problem) if problem.plain else solve(problem)
    if plan.status is not Status.OPTIMAL or plan.objective is None:
        return plan
    asked = [e for e in problem.elements if only in (None, e.id)]
    if problem.plain:
        planner = planner_for(problem, plan)
        reasons = tuple(reason(planner, problem.index[element.id]) for element in asked)
        values = () if only is not None else tuple(gap_value(planner, place) for place in range(len(problem.gaps)))
    else:
        reasons = tuple(_reason_by_solving(problem, plan, element, solve) for element in asked)
        values = () if only is not None else tuple(_values_by_solving(problem, plan.objective, solve))
    return Explanation(plan.objective, reasons, values)


def planner_for(problem: Problem, plan: Plan) -> LivePlanner:
    """A planner that prefers this plan among equals, so that only the lines that really must go are listed."""
    planner = LivePlanner(replace(problem, previous=tuple((d.element, d.variant) for d in plan.deliveries)))
    planner.settle()
    return planner


def reason(planner: LivePlanner, place: int) -> Reason:
    """Why the element at `place` is in or out; for one that is pinned out, what including it would cost."""
    element = planner.problem.elements[place]
    if planner.path[place].variant >= 0:
        without = planner.joint(place)
        return Reason(element.id, spoken=True, loss=None if without is None else _loss(planner.forward.best, without))
    if element.pin.selected is False:
        return _reason_lifted(planner, place)
    row = planner.forward.rows[place]
    if not row.options:
        return Reason(element.id, spoken=False, loss=None)
    return _reason_forced(planner, element, *planner.forced(place, row))


def _loss(best: int, other: int) -> int:
    return best // GAIN_SCALE - other // GAIN_SCALE


def _reason_lifted(planner: LivePlanner, place: int) -> Reason:
    problem = planner.problem
    element = problem.elements[place]
    pinned_in = row(problem, replace(element, pin=replace(element.pin, selected=True)))
    if not pinned_in.options:
        return Reason(element.id, spoken=False, loss=None)
    return _reason_forced(planner, element, *planner.forced_anew(place, pinned_in))


def _reason_forced(planner: LivePlanner, element: Element, forced: int | None, changed: Sequence[Rewording]) -> Reason:
    if forced is None:
        return Reason(element.id, spoken=False, loss=None)
    before = [(planner.problem.elements[place], planner.path[place].variant, variant) for place, variant in changed]
    return Reason(
        element.id,
        spoken=False,
        loss=_loss(planner.forward.best, forced),
        displaces=tuple(other.id for other, was, now in before if now < 0 <= was),
        shortens=tuple(
            Shortening(other.id, was, now)
            for other, was, now in before
            if was >= 0 and now >= 0 and other.durations[now] < other.durations[was]
        ),
    )


def gap_value(planner: LivePlanner, place: int) -> GapValue:
    """What one more second at the end of a gap would bring; the gap may then merge with the next."""
    problem = planner.problem
    gained = planner.peek(_longer(problem, place))
    value = None if gained is None else gained - planner.forward.best // GAIN_SCALE
    return GapValue(problem.gaps[place], value)


def _longer(problem: Problem, place: int) -> Problem:
    gaps = list(problem.gaps)
    end = gaps[place].end + SECOND
    while place + 1 < len(gaps) and gaps[place + 1].start <= end:
        end = max(end, gaps.pop(place + 1).end)
    gaps[place] = Span(gaps[place].start, end)
    return replace(problem, gaps=tuple(gaps))


def _reason_by_solving(problem: Problem, plan: Plan, element: Element, solve: Solve) -> Reason:
    spoken = plan.by_element
    inside = element.id in spoken
    pin = replace(NO_PIN if inside else element.pin, selected=not inside)
    elements = tuple(replace(e, pin=pin) if e is element else e for e in problem.elements)
    other = solve(replace(problem, elements=elements, previous=tuple((d.element, d.variant) for d in plan.deliveries)))
    if other.objective is None or plan.objective is None:
        return Reason(element.id, spoken=inside, loss=None)
    return reason_between(problem, element.id, plan, other)


def reason_between(problem: Problem, identity: str, plan: Plan, other: Plan) -> Reason:
    """The reason of a line that follows from the optimal plan, and from the best one in which the line is reversed."""
    loss = (plan.objective or 0) - (other.objective or 0)
    spoken, then = plan.by_element, other.by_element
    if identity in spoken:
        return Reason(identity, spoken=True, loss=loss)
    elements = [problem.elements[problem.index[name]] for name in spoken]
    left = [(e, spoken[e.id].variant, then[e.id].variant) for e in elements if e.id in then]
    return Reason(
        identity,
        spoken=False,
        loss=loss,
        displaces=tuple(name for name in spoken if name not in then),
        shortens=tuple(Shortening(e.id, was, now) for e, was, now in left if e.durations[now] < e.durations[was]),
    )


def _values_by_solving(problem: Problem, objective: int, solve: Solve) -> Iterable[GapValue]:
    for place, gap in enumerate(problem.gaps):
        longer = solve(_longer(problem, place)).objective
        yield GapValue(gap, None if longer is None else longer - objective)


def explanation_json(explanation: Explanation) -> dict[str, object]:
    """`adstudio-explain/1`."""
    return {
        "format": FORMAT,
        "objective": explanation.objective / 10**9,
        "elements": [
            {
                "element": each.element,
                "in": each.spoken,
                "loss": None if each.loss is None else each.loss / 10**9,
                "displaces": list(each.displaces),
                "shortens": [
                    {"element": line.element, "from": line.before, "to": line.after} for line in each.shortens
                ],
            }
            for each in explanation.reasons
        ],
        "gaps": [
            {
                "gap": [seconds(each.gap.start), seconds(each.gap.end)],
                "value_per_second": None if each.value is None else each.value / 10**9,
            }
            for each in explanation.gaps
        ],
    }
