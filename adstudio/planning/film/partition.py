"""The parts of a film that rules require to be planned separately, and a quick valid plan of each.

A part is a scene, clear of lines outside it that are pinned to a start. Where a rule spans scenes, or includes
eventualities of none, the film is one part.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Pin, Rules, Scene
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.engines.branch_and_bound import Ruleless, solve_by_branching
from adstudio.planning.engines.conflicts import place_required
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.repair import repaired
from adstudio.planning.film.pinned_overlay import bounded, pinned_delivery
from adstudio.planning.film.rule_closure import closure, rules_among
from adstudio.planning.problem import Element, FusedElement, Problem

AT_ONCE = 40_000
"""The states of frontiers that the search for a part's plan may make in the user's own step: 20 to 40 ms of work."""


def separable_scenes(problem: Problem, names: Sequence[str]) -> list[str] | None:
    """The scenes that are planned separately; None where the film can only be planned as one."""
    rules = problem.rules
    pairs = [(penalty.first, penalty.second) for penalty in rules.penalties]
    groups: Sequence[tuple[str, ...]] = (*rules.alternatives, *rules.requires, *rules.together, *pairs)
    tied = [{names[problem.index[name]] for name in group} for group in groups]
    if any(len(scenes) != 1 or "" in scenes for scenes in tied):
        return None
    return sorted({scene for scenes in tied for scene in scenes})


def places_by_scene(names: Sequence[str], alone: Collection[str]) -> dict[str, list[int]]:
    """The places of the elements of each of these scenes."""
    found: dict[str, list[int]] = {name: [] for name in alone}
    for place in [place for place, name in enumerate(names) if name in found]:
        found[names[place]].append(place)
    return found


@dataclass(frozen=True, slots=True)
class _SettledPart:
    """The first and last place of a part, its lines' places and spans, and their first start and last end."""

    first: int
    last: int
    first_start: int
    last_end: int
    lines: Sequence[tuple[int, Delivery]]


class FixedLines:
    """Every line pinned to a start and every line of a settled part: what the other parts have to stay clear of."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._pinned = [place for place, element in enumerate(problem.elements) if element.pin.start is not None]
        lines = [pinned_delivery(problem.elements[place]) for place in self._pinned]
        self._latest_end = [*accumulate([line.end for line in lines], max, initial=0)]
        starts = [line.start for line in reversed(lines)]
        self._earliest_start = [*accumulate(starts, min, initial=MAX_TIME_MS)][::-1]
        self._settled: list[_SettledPart] = []
        self._known: dict[int, tuple[Span, Element]] = {}
        if problem.capped:
            self._known = {
                place: (line.span, problem.elements[place]) for place, line in zip(self._pinned, lines, strict=True)
            }

    def settle(self, places: Sequence[int], lines: Sequence[tuple[int, Delivery]]) -> None:
        """Add the lines of a part whose elements are at `places`."""
        if lines:
            first_start, last_end = min(line.start for _, line in lines), max(line.end for _, line in lines)
            self._settled.append(_SettledPart(places[0], places[-1], first_start, last_end, lines))
        if self._problem.capped:
            for place in places:
                self._known.pop(place, None)
            elements = self._problem.elements
            self._known.update(
                (place, (line.span, fixed_part(self._problem, elements[place], line))) for place, line in lines
            )

    def clear_for(self, first: int, last: int) -> Span:
        """The span between the lines before `first` and those after `last`."""
        before, after = bisect_left(self._pinned, first), bisect_right(self._pinned, last)
        end, start = self._latest_end[before], self._earliest_start[after]
        for part in self._settled:
            if part.last < first:
                end = max(end, part.last_end)
            elif last < part.first:
                start = min(start, part.first_start)
            else:
                end = max([end, *(line.end for place, line in part.lines if place < first)])
                start = min([start, *(line.start for place, line in part.lines if place > last)])
        pause = self._problem.min_pause
        earliest = min(MAX_TIME_MS, end + pause if end else 0)
        return Span(earliest, max(earliest, start - pause if start < MAX_TIME_MS else start))

    def sharing(self, gaps: Sequence[Span], places: Sequence[int]) -> dict[int, Element]:
        """The lines elsewhere, by place, that use the share of these gaps."""
        if not gaps:
            return {}
        own, start, end = set(places), gaps[0].start, gaps[-1].end
        return {
            place: element
            for place, (span, element) in self._known.items()
            if start <= span.start
            and span.end <= end
            and place not in own
            and not element.pin.override
            and any(gap.contains(span) for gap in gaps)
        }


def fixed(element: Element, delivery: Delivery | None) -> Element:
    """The element pinned to what a plan does with it."""
    if delivery is None:
        return replace(element, pin=Pin(selected=False))
    pin = Pin(selected=True, variant=delivery.variant, start=delivery.start, override=element.pin.override)
    return replace(element, pin=pin)


def fixed_part(problem: Problem, element: Element, delivery: Delivery | None) -> Element:
    """The element pinned to what a plan does with it, also by a fusion.

    That takes the place of its first member, and the others are left out.
    """
    if delivery is None or not delivery.members:
        return fixed(element, delivery)
    if delivery.members[0] != element.id:
        return fixed(element, None)
    return fixed(problem.fused_lines[delivery.element].element, delivery)


def part_problem(film: Problem, scene: Scene, places: Sequence[int], fixed_lines: FixedLines) -> Problem:
    """One scene of the film between the fixed lines outside it, and those among them that use its gaps' share."""
    clear = fixed_lines.clear_for(places[0], places[-1])
    elements = {place: film.elements[place] for place in places}
    if not clear.contains(scene.span):
        elements = {place: replace(e, within=bounded(e.within, clear)) for place, e in elements.items()}
    elif clear != ANY_TIME:
        elements = {place: _limited_to(e, clear) if e.pin.override else e for place, e in elements.items()}
    rules = rules_among(film.rules, {element.id for element in elements.values()}) if film.rules else film.rules
    elements |= fixed_lines.sharing(gaps_touching(film, scene.span), places)
    ordered = [elements[place] for place in sorted(elements)]
    own = set(places)
    fused = [line.element for line in film.fused.values() if line.first in own]
    return replace(
        film,
        scene=scene.id,
        span=Span(scene.span.start, max(scene.span.start + 1, scene.span.end)),
        gaps=gaps_around(film, [*ordered, *fused], scene.span),
        elements=tuple(ordered),
        fusions=fusions_among(film, ordered),
        rules=rules,
    )


def fusions_among(film: Problem, elements: Iterable[Element]) -> tuple[FusedElement, ...]:
    """The fusions of these elements: of a film's hundreds, a part has few."""
    if not film.fusions:
        return ()
    inside = {element.id for element in elements}
    return tuple([fusion for fusion in film.fusions if inside.issuperset(fusion.of)])


def gaps_touching(film: Problem, span: Span) -> tuple[Span, ...]:
    """The gaps that overlap a span, uncut."""
    first = bisect_right(film.gap_ends, span.start)
    return film.gaps[first : max(first, bisect_left(film.gap_starts, span.end))]


def gaps_around(film: Problem, elements: Iterable[Element], span: Span) -> tuple[Span, ...]:
    """The film's gaps in a span and about the actions of these elements, uncut, and one more on either side.

    They are enough to count how many gaps a line is away from its action.
    """
    occurrences = [element.occurrence for element in elements if element.occurrence is not None]
    start = min([span.start, *(occurrence.start for occurrence in occurrences)])
    end = max([span.end, *(occurrence.end for occurrence in occurrences)])
    first, last = bisect_right(film.gap_ends, start), bisect_left(film.gap_starts, end)
    return film.gaps[max(0, first - 1) : last + 1]


ANY_TIME = Span(0, MAX_TIME_MS)


def _limited_to(element: Element, clear: Span) -> Element:
    start = element.pin.start or 0
    if clear.start <= start and start + max(element.durations) <= clear.end:
        return element
    return replace(element, within=bounded(element.within, clear))


def ruleless(problem: Problem) -> Problem:
    """The problem without rules: its optimum bounds the problem's."""
    return replace(problem, rules=Rules(), previous=())


def minimal_problem(problem: Problem) -> Problem:
    """The problem in which, of the elements in rules, only the required ones are spoken: always valid."""
    must, tied = closure(problem.elements, problem.rules).must, problem.rules.mentioned

    def settled(element: Element) -> Element:
        if element.id not in tied or element.must:
            return element
        return replace(element, pin=replace(element.pin, selected=element.id in must))

    return replace(ruleless(problem), elements=tuple(settled(element) for element in problem.elements))


def quick_plan(problem: Problem, last: Plan | None, free: Ruleless | None = None) -> Plan | None:
    """The proven plan of a part if that is found at once, else a valid one and its bound; None if none is found.

    `last` is what was planned before, which is preferred among equals. `free` is the part without rules, where that is
    known.
    """
    before = None if last is None else still_valid(problem, last)
    previous = () if before is None else before.choices
    effort = AT_ONCE if free is None else AT_ONCE // 2  # timing a film takes as long again
    found = solve_by_branching(replace(problem, previous=previous), effort, ruleless=free)
    if found.status is Status.INFEASIBLE or found.bound is None:
        return None
    if found.status is Status.OPTIMAL:
        return found
    mended = None if before is None else repaired(problem, before)
    sound = [plan for plan in (mended, found) if plan is not None and plan.objective is not None]
    if not sound:
        sound = _bare_plans(problem)
    if not sound:
        return None
    best = max(sound, key=lambda plan: plan.objective or 0)
    proven = best.objective == found.bound
    return replace(best, bound=found.bound, status=Status.OPTIMAL if proven else Status.FEASIBLE)


def still_valid(problem: Problem, plan: Plan) -> Plan:
    """The lines of an older plan that are still in the problem and may still be spoken."""
    known = problem.index

    def allowed(name: str, variant: int) -> bool:
        if name in problem.fused:
            return variant < len(problem.fused[name].element.durations)
        if name not in known:
            return False
        element = problem.elements[known[name]]
        pin = element.pin
        return variant < len(element.durations) and pin.selected is not False and pin.variant in (None, variant)

    return replace(plan, deliveries=tuple(d for d in plan.deliveries if allowed(d.element, d.variant)))


def _bare_plans(problem: Problem) -> list[Plan]:
    free = solve_exact(minimal_problem(problem))
    if free.objective is None:
        return []
    found = [repaired(problem, free), minimal_plan(problem)]
    return [plan for plan in found if plan is not None]


def minimal_plan(problem: Problem) -> Plan | None:
    """Only what pins and rules require, each as early as possible; None where that is impossible."""
    choices, failed = place_required(problem, minimal_problem(problem).elements)
    return None if failed is not None else timed_plan(problem, choices, backend="exact", status=Status.FEASIBLE)
