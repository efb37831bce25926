"""The timed lines of a plan, updated as the plan changes: only lines that a change could affect are timed again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from copy import copy

from adstudio.core.plan import Delivery
from adstudio.planning.engines.assemble import delivery_of
from adstudio.planning.engines.lifted_caps import NONE_LIFTED, Lifted, exceeded
from adstudio.planning.engines.options import Option
from adstudio.planning.engines.timing import Line, best_starts, deviation
from adstudio.planning.live.problem_differences import common_prefix
from adstudio.planning.problem import Choice, Element, Problem


class TimedLines:
    """Lines in order of time: the places of their elements, their deliveries, and their distance from their action.

    That of a fusion is the place of its first member.
    Neighbours that can never collide nor share a gap are timed independently, so a change has no effect beyond the next
    such pair.
    """

    def __init__(self) -> None:
        self._places: list[int] = []
        self._lines: list[Line] = []
        self._deliveries: list[Delivery] = []
        self._off: list[int] = []
        self._dropped = False

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
        vars(other).update({name: value.copy() for name, value in vars(self).items() if isinstance(value, list)})
        return other

    def renumber(self, first: int, last: int, count: int) -> None:
        """Elements first…last−1 were replaced by `count` others: drop their lines, shift the places of later ones."""
        a, b = bisect_left(self._places, first), bisect_left(self._places, last)
        grown = count - (last - first)
        self._places[a:] = [place + grown for place in self._places[b:]]
        del self._lines[a:b], self._deliveries[a:b], self._off[a:b]
        self._dropped = True

    def change(
        self, problem: Problem, first: int, last: int, chosen: Sequence[tuple[int, Option]], lifted: Lifted
    ) -> Lifted:
        """Of the elements first…last−1, exactly those at these places are spoken now, each in this option.

        Returns:
            The lifted gaps into which the lines do not fit; where there are any, the lines have no times.
        """
        a, b = bisect_left(self._places, first), bisect_left(self._places, last)
        elements = [_element(problem, place, option) for place, option in chosen]
        lines = [_line(problem, element, option) for element, (_, option) in zip(elements, chosen, strict=True)]
        deliveries = [delivery_of(problem, e, o.variant, 0) for e, (_, o) in zip(elements, chosen, strict=True)]
        now = [(d.element, d.variant, line) for d, line in zip(deliveries, lines, strict=True)]
        before = [(self._deliveries[n].element, self._deliveries[n].variant, self._lines[n]) for n in range(a, b)]
        self._places[a:b] = [place for place, _ in chosen]
        # Where lines were dropped, their neighbours are timed again though they are the same.
        head = 0 if self._dropped else common_prefix(before, now)
        if head == len(before) == len(now) and not self._dropped:
            return NONE_LIFTED
        tail = 0 if self._dropped else common_prefix(before[head:][::-1], now[head:][::-1])
        self._dropped = False
        until = len(now) - tail
        self._lines[a + head : b - tail] = lines[head:until]
        self._deliveries[a + head : b - tail] = deliveries[head:until]
        self._off[a + head : b - tail] = [0] * (until - head)
        return self._time(problem, a + head, a + until, lifted)

    def overfull_with(self, problem: Problem, changed: Mapping[int, Option | None], lifted: Lifted) -> Lifted:
        """The lifted gaps into which the lines do not fit with these options in place of what is spoken now."""
        if not changed:
            return NONE_LIFTED
        first, last = bisect_left(self._places, min(changed)), bisect_right(self._places, max(changed))
        known = dict(zip(self._places[first:last], self._lines[first:last], strict=True))
        for place, option in changed.items():
            known.pop(place, None)
            if option is not None:
                known[place] = _line(problem, _element(problem, place, option), option)
        lines = [known[place] for place in sorted(known)]
        pause = problem.min_pause
        while first > 0 and not (lines and _unshared(self._lines[first - 1], lines[0], pause)):
            first -= 1
            lines.insert(0, self._lines[first])
        while last < len(self._lines) and not (lines and _unshared(lines[-1], self._lines[last], pause)):
            lines.append(self._lines[last])
            last += 1
        if not any(start in lifted for line in lines for start, _, _ in line.gaps or ()):
            return NONE_LIFTED
        return NONE_LIFTED if best_starts(lines, pause) is not None else exceeded(lines, lifted)

    def _time(self, problem: Problem, first: int, last: int, lifted: Lifted) -> Lifted:
        pause, lines, count = problem.min_pause, self._lines, len(self._lines)
        first, last = max(0, first - 1), min(count, last + 1)
        independent = _unshared if problem.capped else _apart
        while first > 0 and not independent(lines[first - 1], lines[first], pause):
            first -= 1
        while last < count and not independent(lines[last - 1], lines[last], pause):
            last += 1
        starts = best_starts(lines[first:last], pause)
        if starts is None:
            self._dropped = True
            full = exceeded(lines[first:last], lifted)
            if not full:
                raise AssertionError("the frontiers' best plan cannot be timed")
            return full
        for number, start in enumerate(starts, start=first):
            line, known = lines[number], self._deliveries[number]
            span = start, start + line.length
            self._deliveries[number] = Delivery(known.element, known.variant, *span, members=known.members)
            self._off[number] = deviation((line,), (start,))
        return NONE_LIFTED


def _element(problem: Problem, place: int, option: Option) -> Element:
    return problem.line(Choice(place, option.variant, option.far, option.fusion))


def _line(problem: Problem, element: Element, option: Option) -> Line:
    """The line with the caps of all gaps, lifted ones included."""
    target = None if element.occurrence is None else element.occurrence.doubled_midpoint
    gaps = option.gaps
    if gaps is not None:
        gaps = tuple([problem.cap_from[start] for start, _, _ in gaps])
    return Line(option.length, option.windows, gaps, target)


def _apart(line: Line, following: Line, pause: int) -> bool:
    """Whether two lines can never collide, wherever they are spoken."""
    return line.windows[-1][1] + line.length + pause <= following.windows[0][0]


def _unshared(line: Line, following: Line, pause: int) -> bool:
    """Whether they and their other neighbours can share no gap either; an override, which is in none, may hide that."""
    if line.gaps is None or following.gaps is None:
        return False
    return _apart(line, following, pause) and line.gaps[-1] < following.gaps[0]
