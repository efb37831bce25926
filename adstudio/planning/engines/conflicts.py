"""Irreducible conflicts of pins and rules (DESIGN section 4).

The causes of a conflict are infeasible by themselves, and feasible without any one of them. Without rules only elements
that are pinned in matter; placing each as early as possible tests feasibility in one pass, since the shortest wording
in the earliest gap with room for it leaves the most to what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from adstudio.core.plan import Conflict, HoldConflict, RuleConflict
from adstudio.core.script import NO_PIN, Pin, Rules
from adstudio.planning.engines.frontier import states_of
from adstudio.planning.engines.options import NEVER, Option, row
from adstudio.planning.problem import Choice, Element, Problem

AROUND = 100
"""Elements before and after one that may conflict with it: further ones never do before nearer ones."""

Infeasible = Callable[[Problem], bool]


def causes_of(problem: Problem) -> list[Conflict]:
    """Every part of a pin and every rule that could be involved in a conflict, in textual order.

    A start implies `selected`, which is then not a cause of its own; penalties forbid nothing.
    """
    causes: list[Conflict] = []
    for element in problem.elements:
        pin = element.pin
        if pin.start is not None:
            causes.append(HoldConflict(element.id, "start"))
        elif pin.selected is not None:
            causes.append(HoldConflict(element.id, "selected"))
        if pin.variant is not None:
            causes.append(HoldConflict(element.id, "variant"))
    rules = problem.rules
    causes += [RuleConflict("alternatives", group) for group in rules.alternatives]
    causes += [RuleConflict("requires", pair) for pair in rules.requires]
    causes += [RuleConflict("together", group) for group in rules.together]
    return causes


def restricted_to(problem: Problem, causes: Sequence[Conflict]) -> Problem:
    """The problem with only these pins and rules."""
    names: dict[str, set[str]] = {}
    for cause in causes:
        if isinstance(cause, HoldConflict):
            names.setdefault(cause.element, set()).add(cause.hold)
    rules = [cause for cause in causes if isinstance(cause, RuleConflict)]
    return replace(
        problem,
        elements=tuple(_with_holds(element, names.get(element.id, set())) for element in problem.elements),
        rules=Rules(
            alternatives=tuple(cause.of for cause in rules if cause.rule == "alternatives"),
            requires=tuple((cause.of[0], cause.of[1]) for cause in rules if cause.rule == "requires"),
            together=tuple(cause.of for cause in rules if cause.rule == "together"),
        ),
        previous=(),
    )


def _with_holds(element: Element, names: set[str]) -> Element:
    pin = element.pin
    if not pin.held:
        return element
    remaining = Pin(
        selected=pin.selected if "selected" in names else None,
        variant=pin.variant if "variant" in names else None,
        start=pin.start if "start" in names else None,
        override=pin.override and "start" in names,
    )
    return replace(element, pin=remaining if remaining.held else NO_PIN)


def place_required(problem: Problem, elements: Sequence[Element]) -> tuple[list[Choice], int | None]:
    """Place every element that is pinned in as early as possible.

    Returns:
        The choices, by position in `elements`, and the position that could not be placed (None if all could).
    """
    states = states_of(problem)
    state = states.first_state(-NEVER)
    choices: list[Choice] = []
    for place, element in enumerate(elements):
        if not element.must:
            continue
        best: tuple[int, Option] | None = None
        for option in row(problem, element).options:
            then = states.follow(state, option)
            if then is not None and (best is None or then < best[0]):
                best = (then, option)
        if best is None:
            return choices, place
        state, option = best
        choices.append(Choice(place, option.variant, option.far))
    return choices, None


def pins_fail(problem: Problem) -> bool:
    """Whether the pins conflict, disregarding rules."""
    return place_required(problem, problem.elements)[1] is not None


def pin_conflict(problem: Problem) -> tuple[Conflict, ...]:
    """The irreducible conflict of the pins, disregarding rules; empty if they can hold."""
    _, failed = place_required(problem, problem.elements)
    if failed is None:
        return ()
    held = [element for element in problem.elements[: failed + 1] if element.must]
    latest = replace(problem, elements=tuple(held[_latest_failing(problem, held) :]), rules=Rules())
    return irreducible(latest, pins_fail)


def conflict_if_pinned_in(problem: Problem, place: int) -> tuple[Conflict, ...]:
    """The irreducible conflict of the pins if an element that is out were pinned in; rules are disregarded."""
    element = problem.elements[place]
    pinned = replace(element, pin=replace(element.pin, selected=True))
    first, last = max(0, place - AROUND), place + AROUND + 1
    elements = (*problem.elements[first:place], pinned, *problem.elements[place + 1 : last])
    return pin_conflict(replace(problem, elements=elements, previous=()))


def _latest_failing(problem: Problem, held: Sequence[Element]) -> int:
    """The last position from which the required elements still fail, by bisection: fewer are never harder."""
    low, high = 0, len(held) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if place_required(problem, held[middle:])[1] is not None:
            low = middle
        else:
            high = middle - 1
    return low


def irreducible(problem: Problem, infeasible: Infeasible) -> tuple[Conflict, ...]:
    """An irreducible set of causes of an infeasible problem (Junker's QuickXplain, AAAI 2004)."""

    def fails(causes: Sequence[Conflict]) -> bool:
        return infeasible(restricted_to(problem, causes))

    def explain(background: list[Conflict], suspects: list[Conflict], *, grown: bool) -> list[Conflict]:
        if grown and fails(background):
            return []
        if len(suspects) == 1:
            return suspects
        half = len(suspects) // 2
        first, second = suspects[:half], suspects[half:]
        of_second = explain(background + first, second, grown=True)
        of_first = explain(background + of_second, first, grown=bool(of_second))
        return of_first + of_second

    causes = causes_of(problem)
    found = set(explain([], causes, grown=False)) if causes else set[Conflict]()
    return tuple(cause for cause in causes if cause in found)
