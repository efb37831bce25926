"""Occurrences of description elements, from what lies before and after them in the film.

Dialogue says between which two times a passage of the text must lie; passages with nothing between them share one
interval. Within it order, words, cuts and pauses decide (`divided`), with an expected error (`expected_error`). What
has no support gets no occurrence: nothing is invented.

An interval is divided among its elements, in order, by an optimum. Each element gets a share of the action's clock in
proportion to its words; boundaries prefer a cut, then the edge of a speech. A division costs
Σ (length − share)²/(share · mean share) + what its boundaries cost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from math import erf, exp, inf, log, sqrt

from adstudio.core.timebase import Span
from adstudio.core.words import count_words
from adstudio.drafting.text.ground.evidence import Grounding, Passage, Seen

NEAR_MS = 5_000
"""An occurrence's middle this far from the truth is still right: a line about it is heard while it matters."""
WINDOW_MS = 10_000
"""Δmax as the paper sets it: beyond it a line would not belong to its event any more."""
LEAST_CHANCE = 1 / 3
"""Below this chance of lying within the window an occurrence is not given.

Two of three such lines would be told outside the window of what they tell, some of them a minute away. A line that is
not there can be placed by hand; one that tells a blind audience what is not happening does harm.
"""
ORDERED = 0.45
"""How sure order alone is: a text takes its time where it likes, so a line is never called sure for its order."""
SURE_MS = 900.0
"""The error where everything is known: a reader's idea of when something is seen differs by as much."""
SPREAD = 0.85
"""How much of the spread of random lengths remains when words and cuts say something about the lengths."""


def expected_error(length: float, share: float, count: int) -> float:
    """The standard deviation (ms) of the middle of one of `count` parts that fill a stretch of `length` ms in order.

    `share` (0..1) is where in the stretch the middle lies. Parts of random length (a flat Dirichlet distribution) put
    a boundary at the share f with variance f(1−f)/(count+1): most in the middle, less where more parts pin it down.
    """
    return SURE_MS + SPREAD * length * sqrt(share * (1 - share) / (count + 1))


def chance_within(error: float, reach: int) -> float:
    """The chance (0..1) that a normal error of that deviation stays within `reach` ms."""
    return erf(reach / (error * sqrt(2)))


def is_footing(error: float, sure: float) -> bool:
    """Whether an occurrence with that expected error, between times that are that sure (0..1), is worth giving."""
    return sure * chance_within(error, WINDOW_MS) >= LEAST_CHANCE


def confidence(error: float, sure: float, before: float = inf, after: float = inf) -> int:
    """The chance, in thousandths, that the middle is right within `NEAR_MS`.

    The truth lies in the same stretch, which reaches so far (ms) `before` and `after` the middle: a normal error is cut
    off there, give or take `SURE_MS`.
    """
    ends = -before - SURE_MS, after + SURE_MS
    inside = _chance(error, *ends)
    near = _chance(error, max(ends[0], -NEAR_MS), min(ends[1], NEAR_MS))
    return max(0, min(1000, round(1000 * sure * near / inside))) if inside > 0 else 0


CALIBRATION = (0.5, 1.6)
"""Offset and slope, on the logit, from the confidence of a screenplay’s line to how often such a line is right.

Fitted to six made-up films of varied pace with 0 to 60 % of their dialogue changed; left out in turn, they have no
fifth of the scale more than a tenth off (tests/bench/screenplay_confidence.py).
"""


def calibrated(sure: int) -> int:
    """A confidence between dialogue and action of a screenplay, in thousandths, as the chance that it is right."""
    offset, slope = CALIBRATION
    within = min(max(sure / 1000, 0.001), 0.999)
    return round(1000 / (1 + exp(-(offset + slope * log(within / (1 - within)))))) if sure > 0 else 0


def _chance(error: float, low: float, high: float) -> float:
    """The chance (0..1) that a normal error of that deviation lies between two ends."""
    return (erf(high / (error * sqrt(2))) - erf(low / (error * sqrt(2)))) / 2


LONGEST_MS = 10_000
"""No occurrence is longer: where more room is left than that, the middle of it is the best there is to say."""
SHORTEST_MS = 100
"""An occurrence has some length even where there is no time between two lines, or it could not be seen or grasped."""
UNGROUNDED = Grounding(None, 0)


def ground(passages: Sequence[Passage], seen: Seen) -> tuple[tuple[Grounding, ...], ...]:
    """For each passage the grounding of each of its elements.

    Spans start in textual order, lie inside the film and have a positive length; the same input gives the same result.
    """
    found: list[tuple[Grounding, ...]] = []
    earliest = 0
    for (after, before), group in groupby(_bounded(passages, seen.end), key=lambda bounded: bounded[0]):
        shared = [passage for _, passage in group]
        groundings, earliest = _in_stretch(after, before, shared, seen, earliest)
        for passage in shared:
            found.append(tuple(groundings[: len(passage.texts)]))
            groundings = groundings[len(passage.texts) :]
    return tuple(found)


def _bounded(passages: Sequence[Passage], end: int) -> Iterator[tuple[tuple[int, int], Passage]]:
    """Each passage with its two times, inside the film and never going back."""
    latest = [end]
    for passage in reversed(passages):
        latest.append(min(latest[-1], max(passage.before, 0) if passage.before is not None else end))
    earliest = 0
    for passage, before in zip(passages, reversed(latest[1:]), strict=True):
        earliest = max(earliest, min(passage.after or 0, end))
        yield (earliest, before), passage


def _in_stretch(
    after: int, before: int, passages: Sequence[Passage], seen: Seen, earliest: int
) -> tuple[list[Grounding], int]:
    """The groundings of all elements of a stretch, and the start of the last one that has an occurrence."""
    elements = [(text, passage.confidence) for passage in passages for text in passage.texts]
    # What cannot have a footing takes no room from what can: a scene that was cut is no part of the stretch.
    texts = [text for text, sure in elements if sure >= LEAST_CHANCE]
    if not texts:
        return [UNGROUNDED] * len(elements), earliest
    after = max(after, earliest)
    room = len(texts) * LEAST_MS
    if before - after < room:
        # So much in so little time: some of it is seen before or behind, as far as it would need the room.
        spans, length = iter(_squeezed(after, before, len(texts), earliest, seen.end)), float(room)
    else:
        spans = iter(divided(after, before, texts, seen))
        length = seen.pace.passed(before) - seen.pace.passed(after)
    groundings: list[Grounding] = []
    stretch = Span(after, max(before, after + 1))
    for _, sure in elements:
        span = next(spans) if sure >= LEAST_CHANCE else None
        grounding = UNGROUNDED if span is None else _grounding(span, stretch, length, len(texts), sure)
        groundings.append(grounding)
        earliest = grounding.occurrence.start if grounding.occurrence else earliest
    return groundings, earliest


def _grounding(span: Span, stretch: Span, length: float, count: int, sure: float) -> Grounding:
    """One of `count` parts of a stretch that is `length` ms long on the action's clock."""
    share = min(1.0, max(0.0, (span.doubled_midpoint / 2 - stretch.start) / stretch.length))
    error = expected_error(length, share, count)
    if not is_footing(error, sure):
        return UNGROUNDED
    middle = span.doubled_midpoint / 2
    # More than there is room for reaches out of its stretch on both sides.
    beyond = max(0.0, length - stretch.length) / 2
    reach = middle - stretch.start + beyond, stretch.end - middle + beyond
    return Grounding(_shortened(span), confidence(error, sure, *reach))


def _squeezed(after: int, before: int, count: int, earliest: int, end: int) -> Iterator[Span]:
    """Spans between two times with too little room for all: in order, each overlapping half of the one before it.

    What lies before and behind stays where it is: where lines follow at once, only the ends reach into the next line.
    """
    room = before - after
    length = max(SHORTEST_MS, min(LEAST_MS, 2 * room // (count + 1)))
    last = max(room - length, 0)
    for place in range(count):
        start = after + (last * place // (count - 1) if count > 1 else last // 2)
        start = max(earliest, min(start, end - SHORTEST_MS))
        yield Span(start, min(start + length, end))


def _shortened(span: Span) -> Span:
    beyond = span.length - LONGEST_MS
    return span if beyond <= 0 else Span(span.start + beyond // 2, span.end - (beyond - beyond // 2))


LEAST_MS = 1_000
"""Room that an element needs to be divided off by its words; a stretch with less for each is shared otherwise."""
LEAST_WORDS = 4
"""Every element takes at least as long as this many words."""
NO_CUT = 0.3
"""What a boundary costs that lies on no cut, in squared mean shares."""
NO_EDGE = 0.2
"""What it costs besides where no speech begins or ends there."""
MOST_PLACES = 14
"""How many places are tried for one boundary: the nearest ones to where the words alone put it."""


def weight(text: str) -> int:
    """The relative length of what a text describes, in words."""
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
        columns.append([_Place(time, places[time], _boundary_cost(time, cuts, edges)) for time in sorted(places)])
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


def _boundary_cost(time: int, cuts: set[int], edges: set[int]) -> float:
    if time in cuts:
        return 0.0
    return NO_CUT if time in edges else NO_CUT + NO_EDGE


def _cheapest(columns: list[list[_Place]], shares: list[float]) -> tuple[Span, ...]:
    """The cheapest path through the columns; empty if none advances in every step."""
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
