"""Conflicting pins never blank a film: they are suspended and shown, and the rest is planned (DESIGN 3.8).

Each conflict is irreducible. Of its causes, the pins that require something are suspended; rules, and what is pinned
out, stay in force, so no plan ever breaks a rule. A line whose start is suspended is shown where the describer put it:
its span is cut out of the gaps, and its neighbours in textual order stay on their side of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from adstudio.core.plan import Conflict, Delivery, HoldConflict, RuleConflict, Status
from adstudio.core.script import Pin, Rules
from adstudio.core.timebase import Span
from adstudio.planning.engines.branch_and_bound import solve_by_branching
from adstudio.planning.engines.conflicts import irreducible, pin_conflict, pins_fail
from adstudio.planning.engines.frontier import States, states_of
from adstudio.planning.engines.options import NEVER, Option, row
from adstudio.planning.film.pinned_overlay import bounded, limits_around, pinned_delivery, without_spans
from adstudio.planning.film.rule_closure import Closure, closure, rules_among
from adstudio.planning.live.problem_differences import common_prefix, merged_spans
from adstudio.planning.problem import Element, Problem

MAX_CACHED_CONFLICTS = 1000

MAX_CACHED_PLACEMENTS = 50_000


@dataclass(frozen=True)
class SuspendedPins:
    """A problem without conflicts, the conflicts that were removed, and the lines shown over its plan.

    `must` are the elements that pins and rules together require.
    """

    problem: Problem
    conflicts: tuple[tuple[Conflict, ...], ...] = ()
    overlay: tuple[Delivery, ...] = ()
    must: frozenset[str] = frozenset()


@dataclass
class _Work:
    """A problem while its pins are being suspended, with `elements` as they are so far.

    `unpinned` are the places of the elements whose start is suspended, `required` of those that must be spoken.
    """

    problem: Problem
    elements: list[Element]
    conflicts: list[tuple[Conflict, ...]] = field(default_factory=list[tuple[Conflict, ...]])
    unpinned: list[int] = field(default_factory=list[int])
    required: list[int] = field(default_factory=list[int])


class PinSuspender:
    """Suspends conflicting pins; remembers where elements may start, so that checking all pins again is fast."""

    def __init__(self) -> None:
        self._problem: Problem | None = None
        self._placings: dict[int, tuple[Element, tuple[Option, ...]]] = {}
        self._copies: dict[tuple[int, Pin, Span | None], tuple[Element, Element]] = {}
        self._conflicts: dict[tuple[int, ...], tuple[Sequence[Element], tuple[Conflict, ...]]] = {}
        self._last_required: tuple[tuple[Element, ...], list[int]] = ((), [])

    def suspend(self, problem: Problem) -> SuspendedPins:
        """The problem without the pins that conflict."""
        self._invalidate(problem)
        work = _Work(problem, list(problem.elements))
        self._without_pin_conflicts(work)
        closed = self._without_rule_conflicts(work) if problem.rules else Closure(frozenset(), clash=False)
        if not work.conflicts:
            return SuspendedPins(problem, must=closed.must)
        return self._with_overlay(work, closed)

    def fit(self, problem: Problem) -> bool:
        """Whether all pins of a problem can be satisfied, rules aside."""
        if self._problem is None or problem.gaps != self._problem.gaps:
            return not pins_fail(problem)
        pinned = [e for e in problem.elements if e.pin.selected or e.pin.start is not None]
        return self._place(problem, pinned) or (bool(problem.fusions) and not pins_fail(problem))

    def _invalidate(self, problem: Problem) -> None:
        """Forget what is no longer valid for this problem."""
        old, self._problem = self._problem, problem
        if old is None or old.limits != problem.limits:
            self._placings.clear()
            self._conflicts.clear()
        elif len(self._placings) > MAX_CACHED_PLACEMENTS:
            self._placings.clear()
        elif old.gaps != problem.gaps:
            spans = merged_spans(set(old.gaps) ^ set(problem.gaps), problem.farthest)
            self._conflicts.clear()
            for key, (element, _) in list(self._placings.items()):
                occurrence = element.occurrence
                reach = problem.farthest + max(element.durations)
                if occurrence is None:
                    continue
                earliest, latest = occurrence.start - reach, occurrence.end + reach
                if any(start <= latest and earliest <= end for start, end in spans):
                    del self._placings[key]

    def _options_of(self, problem: Problem, element: Element) -> tuple[Option, ...]:
        known = self._placings.get(id(element))
        if known is None:
            known = self._placings[id(element)] = (element, row(problem, element).options)
        return known[1]

    def _without_pin_conflicts(self, work: _Work) -> None:
        """Place every pinned element as early as possible; where one fails, suspend the pins of its conflict."""
        problem, elements = work.problem, work.elements
        pinned = self._required(elements)
        if problem.fusions and not self._place(problem, [elements[place] for place in pinned]):
            self._without_conflicts_of_fusions(work)
            return
        states = states_of(problem)
        reached = [states.first_state(-NEVER)]
        at = 0
        while at < len(pinned):
            then = earliest(states, self._options_of(problem, elements[pinned[at]]), reached[at])
            if then is not None:
                reached[at + 1 :] = [then]
                at += 1
                continue
            first = self._latest_failing(problem, [elements[place] for place in pinned[: at + 1]])
            group = pinned[first : at + 1]
            self._release(work, group, self._conflict(problem, [elements[place] for place in group]))
            pinned[first : at + 1] = [place for place in group if elements[place].must]
            at = first
        work.required = pinned

    def _without_conflicts_of_fusions(self, work: _Work) -> None:
        """As `_without_pin_conflicts`, where a fusion may find room for elements that have none by themselves."""
        problem, index = work.problem, work.problem.index
        while conflict := pin_conflict(replace(problem, elements=tuple(work.elements), rules=Rules(), previous=())):
            places = sorted({index[cause.element] for cause in conflict if isinstance(cause, HoldConflict)})
            self._release(work, places, conflict)
        work.required = [place for place, element in enumerate(work.elements) if element.must]

    def _required(self, elements: Sequence[Element]) -> list[int]:
        """The places of the elements that are pinned in; unchanged elements are not examined again."""
        before, pinned = self._last_required
        now = tuple(elements)
        head = common_prefix(before, now)
        rest = slice(None, head - 1 if head else None, -1)
        tail = common_prefix(before[rest], now[rest])
        last, grown = len(before) - tail, len(now) - len(before)
        pinned = [
            *(place for place in pinned if place < head),
            *(place for place in range(head, len(now) - tail) if now[place].must),
            *(place + grown for place in pinned if place >= last),
        ]
        self._last_required = (now, pinned)
        return list(pinned)

    def _latest_failing(self, problem: Problem, pinned: Sequence[Element]) -> int:
        """The last place from which the pinned elements alone still fail; it is usually close to the end."""
        size = 1
        while size < len(pinned) and self._place(problem, pinned[-size:]):
            size *= 2
        low, high = max(0, len(pinned) - size), len(pinned) - size // 2 - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._place(problem, pinned[middle:]):
                high = middle - 1
            else:
                low = middle
        return low

    def _place(self, problem: Problem, pinned: Iterable[Element]) -> bool:
        states = states_of(problem)
        state: int | None = states.first_state(-NEVER)
        for element in pinned:
            state = earliest(states, self._options_of(problem, element), state)
            if state is None:
                return False
        return True

    def _conflict(self, problem: Problem, group: Sequence[Element]) -> tuple[Conflict, ...]:
        key = tuple(map(id, group))
        known = self._conflicts.get(key)
        if known is None:
            if len(self._conflicts) >= MAX_CACHED_CONFLICTS:
                self._conflicts.clear()
            found = irreducible(replace(problem, elements=tuple(group), rules=Rules()), pins_fail)
            known = self._conflicts[key] = (group, found)
        return known[1]

    def _without_rule_conflicts(self, work: _Work) -> Closure:
        """Suspend pins until what pins and rules require can be placed."""
        problem, elements, index = work.problem, work.elements, work.problem.index
        while True:
            rules = _rules_without(problem.rules, {elements[place].id for place in work.unpinned})
            tied = sorted(index[name] for name in rules.mentioned)
            closed = closure([elements[place] for place in tied], rules)
            implied = [place for place in tied if elements[place].id in closed.must]
            required = work.required = sorted({*(n for n in work.required if elements[n].must), *implied})
            if not closed.clash and self._place(problem, [elements[place] for place in required]):
                return closed
            near = tied if closed.clash else sorted({*tied, *self._failing(problem, elements, required)})
            near = _with_fused(problem, near)
            part = replace(problem, elements=tuple(elements[place] for place in near), rules=rules)
            if problem.fusions and not is_contradictory(part):
                part, near = replace(problem, elements=tuple(elements), rules=rules), range(len(elements))
                if not is_contradictory(part):
                    return closed
            self._release(work, near, _with_full_rules(irreducible(part, is_contradictory), problem.rules))

    def _failing(self, problem: Problem, elements: Sequence[Element], required: Sequence[int]) -> list[int]:
        """The shortest run of required elements that cannot be placed, up to the first that fails."""
        last = 1
        while self._place(problem, [elements[place] for place in required[:last]]):
            last += 1
        first = self._latest_failing(problem, [elements[place] for place in required[:last]])
        return list(required[first:last])

    def _with_overlay(self, work: _Work, closed: Closure) -> SuspendedPins:
        """Show the lines whose starts are suspended where they were put, and reserve their spans."""
        problem, elements, pinned = work.problem, work.elements, set(work.required)
        overlay = {place: pinned_delivery(problem.elements[place]) for place in work.unpinned}
        for place in overlay:
            elements[place] = self._with_pin(elements[place], Pin(selected=False), elements[place].within)
        names = {delivery.element for delivery in overlay.values()}
        rivals = {name for group in problem.rules.alternatives if names & set(group) for name in group} - names
        for place in [problem.index[name] for name in rivals]:
            if place not in pinned:
                element = elements[place]
                elements[place] = self._with_pin(element, replace(element.pin, selected=False), element.within)
        gaps, uncut = self._cut(problem, [elements[place] for place in work.required], list(overlay.values()))
        for place, side in limits_around(problem, elements, overlay, uncut).items():
            if place not in pinned:
                element = elements[place]
                elements[place] = self._with_pin(element, element.pin, bounded(element.within, side))
        return SuspendedPins(
            replace(
                problem,
                elements=tuple(elements),
                gaps=gaps,
                uncut_gaps=problem.gaps,
                rules=_rules_without(problem.rules, names),
            ),
            tuple(work.conflicts),
            tuple(sorted(overlay.values(), key=lambda delivery: delivery.start)),
            closed.must,
        )

    def _release(self, work: _Work, places: Iterable[int], conflict: tuple[Conflict, ...]) -> None:
        """Remove the pins of a conflict that require a line or choose a wording."""
        work.conflicts.append(conflict)
        holds: dict[str, set[str]] = {}
        for cause in conflict:
            if isinstance(cause, HoldConflict):
                holds.setdefault(cause.element, set()).add(cause.hold)
        for place in places:
            element = work.elements[place]
            names = holds.get(element.id)
            if not names or element.pin.selected is False:
                continue
            pin = element.pin
            if "start" in names:
                pin = replace(pin, selected=None, start=None, override=False)
                work.unpinned.append(place)
            if "selected" in names:
                pin = replace(pin, selected=None)
            if "variant" in names:
                pin = replace(pin, variant=None)
            work.elements[place] = self._with_pin(element, pin, element.within)

    def _with_pin(self, element: Element, pin: Pin, within: Span | None) -> Element:
        """The element with another pin and limits: the same object each time, so that edits stay local."""
        key = (id(element), pin, within)
        known = self._copies.get(key)
        if known is None:
            if len(self._copies) > MAX_CACHED_PLACEMENTS:
                self._copies.clear()
            known = self._copies[key] = (element, replace(element, pin=pin, within=within))
        return known[1]

    def _cut(
        self, problem: Problem, required: Sequence[Element], overlay: Sequence[Delivery]
    ) -> tuple[tuple[Span, ...], list[Delivery]]:
        """The gaps without the spans of overlaid lines, and the lines whose spans a required element may need."""
        pause = problem.min_pause
        lines = {d: Span(d.start - pause, d.end + pause) for d in overlay if d.span.length}
        cuts = sorted(lines.values())
        after = replace(problem, gaps=without_spans(problem.gaps, cuts), uncut_gaps=problem.gaps)
        states = states_of(problem)
        state: int | None = states.first_state(-NEVER)
        needed: list[Span] = []
        for element in required:
            found = self._options_of(problem, element)
            reached = [] if element.pin.override else _spans_touching(cuts, found)
            needed += reached
            if state is not None:
                state = earliest(states, row(after, element).options if reached else found, state)
        if state is not None:
            return after.gaps, []
        left = set(needed)
        uncut = [delivery for delivery, span in lines.items() if span in left]
        return without_spans(problem.gaps, [span for span in cuts if span not in left]), uncut


def _with_fused(problem: Problem, places: Sequence[int]) -> Sequence[int]:
    """Places with those of all members of the fusions that say an element there."""
    own = set(places)
    spans = [range(line.first, line.last + 1) for line in problem.fused_lines.values()]
    return sorted(own.union(*(span for span in spans if not own.isdisjoint(span)))) if spans else places


def _spans_touching(cuts: Sequence[Span], found: Sequence[Option]) -> list[Span]:
    """Which of these spans, in order, a delivery might touch, or a gap of whose share it uses."""
    if not cuts or not found:
        return []
    firsts, lasts = (tuple(option.gaps[place] for option in found if option.gaps) for place in (0, -1))
    earliest = min([*(option.windows[0][0] for option in found), *(start for start, _, _ in firsts)])
    latest = max([*(option.windows[-1][1] + option.length for option in found), *(end for _, end, _ in lasts)])
    before = bisect_right(cuts, latest, key=lambda cut: cut.start)
    return [cut for cut in cuts[:before] if cut.end >= earliest]


def earliest(states: States, options: Sequence[Option], state: int) -> int | None:
    """The state after taking one of the options as early as possible; None where there is no room for any."""
    return min((then for each in options if (then := states.follow(state, each)) is not None), default=None)


def is_contradictory(problem: Problem) -> bool:
    """Whether pins and rules contradict each other.

    Every valid plan includes what pins and rules require, and a plan of exactly that is valid: so one walk through
    those elements decides. Only where it fails may a fusion say them, with others that rules may be about.
    """
    closed = closure(problem.elements, problem.rules)
    if closed.clash:
        return True
    if not problem.fused:
        return _without_room(problem, closed)
    return _without_room(problem, closed) and solve_by_branching(problem).status is Status.INFEASIBLE


def _without_room(problem: Problem, closed: Closure) -> bool:
    """Whether what must be said cannot be placed, each element by itself."""
    states = states_of(problem)
    state: int | None = states.first_state(-NEVER)
    for element in problem.elements:
        if element.must or element.id in closed.must:
            state = earliest(states, row(problem, element).options, state)
            if state is None:
                return True
    return False


def _rules_without(rules: Rules, unpinned: set[str]) -> Rules:
    """The rules restricted to the eventualities that are not overlaid; those count as spoken."""
    return rules_among(rules, rules.mentioned - unpinned) if unpinned and rules.mentioned & unpinned else rules


def _with_full_rules(conflict: Iterable[Conflict], rules: Rules) -> tuple[Conflict, ...]:
    """The conflict with its rules as the script has them, overlaid lines included."""
    full: list[Conflict] = []
    for cause in conflict:
        if isinstance(cause, RuleConflict):
            groups = getattr(rules, cause.rule)
            named = next((group for group in groups if set(cause.of) <= set(group)), cause.of)
            full.append(replace(cause, of=named))
        else:
            full.append(cause)
    return tuple(full)
