"""The film's planning problem (`film.film_problem`), updated incrementally as the script changes.

Eventualities that are the same objects as before give elements that are the same objects, which tells the planner what
it can skip. Where only lengths have changed, these are the eventualities whose wordings last as long as before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import is_

from adstudio.core.fusions import holds, lines_of
from adstudio.core.script import Eventuality, Fusion, Scene, Script
from adstudio.core.settings import Scope
from adstudio.core.timebase import Span
from adstudio.planning.film.film_problem import (
    bounded_scenes,
    element_of,
    fused_element_of,
    planned_durations,
    problem_of,
    scene_finder,
)
from adstudio.planning.live.problem_differences import common_prefix, merged_spans
from adstudio.planning.problem import Element, FusedElement, Problem

SEARCH_RADIUS = 50
"""Places on either side that are searched for the element nearest to a time."""

MAX_CHANGED_SPANS = 4
"""Stretches of changed gaps that are treated separately."""


_Fused = tuple[Fusion, tuple[Eventuality, ...], FusedElement | None]


@dataclass(frozen=True)
class _State:
    """One state of the script with its problem; `bounds` are the scenes' spans where they apply, by place.

    `fused` are the fusions by id, whether they hold or not, with what that depends on.
    """

    script: Script
    names: list[str]
    bounds: list[Span | None]
    problem: Problem
    fused: dict[str, _Fused]

    @property
    def elements(self) -> tuple[Element, ...]:
        return self.problem.elements


class IncrementalProblem:
    """Derives each state's problem from the one before; `touched` are the places where the last state differed."""

    def __init__(self) -> None:
        self._state: _State | None = None
        self.touched: tuple[int, ...] = ()

    @property
    def scenes(self) -> list[str]:
        """The scene of each element, "" for none."""
        return [] if self._state is None else self._state.names

    def bound(self, place: int) -> Span | None:
        """The span of the scene that bounds an element's delivery, if any."""
        return None if self._state is None else self._state.bounds[place]

    def update(self, script: Script, gaps: Sequence[Span]) -> Problem:
        """The problem of this state of the film: the same object as before where nothing has changed."""
        old, gaps = self._state, tuple(gaps)
        if old is None:
            self._state, self.touched = _fresh_state(script, gaps), ()
            return self._state.problem
        self._state, self.touched = _state_after(old, script, gaps)
        if gaps != old.problem.gaps and self._state.elements:
            spans = merged_spans(set(gaps) ^ set(old.problem.gaps), self._state.problem.farthest)
            self.touched += tuple(_nearest(self._state.elements, span) for span in spans[:MAX_CHANGED_SPANS])
        return self._state.problem


def _fresh_state(script: Script, gaps: tuple[Span, ...]) -> _State:
    find = scene_finder(script)
    names = [find(eventuality) for eventuality in script.eventualities]
    bounds = _bounds(script, names)
    elements = tuple(
        element_of(script, eventuality, bound) for eventuality, bound in zip(script.eventualities, bounds, strict=True)
    )
    fused = _fused_after({}, script)
    return _State(script, names, bounds, problem_of(script, gaps, elements, _elements_of(script, fused)), fused)


def _fused_after(known: Mapping[str, _Fused], script: Script) -> dict[str, _Fused]:
    """The fusions; what one is of the same lines as before is the same object."""
    found: dict[str, _Fused] = {}
    for fusion in script.fusions:
        lines, old = lines_of(script, fusion), known.get(fusion.id)
        if old is None or old[0] is not fusion or len(old[1]) != len(lines) or not all(map(is_, old[1], lines)):
            usable = fusion.id not in script.eventuality_index and holds(fusion, lines)
            old = fusion, lines, fused_element_of(script, fusion) if usable else None
        found[fusion.id] = old
    return found


def _elements_of(script: Script, fused: Mapping[str, _Fused]) -> tuple[FusedElement, ...]:
    index = script.eventuality_index
    found = [element for _, _, element in fused.values() if element is not None and element.id not in index]
    return tuple(sorted(found, key=lambda element: index[element.of[0]]))


def _state_after(old: _State, script: Script, gaps: tuple[Span, ...]) -> tuple[_State, tuple[int, ...]]:
    """The state after `old`, and the places whose elements have changed."""
    before, after = old.script.eventualities, script.eventualities
    head, tail = _common_ends(before, after)
    last = len(before) - tail
    known = {id(before[place]): place for place in range(head, last)}
    middle = [known.get(id(eventuality), -1) for eventuality in after[head : len(after) - tail]]

    names = _names_after(old, script, head, last, middle)
    bounds = _bounds(script, names)

    elements = list(old.elements)
    elements[head:last] = [
        old.elements[was] if was >= 0 else element_of(script, after[head + number], bounds[head + number])
        for number, was in enumerate(middle)
    ]
    fresh = {head + number for number, was in enumerate(middle) if was < 0}
    ends = (bounds[:head], bounds[len(bounds) - tail :])
    if ends != (old.bounds[:head], old.bounds[last:]) or any(was >= 0 for was in middle):
        for place, was in enumerate((*range(head), *middle, *range(last, len(before)))):
            if was >= 0 and bounds[place] != old.bounds[was]:
                elements[place] = element_of(script, after[place], bounds[place])
                fresh.add(place)
    if not middle and head < last and elements:
        fresh.add(min(head, len(elements) - 1))
    moved = {head + number for number, was in enumerate(middle) if was >= 0 and was != head + number}
    touched = tuple(sorted(fresh or moved))
    if script.lengths is not old.script.lengths or script.narrator != old.script.narrator:
        _renew_durations(elements, script, bounds, _lasting_otherwise(old.script, script))
        fused = _fused_after({}, script)
    else:
        fused = _fused_after(old.fused, script)
    problem = problem_of(script, gaps, tuple(elements), _elements_of(script, fused))
    return _State(script, names, bounds, old.problem if problem == old.problem else problem, fused), touched


def _lasting_otherwise(before: Script, after: Script) -> Callable[[str], bool] | None:
    """Which texts may last otherwise; None if all may."""
    if before.lengths is None or after.lengths is None or before.narrator != after.narrator:
        return None
    return after.lengths.changed_from(before.lengths, after.narrator)


def _renew_durations(
    elements: list[Element],
    script: Script,
    bounds: Sequence[Span | None],
    may_differ: Callable[[str], bool] | None,
) -> None:
    """Replace the elements whose wordings are planned to last otherwise now; the others stay the same objects."""
    for place, eventuality in enumerate(script.eventualities):
        if may_differ is not None and not any(may_differ(variant.text) for variant in eventuality.variants):
            continue
        if elements[place].durations != planned_durations(script, eventuality):
            elements[place] = element_of(script, eventuality, bounds[place])


def _names_after(old: _State, script: Script, head: int, last: int, middle: Sequence[int]) -> list[str]:
    """The scene of each element; `middle` has the old places of those between `head` and the old `last`, or −1."""
    find, after = scene_finder(script), script.eventualities
    if not _same_scenes(old.script.scenes, script.scenes):
        return [find(eventuality) for eventuality in after]
    between = [old.names[was] if was >= 0 else find(after[head + number]) for number, was in enumerate(middle)]
    return [*old.names[:head], *between, *old.names[last:]]


def _common_ends(before: Sequence[Eventuality], after: Sequence[Eventuality]) -> tuple[int, int]:
    """How many eventualities are the same at the start, and then at the end."""
    if before is after:
        return len(before), 0
    head = common_prefix(before, after)
    rest = slice(None, head - 1 if head else None, -1)
    return head, common_prefix(before[rest], after[rest])


def _same_scenes(one: Sequence[Scene], other: Sequence[Scene]) -> bool:
    return one is other or [(scene.id, scene.span) for scene in one] == [(scene.id, scene.span) for scene in other]


def _bounds(script: Script, names: Sequence[str]) -> list[Span | None]:
    """The span that each element's delivery may not leave: its scene's, where scenes are planned separately."""
    if script.settings.scope is Scope.FILM and not script.rules:
        return [None] * len(names)
    by_id, bounding = script.scene_by_id, bounded_scenes(script, names)
    return [by_id[name].span if name in bounding else None for name in names]


def _nearest(elements: Sequence[Element], span: tuple[int, int]) -> int:
    """The place of an element near the middle of a span: textual order is nearly the order of time."""
    middle = sum(span)

    def when(element: Element) -> int:
        return -1 if element.occurrence is None else element.occurrence.doubled_midpoint

    about = bisect_left(elements, middle, key=when)
    near = range(max(0, about - SEARCH_RADIUS), min(len(elements), about + SEARCH_RADIUS))
    return min(near, key=lambda place: abs(when(elements[place]) - middle), default=len(elements) - 1)
