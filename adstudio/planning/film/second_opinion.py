"""Requests to the solver in the background, and the validation of its answers.

It plans the scenes with rules that are not proven at once. CP-SAT checks exact plans: the part that an edit touched is
planned again between the deliveries outside it, without a bound or a hint from the exact engine, so that it can
disagree; a scene with rules is bounded by its optimum without them.
Answers come from another process and are not trusted: only choices are read from them, which are checked, timed and
scored again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from adstudio.core.plan import Plan, Status
from adstudio.core.timebase import Span
from adstudio.planning.engines.assemble import timed_plan
from adstudio.planning.files.plan_file import has_plan, plan_json
from adstudio.planning.files.problem_file import problem_json
from adstudio.planning.film.partition import fixed, fixed_part, fusions_among, gaps_around, gaps_touching
from adstudio.planning.problem import Choice, Element, Problem, choice_of, objective_of
from adstudio.planning.verify import verify

RADIUS = 20
"""Elements on either side of an edit that a second opinion covers where there are no scenes or scenes are long."""

MAX_SCENE = 120
"""Elements up to which a scene is confirmed as a whole."""

MAX_VERIFIED = 250
"""Elements up to which a plan goes through `verify` as well, which takes 0.2 ms per element."""


class Purpose(Enum):
    """Why the solver is asked."""

    PLAN = "plan"
    CONFIRM = "confirm"
    EXPLAIN = "explain"


@dataclass(frozen=True)
class SceneRequest:
    """A problem for the worker: `scene` is the scene's id, or "" for a part of the film; `limit` is in seconds.

    `expected` is the objective of the shown plan, in billionths; `about` is the eventuality to be explained.
    """

    scene: str
    purpose: Purpose
    problem: Problem
    backend: str
    limit: float
    expected: int
    about: str = ""


def range_around(place: int, names: Sequence[str]) -> tuple[int, int]:
    """The elements of the scene around a place, or `RADIUS` on either side where there is none."""
    name = names[place]
    first, last = place, place + 1
    if name:
        while first > 0 and names[first - 1] == name and place - first < MAX_SCENE:
            first -= 1
        while last < len(names) and names[last] == name and last - place < MAX_SCENE:
            last += 1
        if last - first <= MAX_SCENE:
            return first, last
    return max(first if name else 0, place - RADIUS), min(last if name else len(names), place + RADIUS + 1)


def confirmation(
    problem: Problem, plan: Plan, run: tuple[int, int], scene: str, backend: str, limit: float
) -> SceneRequest:
    """The second opinion on a run of elements in a plan without rules, between the lines before and after it.

    Where gaps may only be filled in part, all lines outside that are in a gap with the run's are included as they are.
    """
    first, last = _with_whole_fusions(problem, *run)
    elements = {place: problem.elements[place] for place in range(first, last)}
    fused = [line.element for line in problem.fused.values() if first <= line.first < last]
    span = _room(problem, [*elements.values(), *fused])
    shared = gaps_touching(problem, span)
    room = Span(shared[0].start, shared[-1].end) if shared and problem.capped else None
    for outside in (range(first - 1, -1, -1), range(last, len(problem.elements))):
        for place in outside:
            element = problem.elements[place]
            # A fusion that a scene with rules speaks is an element of what is planned around it.
            line = plan.by_element.get(element.id) or plan.spoken_as(element.id)
            if line is None or element.id not in (line.element, line.line):
                continue
            is_own = line.element == element.id
            elements[place] = fixed(element, line) if is_own else fixed_part(problem, element, line)
            if room is None or line.end <= room.start or room.end <= line.start:
                break
    ordered = [elements[place] for place in sorted(elements)]
    part = replace(
        problem,
        scene=scene or "part",
        gaps=gaps_around(problem, [*ordered, *fused], span),
        elements=tuple(ordered),
        fusions=fusions_among(problem, ordered),
        previous=(),
    )
    known = part.index.keys() | part.fused.keys()
    choices = [choice_of(part, line) for line in plan.deliveries if line.element in known]
    return SceneRequest(scene, Purpose.CONFIRM, part, backend, limit, objective_of(part, choices))


def _with_whole_fusions(problem: Problem, first: int, last: int) -> tuple[int, int]:
    """A run of elements with all members of the fusions that say some of them."""
    lines = [line for line in problem.fused.values() if line.first < last and first <= line.last]
    start, end = min([first, *(line.first for line in lines)]), max([last, *(line.last + 1 for line in lines)])
    return (first, last) if (start, end) == (first, last) else _with_whole_fusions(problem, start, end)


def _room(problem: Problem, elements: Collection[Element]) -> Span:
    """The span in which any of the elements could be spoken, overrides aside."""
    occurrences = [element.occurrence for element in elements if element.occurrence is not None]
    if not occurrences:
        return Span(0, 0)
    reach = problem.farthest + max(max(element.durations) for element in elements)
    start = max(0, min(occurrence.start for occurrence in occurrences) - reach)
    return Span(start, max(occurrence.end for occurrence in occurrences) + reach)


def validated(problem: Problem, plan: Plan) -> Plan | None:
    """An answer's plan, its choices checked, timed and scored again; None where there is no valid one.

    Of the answer's own claims only its status and its bound, where consistent, are used.
    """
    if not has_plan(plan) or len(plan.deliveries) > len(problem.elements):
        return None
    choices = choices_in(problem, plan)
    if choices is None or not respects_pins_and_rules(problem, choices):
        return None
    proven = plan.status is Status.OPTIMAL
    sound = timed_plan(problem, choices, backend=plan.backend, status=plan.status)
    if sound is None or sound.objective is None:
        return None
    if not proven:
        sound = replace(sound, bound=max(sound.objective, plan.bound if plan.bound is not None else sound.objective))
    if len(problem.elements) <= MAX_VERIFIED and verify(problem_json(problem), plan_json(sound)):
        return None
    return sound


def choices_in(problem: Problem, plan: Plan) -> list[Choice] | None:
    """A plan's choices in textual order; None where one is unknown, out of order or repeated."""
    choices: list[Choice] = []
    after = 0  # the first place that is not said yet
    for delivery in plan.deliveries:
        line = problem.fused.get(delivery.element)
        place = problem.index.get(delivery.element) if line is None else line.first
        if place is None or place < after:
            return None
        element = problem.elements[place] if line is None else line.element
        if not 0 <= delivery.variant < len(element.durations):
            return None
        choices.append(choice_of(problem, delivery))
        after = place + (1 if line is None else line.over)
    return choices


def respects_pins_and_rules(problem: Problem, choices: Sequence[Choice]) -> bool:
    """Whether the choices satisfy rules and pins, times aside."""
    said = {name for choice in choices for name in problem.members(problem.line(choice).id)}
    chosen = {choice.place: choice.variant for choice in choices if not choice.fusion}
    for place, element in enumerate(problem.elements):
        variant, pin = chosen.get(place), element.pin
        if element.must and variant is None and element.id not in said:
            return False
        if variant is not None and (pin.selected is False or pin.variant not in (None, variant)):
            return False
    rules = problem.rules
    return (
        all(len(said.intersection(group)) <= 1 for group in rules.alternatives)
        and all(second in said for first, second in rules.requires if first in said)
        and all(len(said.intersection(group)) in (0, len(group)) for group in rules.together)
    )
