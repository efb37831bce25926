"""Why in, why out: what the opposite would cost, what it would do to other lines, and what more gap would bring.

Everything is measured against the best plan that was found. Without rules the frontiers give the answer: a prefix, the
forced wording and a suffix are joined. With rules, each question is a problem of its own (DESIGN section 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from adstudio.core.plan import Plan, Status
from adstudio.core.script import NO_PIN, Pin
from adstudio.core.timebase import MAX_TIME_MS, Span, seconds
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.frontier import PathStep
from adstudio.planning.engines.options import GAIN_SCALE, row
from adstudio.planning.engines.traceback import Rewording
from adstudio.planning.live.alternatives import Alternative, LivePlanner
from adstudio.planning.problem import Choice, Element, FusedLine, Problem, choice_of

FORMAT = "adstudio-explain/1"
SECOND = 1000

NOWHERE = Span(MAX_TIME_MS, MAX_TIME_MS)
"""Limits that no wording keeps: no gap is there."""


class LineChange(NamedTuple):
    """What would become of a line: the variants spoken before and after, None where it is not spoken.

    `longer` is by how many milliseconds it would be spoken longer, negative where shorter; `far` whether it would be
    spoken far from its action.
    """

    element: str
    before: int | None
    after: int | None
    longer: int
    far: bool = False


class LineChanges(NamedTuple):
    """What would become of the lines of a plan, in textual order."""

    changes: tuple[LineChange, ...] = ()

    @property
    def displaced(self) -> tuple[LineChange, ...]:
        """The lines that would go."""
        return tuple(each for each in self.changes if each.after is None)

    @property
    def shortened(self) -> tuple[LineChange, ...]:
        """The lines that would be spoken in a shorter wording."""
        return tuple(each for each in self.changes if each.after is not None and each.longer < 0)

    @property
    def added(self) -> tuple[LineChange, ...]:
        """The lines that would come in."""
        return tuple(each for each in self.changes if each.before is None)

    @property
    def lengthened(self) -> tuple[LineChange, ...]:
        """The lines that would be spoken in a longer wording."""
        return tuple(each for each in self.changes if each.before is not None and each.longer > 0)

    @property
    def strayed(self) -> tuple[LineChange, ...]:
        """The lines in the same wording that would be spoken far from their action."""
        return tuple(each for each in self.changes if each.before == each.after and each.far)

    @property
    def approached(self) -> tuple[LineChange, ...]:
        """The lines in the same wording that would be spoken near their action, and are not."""
        return tuple(each for each in self.changes if each.before == each.after and not each.far)


NO_CHANGES = LineChanges()


class Reason(NamedTuple):
    """Whether an eventuality is in, the loss if that were reversed, and what that would do to the other lines.

    `loss` is in billionths; None where it cannot be reversed, or where that is still `open`: finding out takes more
    than a moment. `variant` and `far` are how the line would then be spoken, if it were by itself; `fusion` is the id
    of the fusion that says it now, or where it is out would.
    """

    element: str
    spoken: bool
    loss: int | None
    others: LineChanges = NO_CHANGES
    variant: int | None = None
    far: bool = False
    open: bool = False
    fusion: str = ""

    @property
    def displaces(self) -> tuple[str, ...]:
        """The lines that would go."""
        return tuple(each.element for each in self.others.displaced)

    @property
    def shortens(self) -> tuple[LineChange, ...]:
        """The lines that would be spoken in a shorter wording."""
        return self.others.shortened


@dataclass(frozen=True)
class GapValue:
    """What one more second at the end of a gap would bring, in billionths; None where no plan would be found then.

    Under `reach` it can cost something: a line whose action a gap did not overlap before may lose the gaps around it.
    `in_scene`: the other scenes would stay as they are.
    """

    gap: Span
    value: int | None
    lines: LineChanges = NO_CHANGES
    in_scene: bool = False


@dataclass(frozen=True)
class Explanation:
    """The plan, the reason of each eventuality asked about, and the value of each gap.

    Where the plan is not proven, a loss or value is uncertain by about what the bound exceeds the objective.
    """

    plan: Plan
    reasons: tuple[Reason, ...]
    gaps: tuple[GapValue, ...]

    @property
    def objective(self) -> int:
        """The plan's, in billionths."""
        return self.plan.objective or 0

    @property
    def bound(self) -> int:
        """What no plan exceeds, in billionths."""
        return self.objective if self.plan.bound is None else self.plan.bound


Solve = Callable[[Problem], Plan]


def explain(problem: Problem, solve: Solve, only: str | None = None) -> Explanation | Plan:
    """Explain the best plan of a problem, or one element or fusion; without a plan to explain, that plan is returned.

    `solve` plans problems with rules, whose plan must be proven: reasons come from solving again. Without rules, a plan
    that thinned frontiers led to is explained too.
    """
    plan = solve_exact(problem) if problem.plain else solve(problem)
    asked = [e for e in problem.elements if only in (None, e.id)]
    fused = [line for line in problem.fused_lines.values() if only in (None, line.fusion.id)]
    if problem.plain and plan.objective is not None:
        planner = planner_for(problem, plan)
        found = reasons(planner, [problem.index[element.id] for element in asked])
        found += [fusion_reason(planner, line) for line in fused]
        values = () if only is not None else tuple(gap_value(planner, place) for place in range(len(problem.gaps)))
        return Explanation(planner.plan, tuple(found), values)
    if plan.status is not Status.OPTIMAL or plan.objective is None:
        return plan
    found = [_reason_by_solving(problem, plan, element, solve) for element in asked]
    found += [_fusion_reason_by_solving(problem, plan, line, solve) for line in fused]
    values = () if only is not None else tuple(_values_by_solving(problem, plan, solve))
    return Explanation(plan, tuple(found), values)


def planner_for(problem: Problem, plan: Plan) -> LivePlanner:
    """A planner that prefers this plan among equals, so that only the lines that really must go are listed."""
    planner = LivePlanner(replace(problem, previous=plan.choices))
    planner.settle()
    return planner


def reason(planner: LivePlanner, place: int) -> Reason:
    """Why the element at `place` is in or out; for one that is pinned out, what including it would cost."""
    element = planner.problem.elements[place]
    if planner.path[place].said:
        return _reason(planner, place, planner.without(place))
    if element.pin.selected is False:
        version = replace(element, pin=replace(element.pin, selected=True))
        if any(element.id in fusion.of for fusion in planner.problem.fusions):
            return _reason(planner, place, planner.with_element(place, version))
        return reason_with(planner, place, version)
    return _reason(planner, place, planner.forced(place, planner.forward.rows[place]))


def reasons(planner: LivePlanner, places: Sequence[int]) -> list[Reason]:
    """As `reason` for each of these elements, which is quicker together."""
    elements, path = planner.problem.elements, planner.path
    out = [place for place in places if not path[place].said and elements[place].pin.selected is not False]
    forced = dict(zip(out, planner.each_forced(out), strict=True))
    known: dict[Rewording, tuple[LineChange, ...]] = {}
    return [_reason(planner, at, forced[at], known) if at in forced else reason(planner, at) for at in places]


def fusion_reason(planner: LivePlanner, line: FusedLine) -> Reason:
    """Why a fusion is spoken or not; where it may not be, it cannot be reversed."""
    name = line.fusion.id
    spoken = line.usable and planner.path[line.first].fusion == name
    other = planner.without_fused(line) if spoken else planner.fused(line) if line.usable else None
    return _reason_of(planner, name, other, spoken=spoken)


def reason_with(planner: LivePlanner, place: int, version: Element) -> Reason:
    """What it would cost to speak this version of the element at `place`."""
    options = row(planner.problem, version)
    return _reason(planner, place, planner.forced(place, options) if options.options else None)


def _reason(
    planner: LivePlanner,
    place: int,
    other: Alternative | None,
    known: dict[Rewording, tuple[LineChange, ...]] | None = None,
) -> Reason:
    element, step = planner.problem.elements[place], planner.path[place]
    found = _reason_of(planner, element.id, other, spoken=step.said, known=known)
    if other is None or step.variant < 0 or step.fusion or any(each.place == place for each in other.changed):
        return found
    # Where all is found anew, a line that is spoken as before is not among the changes.
    return found._replace(variant=step.variant, far=step.far)


def _reason_of(
    planner: LivePlanner,
    name: str,
    other: Alternative | None,
    *,
    spoken: bool,
    known: dict[Rewording, tuple[LineChange, ...]] | None = None,
) -> Reason:
    fusion = said_by(planner.plan, name)
    if other is None:
        return Reason(name, spoken, loss=None, fusion=fusion)
    changes = _line_changes(planner, other.changed, {} if known is None else known)
    loss = planner.forward.best // GAIN_SCALE - other.objective // GAIN_SCALE
    return _reason_from(planner.problem, name, changes, loss, spoken=spoken, fusion=fusion)


def _reason_from(
    problem: Problem, name: str, changes: Sequence[LineChange], loss: int, *, spoken: bool, fusion: str
) -> Reason:
    """The reason of a line, from what would become of it and others if it were reversed."""
    own = next((each for each in changes if each.element == name), None)
    others = tuple([each for each in changes if each is not own])
    variant, far = (None, False) if own is None else (own.after, own.far)
    if not spoken and problem.fusions:
        lines = (each.element for each in others if each.after is not None)
        fusion = next((line for line in lines if name in problem.members(line)), "")
    return Reason(name, spoken, loss, LineChanges(others), variant, far, fusion=fusion)


def said_by(plan: Plan, name: str) -> str:
    """The id of the fusion that says an element in a plan; empty where none does."""
    delivery = plan.by_line.get(name)
    return "" if delivery is None or delivery.element == name else delivery.element


def _line_changes(
    planner: LivePlanner, changed: Iterable[Rewording], known: dict[Rewording, tuple[LineChange, ...]]
) -> tuple[LineChange, ...]:
    """What becomes of the lines; `known` is what is known of such changes of this plan, and is added to."""
    found: list[LineChange] = []
    for each in changed:
        changes = known.get(each)
        if changes is None:
            changes = known[each] = _changes_of(planner.problem, planner.path[each.place], each)
        found += changes
    return tuple(found)


def _changes_of(problem: Problem, step: PathStep, now: Rewording) -> tuple[LineChange, ...]:
    """What becomes of the lines where a plan takes something else than its step."""
    place, variant, far, fusion = now
    if not fusion and not step.fusion:
        return (_line_change(problem.elements[place], step.variant, variant, far=far),)
    old = Choice(place, step.variant, step.far, step.fusion)
    new = Choice(place, variant, far, fusion)
    if old.fusion == new.fusion or old.variant < 0 or new.variant < 0:
        line = problem.line(new if old.variant < 0 else old)
        return (_line_change(line, old.variant, new.variant, far=far),)
    return (
        _line_change(problem.line(old), old.variant, -1),
        _line_change(problem.line(new), -1, variant, far=far),
    )


def _line_change(element: Element, was: int, now: int, *, far: bool = False) -> LineChange:
    lasted = element.durations[was] if was >= 0 else 0
    lasts = element.durations[now] if now >= 0 else 0
    return LineChange(element.id, was if was >= 0 else None, now if now >= 0 else None, lasts - lasted, far)


def gap_value(planner: LivePlanner, place: int) -> GapValue:
    """What one more second at the end of a gap would bring; the gap may then merge with the next."""
    problem = planner.problem
    longer = planner.peek(longer_gap(problem, place))
    if longer is None:
        return GapValue(problem.gaps[place], None)
    gained = longer.objective // GAIN_SCALE - planner.forward.best // GAIN_SCALE
    return GapValue(problem.gaps[place], gained, LineChanges(_line_changes(planner, longer.changed, {})))


def longer_gap(problem: Problem, place: int) -> Problem:
    """The problem with one more second at the end of a gap."""
    gaps = list(problem.gaps)
    end = gaps[place].end + SECOND
    while place + 1 < len(gaps) and gaps[place + 1].start <= end:
        end = max(end, gaps.pop(place + 1).end)
    gaps[place] = Span(gaps[place].start, end)
    return replace(problem, gaps=tuple(gaps))


def _reason_by_solving(problem: Problem, plan: Plan, element: Element, solve: Solve) -> Reason:
    inside = element.id in plan.by_line
    pin = replace(NO_PIN if inside else element.pin, selected=not inside)
    elements = tuple(replace(e, pin=pin) if e is element else e for e in problem.elements)
    other = solve(replace(problem, elements=elements, previous=plan.choices))
    if other.status is not Status.OPTIMAL:
        fusion = said_by(plan, element.id)
        return Reason(element.id, inside, loss=None, open=other.status is not Status.INFEASIBLE, fusion=fusion)
    return reason_between(problem, element.id, plan, other)


def _fusion_reason_by_solving(problem: Problem, plan: Plan, line: FusedLine, solve: Solve) -> Reason:
    name = line.fusion.id
    inside = name in plan.by_element
    if not inside and not line.usable:
        return Reason(name, spoken=False, loss=None)
    asked = without_fusion(problem, name) if inside else with_fusion(problem, line)
    other = solve(replace(asked, previous=plan.choices))
    if other.status is not Status.OPTIMAL:
        return Reason(name, inside, loss=None, open=other.status is not Status.INFEASIBLE)
    return reason_between(problem, name, plan, other)


def without_fusion(problem: Problem, name: str) -> Problem:
    """The problem without a fusion."""
    return replace(problem, fusions=tuple(fusion for fusion in problem.fusions if fusion.id != name))


def with_fusion(problem: Problem, line: FusedLine) -> Problem:
    """The problem in which a fusion must be spoken: its members must be said, and have no place of their own."""
    of = frozenset(line.fusion.of)
    within = line.element.within or Span(0, MAX_TIME_MS)
    others = tuple(each for each in problem.fusions if of.isdisjoint(each.of))
    elements = tuple(
        replace(element, pin=Pin(selected=True), within=NOWHERE) if element.id in of else element
        for element in problem.elements
    )
    return replace(problem, elements=elements, fusions=(*others, replace(line.fusion, within=within)))


def reason_between(problem: Problem, identity: str, plan: Plan, other: Plan) -> Reason:
    """The reason of a line that follows from the optimal plan, and from the best one in which the line is reversed."""
    loss = (plan.objective or 0) - (other.objective or 0)
    fusion = said_by(plan, identity)
    spoken = bool(fusion) or identity in plan.by_element
    return _reason_from(problem, identity, line_changes(problem, plan, other), loss, spoken=spoken, fusion=fusion)


def line_changes(problem: Problem, plan: Plan, other: Plan) -> tuple[LineChange, ...]:
    """What another plan of a problem takes in place of what a plan does."""
    was, now = (
        {(c.place, c.fusion): c for c in map(partial(choice_of, problem), each.deliveries)} for each in (plan, other)
    )
    none = Choice(-1, -1)
    pairs = [(was.get(line, none), now.get(line, none)) for line in sorted(was.keys() | now.keys())]
    return tuple(
        _line_change(problem.line(max(before, after)), before.variant, after.variant, far=after.far)
        for before, after in pairs
        if before != after
    )


def _values_by_solving(problem: Problem, plan: Plan, solve: Solve) -> Iterable[GapValue]:
    previous = plan.choices
    for place, gap in enumerate(problem.gaps):
        asked = replace(longer_gap(problem, place), previous=previous)
        longer = solve(asked)
        if longer.status is not Status.OPTIMAL or longer.objective is None or plan.objective is None:
            yield GapValue(gap, None)
        else:
            yield GapValue(gap, longer.objective - plan.objective, LineChanges(line_changes(asked, plan, longer)))


def explanation_json(explanation: Explanation, why: Callable[[Reason], str]) -> dict[str, object]:
    """`adstudio-explain/1`; `why` puts a reason into words."""
    return {
        "format": FORMAT,
        "status": explanation.plan.status.value,
        "objective": explanation.objective / 10**9,
        "bound": explanation.bound / 10**9,
        "elements": [
            {
                "element": each.element,
                "in": each.spoken,
                "loss": None if each.loss is None else each.loss / 10**9,
                "why": why(each),
                "variant": each.variant,
                **({"fusion": each.fusion} if each.fusion else {}),
                **_lines_json(each.others),
            }
            for each in explanation.reasons
        ],
        "gaps": [
            {
                "gap": [seconds(each.gap.start), seconds(each.gap.end)],
                "value_per_second": None if each.value is None else each.value / 10**9,
                **_lines_json(each.lines),
            }
            for each in explanation.gaps
        ],
    }


def _lines_json(lines: LineChanges) -> dict[str, object]:
    def named(changes: Iterable[LineChange]) -> list[str]:
        return [each.element for each in changes]

    def reworded(changes: Iterable[LineChange]) -> list[dict[str, object]]:
        return [{"element": each.element, "from": each.before, "to": each.after} for each in changes]

    return {
        "displaces": named(lines.displaced),
        "shortens": reworded(lines.shortened),
        "adds": named(lines.added),
        "lengthens": reworded(lines.lengthened),
        "far": named(lines.strayed),
    }
