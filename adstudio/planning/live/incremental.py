"""Incremental re-planning: after an edit, only what it affects is computed again.

The forward and backward frontiers of the whole problem are stored. An edit replaces some rows; the frontiers around
them are recomputed outward until they equal the old ones (values are relative, so a changed value moves nothing
beyond), the best path is repaired where it left the old one, and only lines that could be affected are timed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from time import perf_counter
from typing import Self

from adstudio.core.plan import Plan, Status
from adstudio.core.script import FUSED_LINES
from adstudio.planning.engines.branch_and_bound import Ruleless
from adstudio.planning.engines.conflicts import pin_conflict
from adstudio.planning.engines.exact import BACKEND
from adstudio.planning.engines.frontier import Chain, PathStep, merged_ranges, states_of
from adstudio.planning.engines.lifted_caps import Lifted, lifted_after, long_gaps, rows_reaching
from adstudio.planning.engines.options import GAIN_SCALE, Option, Row, row_at
from adstudio.planning.engines.traceback import Path, repair_path, visited
from adstudio.planning.live.problem_differences import changed_range, common_prefix, places_reached
from adstudio.planning.live.timed_lines import TimedLines
from adstudio.planning.problem import FusedLine, Problem, share_fused_lines

ROWS_AT_ONCE = 150
"""How many rows' backward frontiers are built in one step of `settle`, which is to take a few milliseconds."""

Run = tuple[int, int, list[Row]]
"""Rows first…last−1 are replaced by these."""

Touched = tuple[int, int]
"""The first and the last of the forward frontiers that may differ."""


class IncrementalPlanner:
    """The exact plan of a problem without rules, updated while the problem is edited.

    Among optimal plans, the one with the most choices in common with the last plan is chosen, so that an edit changes
    no more than it must. `forward.frontiers[i]` is before row i, `backward.frontiers[n - i]` (in mirrored time) after
    row i - 1. An edit updates the forward frontiers at once, which give the plan; `settle` does the rest: `_stale` are
    the rows that the backward frontiers do not have yet, and where `_replaced` is (first, last, count), they have rows
    first…last−1 in place of the current `count`.
    """

    def __init__(self, problem: Problem) -> None:
        self._preferred = problem.previous_variants
        self._start(problem)

    def _start(self, problem: Problem) -> None:
        began = perf_counter()
        self.problem = _without_previous(problem)
        self._lifted = long_gaps(problem)
        rows = [self._row(place) for place in range(len(problem.elements))]
        states = states_of(self.problem)
        self.forward = Chain(rows, states=states)
        self.forward.build()
        self.backward = Chain([each.mirrored() for each in reversed(rows)], states=states)
        self.path: Path = self.forward.path() if self.forward.feasible else []
        self._timed = TimedLines()
        self._stale = set[int]()
        self._replaced: tuple[int, int, int] | None = None
        self._changed_choices = {
            place
            for place in range(len(self.path))
            if any(self._preferred.get(line, -1) != variant for line, variant in self._taken_of(place))
        }
        self._sums: tuple[list[int], list[int]] | None = None
        self._backward_path: Path | None = None
        self.plan = self._planned(0, len(rows), began)

    def fork(self) -> Self:
        """An independent planner in the same state, to see what an edit would bring."""
        self.settle()
        other = copy(self)
        vars(other).update(
            forward=self.forward.fork(),
            backward=self.backward.fork(),
            path=self.path.copy(),
            _preferred=self._preferred.copy(),
            _timed=self._timed.fork(),
            _stale=self._stale.copy(),
            _changed_choices=self._changed_choices.copy(),
            _backward_path=None if self._backward_path is None else self._backward_path.copy(),
        )
        return other

    def replan(self, problem: Problem) -> Plan:
        """The optimal plan of the edited problem.

        The problem's `previous` is ignored: the planner knows what it planned before. Call `settle` when the user
        pauses; otherwise the next call does.
        """
        began = perf_counter()
        old, problem = self.problem, _without_previous(problem)
        share_fused_lines(problem, old)
        if old.limits != problem.limits or not self.path:
            self._note_choices()
            self._forget_fusions(problem)
            self._start(problem)
            return self.plan
        self.settle()
        self._forget_fusions(problem)
        self.problem = problem
        self._lifted = lifted_after(old, self._lifted, self.problem)
        self._sums = None
        first, last = self._absorb(old)
        if self.forward.feasible:
            first, last = self._repair(first, last)
        else:
            self.path = []
        # A moved occurrence may leave every window as it was: the choice is the same, but its line is timed again.
        first, last = union((first, last), changed_range(old, self.problem))
        for line in self._changed_fusions(old):
            first, last = union((first, last), (line.first, line.last + 1))
        self.plan = self._planned(first, last, began)
        return self.plan

    def prefer(self, plan: Plan) -> Plan:
        """Prefer this plan among equally good ones, as when undo returns to it; the plan that results."""
        self.settle()
        began = perf_counter()
        spoken = plan.by_element
        places: list[int] = []
        for place in range(len(self.path)):
            for line, variant in self._taken_of(place):
                wanted = spoken[line].variant if line in spoken else -1
                if wanted != variant:
                    places.append(place)
                    self._prefer(line, wanted)
        first, last = self._repair(*self._splice(self._runs(places)))
        self._changed_choices = {
            p
            for p in self._changed_choices
            if any(variant != self._preferred.get(line, -1) for line, variant in self._taken_of(p))
        }
        self.plan = self._planned(first, last, began)
        return self.plan

    @property
    def ruleless(self) -> Ruleless:
        """The frontiers, where a search under rules may start."""
        return Ruleless(self.forward, self.path, self._lifted)

    def keep_caps(self, caps: Lifted) -> None:
        """Plan with the caps of these gaps, which were lifted."""
        self.plan = self._planned(*self._put_back(caps), perf_counter())
        self.settle()

    def settle(self) -> None:
        """Make the next plan prefer this one's choices, and update the backward frontiers."""
        while self.settle_some():
            pass

    def settle_some(self) -> bool:
        """One step of `settle`; returns whether there was anything to do."""
        if self.path and self._changed_choices:
            self._prefer_present()
            return True
        if self.path and self.backward.build(ROWS_AT_ONCE):
            return True
        if self.path and (self._stale or self._replaced is not None):
            self._catch_up()
            return True
        return False

    def _prefer_present(self) -> None:
        """Make the next plan prefer this one's choices."""
        self._repair(*self._splice(self._runs(self._note_choices())))
        self._changed_choices.clear()
        self._sums = None

    def _note_choices(self) -> set[int]:
        """Note this plan's choices as the preferred ones; returns the places where they are new."""
        moved, self._changed_choices = self._changed_choices, set[int]()
        for place in moved if self.path else ():
            for line, variant in self._taken_of(place):
                self._prefer(line, variant)
        return moved

    def _prefer(self, line: str, variant: int) -> None:
        """Prefer a variant of an element or fusion, or none where that is −1."""
        if variant >= 0:
            self._preferred[line] = variant
        else:
            self._preferred.pop(line, None)

    def _forget_fusions(self, problem: Problem) -> None:
        """Prefer no fusion any more that may not be spoken in the problem that is to be planned."""
        for name in self.problem.fused.keys() - problem.fused.keys():
            self._preferred.pop(name, None)

    def _taken_of(self, place: int) -> Iterator[tuple[str, int]]:
        """The element at a place and the fusions that begin there, each with the variant that is taken, or −1."""
        step = self.path[place]
        yield self.problem.elements[place].id, -1 if step.fusion else step.variant
        for line in self.problem.fused_from.get(place, ()):
            yield line.fusion.id, step.variant if step.fusion == line.fusion.id else -1

    def _catch_up(self) -> None:
        """Update the backward frontiers."""
        rows, count = self.forward.rows, len(self.forward.rows)
        touched: Touched = (count, 0)
        if self._replaced is not None:
            first, last, fresh = self._replaced
            before = len(self.backward.rows)
            mirrored = [each.mirrored() for each in reversed(rows[first : first + fresh])]
            self.backward.splice(before - last, before - first, mirrored)
            self._stale.difference_update(range(first, first + fresh))
            self._replaced = None
        for first, last in merged_ranges(self._stale):
            mirrored = [each.mirrored() for each in reversed(rows[first:last])]
            touched = union(touched, self.backward.splice(count - last, count - first, mirrored))
        self._stale.clear()
        self._sums = None
        if self._backward_path is not None and self.backward.feasible:
            repair_path(self.backward, self._backward_path, *touched)
        else:
            self._backward_path = None

    @property
    def choices(self) -> tuple[tuple[str, int], ...]:
        """The plan's choices, element and variant, in textual order."""
        return self.plan.choices

    def _row(self, place: int) -> Row:
        return row_at(self.problem, place, self._preferred, self._lifted)

    def _absorb(self, old: Problem) -> Touched:
        """Splice every row that differs from the old problem's into the forward chain."""
        before, after = old.elements, self.problem.elements
        head = common_prefix(before, after)
        tail = common_prefix(before[: head - 1 if head else None : -1], after[: head - 1 if head else None : -1])
        if len(before) != len(after) and (old.fusions or self.problem.fusions):
            # So that those that lose or gain a member are within what is replaced.
            beside = FUSED_LINES[-1] - 1
            head, tail = max(0, head - beside), max(0, tail - beside)
        changed = range(head, len(after) - tail)
        places = places_reached(old, self.problem)
        places.update(place for line in self._changed_fusions(old) for place in (line.first, line.last))
        last = len(before) - tail
        fresh = after[head : len(after) - tail]
        for gone in {element.id for element in before[head:last]}.difference(element.id for element in fresh):
            self._preferred.pop(gone, None)
        if len(before) == len(after):
            places.update(place for place in changed if before[place] is not after[place])
            # A replaced element has no preferred choice yet, even where the choice happens to be the same.
            self._changed_choices.update(place for place in changed if before[place].id != after[place].id)
            return self._splice(self._runs(places))
        rows = [self._row(place) for place in changed]
        if self.problem.fusions:
            # What was preferred there may have been a fusion, which the steps below do not tell.
            self._changed_choices.update(changed)
        self.path[head:last] = [PathStep(0, self._preferred.get(element.id, -1)) for element in fresh]
        self._timed.renumber(head, last, len(rows))
        self._backward_path = None
        self._replaced = (head, last, len(rows))
        inserted = self.forward.splice(head, last, rows)
        return union(inserted, self._splice(self._runs(places.difference(changed))))

    def _runs(self, places: Iterable[int]) -> list[Run]:
        """The rows of these places that have changed, grouped where close together, from the last to the first.

        With a row at one end of a fusion, that at its other end is looked at.
        """
        fused_from, fused_to = self.problem.fused_from, self.problem.fused_to
        if fused_from:
            places = set(places)
            ends = [line for place in places for found in (fused_from, fused_to) for line in found.get(place, ())]
            places.update(place for line in ends for place in (line.first, line.last))
        fresh = {place: self._row(place) for place in places}
        rows = self.forward.rows
        changed = [place for place, new in fresh.items() if new != rows[place]]
        return [
            (first, last, [fresh.get(place, rows[place]) for place in range(first, last)])
            for first, last in merged_ranges(changed)
        ]

    def _splice(self, runs: Sequence[Run]) -> Touched:
        """Splice new rows into the forward chain; the range of its frontiers that may differ."""
        touched: Touched = (len(self.problem.elements), 0)
        for first, last, rows in runs:
            touched = union(touched, self.forward.splice(first, last, rows))
            self._stale.update(range(first, last))
        return touched

    def _repair(self, first: int, last: int) -> Touched:
        """Repair the path where frontiers first…last differ; the range of rows that was examined."""
        if first > last:
            return first, last  # nothing differs
        last = visited(self.path, last)
        at, moved = repair_path(self.forward, self.path, first, last)
        self._changed_choices.update(moved)
        return at, last

    def _planned(self, first: int, last: int, began: float) -> Plan:
        """The plan of the current path, after rows first…last−1 may have changed."""
        while self.forward.feasible:
            full = self._timed.change(self.problem, first, last, self._chosen(first, last), self._lifted)
            if not full:
                break
            first, last = union((first, last), self._put_back(full))
        else:
            self.path = []
            conflict = pin_conflict(self.problem)
            return Plan(Status.INFEASIBLE, BACKEND, seconds=perf_counter() - began, conflict=conflict)
        objective, bound = self.forward.best // GAIN_SCALE, self.forward.bound // GAIN_SCALE
        return Plan(
            Status.OPTIMAL if objective == bound else Status.FEASIBLE,
            BACKEND,
            objective=objective,
            bound=bound,
            deviation=self._timed.deviation,
            seconds=round(perf_counter() - began, 6),
            deliveries=self._timed.deliveries,
        )

    def _chosen(self, first: int, last: int) -> list[tuple[int, Option]]:
        """What the path takes of rows first…last−1."""
        part = enumerate(self.path[first:last], start=first)
        return [(place, self.forward.rows[place].option(*step[1:])) for place, step in part if step.variant >= 0]

    def _changed_fusions(self, old: Problem) -> list[FusedLine]:
        """The fusions that are new, or other than in an older problem, and where those that are gone would be."""
        if not old.fusions and not self.problem.fusions:
            return []
        before, after, index = old.fused, self.problem.fused, self.problem.index
        found: list[FusedLine] = []
        for name, line in after.items():
            was = before.get(name)
            if was is line:
                continue
            if was is None or was.fusion != line.fusion or was.element.within != line.element.within:
                found.append(line)
        for name, line in before.items():
            if name not in after:
                left = [index[member] for member in line.fusion.of if member in index]
                found += [line._replace(first=place, last=place) for place in left]
        return found

    def _put_back(self, caps: Lifted) -> Touched:
        """Put the caps of these gaps back into the frontiers; the range of rows whose choice may be another now."""
        self._lifted -= caps
        self._sums = None
        touched = self._splice(self._runs(rows_reaching(self.forward.rows, caps)))
        return self._repair(*touched) if self.forward.feasible else touched


def _without_previous(problem: Problem) -> Problem:
    return replace(problem, previous=()) if problem.previous else problem


def union(one: Touched, other: Touched) -> Touched:
    """The range that covers both."""
    return min(one[0], other[0]), max(one[1], other[1])
