"""The planning problem: gaps, eventualities with their variants' durations, pins and rules.

All numbers are integers: times in milliseconds, salience and penalties in millionths, objectives in billionths.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

from adstudio.core.script import MAX_LINES, Penalty, Pin, Rules
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


@dataclass(frozen=True)
class Problem:
    """A part of a film to plan. Elements are in textual order; gaps are sorted, disjoint and do not touch.

    `max_share` is in millionths. `previous` are the elements and variants chosen by an earlier plan.
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

    @cached_property
    def index(self) -> dict[str, int]:
        """Each element's position in textual order."""
        return {element.id: place for place, element in enumerate(self.elements)}

    @cached_property
    def previous_variants(self) -> dict[str, int]:
        """The variants of `previous` by element; unknown ids are ignored."""
        return {element: variant for element, variant in self.previous if element in self.index}

    @cached_property
    def gap_ends(self) -> list[int]:
        """The ends of the gaps, for searching."""
        return [gap.end for gap in self.gaps]

    @cached_property
    def gap_edges(self) -> list[tuple[int, int]]:
        """The gaps as bare pairs, for the planner's innermost loops."""
        return [(gap.start, gap.end) for gap in self.gaps]

    @property
    def plain(self) -> bool:
        """Whether the exact engine applies: no rules and no share limit."""
        return not self.rules and self.max_share >= NO_SHARE_LIMIT


Window = tuple[int, int]
"""The first and last start that a delivery may have in one gap."""


def start_windows(problem: Problem, element: Element, variant: int) -> tuple[Window, ...]:
    """Where a variant may start, given gaps, Δmax, `within` and pins: one window per gap, in order of time.

    The paper's constraints (3) and (4): the delivery lies inside one gap, and |2d + L − (τ + τ+γ)| ≤ 2Δmax. An override
    lifts both, but not `within`.
    """
    pin, length = element.pin, element.durations[variant]
    if pin.selected is False or (pin.variant is not None and pin.variant != variant):
        return ()
    within, start = element.within, pin.start
    if pin.override and start is not None:
        inside = within is None or within.start <= start <= within.end - length
        return ((start, start),) if inside else ()
    occurrence = element.occurrence
    if occurrence is None:
        return ()
    middle, reach = occurrence.start + occurrence.end - length, 2 * problem.delta_max
    earliest, latest = -((reach - middle) // 2), (middle + reach) // 2
    if within is not None:
        earliest, latest = max(earliest, within.start), min(latest, within.end - length)
    if start is not None:
        earliest, latest = max(earliest, start), min(latest, start)
    windows: list[Window] = []
    edges = problem.gap_edges
    for place in range(bisect_left(problem.gap_ends, earliest + length), len(edges)):
        first, last = edges[place]
        last -= length
        if first > latest:
            break
        first = max(first, earliest)
        last = min(last, latest)
        if first <= last:
            windows.append((first, last))
    return tuple(windows)


def gap_of(problem: Problem, start: int, end: int) -> int | None:
    """The number of the gap that contains a delivery span, or None."""
    place = bisect_left(problem.gap_ends, end)
    if place < len(problem.gaps) and problem.gaps[place].start <= start:
        return place
    return None


def penalties_due(rules: Rules, said: set[str]) -> list[Penalty]:
    """The penalties that a set of spoken eventualities incurs."""
    return [penalty for penalty in rules.penalties if penalty.first in said and penalty.second in said]


def objective_of(problem: Problem, chosen: dict[str, int]) -> int:
    """Σ σ_i·l_ik minus the penalties, in billionths: the paper's equation (1), for chosen variants by element."""
    total = 0
    for name, variant in chosen.items():
        element = problem.elements[problem.index[name]]
        total += element.worth * element.durations[variant]
    return total - 1000 * sum(penalty.cost for penalty in penalties_due(problem.rules, set(chosen)))
