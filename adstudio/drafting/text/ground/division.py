"""A stretch of the film divided among the elements that are told of it, in order, by an optimum.

Each element gets a share of the action's clock in proportion to its words; boundaries like to fall on a cut, then on
the edge of a speech. Cost of a division: Σ (length − share)²/(share · mean share) + what its boundaries cost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, pairwise

from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.drafting.text.ground.evidence import Seen

LEAST_MS = 1_000
"""Room that an element needs to be divided off by its words; a stretch with less for each is shared otherwise."""
LEAST_WORDS = 4
"""Nothing is over sooner than what takes so many words to tell."""
NO_CUT = 0.3
"""What a boundary costs that lies on no cut, in squared mean shares."""
NO_EDGE = 0.2
"""What it costs besides where no speech begins or ends there."""
MOST_PLACES = 14
"""How many places are tried for one boundary: the nearest ones to where the words alone put it."""


def weight(text: str) -> int:
    """How long what a text tells goes on, in words."""
    return max(count_words(text), LEAST_WORDS)


def divided(after: int, before: int, texts: Sequence[str], seen: Seen) -> tuple[Span, ...]:
    """Spans for the elements, touching one another, from `after` to `before`, each of positive length.

    Raises:
        ValueError: where the stretch has not a millisecond for each.
    """
    if before - after < len(texts):
        raise ValueError(f"{before - after} ms are too short for {len(texts)} elements")
    if not texts:
        return ()
    pace = seen.pace
    start, whole = pace.passed(after), pace.passed(before) - pace.passed(after)
    total = sum(map(weight, texts))
    shares = [whole * weight(text) / total for text in texts]
    aims = [start + passed for passed in accumulate(shares)][:-1]
    edges = {time for span in seen.speech for time in (span.start, span.end) if after < time < before}
    cuts = set(seen.cuts[bisect_left(seen.cuts, after + 1) : bisect_left(seen.cuts, before)])
    known = sorted((pace.passed(time), time) for time in cuts | edges)
    columns: list[list[_Place]] = [[_Place(after, start, 0.0)]]
    for aim in aims:
        places = {time: passed for passed, time in _nearest(known, aim)} | {pace.time(aim): aim}
        columns.append([_Place(time, places[time], _cost(time, cuts, edges)) for time in sorted(places)])
    columns.append([_Place(before, start + whole, 0.0)])
    return _cheapest(columns, shares) or _even(after, before, len(texts))


class _Place:
    """Somewhere that a boundary may lie, on both clocks, and what that costs."""

    __slots__ = ("cost", "passed", "time")

    def __init__(self, time: int, passed: float, cost: float) -> None:
        self.time, self.passed, self.cost = time, passed, cost


def _nearest(known: list[tuple[float, int]], aim: float) -> list[tuple[float, int]]:
    middle = bisect_left(known, (aim, 0))
    around = known[max(0, middle - MOST_PLACES) : middle + MOST_PLACES]
    return sorted(around, key=lambda place: (abs(place[0] - aim), place))[:MOST_PLACES]


def _cost(time: int, cuts: set[int], edges: set[int]) -> float:
    if time in cuts:
        return 0.0
    return NO_CUT if time in edges else NO_CUT + NO_EDGE


def _cheapest(columns: list[list[_Place]], shares: list[float]) -> tuple[Span, ...]:
    """The cheapest way through the columns; empty where none goes forward all the way."""
    mean = sum(shares) / len(shares)
    best = [0.0]
    before: list[list[int]] = []
    for (earlier, later), share in zip(pairwise(columns), shares, strict=True):
        scale = share * mean or 1.0
        costs: list[float] = []
        came: list[int] = []
        for place in later:
            cost, at = min(
                (
                    (best[at] + (place.passed - from_.passed - share) ** 2 / scale, at)
                    for at, from_ in enumerate(earlier)
                    if from_.time < place.time
                ),
                default=(float("inf"), 0),
            )
            costs.append(cost + place.cost)
            came.append(at)
        best = costs
        before.append(came)
    if best[0] == float("inf"):
        return ()
    at, times = 0, [columns[-1][0].time]
    for column, came in zip(reversed(columns[:-1]), reversed(before), strict=True):
        at = came[at]
        times.append(column[at].time)
    return tuple(Span(start, end) for start, end in pairwise(reversed(times)))


def _even(after: int, before: int, count: int) -> tuple[Span, ...]:
    times = [after + (before - after) * place // count for place in range(count + 1)]
    return tuple(Span(start, end) for start, end in pairwise(times))
