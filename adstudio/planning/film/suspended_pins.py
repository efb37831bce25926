"""Pins that cannot hold never blank a film: they are set aside and shown, and the rest is planned (DESIGN 3.8).

Each conflict is irreducible. Of its causes the holds that keep something in are set aside; rules, and what is held out,
stay in force, so no plan ever breaks a rule. A line whose start is set aside is shown where the describer put it: its
span is cut out of the gaps, and its neighbours in textual order keep to their side of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from adstudio.core.plan import Conflict, Delivery, HoldConflict, RuleConflict
from adstudio.core.script import Pin, Rules
from adstudio.core.timebase import Span
from adstudio.planning.engines.conflicts import irreducible, pins_fail
from adstudio.planning.film.pinned_overlay import BEYOND, as_put, bounded, limits_beside, without_spans
from adstudio.planning.film.rule_closure import Closure, closure, rules_among
from adstudio.planning.live.problem_differences import equal_ahead, reached_by
from adstudio.planning.problem import Element, Problem, Window, start_windows

KEPT_CONFLICTS = 1000

MOST_PLACINGS = 50_000

Placing = tuple[int, tuple[Window, ...]]
"""A duration and where a delivery of that length may start."""


@dataclass(frozen=True)
class SetAside:
    """A problem whose pins can hold, the conflicts that were taken out of it, and the lines shown apart from its plan.

    `must` are the elements that pins and rules together keep in.
    """

    problem: Problem
    conflicts: tuple[tuple[Conflict, ...], ...] = ()
    shown: tuple[Delivery, ...] = ()
    must: frozenset[str] = frozenset()


@dataclass
class _Work:
    """A problem while holds are set aside in it: `elements` as they are by now.

    `apart` are the places of those whose start was set aside, `kept_in` of those that still have to be said.
    """

    problem: Problem
    elements: list[Element]
    conflicts: list[tuple[Conflict, ...]] = field(default_factory=list[tuple[Conflict, ...]])
    apart: list[int] = field(default_factory=list[int])
    kept_in: list[int] = field(default_factory=list[int])


class Holds:
    """Where held elements may be placed, kept while the film is edited, so that checking all pins takes no time."""

    def __init__(self) -> None:
        self._problem: Problem | None = None
        self._placings: dict[int, tuple[Element, tuple[Placing, ...]]] = {}
        self._others: dict[tuple[int, Pin, Span | None], tuple[Element, Element]] = {}
        self._known: dict[tuple[int, ...], tuple[Sequence[Element], tuple[Conflict, ...]]] = {}
        self._last_held: tuple[tuple[Element, ...], list[int]] = ((), [])

    def set_aside(self, problem: Problem, known: Sequence[tuple[Conflict, ...]] = ()) -> SetAside:
        """The problem, or what is left of it when holds that cannot hold are set aside.

        `known` are conflicts that somebody else has found, of shares for example.
        """
        self._follow(problem)
        work = _Work(problem, list(problem.elements))
        for conflict in known:
            self._release(work, range(len(work.elements)), conflict)
        self._without_pin_conflicts(work)
        closed = self._without_rule_conflicts(work) if problem.rules else Closure(frozenset(), clash=False)
        if not work.conflicts:
            return SetAside(problem, must=closed.must)
        return self._around(work, closed)

    def fit(self, problem: Problem) -> bool:
        """Whether all pins of a problem can hold, rules and shares aside."""
        if self._problem is None or problem.gaps != self._problem.gaps:
            return not pins_fail(problem)
        return self._place(problem, [e for e in problem.elements if e.pin.selected or e.pin.start is not None])

    def _follow(self, problem: Problem) -> None:
        """Forget what no longer holds of this problem."""
        old, self._problem = self._problem, problem
        if old is None or (old.delta_max, old.min_pause) != (problem.delta_max, problem.min_pause):
            self._placings.clear()
            self._known.clear()
        elif len(self._placings) > MOST_PLACINGS:
            self._placings.clear()
        elif old.gaps != problem.gaps:
            stretches = reached_by(set(old.gaps) ^ set(problem.gaps), problem.delta_max)
            self._known.clear()
            for key, (element, _) in list(self._placings.items()):
                happens = element.occurrence
                reach = problem.delta_max + max(element.durations)
                if happens and any(a <= happens.end + reach and happens.start - reach <= b for a, b in stretches):
                    del self._placings[key]

    def _of(self, problem: Problem, element: Element) -> tuple[Placing, ...]:
        known = self._placings.get(id(element))
        if known is None:
            known = self._placings[id(element)] = (element, placings(problem, element))
        return known[1]

    def _without_pin_conflicts(self, work: _Work) -> None:
        """Place every held element as early as can be; where one fails, its conflict's holds go."""
        problem, elements = work.problem, work.elements
        held = self._held_in(elements)
        ready = [-BEYOND]
        at = 0
        while at < len(held):
            end = earliest_end(self._of(problem, elements[held[at]]), ready[at])
            if end is not None:
                ready[at + 1 :] = [end + problem.min_pause]
                at += 1
                continue
            first = self._latest_failing(problem, [elements[place] for place in held[: at + 1]])
            stretch = held[first : at + 1]
            self._release(work, stretch, self._conflict(problem, [elements[place] for place in stretch]))
            held[first : at + 1] = [place for place in stretch if elements[place].must]
            at = first
        work.kept_in = held

    def _held_in(self, elements: Sequence[Element]) -> list[int]:
        """The places of the elements that are held in; those that are the same as last time are not looked at."""
        before, held = self._last_held
        now = tuple(elements)
        head = equal_ahead(before, now)
        rest = slice(None, head - 1 if head else None, -1)
        tail = equal_ahead(before[rest], now[rest])
        last, grown = len(before) - tail, len(now) - len(before)
        held = [
            *(place for place in held if place < head),
            *(place for place in range(head, len(now) - tail) if now[place].must),
            *(place + grown for place in held if place >= last),
        ]
        self._last_held = (now, held)
        return list(held)

    def _latest_failing(self, problem: Problem, held: Sequence[Element]) -> int:
        """The last place from which the held elements alone still fail; mostly it lies close to the end."""
        size = 1
        while size < len(held) and self._place(problem, held[-size:]):
            size *= 2
        low, high = max(0, len(held) - size), len(held) - size // 2 - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._place(problem, held[middle:]):
                high = middle - 1
            else:
                low = middle
        return low

    def _place(self, problem: Problem, held: Iterable[Element]) -> bool:
        ready: int | None = -BEYOND
        for element in held:
            ready = earliest_end(self._of(problem, element), ready)
            if ready is None:
                return False
            ready += problem.min_pause
        return True

    def _conflict(self, problem: Problem, stretch: Sequence[Element]) -> tuple[Conflict, ...]:
        key = tuple(map(id, stretch))
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= KEPT_CONFLICTS:
                self._known.clear()
            found = irreducible(replace(problem, elements=tuple(stretch), rules=Rules()), pins_fail)
            known = self._known[key] = (stretch, found)
        return known[1]

    def _without_rule_conflicts(self, work: _Work) -> Closure:
        """Set holds aside until what pins and rules keep in can be placed."""
        problem, elements, index = work.problem, work.elements, work.problem.index
        while True:
            rules = _of_others(problem.rules, {elements[place].id for place in work.apart})
            tied = sorted(index[name] for name in rules.mentioned)
            closed = closure([elements[place] for place in tied], rules)
            implied = [place for place in tied if elements[place].id in closed.must]
            kept_in = work.kept_in = sorted({*(n for n in work.kept_in if elements[n].must), *implied})
            if not closed.clash and self._place(problem, [elements[place] for place in kept_in]):
                return closed
            near = tied if closed.clash else sorted({*tied, *self._failing(problem, elements, kept_in)})
            part = replace(problem, elements=tuple(elements[place] for place in near), rules=rules)
            self._release(work, near, _in_full(irreducible(part, cannot_hold), problem.rules))

    def _failing(self, problem: Problem, elements: Sequence[Element], kept_in: Sequence[int]) -> list[int]:
        """The shortest run of what is kept in that cannot be placed, up to the first that fails."""
        last = 1
        while self._place(problem, [elements[place] for place in kept_in[:last]]):
            last += 1
        first = self._latest_failing(problem, [elements[place] for place in kept_in[:last]])
        return list(kept_in[first:last])

    def _around(self, work: _Work, closed: Closure) -> SetAside:
        """Show the lines whose starts were set aside where they were put, and leave their spans to them."""
        problem, elements, held = work.problem, work.elements, set(work.kept_in)
        shown = {place: as_put(problem.elements[place]) for place in work.apart}
        for place in shown:
            elements[place] = self._made(elements[place], Pin(selected=False), elements[place].within)
        names = {delivery.element for delivery in shown.values()}
        rivals = {name for group in problem.rules.alternatives if names & set(group) for name in group} - names
        for place in [problem.index[name] for name in rivals]:
            if place not in held:
                element = elements[place]
                elements[place] = self._made(element, replace(element.pin, selected=False), element.within)
        gaps, uncut = self._cut(problem, [elements[place] for place in work.kept_in], list(shown.values()))
        for place, side in limits_beside(problem, elements, shown, uncut).items():
            if place not in held:
                element = elements[place]
                elements[place] = self._made(element, element.pin, bounded(element.within, side))
        return SetAside(
            replace(problem, elements=tuple(elements), gaps=gaps, rules=_of_others(problem.rules, names)),
            tuple(work.conflicts),
            tuple(sorted(shown.values(), key=lambda delivery: delivery.start)),
            closed.must,
        )

    def _release(self, work: _Work, places: Iterable[int], conflict: tuple[Conflict, ...]) -> None:
        """Lift the holds of a conflict that keep something in or choose a wording."""
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
                work.apart.append(place)
            if "selected" in names:
                pin = replace(pin, selected=None)
            if "variant" in names:
                pin = replace(pin, variant=None)
            work.elements[place] = self._made(element, pin, element.within)

    def _made(self, element: Element, pin: Pin, within: Span | None) -> Element:
        """The element with another pin and other limits; the same object each time, so that edits stay local."""
        key = (id(element), pin, within)
        known = self._others.get(key)
        if known is None:
            if len(self._others) > MOST_PLACINGS:
                self._others.clear()
            known = self._others[key] = (element, replace(element, pin=pin, within=within))
        return known[1]

    def _cut(
        self, problem: Problem, kept_in: Sequence[Element], shown: Sequence[Delivery]
    ) -> tuple[tuple[Span, ...], list[Delivery]]:
        """The gaps without the spans of lines shown apart, and the lines whose spans something held in may need."""
        pause = problem.min_pause
        lines = {d: Span(d.start - pause, d.end + pause) for d in shown if d.span.length}
        cuts = sorted(lines.values())
        after = replace(problem, gaps=without_spans(problem.gaps, cuts))
        ready: int | None = -BEYOND
        needed: list[Span] = []
        for element in kept_in:
            found = self._of(problem, element)
            reached = [] if element.pin.override else _among(cuts, found)
            needed += reached
            if ready is not None:
                ready = earliest_end(placings(after, element) if reached else found, ready)
                ready = None if ready is None else ready + pause
        if ready is not None:
            return after.gaps, []
        left = set(needed)
        uncut = [delivery for delivery, span in lines.items() if span in left]
        return without_spans(problem.gaps, [span for span in cuts if span not in left]), uncut


def _among(cuts: Sequence[Span], found: Sequence[Placing]) -> list[Span]:
    """Which of these spans, in order of time, a delivery might touch."""
    if not cuts or not found:
        return []
    earliest = min(windows[0][0] for _, windows in found)
    latest = max(windows[-1][1] + length for length, windows in found)
    before = bisect_right(cuts, latest, key=lambda cut: cut.start)
    return [cut for cut in cuts[:before] if cut.end >= earliest]


def placings(problem: Problem, element: Element) -> tuple[Placing, ...]:
    """Where each variant of an element may start."""
    found = ((length, start_windows(problem, element, number)) for number, length in enumerate(element.durations))
    return tuple((length, windows) for length, windows in found if windows)


def earliest_end(found: Sequence[Placing], ready: int) -> int | None:
    """The earliest end of a delivery that starts when the voice is ready or later; None when it is too late."""
    best: int | None = None
    for length, windows in found:
        for lo, hi in windows:
            if hi >= ready:
                end = max(lo, ready) + length
                if best is None or end < best:
                    best = end
                break
    return best


def cannot_hold(problem: Problem) -> bool:
    """Whether pins and rules together cannot hold, shares aside.

    Whatever keeps the rules must say all that pins and rules keep in, and saying exactly that keeps them: so this is
    one walk through those elements.
    """
    closed = closure(problem.elements, problem.rules)
    if closed.clash:
        return True
    ready: int | None = -BEYOND
    for element in problem.elements:
        if element.must or element.id in closed.must:
            ready = earliest_end(placings(problem, element), ready)
            if ready is None:
                return True
            ready += problem.min_pause
    return False


def _of_others(rules: Rules, apart: set[str]) -> Rules:
    """The rules as they bind the eventualities that are not shown apart, which count as said."""
    return rules_among(rules, rules.mentioned - apart) if apart and rules.mentioned & apart else rules


def _in_full(conflict: Iterable[Conflict], rules: Rules) -> tuple[Conflict, ...]:
    """The conflict, its rules named as the script has them, with the lines that are shown apart."""
    full: list[Conflict] = []
    for cause in conflict:
        if isinstance(cause, RuleConflict):
            groups = getattr(rules, cause.rule)
            named = next((group for group in groups if set(cause.of) <= set(group)), cause.of)
            full.append(replace(cause, of=named))
        else:
            full.append(cause)
    return tuple(full)
