"""Irreducible conflicts of pins and rules (DESIGN section 4).

The causes of a conflict are infeasible by themselves, and feasible without any one of them. Without rules only elements
that are pinned in matter; placing each as early as possible tests feasibility in one pass, since the shortest wording
in the earliest gap with room for it leaves the most to what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from adstudio.core.plan import Conflict, HoldConflict, RuleConflict
from adstudio.core.script import FUSED_LINES, NO_PIN, Pin, Rules
from adstudio.planning.engines.frontier import Chain, states_of
from adstudio.planning.engines.options import NEVER, Option, Row, row, row_at
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
    if problem.fusions:
        part = replace(problem, elements=tuple(elements), rules=Rules(), previous=())
        if part.fused:
            return _required_with_fusions(part)
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


def _required_with_fusions(problem: Problem) -> tuple[list[Choice], int | None]:
    """As `place_required`: an element may also be said by a fusion, for which there may be room where it has none.

    Which way is earliest is not known beforehand, so there are frontiers, in which all is worth the same.
    """
    needed = {place for place, element in enumerate(problem.elements) if element.must}
    for line in problem.fused.values():
        members = range(line.first, line.last + 1)
        if any(problem.elements[place].must for place in members):
            needed.update(members)
    unneeded = Row(must=False, options=(), first=NEVER)
    rows = [
        _worthless(row_at(problem, place, {})) if place in needed else unneeded
        for place in range(len(problem.elements))
    ]
    chain = Chain(rows, states=states_of(problem))
    chain.build()
    if chain.feasible:
        path = enumerate(chain.path())
        return [Choice(place, *step[1:]) for place, step in path if step.variant >= 0], None
    return [], max(place for place, frontier in enumerate(chain.frontiers) if frontier[0])


def _worthless(row: Row) -> Row:
    def each(options: Sequence[Option]) -> tuple[Option, ...]:
        return tuple([option._replace(gain=0) for option in options])

    options = each(row.options) if row.must else ()
    return row._replace(options=options, fused_from=each(row.fused_from), fused_to=each(row.fused_to))


def pins_fail(problem: Problem) -> bool:
    """Whether the pins conflict, disregarding rules."""
    return place_required(problem, problem.elements)[1] is not None


def pin_conflict(problem: Problem) -> tuple[Conflict, ...]:
    """The irreducible conflict of the pins, disregarding rules; empty if they can hold."""
    _, failed = place_required(problem, problem.elements)
    if failed is None:
        return ()
    if problem.fusions:
        return irreducible(_failing_part(problem, failed), pins_fail)
    held = [element for element in problem.elements[: failed + 1] if element.must]
    latest = replace(problem, elements=tuple(held[_latest_failing(problem, held) :]), rules=Rules())
    return irreducible(latest, pins_fail)


def _failing_part(problem: Problem, failed: int) -> Problem:
    """A stretch of a problem with fusions whose pins still fail, those before it aside; the fewer pins the better.

    Pins are lifted, not elements left out, since without one of its members a fusion could not be spoken.
    """
    elements = problem.elements[: failed + FUSED_LINES[-1]]

    def without(count: int) -> Problem:
        free = tuple(
            [replace(element, pin=NO_PIN) for element in elements[max(0, count - FUSED_LINES[-1] + 1) : count]]
        )
        return replace(problem, elements=(*free, *elements[count:]), rules=Rules(), previous=())

    low, high = 0, len(elements) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if pins_fail(without(middle)):
            low = middle
        else:
            high = middle - 1
    return without(low)


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
