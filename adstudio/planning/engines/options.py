"""Each eventuality's options: where its variants may start, and what each gains.

A `Row` belongs to one eventuality. Finishes are *ready times*: the end of a delivery plus the pause that must follow,
so that the next delivery may start at or after them. Planning backwards is the same problem in mirrored time, so the
backward rows are the forward rows mirrored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adstudio.planning.problem import Element, FusedLine, GapCap, Problem
from adstudio.planning.windows import Window, window_tiers

NEVER = 1 << 33
"""Later than any time in a film; small enough for `capped` to keep states in 63 bits."""

OWED_BITS = 29
"""Bits for the silence that a state owes (`capped`): enough for the longest time there is, `MAX_TIME_MS`."""

OWED = (1 << OWED_BITS) - 1
"""The part of a state that is the silence it owes."""

GAIN_SCALE = 1 << 17
"""Gains are multiplied by this, so that one unit can reward repeating a choice of the previous plan."""


class Option(NamedTuple):
    """One variant that can be placed: `shift` is its duration plus the pause, `gain` its value times GAIN_SCALE.

    `far` is whether it is spoken far from its action. `gaps` are those of its windows, where they may only be filled in
    part and the option uses their share. `fusion` is the id of the fusion that is spoken, `over` of how many rows.
    """

    variant: int
    length: int
    shift: int
    gain: int
    windows: tuple[Window, ...]
    far: bool = False
    gaps: tuple[GapCap, ...] | None = None
    fusion: str = ""
    over: int = 1

    def mirrored(self) -> Option:
        """The same option in mirrored time, where a delivery [d, d+L] is [−d−L, −d]."""
        variant, length, shift, gain, windows, far, gaps, fusion, over = self
        starts = tuple([(-hi - length, -lo - length) for lo, hi in windows[::-1]])
        if gaps is not None:
            gaps = tuple([(-end, -start, capacity) for start, end, capacity in gaps[::-1]])
        return Option(variant, length, shift, gain, starts, far, gaps, fusion, over)


class Row(NamedTuple):
    """An eventuality's options; `first` is the earliest start of any, `must` whether one must be taken.

    `fused_from` are those of the fusions that begin with it, which step over the rows of all their members, and
    `fused_to` of those that end with it, which the row that they begin with has too.
    """

    must: bool
    options: tuple[Option, ...]
    first: int
    fused_from: tuple[Option, ...] = ()
    fused_to: tuple[Option, ...] = ()

    def option(self, variant: int, far: bool, fusion: str = "") -> Option:
        """The option of a variant near its action, or far from it: of a fusion that begins here, or of the row's own.

        Raises:
            StopIteration: if there is none.
        """
        options = self.fused_from if fusion else self.options
        return next(o for o in options if o.variant == variant and o.far == far and o.fusion == fusion)

    def mirrored(self) -> Row:
        """The same row in mirrored time."""
        options = tuple([option.mirrored() for option in self.options])
        first = min([option.windows[0][0] for option in options], default=NEVER)
        if not self.fused_from and not self.fused_to:
            return Row(self.must, options, first)
        ending = tuple([option.mirrored() for option in self.fused_from])
        beginning = tuple([option.mirrored() for option in self.fused_to])
        return Row(self.must, options, _first(ending, first), beginning, ending)


def _first(options: Sequence[Option], first: int) -> int:
    return min([first, *[option.windows[0][0] for option in options]])


def row(problem: Problem, element: Element, previous: int | None = None, lifted: frozenset[int] = frozenset()) -> Row:
    """The options of one eventuality (or fusion), the full wording first; the `previous` variant gains one unit more.

    Gaps that start at one of the times `lifted` count as if they could be filled (`lifted_caps`).
    """
    pause = problem.min_pause
    options: list[Option] = []
    first = NEVER
    caps = problem.gap_caps if problem.capped and not element.pin.override else None
    for variant, far, worth, windows, places in window_tiers(problem, element):
        length = element.durations[variant]
        gaps = None
        if caps is not None:
            gaps = tuple([caps[place] for place in places])
            if lifted:
                gaps = tuple([(start, end, end - start if start in lifted else cap) for start, end, cap in gaps])
        gain = worth * length * GAIN_SCALE + (variant == previous)
        options.append(Option(variant, length, length + pause, gain, windows, far, gaps))
        first = min(first, windows[0][0])
    return Row(element.must, tuple(options), first)


def row_at(problem: Problem, place: int, previous: Mapping[str, int], lifted: frozenset[int] = frozenset()) -> Row:
    """The options of the eventuality at a place, with those of the fusions that begin or end with it.

    `previous` are variants by the ids of elements and fusions.
    """
    element = problem.elements[place]
    own = row(problem, element, previous.get(element.id), lifted)
    beginning, ending = problem.fused_from.get(place), problem.fused_to.get(place)
    if beginning is None and ending is None:
        return own

    def options(lines: Sequence[FusedLine]) -> tuple[Option, ...]:
        return tuple(
            option._replace(fusion=line.fusion.id, over=line.over)
            for line in lines
            for option in row(problem, line.element, previous.get(line.fusion.id), lifted).options
        )

    fused_to = options(ending or ())
    return own._replace(first=_first(fused_to, own.first), fused_from=options(beginning or ()), fused_to=fused_to)


def rows(problem: Problem, lifted: frozenset[int] = frozenset()) -> list[Row]:
    """The options of every eventuality, in textual order, favouring the choices of `previous` among equals."""
    previous = problem.previous_variants
    if problem.fusions:
        return [row_at(problem, place, previous, lifted) for place in range(len(problem.elements))]
    return [row(problem, element, previous.get(element.id), lifted) for element in problem.elements]
