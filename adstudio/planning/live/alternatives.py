"""What other plans would be: without a line, with another wording or pin, with longer gaps.

A prefix of the film, what is asked about, and a suffix are joined; the plan itself does not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from adstudio.core.plan import Plan
from adstudio.core.script import FUSED_LINES
from adstudio.planning.engines.frontier import Joint
from adstudio.planning.engines.lifted_caps import NONE_LIFTED, Lifted
from adstudio.planning.engines.options import Option, Row, row_at
from adstudio.planning.engines.traceback import Path, Rewording, Step, reworded, rewording, rewordings, rewordings_to
from adstudio.planning.live.incremental import IncrementalPlanner, Run, Touched, union
from adstudio.planning.live.problem_differences import places_reached
from adstudio.planning.problem import Element, FusedLine, Problem


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

        None where the pins then conflict. The fusions that say it are as they are.
        """
        self.settle()
        present = self.forward.rows[place]
        if present.fused_from or present.fused_to:
            first = min(options.first, present.first)
            options = options._replace(first=first, fused_from=present.fused_from, fused_to=present.fused_to)
        run: Run = (place, place + 1, [options])

        def find() -> Alternative | None:
            if self._is_beyond_clamps(place, options) or self._fusions_of(place):
                return self._with_rows([run])
            found = self._joint_through(place, place, options)
            through = None if found is None else found[0]
            without = None if options.must else self._joint_without(place)
            if found is not None and through is not None and (without is None or through[0] > without[0]):
                return self._alternative(Step(place, place + 1, found[1]), through)._replace(runs=(run,))
            return None if without is None else self._alternative(Step(place, place + 1, None), without)

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
        other = self._alternative(Step(place, place + 1, None), joint)
        full = self._overfull(other, self.problem)
        return self._with_caps(full).without(place) if full else other

    def forced(self, place: int, options: Row) -> Alternative | None:
        """The best plan with one of `options`, which may be new, chosen at `place`; None if there is none.

        Where they are those of the element as it is, fusions that say it count as well.
        """
        self.settle()
        other = self._forced(place, options)
        if options is self.forward.rows[place]:
            return self._in_any_way(place, other)
        if other is None:
            return None
        full = self._overfull(other._replace(runs=((place, place + 1, [options]),)), self.problem)
        return self._with_caps(full).forced(place, options) if full else other

    def each_forced(self, places: Sequence[int]) -> list[Alternative | None]:
        """As `forced` with their own options for many elements, which is quicker together."""
        self.settle()
        if self.problem.capped:
            from adstudio.planning.engines.capped_joints import joints_through

            joints = joints_through(self.forward, self.backward, places, self.problem)
        else:
            joints = [self._joint_through(place, place, self.forward.rows[place]) for place in places]
        found: list[Alternative | None] = []
        for place, through in zip(places, joints, strict=True):
            own = None if through is None else self._alternative(Step(place, place + 1, through[1]), through[0])
            found.append(self._in_any_way(place, own))
        return found

    def _in_any_way(self, place: int, own: Alternative | None) -> Alternative | None:
        """The best plan with an element said by itself, which is known, or by a fusion."""
        other = own
        for fused in self._fusions_of(place):
            through = self._through(fused)
            if through is not None and (other is None or through.objective > other.objective):
                other = through
        if other is None:
            return None
        full = self._overfull(other, self.problem)
        if not full:
            return other
        planner = self._with_caps(full)
        return planner.forced(place, planner.forward.rows[place])

    def _forced(self, place: int, options: Row) -> Alternative | None:
        if self._is_beyond_clamps(place, options):
            runs = self._without_fusions_of(place) or [(place, place + 1, [options])]
            (first, last, rows), *_ = runs
            fresh = [options._replace(must=True) if at == place else row for at, row in enumerate(rows, start=first)]
            return self._with_rows([(first, last, fresh)])
        found = self._joint_through(place, place, options)
        return None if found is None else self._alternative(Step(place, place + 1, found[1]), found[0])

    def fused(self, line: FusedLine) -> Alternative | None:
        """The best plan with a fusion spoken; None where the pins then conflict."""
        self.settle()
        options = [o for o in self.forward.rows[line.first].fused_from if o.fusion == line.fusion.id]
        other = self._through(options)
        if other is None:
            return None
        full = self._overfull(other, self.problem)
        return self._with_caps(full).fused(line) if full else other

    def without_fused(self, line: FusedLine) -> Alternative | None:
        """The best plan without a fusion; None where the pins then conflict."""
        self.settle()
        other = self._with_rows(self._without({line.fusion.id}, range(line.first, line.last + 1)))
        full = NONE_LIFTED if other is None else self._overfull(other, self.problem)
        return self._with_caps(full).without_fused(line) if full else other

    def with_element(self, place: int, version: Element) -> Alternative | None:
        """The best plan with another version of an element, and of the fusions that may say that."""
        self.settle()
        elements = self.problem.elements
        asked = replace(self.problem, elements=(*elements[:place], version, *elements[place + 1 :]))
        beside = FUSED_LINES[-1] - 1
        first, last = max(0, place - beside), min(len(elements), place + beside + 1)
        rows = [row_at(asked, at, self._preferred, self._lifted) for at in range(first, last)]
        other = self._with_rows([(first, last, rows)])
        full = NONE_LIFTED if other is None else self._overfull(other, asked)
        return self._with_caps(full).with_element(place, version) if full else other

    def _fusions_of(self, place: int) -> list[list[Option]]:
        """The options of each fusion that says the element at a place."""
        if not self.problem.fusions:
            return []
        first = max(0, place - FUSED_LINES[-1] + 1)
        found: dict[str, list[Option]] = {}
        for at, row in enumerate(self.forward.rows[first : place + 1], start=first):
            for option in row.fused_from:
                if at + option.over > place:
                    found.setdefault(option.fusion, []).append(option)
        return list(found.values())

    def _without_fusions_of(self, place: int) -> list[Run]:
        """The rows about a place without the fusions that say its element."""
        names = {options[0].fusion for options in self._fusions_of(place)}
        beside = FUSED_LINES[-1] - 1
        return self._without(names, range(max(0, place - beside), min(len(self.forward.rows), place + beside + 1)))

    def _without(self, fusions: AbstractSet[str], places: range) -> list[Run]:
        def left(options: tuple[Option, ...]) -> tuple[Option, ...]:
            return tuple([option for option in options if option.fusion not in fusions])

        rows = self.forward.rows[places.start : places.stop]
        fresh = [row._replace(fused_from=left(row.fused_from), fused_to=left(row.fused_to)) for row in rows]
        return [(places.start, places.stop, fresh)] if fresh != rows else []

    def _through(self, options: Sequence[Option]) -> Alternative | None:
        """The best plan with one of the options of a fusion taken."""
        if not options:
            return None
        first = self.problem.fused[options[0].fusion].first
        last = first + options[0].over - 1
        taken = Row(must=True, options=tuple(options), first=min(option.windows[0][0] for option in options))
        found = self._joint_through(first, last, taken)
        return None if found is None else self._alternative(Step(first, last + 1, found[1]), found[0])

    def _alternative(self, own: Step, joint: Joint) -> Alternative:
        """The plan through a joint, with what it takes between."""
        total, prefix, suffix = joint
        count = len(self.forward.rows)
        changed = rewordings_to(self.forward, own.first, prefix, self.path, self.path)[::-1]
        changed.append(rewording(own.first, own.option))
        if own.last > own.first + 1:
            changed += [each for each in reworded(self.path, own) if each.place > own.first]
        changed += rewordings_to(self.backward, count - own.last, suffix, self._mirrored_path, self.path, count)
        in_order = sorted(changed) if self.problem.fusions else changed
        return Alternative(total + self._base(own.first, own.last - 1), in_order)

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

    def _joint_through(self, first: int, last: int, options: Row) -> tuple[Joint, Option] | None:
        """The best way to take one of the options in place of rows first…last."""
        after = len(self.forward.rows) - last - 1
        return self.forward.states.join_through(
            self.forward.frontiers[first],
            options,
            self.forward.floors[last + 1],
            self.backward.frontiers[after],
            self.backward.floors[after],
            self.problem,
        )

    def _base(self, first: int, last: int) -> int:
        """The first values of the frontiers before and after these places, which joints are relative to."""
        if self._sums is None:
            self._sums = ([*accumulate(self.forward.bases)], [*accumulate(self.backward.bases)])
        return self._sums[0][first] + self._sums[1][len(self.forward.rows) - last - 1]

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
        for place, variant, far, fusion in other.changed:
            options = rows.get(place, self.forward.rows[place])
            changed[place] = None if variant < 0 else options.option(variant, far, fusion)
        # Lines in the same wording may be in other gaps, where gaps are others.
        for place in rows.keys() - changed.keys() if problem is not self.problem else ():
            step = self.path[place]
            if step.variant >= 0:
                changed[place] = rows[place].option(*step[1:])
        return self._timed.overfull_with(problem, changed, self._lifted)
