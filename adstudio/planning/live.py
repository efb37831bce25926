"""Re-planning under the describer's hand: after an edit only what it reaches is worked out anew.

Forward and backward frontiers of the whole problem are kept. An edit replaces some rows; the frontiers around them are
recomputed outward until they equal their old selves (values are relative, so a change of worth moves nothing beyond),
the best path is repaired where it left the old one, and only the lines that could feel it are timed again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from time import perf_counter

from adstudio.core.plan import Delivery, Plan, Status
from adstudio.planning.assemble import line_of
from adstudio.planning.conflicts import pin_conflict
from adstudio.planning.exact import BACKEND
from adstudio.planning.frontier import Chain, Joint, join, join_through
from adstudio.planning.options import KEEP, Row, row
from adstudio.planning.problem import Element, Problem
from adstudio.planning.timing import Line, best_starts, deviation

Run = tuple[int, int, list[Row]]
"""Rows first…last−1 are replaced by these."""

Touched = tuple[int, int]
"""The first and the last of the forward frontiers that may differ."""

Timed = tuple[Line, Delivery, int]
"""A line, when it is spoken, and how far from what it describes (in half-milliseconds)."""


class LivePlanner:
    """The exact plan of a problem without rules, kept at hand while the problem is edited.

    Plans keep as many of the choices of the plan before as an optimum allows, so that an edit disturbs no more than it
    must. `forward.frontiers[i]` stands before row i, `backward.frontiers[n - i]` (in mirrored time) after row i - 1.
    """

    def __init__(self, problem: Problem) -> None:
        self._kept = problem.kept
        self._start(problem)

    def _start(self, problem: Problem) -> None:
        began = perf_counter()
        self.problem = replace(problem, previous=())
        rows = [self._row(element) for element in problem.elements]
        self.forward = Chain(rows)
        self.backward = Chain([each.mirrored() for each in reversed(rows)])
        self.path: list[tuple[int, int]] = self.forward.path() if self.forward.feasible else []
        self._lines: dict[str, Timed] = {}
        self.plan = self._planned(0, len(rows), began)
        self._settled = False
        self._forget()

    def _forget(self) -> None:
        """What was worked out from frontiers that have changed is worked out again when it is asked for."""
        self._sums: tuple[list[int], list[int]] | None = None
        self._backward_path: list[tuple[int, int]] | None = None

    def replan(self, problem: Problem) -> Plan:
        """The proven-best plan of the edited problem; the frontiers are then ready for the next edit.

        `previous` of the problem is not looked at: the planner knows what it planned before. Call `settle` when the
        hand rests.
        """
        self.settle()
        began = perf_counter()
        old = self.problem
        if (old.min_pause, old.delta_max) != (problem.min_pause, problem.delta_max) or not self.path:
            self._start(problem)
            return self.plan
        self.problem = replace(problem, previous=())
        first, last = self._absorb(old)
        if not self.forward.feasible:
            self.path = []
            self._lines = {}
            self.plan = self._infeasible(began)
            return self.plan
        self.plan = self._planned(*self._repair(first, last), began)
        self._settled = False
        return self.plan

    @property
    def choices(self) -> tuple[tuple[str, int], ...]:
        """The plan's choices, element and variant, in textual order."""
        return tuple((delivery.element, delivery.variant) for delivery in self.plan.deliveries)

    def objective_with(self, place: int, options: Row) -> int | None:
        """The optimum if the element at `place` had these options: what an edit brings, before anything is redone.

        In 1/KEEP of billionths; None when the pins then fail.
        """
        now, then = self._joint_at(place, self.forward.rows[place]), self._joint_at(place, options)
        return None if now is None or then is None else self.forward.best + then - now

    def _joint_at(self, place: int, options: Row) -> int | None:
        left_out = None if options.must else self._joint_without(place)
        taken = self._joint_through(place, options)
        found = [joint[0] for joint in (left_out, taken) if joint is not None]
        return max(found, default=None)

    def _joint_without(self, place: int) -> Joint | None:
        after = len(self.forward.rows) - place - 1
        return join(
            self.forward.frontiers[place],
            self.forward.floors[place],
            self.backward.frontiers[after],
            self.backward.floors[after],
            self.problem.min_pause,
        )

    def _joint_through(self, place: int, options: Row) -> Joint | None:
        after = len(self.forward.rows) - place - 1
        return join_through(
            self.forward.frontiers[place],
            options,
            self.forward.floors[place + 1],
            self.backward.frontiers[after],
            self.backward.floors[after],
            self.problem.min_pause,
        )

    def joint(self, place: int) -> int | None:
        """The optimum without the element at `place`, in 1/KEEP of billionths; None when the pins then fail."""
        joint = self._joint_without(place)
        return None if joint is None else joint[0] + self._base(place)

    def forced(self, place: int, options: Row) -> tuple[int | None, list[int]]:
        """The optimum with one of `options` taken at `place`, and which of the plan's elements then have to go."""
        joint = self._joint_through(place, options)
        if joint is None:
            return None, []
        total, prefix, suffix = joint
        last = len(self.forward.rows) - 1
        gone = list(_left_out(self.forward, place, prefix, self.path))
        gone += [last - each for each in _left_out(self.backward, last - place, suffix, self._mirrored_path)]
        return total + self._base(place), sorted(gone)

    def peek(self, problem: Problem) -> int:
        """The optimum, in billionths, of a problem with the same elements but other gaps; nothing is kept of it."""
        old = self.problem
        self.problem = replace(problem, previous=())
        runs = self._runs(self._reached(old))
        kept = [(first, last, self.forward.rows[first:last]) for first, last, _ in runs]
        for run in runs:
            self.forward.splice(*run)
        best = self.forward.best // KEEP
        for run in kept:
            self.forward.splice(*run)
        self.problem = old
        return best

    @property
    def _mirrored_path(self) -> list[tuple[int, int]]:
        """The plan's path through the backward frontiers."""
        if self._backward_path is None:
            self._backward_path = self.backward.path()
        return self._backward_path

    def _base(self, place: int) -> int:
        """The first values of the frontiers before a place and after it, which joints are relative to."""
        if self._sums is None:
            self._sums = ([*accumulate(self.forward.bases)], [*accumulate(self.backward.bases)])
        return self._sums[0][place] + self._sums[1][len(self.forward.rows) - place - 1]

    def _row(self, element: Element) -> Row:
        return row(self.problem, element, self._kept.get(element.id))

    def _absorb(self, old: Problem) -> Touched:
        """Put every row that differs from the old problem's into both chains."""
        before, after = old.elements, self.problem.elements
        head = 0
        shorter = min(len(before), len(after))
        while head < shorter and before[head] is after[head]:
            head += 1
        tail = 0
        while tail < shorter - head and before[-1 - tail] is after[-1 - tail]:
            tail += 1
        stretch = range(head, len(after) - tail)
        places = self._reached(old)
        if len(before) == len(after):
            places.update(place for place in stretch if before[place] != after[place])
            return self._splice(self._runs(places))
        rows = [self._row(after[place]) for place in stretch]
        self.path[head : len(before) - tail] = [(0, -1)] * len(rows)
        inserted = self._splice([(head, len(before) - tail, rows)])
        return _both(inserted, self._splice(self._runs(places.difference(stretch))))

    def _reached(self, old: Problem) -> set[int]:
        """The elements whose windows a change of gaps may touch."""
        changed = set(old.gaps) ^ set(self.problem.gaps)
        if not changed:
            return set()
        first, last = min(gap.start for gap in changed), max(gap.end for gap in changed)
        delta = self.problem.delta_max
        found: set[int] = set()
        for place, element in enumerate(self.problem.elements):
            occurrence = element.occurrence
            if occurrence is None:
                continue
            far = delta + max(element.durations)
            if occurrence.start - far <= last and first <= occurrence.end + far:
                found.add(place)
        return found

    def _runs(self, places: Iterable[int]) -> list[Run]:
        """New rows of these places where they differ, neighbours together, from the last to the first."""
        runs: list[Run] = []
        for place in sorted(places, reverse=True):
            fresh = self._row(self.problem.elements[place])
            if fresh == self.forward.rows[place]:
                continue
            if runs and runs[-1][0] == place + 1:
                runs[-1] = (place, runs[-1][1], [fresh, *runs[-1][2]])
            else:
                runs.append((place, place + 1, [fresh]))
        return runs

    def _splice(self, runs: Sequence[Run]) -> Touched:
        """Put new rows into both chains; the stretch of forward frontiers that may differ."""
        touched: Touched = (len(self.problem.elements), 0)
        self._forget()
        for first, last, rows in runs:
            count = len(self.forward.rows)
            touched = _both(touched, self.forward.splice(first, last, rows))
            self.backward.splice(count - last, count - first, [each.mirrored() for each in reversed(rows)])
        return touched

    def _repair(self, first: int, last: int) -> Touched:
        """Walk the best path back from `last` until it meets the old one before `first`; the rows that it passed."""
        chain = self.forward
        at = last
        ready = chain.frontiers[at][0]
        place = len(ready) - 1 if at == len(chain.rows) else bisect_left(ready, self.path[at][0])
        while at > 0 and first <= last:
            ready, value = chain.frontiers[at]
            variant, place = chain.step_back(at - 1, ready[place], value[place])
            at -= 1
            came_from = chain.frontiers[at][0][place]
            met = at < first and self.path[at][0] == came_from
            self.path[at] = (came_from, variant)
            if met:
                break
        return at, last

    def settle(self) -> None:
        """Let the next plan prefer this one's choices; done by the next `replan` unless there is time for it before."""
        if self._settled or not self.path:
            return
        self._settled = True
        index = self.problem.index
        kept = {e.id: v for e, (_, v) in zip(self.problem.elements, self.path, strict=True) if v >= 0}
        changed = {name for name, _ in self._kept.items() ^ kept.items()}
        self._kept = kept
        self._repair(*self._splice(self._runs(index[name] for name in changed if name in index)))

    def _infeasible(self, began: float) -> Plan:
        conflict = pin_conflict(self.problem)
        return Plan(Status.INFEASIBLE, BACKEND, seconds=perf_counter() - began, conflict=conflict)

    def _planned(self, first: int, last: int, began: float) -> Plan:
        """The plan of the present path, timed anew where a change of rows first…last−1 can be felt."""
        if not self.forward.feasible:
            return self._infeasible(began)
        chosen = [(place, variant) for place, (_, variant) in enumerate(self.path) if variant >= 0]
        names = [self.problem.elements[place].id for place, _ in chosen]
        known = self._lines
        a = bisect_left(chosen, (first, -1))
        b = bisect_left(chosen, (last, -1))
        lines = {name: known[name][0] for name in (*names[:a], *names[b:])}
        lines.update(
            (name, line_of(self.problem, choice)) for name, choice in zip(names[a:b], chosen[a:b], strict=True)
        )
        a, b = max(0, a - 1), min(len(names), b + 1)
        while a > 0 and not _apart(lines[names[a - 1]], lines[names[a]], self.problem.min_pause):
            a -= 1
        while b < len(names) and not _apart(lines[names[b - 1]], lines[names[b]], self.problem.min_pause):
            b += 1
        starts = best_starts([lines[name] for name in names[a:b]], self.problem.min_pause)
        if starts is None:
            raise AssertionError("the frontiers' best plan cannot be timed")
        timed: dict[str, Timed] = {name: known[name] for name in names[:a]}
        for name, (_, variant), start in zip(names[a:b], chosen[a:b], starts, strict=True):
            line = lines[name]
            away = deviation((line,), (start,))
            timed[name] = (line, Delivery(name, variant, start, start + line.length), away)
        timed.update((name, known[name]) for name in names[b:])
        self._lines = timed
        objective = self.forward.best // KEEP
        return Plan(
            Status.OPTIMAL,
            BACKEND,
            objective=objective,
            bound=objective,
            deviation=sum(away for _, _, away in timed.values()),
            seconds=round(perf_counter() - began, 6),
            deliveries=tuple(delivery for _, delivery, _ in timed.values()),
        )


def _left_out(chain: Chain, at: int, place: int, path: Sequence[tuple[int, int]]) -> Iterator[int]:
    """The rows taken on `path` but not on the way that leads to a state of `frontiers[at]`, until the two meet."""
    while at > 0:
        ready, value = chain.frontiers[at]
        if at < len(path) and path[at][0] == ready[place]:
            return
        variant, place = chain.step_back(at - 1, ready[place], value[place])
        at -= 1
        if variant < 0 <= path[at][1]:
            yield at


def _both(one: Touched, other: Touched) -> Touched:
    return min(one[0], other[0]), max(one[1], other[1])


def _apart(line: Line, following: Line, pause: int) -> bool:
    """Whether two lines can never come into each other's way, wherever they are spoken."""
    return line.windows[-1][1] + line.length + pause <= following.windows[0][0]
