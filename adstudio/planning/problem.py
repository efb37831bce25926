"""The planning problem: gaps, eventualities with their variants' durations, pins and rules.

All numbers are integers: times in milliseconds, salience and penalties in millionths, objectives in billionths.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from adstudio.core.plan import Delivery
from adstudio.core.script import MAX_LINES, Penalty, Pin, Rules
from adstudio.core.settings import Near
from adstudio.core.timebase import Span

MAX_ELEMENTS = MAX_LINES
"""The most elements of a problem."""

NO_SHARE_LIMIT = 1_000_000
"""A `max_share` of 1: gaps may be filled completely."""


@dataclass(frozen=True, slots=True)
class Element:
    """An eventuality as the planner sees it; `salience` in millionths, `durations` of its variants in milliseconds.

    Without an occurrence it is placed only by a start pin with override, and adds nothing to objective and deviation.
    """

    id: str
    occurrence: Span | None
    salience: int
    durations: tuple[int, ...]
    within: Span | None = None
    pin: Pin = Pin()
    texts: tuple[str, ...] = ()
    rates: tuple[float, ...] = ()

    @property
    def must(self) -> bool:
        """Whether it is pinned in: selected, or given a start."""
        return self.pin.selected is True or self.pin.start is not None

    @property
    def worth(self) -> int:
        """What a millisecond of its narration gains: its salience, or nothing without an occurrence."""
        return 0 if self.occurrence is None else self.salience


@dataclass(frozen=True, slots=True)
class FusedElement:
    """A fusion: one delivery in place of two or three neighbouring elements, never beside any of them.

    `of` are their ids, in textual order. The rest is as in `Element`; without a `within` of its own it keeps within
    what those of its members leave. It takes no part in a plan where the pin of a member decides more than that it is
    said.
    """

    id: str
    of: tuple[str, ...]
    occurrence: Span
    salience: int
    durations: tuple[int, ...]
    within: Span | None = None
    texts: tuple[str, ...] = ()
    rates: tuple[float, ...] = ()


class FusedLine(NamedTuple):
    """A fusion as an element, and the places of its first and its last member.

    It is `usable` unless the pin of a member, or what `within` leaves of them, does not allow it.
    """

    fusion: FusedElement
    element: Element
    first: int
    last: int
    usable: bool = True

    @property
    def over(self) -> int:
        """How many elements it is spoken in place of."""
        return self.last - self.first + 1


GapCap = tuple[int, int, int]
"""A gap's start and end, and how much of it may be narrated, in milliseconds."""


@dataclass(frozen=True)
class Problem:
    """A part of a film to plan. Elements are in textual order; gaps are sorted, disjoint and do not touch.

    `max_share` is in millionths. `delta_early`, `delta_late`, `near` and `reach` are as in `Settings`. `previous` are
    the elements (or fusions) and variants chosen by an earlier plan. `fusions` of elements that are no neighbours here
    have no effect. `uncut_gaps` are the gaps that `reach` counts, where some of
    `gaps` are only what is left of one; empty where none is.
    """

    scene: str
    span: Span
    gaps: tuple[Span, ...]
    elements: tuple[Element, ...]
    delta_max: int = 10_000
    min_pause: int = 0
    max_share: int = NO_SHARE_LIMIT
    rules: Rules = Rules()
    previous: tuple[tuple[str, int], ...] = ()
    delta_early: int | None = None
    delta_late: int | None = None
    near: Near | None = None
    reach: int | None = None
    uncut_gaps: tuple[Span, ...] = ()
    fusions: tuple[FusedElement, ...] = ()

    @property
    def early(self) -> int:
        """How far a delivery's midpoint may lie before its occurrence's, in milliseconds."""
        return self.delta_max if self.delta_early is None else self.delta_early

    @property
    def late(self) -> int:
        """How far a delivery's midpoint may lie after its occurrence's, in milliseconds."""
        return self.delta_max if self.delta_late is None else self.delta_late

    @cached_property
    def gap_caps(self) -> list[GapCap]:
        """The gaps with how much of each may be narrated."""
        return [(gap.start, gap.end, most) for gap, most in zip(self.gaps, self.capacities, strict=True)]

    @cached_property
    def cap_from(self) -> dict[int, GapCap]:
        """`gap_caps` by the gaps' starts."""
        return {cap[0]: cap for cap in self.gap_caps}

    @property
    def farthest(self) -> int:
        """How far a delivery's midpoint may lie from its occurrence's on either side, in milliseconds."""
        return max(self.early, self.late)

    @property
    def capped(self) -> bool:
        """Whether gaps may only be filled in part."""
        return self.max_share < NO_SHARE_LIMIT

    @cached_property
    def index(self) -> dict[str, int]:
        """Each element's position in textual order."""
        return {element.id: place for place, element in enumerate(self.elements)}

    @cached_property
    def previous_variants(self) -> dict[str, int]:
        """The variants of `previous` by element; unknown ids are ignored."""
        known = self.index.keys() | self.fused.keys() if self.fusions else self.index
        return {element: variant for element, variant in self.previous if element in known}

    @cached_property
    def fused_lines(self) -> dict[str, FusedLine]:
        """The fusions whose members are neighbours, by id, also those that may not be spoken."""
        lines = (_fused_line(self, fusion) for fusion in self.fusions)
        return {line.fusion.id: line for line in lines if line is not None}

    @cached_property
    def fused(self) -> dict[str, FusedLine]:
        """The fusions that may be spoken, by id."""
        return {name: line for name, line in self.fused_lines.items() if line.usable}

    @cached_property
    def fused_from(self) -> dict[int, list[FusedLine]]:
        """The fusions that may be spoken, by the place of their first member."""
        return _by_place((line.first, line) for line in self.fused.values())

    @cached_property
    def fused_to(self) -> dict[int, list[FusedLine]]:
        """The fusions that may be spoken, by the place of their last member."""
        return _by_place((line.last, line) for line in self.fused.values())

    def line(self, choice: Choice) -> Element:
        """What a choice speaks: an element, or a fusion as one."""
        return self.fused_lines[choice.fusion].element if choice.fusion else self.elements[choice.place]

    def members(self, line: str) -> tuple[str, ...]:
        """The ids of the elements that a line says, by its id: its own, or those of a fusion."""
        return self.fused_members.get(line, (line,))

    @cached_property
    def fused_members(self) -> dict[str, tuple[str, ...]]:
        """The ids of the elements that each fusion says, by its id."""
        return {fusion.id: fusion.of for fusion in self.fusions}

    @cached_property
    def gap_ends(self) -> list[int]:
        """The ends of the gaps, for searching."""
        return [gap.end for gap in self.gaps]

    @cached_property
    def gap_edges(self) -> list[tuple[int, int]]:
        """The gaps as bare pairs, for the planner's innermost loops."""
        return [(gap.start, gap.end) for gap in self.gaps]

    @cached_property
    def gap_starts(self) -> list[int]:
        """The starts of the gaps, for searching."""
        return [gap.start for gap in self.gaps]

    @property
    def counted_gaps(self) -> tuple[Span, ...]:
        """The gaps that `reach` counts."""
        return self.uncut_gaps or self.gaps

    @cached_property
    def counted_edges(self) -> tuple[list[int], list[int]]:
        """Their starts and their ends, for searching."""
        return [gap.start for gap in self.counted_gaps], [gap.end for gap in self.counted_gaps]

    @cached_property
    def capacities(self) -> list[int]:
        """The most that may be narrated in each gap, in milliseconds."""
        return [gap.length * self.max_share // NO_SHARE_LIMIT for gap in self.gaps]

    @cached_property
    def gap_silences(self) -> list[int]:
        """How long each gap must stay silent, in milliseconds."""
        return [gap.length - capacity for gap, capacity in zip(self.gaps, self.capacities, strict=True)]

    @property
    def limits(self) -> tuple[object, ...]:
        """What decides where lines may be spoken and what they count, besides gaps, elements and rules."""
        return (
            self.delta_max,
            self.delta_early,
            self.delta_late,
            self.near,
            self.reach,
            self.min_pause,
            self.max_share,
        )

    @property
    def plain(self) -> bool:
        """Whether the exact engine applies: no rules."""
        return not self.rules


def _fused_line(problem: Problem, fusion: FusedElement) -> FusedLine | None:
    """The fusion as a line; None where its members are no neighbours."""
    first = problem.index.get(fusion.of[0], -1)
    last = first + len(fusion.of) - 1
    members = problem.elements[first : last + 1] if first >= 0 else ()
    if tuple([member.id for member in members]) != fusion.of:
        return None
    pins = [member.pin for member in members]
    usable = all(pin.selected is not False and pin.variant is None and pin.start is None for pin in pins)
    within = fusion.within
    if within is None:
        limits = [member.within for member in members if member.within is not None]
        if limits:
            start, end = max(limit.start for limit in limits), min(limit.end for limit in limits)
            usable = usable and start <= end
            within = Span(start, max(start, end))
    element = Element(
        fusion.id, fusion.occurrence, fusion.salience, fusion.durations, within, texts=fusion.texts, rates=fusion.rates
    )
    return FusedLine(fusion, element, first, last, usable)


def share_fused_lines(problem: Problem, known: Problem) -> None:
    """Work out anew only the fusions of elements that differ from those of a problem with the same lines and fusions.

    Where other lines or fusions are there, all are worked out when they are needed.
    """
    before, after = known.elements, problem.elements
    if not problem.fusions or problem.fusions != known.fusions or len(before) != len(after):
        return
    changed = [(place, old, new) for place, (old, new) in enumerate(zip(before, after, strict=True)) if old is not new]
    if any(old.id != new.id for _, old, new in changed):
        return
    places = {place for place, _, _ in changed}
    lines = known.fused_lines
    fresh = (each for each in lines.values() if not places.isdisjoint(range(each.first, each.last + 1)))
    others = {line.fusion.id: _fused_line(problem, line.fusion) for line in fresh}
    vars(problem)["fused_lines"] = lines | {name: line for name, line in others.items() if line is not None}


def _by_place(lines: Iterable[tuple[int, FusedLine]]) -> dict[int, list[FusedLine]]:
    found: dict[int, list[FusedLine]] = {}
    for place, line in lines:
        found.setdefault(place, []).append(line)
    return found


def gap_of(problem: Problem, start: int, end: int) -> int | None:
    """The number of the gap that contains a delivery span, or None."""
    place = bisect_left(problem.gap_ends, end)
    if place < len(problem.gaps) and problem.gaps[place].start <= start:
        return place
    return None


def penalties_due(rules: Rules, said: set[str]) -> list[Penalty]:
    """The penalties that a set of spoken eventualities incurs."""
    return [penalty for penalty in rules.penalties if penalty.first in said and penalty.second in said]


class Choice(NamedTuple):
    """An element's position in textual order, its chosen variant, and whether that is spoken far from its action.

    Where `fusion` is the id of one, it is that which is spoken, and the position is of its first member.
    """

    place: int
    variant: int
    far: bool = False
    fusion: str = ""


def far_worth(problem: Problem, element: Element) -> int:
    """What a millisecond of narration far from its action gains: σ · `far_gain`, rounded half to even to millionths.

    The same as near it where no limit is set, and for what counts against the plan (σ < 0) or is overridden.
    """
    near, worth = problem.near, element.worth
    if near is None or worth <= 0 or element.pin.override:
        return worth
    whole, rest = divmod(worth * near.far_gain, 1_000_000)
    return whole + (2 * rest > 1_000_000 or (2 * rest == 1_000_000 and whole % 2 == 1))


def is_far(problem: Problem, element: Element, start: int, end: int) -> bool:
    """Whether a delivery counts as far from its action."""
    near, occurrence = problem.near, element.occurrence
    if near is None or occurrence is None or far_worth(problem, element) == element.worth:
        return False
    return not -2 * near.early <= start + end - occurrence.doubled_midpoint <= 2 * near.late


def choice_of(problem: Problem, delivery: Delivery) -> Choice:
    """The choice that a delivery is."""
    fused = problem.fused_lines.get(delivery.element)
    place = problem.index[delivery.element] if fused is None else fused.first
    element = problem.elements[place] if fused is None else fused.element
    far = is_far(problem, element, delivery.start, delivery.end)
    return Choice(place, delivery.variant, far, "" if fused is None else delivery.element)


def objective_of(problem: Problem, choices: Iterable[Choice]) -> int:
    """Σ σ_i·l_ik minus the penalties, in billionths: the paper's equation (1), with σ_i·`far_gain` for far choices."""
    total, said = 0, set[str]()
    for choice in choices:
        element = problem.line(choice)
        total += (far_worth(problem, element) if choice.far else element.worth) * element.durations[choice.variant]
        said.update(problem.members(element.id))
    return total - 1000 * sum(penalty.cost for penalty in penalties_due(problem.rules, said))
