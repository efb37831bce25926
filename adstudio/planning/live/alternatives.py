"""What other plans would be: without a line, with another wording or pin, with longer gaps.

A prefix of the film, what is asked about, and a suffix are joined; the plan itself does not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from adstudio.core.plan import Plan
from adstudio.planning.engines.frontier import Joint
from adstudio.planning.engines.lifted_caps import NONE_LIFTED, Lifted
from adstudio.planning.engines.options import Option, Row
from adstudio.planning.engines.traceback import Path, Rewording, rewordings, rewordings_to
from adstudio.planning.live.incremental import IncrementalPlanner, Run, Touched, union
from adstudio.planning.live.problem_differences import places_reached
from adstudio.planning.problem import Problem


class Alternative(NamedTuple):
    """Another plan than the present one: its objective, in 1/GAIN_SCALE of billionths, and what it takes instead.

    `runs` are the rows that it has in place of the present ones.
    """

    objective: int
    changed: list[Rewording]
    runs: tuple[Run, ...] = ()


class LivePlanner(IncrementalPlanner):
    """A planner that also knows what other plans would be worth, and what they would take instead.

    Where another plan might not keep a lifted cap, a copy that knows that cap is asked (`_detailed`, with the plan that
    it was made for).
    """

    _detailed: tuple[Plan, LivePlanner] | None = None

    def objective_with(self, place: int, options: Row) -> int | None:
        """The optimum if the element at `place` had these options, in 1/GAIN_SCALE of billionths.

        None where the pins then conflict.
        """
        self.settle()
        run: Run = (place, place + 1, [options])

        def find() -> Alternative | None:
            if self._is_beyond_clamps(place, options):
                return self._with_rows([run])
            found = self._joint_through(place, options)
            through = None if found is None else found[0]
            without = None if options.must else self._joint_without(place)
            if found is not None and through is not None and (without is None or through[0] > without[0]):
                own = Rewording(place, found[1].variant, found[1].far)
                return self._alternative(place, through, own)._replace(runs=(run,))
            return None if without is None else self._alternative(place, without, Rewording(place, -1))

        other = find()
        if other is None:
            return None
        full = self._overfull(other, self.problem)
        return self._with_caps(full).objective_with(place, options) if full else other.objective

    def _is_beyond_clamps(self, place: int, options: Row) -> bool:
        """Whether options start or end where nothing could before: frontiers are clamped to what was possible."""
        if options is self.forward.rows[place]:
            return False
        after = len(self.forward.rows) - place - 1
        early = options.first < self.forward.floors[place]
        return early or options.mirrored().first < self.backward.floors[after]

    def without(self, place: int) -> Alternative | None:
        """The best plan without the element at `place`; None where the pins then conflict."""
        self.settle()
        joint = self._joint_without(place)
        if joint is None:
            return None
        other = self._alternative(place, joint, Rewording(place, -1))
        full = self._overfull(other, self.problem)
        return self._with_caps(full).without(place) if full else other

    def forced(self, place: int, options: Row) -> Alternative | None:
        """The best plan with one of `options`, which may be new, chosen at `place`; None if there is none."""
        self.settle()
        own = options is self.forward.rows[place]
        other = self._forced(place, options)
        if other is None:
            return None
        mine = other if own else other._replace(runs=((place, place + 1, [options]),))
        full = self._overfull(mine, self.problem)
        if not full:
            return other
        planner = self._with_caps(full)
        return planner.forced(place, planner.forward.rows[place] if own else options)

    def _forced(self, place: int, options: Row) -> Alternative | None:
        if self._is_beyond_clamps(place, options):
            return self._with_rows([(place, place + 1, [options._replace(must=True)])])
        found = self._joint_through(place, options)
        if found is None:
            return None
        joint, taken = found
        return self._alternative(place, joint, Rewording(place, taken.variant, taken.far))

    def _alternative(self, place: int, joint: Joint, own: Rewording) -> Alternative:
        """The plan through a joint, with what it takes at `place`."""
        total, prefix, suffix = joint
        last = len(self.forward.rows) - 1
        after = rewordings_to(self.backward, last - place, suffix, self._mirrored_path)
        changed = rewordings_to(self.forward, place, prefix, self.path)[::-1]
        changed.append(own)
        changed += [Rewording(last - at, variant, far) for at, variant, far in after]
        return Alternative(total + self._base(place), changed)

    def peek(self, problem: Problem) -> Alternative | None:
        """The best plan of a problem with the same elements but other gaps; None where the pins then conflict.

        The plan does not change.
        """
        self.settle()
        old = self.problem
        self.problem = replace(problem, previous=())
        runs = self._runs(places_reached(old, self.problem))
        self.problem = old
        other = self._with_rows(runs)
        full = NONE_LIFTED if other is None else self._overfull(other, problem)
        return self._with_caps(full).peek(problem) if full else other

    def _with_rows(self, runs: Sequence[Run]) -> Alternative | None:
        """The best plan with other rows."""
        with self.forward.temporarily():
            touched: Touched = (len(self.forward.rows), 0)
            for run in runs:
                touched = union(touched, self.forward.splice(*run))
            if not self.forward.feasible:
                return None
            changed = rewordings(self.forward, self.path, *touched) if runs else ()
            return Alternative(self.forward.best, sorted(changed), tuple(runs))

    def _joint_without(self, place: int) -> Joint | None:
        after = len(self.forward.rows) - place - 1
        return self.forward.states.join(
            self.forward.frontiers[place],
            self.forward.floors[place],
            self.backward.frontiers[after],
            self.backward.floors[after],
            self.problem,
        )

    def _joint_through(self, place: int, options: Row) -> tuple[Joint, Option] | None:
        after = len(self.forward.rows) - place - 1
        return self.forward.states.join_through(
            self.forward.frontiers[place],
            options,
            self.forward.floors[place + 1],
            self.backward.frontiers[after],
            self.backward.floors[after],
            self.problem,
        )

    def _base(self, place: int) -> int:
        """The first values of the frontiers before and after a place, which joints are relative to."""
        if self._sums is None:
            self._sums = ([*accumulate(self.forward.bases)], [*accumulate(self.backward.bases)])
        return self._sums[0][place] + self._sums[1][len(self.forward.rows) - place - 1]

    @property
    def _mirrored_path(self) -> Path:
        """The plan's path through the backward frontiers."""
        if self._backward_path is None:
            self._backward_path = self.backward.path()
        return self._backward_path

    def _with_caps(self, caps: Lifted) -> LivePlanner:
        """A copy of this planner that knows the caps of these gaps too: asking changes no plan."""
        if self._detailed is None or self._detailed[0] is not self.plan:
            other = self.fork()
            other.keep_caps(caps)
            self._detailed = (self.plan, other)
        return self._detailed[1]

    def _overfull(self, other: Alternative, problem: Problem) -> Lifted:
        """The lifted gaps that may not have room for another plan of this problem."""
        if not self._lifted:
            return NONE_LIFTED
        rows = {place: row for first, _, fresh in other.runs for place, row in enumerate(fresh, start=first)}
        changed: dict[int, Option | None] = {}
        for place, variant, far in other.changed:
            options = rows.get(place, self.forward.rows[place])
            changed[place] = None if variant < 0 else options.option(variant, far)
        # Lines in the same wording may be in other gaps, where gaps are others.
        for place in rows.keys() - changed.keys() if problem is not self.problem else ():
            step = self.path[place]
            if step.variant >= 0:
                changed[place] = rows[place].option(step.variant, step.far)
        return self._timed.overfull_with(problem, changed, self._lifted)
