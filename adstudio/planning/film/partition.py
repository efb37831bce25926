"""The parts of a film that rules or shares require to be planned separately, and a quick valid plan of each.

A part is a scene, its gaps cut at its bounds, clear of lines outside it that are pinned to a start. Where a rule spans
scenes, or includes eventualities of none, the film is one part.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from adstudio.core.plan import Conflict, Plan, Status
from adstudio.core.script import Rules, Scene
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.engines.conflicts import irreducible, place_required
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.engines.repair import repaired
from adstudio.planning.film.pinned_overlay import bounded
from adstudio.planning.film.rule_closure import closure, rules_among
from adstudio.planning.film.suspended_pins import is_contradictory
from adstudio.planning.problem import NO_SHARE_LIMIT, Element, Problem

FixedLine = tuple[int, int, int]
"""A line at a fixed time: the place of its element, its start and its end."""


@dataclass(frozen=True)
class QuickPlan:
    """A valid plan of a part; `proven` where the exact engine's optimum without rules satisfies the rules."""

    plan: Plan
    proven: bool


def separable_scenes(problem: Problem, names: Sequence[str]) -> list[str] | None:
    """The scenes that are planned separately; None where the film can only be planned as one."""
    rules = problem.rules
    pairs = [(penalty.first, penalty.second) for penalty in rules.penalties]
    groups: Sequence[tuple[str, ...]] = (*rules.alternatives, *rules.requires, *rules.together, *pairs)
    tied = [{names[problem.index[name]] for name in group} for group in groups]
    if any(len(scenes) != 1 or "" in scenes for scenes in tied):
        return None
    if problem.max_share >= NO_SHARE_LIMIT:
        return sorted({scene for scenes in tied for scene in scenes})
    return None if "" in names else sorted(set(names))


def places_by_scene(names: Sequence[str], alone: Collection[str]) -> dict[str, list[int]]:
    """The places of the elements of each of these scenes."""
    found: dict[str, list[int]] = {name: [] for name in alone}
    for place in [place for place, name in enumerate(names) if name in found]:
        found[names[place]].append(place)
    return found


@dataclass(frozen=True, slots=True)
class _SettledPart:
    """The first and last place of a part, its lines, and their first start and last end."""

    first: int
    last: int
    first_start: int
    last_end: int
    lines: Sequence[FixedLine]


class FixedLines:
    """Every line pinned to a start and every line of a settled part: what the other parts have to stay clear of."""

    def __init__(self, problem: Problem) -> None:
        self._places: list[int] = []
        ends: list[int] = []
        starts: list[int] = []
        for place in [place for place, element in enumerate(problem.elements) if element.pin.start is not None]:
            element = problem.elements[place]
            pin, start = element.pin, element.pin.start or 0
            length = min(element.durations) if pin.variant is None else element.durations[pin.variant]
            self._places.append(place)
            starts.append(start)
            ends.append(start + length)
        self._pause = problem.min_pause
        self._latest_end = [*accumulate(ends, max, initial=0)]
        self._earliest_start = [*accumulate(reversed(starts), min, initial=MAX_TIME_MS)][::-1]
        self._settled: list[_SettledPart] = []

    def settle(self, places: Sequence[int], lines: Sequence[FixedLine]) -> None:
        """Add the lines of a part whose elements are at `places`."""
        if lines:
            first_start, last_end = min(start for _, start, _ in lines), max(end for _, _, end in lines)
            self._settled.append(_SettledPart(places[0], places[-1], first_start, last_end, lines))

    def clear_for(self, first: int, last: int) -> Span:
        """The span between the lines before `first` and those after `last`."""
        before, after = bisect_left(self._places, first), bisect_right(self._places, last)
        end, start = self._latest_end[before], self._earliest_start[after]
        for part in self._settled:
            if part.last < first:
                end = max(end, part.last_end)
            elif last < part.first:
                start = min(start, part.first_start)
            else:
                end = max([end, *(until for place, _, until in part.lines if place < first)])
                start = min([start, *(since for place, since, _ in part.lines if place > last)])
        earliest = min(MAX_TIME_MS, end + self._pause if end else 0)
        return Span(earliest, max(earliest, start - self._pause if start < MAX_TIME_MS else start))


def part_problem(film: Problem, scene: Scene, places: Sequence[int], fixed: FixedLines) -> Problem:
    """One scene of the film, between the fixed lines outside it."""
    clear = fixed.clear_for(places[0], places[-1])
    elements = [film.elements[place] for place in places]
    if not clear.contains(scene.span):
        elements = [replace(element, within=bounded(element.within, clear)) for element in elements]
    elif clear != ANY_TIME:
        elements = [_limited_to(element, clear) if element.pin.override else element for element in elements]
    near = film.gaps[bisect_left(film.gap_ends, scene.span.start) :]
    near = near[: bisect_right(near, scene.span.end, key=lambda gap: gap.start)]
    return replace(
        film,
        scene=scene.id,
        span=Span(scene.span.start, max(scene.span.start + 1, scene.span.end)),
        gaps=tuple(part for gap in near if (part := gap.overlap(scene.span)) is not None and part.length),
        elements=tuple(elements),
        rules=rules_among(film.rules, {element.id for element in elements}) if film.rules else film.rules,
    )


ANY_TIME = Span(0, MAX_TIME_MS)


def _limited_to(element: Element, clear: Span) -> Element:
    start = element.pin.start or 0
    if clear.start <= start and start + max(element.durations) <= clear.end:
        return element
    return replace(element, within=bounded(element.within, clear))


def ruleless(problem: Problem) -> Problem:
    """The problem without rules and shares: its optimum bounds the problem's."""
    return replace(problem, rules=Rules(), max_share=NO_SHARE_LIMIT, previous=())


def minimal_problem(problem: Problem) -> Problem:
    """The problem in which, of the elements in rules, only the required ones are spoken: always valid."""
    must, tied = closure(problem.elements, problem.rules).must, problem.rules.mentioned

    def settled(element: Element) -> Element:
        if element.id not in tied or element.must:
            return element
        return replace(element, pin=replace(element.pin, selected=element.id in must))

    return replace(ruleless(problem), elements=tuple(settled(element) for element in problem.elements))


def quick_plan(problem: Problem, last: Plan | None, free: Plan | None = None) -> QuickPlan | None:
    """A valid plan of a part: its last one, the repaired optimum without rules or a minimal one; None if none is found.

    `free` is the optimum without rules, where it is known.
    """
    free = free or solve_exact(ruleless(problem))
    if free.objective is None:
        return None
    mended = repaired(problem, free)
    if mended is not None and mended.objective == free.objective:
        return QuickPlan(replace(mended, status=Status.OPTIMAL), proven=True)
    before = None if last is None else repaired(problem, still_valid(problem, last))
    sound = [plan for plan in (before, mended) if plan is not None] or _bare_plans(problem)
    if not sound:
        return None
    best = max(sound, key=lambda plan: plan.objective or 0)
    return QuickPlan(replace(best, bound=max(free.objective, best.objective or 0)), proven=False)


def still_valid(problem: Problem, plan: Plan) -> Plan:
    """The lines of an older plan that are still in the problem and may still be spoken."""
    known = problem.index

    def allowed(name: str, variant: int) -> bool:
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
    """Only what pins and rules require, each as early as possible; None where that exceeds a gap's share."""
    must = closure(problem.elements, problem.rules).must
    required = [replace(e, pin=replace(e.pin, selected=True)) if e.id in must else e for e in problem.elements]
    choices, failed = place_required(problem, required)
    return None if failed is not None else timed_plan(problem, choices, backend="exact", status=Status.FEASIBLE)


def share_conflict(problem: Problem) -> tuple[Conflict, ...]:
    """The irreducible conflict of pins and shares; empty where shares are not the cause."""

    def fails(candidate: Problem) -> bool:
        return minimal_plan(candidate) is None

    tied = problem.rules.mentioned
    part = replace(problem, elements=tuple(e for e in problem.elements if e.must or e.id in tied))
    if is_contradictory(part) or not fails(part):
        return ()
    return irreducible(part, fails)
