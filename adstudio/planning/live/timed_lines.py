"""The timed lines of a plan, updated as the plan changes: only lines that a change could affect are timed again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from copy import copy

from adstudio.core.plan import Delivery
from adstudio.planning.engines.assemble import line_of
from adstudio.planning.engines.timing import Line, best_starts, deviation
from adstudio.planning.problem import Choice, Problem
from adstudio.planning.windows import NO_GAP


class TimedLines:
    """Lines in order of time: the places of their elements, their deliveries, and their distance from their action.

    Neighbours that can never collide nor share a gap are timed independently, so a change has no effect beyond the next
    such pair.
    """

    def __init__(self) -> None:
        self._places: list[int] = []
        self._lines: list[Line] = []
        self._deliveries: list[Delivery] = []
        self._off: list[int] = []

    @property
    def deliveries(self) -> tuple[Delivery, ...]:
        """The lines in order of time."""
        return tuple(self._deliveries)

    @property
    def deviation(self) -> int:
        """Σ|midpoint − m_i| in half-milliseconds."""
        return sum(self._off)

    def fork(self) -> TimedLines:
        """An independent copy."""
        other = copy(self)
        vars(other).update({name: value.copy() for name, value in vars(self).items()})
        return other

    def renumber(self, first: int, last: int, count: int) -> None:
        """Elements first…last−1 were replaced by `count` others: drop their lines, shift the places of later ones."""
        a, b = bisect_left(self._places, first), bisect_left(self._places, last)
        grown = count - (last - first)
        self._places[a:] = [place + grown for place in self._places[b:]]
        del self._lines[a:b], self._deliveries[a:b], self._off[a:b]

    def change(self, problem: Problem, first: int, last: int, chosen: Sequence[Choice]) -> None:
        """Of the elements first…last−1, exactly `chosen` are spoken now; anything about them may have changed."""
        a, b = bisect_left(self._places, first), bisect_left(self._places, last)
        self._places[a:b] = [choice.place for choice in chosen]
        self._lines[a:b] = [line_of(problem, choice) for choice in chosen]
        self._deliveries[a:b] = [Delivery(problem.elements[c.place].id, c.variant, 0, 0) for c in chosen]
        self._off[a:b] = [0] * len(chosen)
        self._time(problem, a, a + len(chosen))

    def _time(self, problem: Problem, first: int, last: int) -> None:
        pause, capacities = problem.min_pause, problem.capacities if problem.capped else None
        lines, count = self._lines, len(self._lines)
        first, last = max(0, first - 1), min(count, last + 1)
        independent = _apart if capacities is None else _unshared
        while first > 0 and not independent(lines[first - 1], lines[first], pause):
            first -= 1
        while last < count and not independent(lines[last - 1], lines[last], pause):
            last += 1
        starts = best_starts(lines[first:last], pause, capacities)
        if starts is None:
            raise AssertionError("the frontiers' best plan cannot be timed")
        for number, start in enumerate(starts, start=first):
            line, known = lines[number], self._deliveries[number]
            self._deliveries[number] = Delivery(known.element, known.variant, start, start + line.length)
            self._off[number] = deviation((line,), (start,))


def _apart(line: Line, following: Line, pause: int) -> bool:
    """Whether two lines can never collide, wherever they are spoken."""
    return line.windows[-1][1] + line.length + pause <= following.windows[0][0]


def _unshared(line: Line, following: Line, pause: int) -> bool:
    """Whether they and their other neighbours can share no gap either; an override, which is in none, may hide that."""
    return _apart(line, following, pause) and NO_GAP < line.gaps[-1] < following.gaps[0]
