"""The strong formulation, for any solver of integer programs (DESIGN section 4).

The paper states containment and order by indicator constraints over all pairs, which solvers relax to almost nothing.
Here each (variant, gap) of an eventuality is a Boolean with its own tight window of starts, and a chain of ready times
T_i ≥ T_{i−1} replaces all pairs, so that every row is linear and close to its hull:

- T_i ≥ T_{i−1} + Σ (L + pause)·b: the voice is not ready again before it has spoken;
- T_i ≥ Σ (first start + L + pause)·b, over what T_i is at least;
- T_{i−1} ≤ last start, for the b that is taken, under the tightest constant that holds without it;
- Σ (L + pause)·b ≤ length + pause for each gap, less what overrides take of it;
- Σ L·b ≤ max_share · length for each gap.

Fusions are Booleans of the element that they begin with, and for each member at most one Boolean that says it is taken.
Starts are not variables: the earliest, max(first start, T_{i−1}), is as good as any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from adstudio.core.script import Rules
from adstudio.planning.engines.options import rows
from adstudio.planning.problem import Choice, Element, Problem
from adstudio.planning.windows import NO_GAP, window_tiers


@dataclass(frozen=True, slots=True)
class Placement:
    """One Boolean of the model: a variant in one gap, near or far, with its window and its value.

    It is of the element at `place`, or where `fusion` is the id of one, of that, whose first member is there.
    """

    place: int
    variant: int
    far: bool
    gap: int
    lo: int
    hi: int
    length: int
    shift: int
    worth: int
    fusion: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """One element of the chain: its Booleans, with those of the fusions that begin with it (`placements[first:last]`).

    `saying` are all Booleans that say it, of which at most one is taken. Then the range of its ready time.
    """

    place: int
    must: bool
    first: int
    last: int
    saying: tuple[int, ...]
    latest_before: int
    latest: int


@dataclass(frozen=True)
class StrongModel:
    """The model's numbers, which each engine turns into its own variables and constraints.

    `fits` are constraints Σ coefficient·b ≤ limit over placements. `hopeless`: an element that is pinned in cannot be
    placed at all.
    """

    problem: Problem
    placements: tuple[Placement, ...]
    links: tuple[Link, ...]
    earliest: int
    fits: tuple[tuple[tuple[tuple[int, int], ...], int], ...]
    hopeless: bool

    @property
    def rules(self) -> Rules:
        """The rules between elements."""
        return self.problem.rules

    @cached_property
    def saying(self) -> dict[str, tuple[int, ...]]:
        """The Booleans that say each element, by its id; an element that cannot be placed has none."""
        found: dict[str, tuple[int, ...]] = {element.id: () for element in self.problem.elements}
        found.update((self.problem.elements[link.place].id, link.saying) for link in self.links)
        return found

    def choices(self, taken: Sequence[int]) -> list[Choice]:
        """The choices of the Booleans taken, in textual order."""
        chosen = (self.placements[b] for b in sorted(taken))
        return [Choice(b.place, b.variant, b.far, b.fusion) for b in chosen]


def strong_model(problem: Problem) -> StrongModel:
    """The model of a problem."""
    placements: list[Placement] = []
    links: list[Link] = []
    hopeless = False
    earliest = min((row.first for row in rows(problem)), default=0)
    latest = earliest
    fused: dict[int, list[int]] = {}  # the Booleans of fusions that say the element at a place
    for place, row in enumerate(rows(problem)):
        first = len(placements)
        placements += _placements(problem, place, problem.elements[place])
        own = tuple(range(first, len(placements)))
        for line in problem.fused_from.get(place, ()):
            found = _placements(problem, place, line.element, line.fusion.id)
            for member in range(line.first, line.last + 1):
                fused.setdefault(member, []).extend(range(len(placements), len(placements) + len(found)))
            placements += found
        saying = (*own, *fused.get(place, ()))
        if not saying:
            hopeless = hopeless or row.must
            continue
        before = latest
        latest = max([latest, *(b.hi + b.shift for b in placements[first:])])
        links.append(Link(place, row.must, first, len(placements), saying, before, latest))
    return StrongModel(
        problem, tuple(placements), tuple(links), earliest, tuple(_gap_rows(problem, placements, links)), hopeless
    )


def _placements(problem: Problem, place: int, line: Element, fusion: str = "") -> list[Placement]:
    return [
        Placement(place, variant, far, gap, lo, hi, length, length + problem.min_pause, worth * length, fusion)
        for variant, far, worth, windows, gaps in window_tiers(problem, line)
        for length in (line.durations[variant],)
        for (lo, hi), gap in zip(windows, gaps, strict=True)
    ]


def _gap_rows(
    problem: Problem, placements: Sequence[Placement], links: Sequence[Link]
) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    inside: dict[int, list[int]] = {}
    for number, b in enumerate(placements):
        if b.gap != NO_GAP:
            inside.setdefault(b.gap, []).append(number)
    pause = problem.min_pause
    fits: list[tuple[tuple[tuple[int, int], ...], int]] = []
    for gap, numbers in inside.items():
        span = problem.gaps[gap]
        taken = sum(_override_in(placements[link.first : link.last], span.start, span.end + pause) for link in links)
        fits.append((tuple((b, placements[b].shift) for b in numbers), span.length + pause - taken))
        if problem.capped:
            fits.append((tuple((b, placements[b].length) for b in numbers), problem.capacities[gap]))
    return fits


def _override_in(options: Sequence[Placement], start: int, end: int) -> int:
    """The least that an override occupies of [start, end] in any variant, including its pause."""
    if not options or any(b.gap != NO_GAP for b in options):
        return 0
    return min(max(0, min(end, b.lo + b.shift) - max(start, b.lo)) for b in options)
