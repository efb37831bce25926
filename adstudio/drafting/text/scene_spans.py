"""The film cut into scenes by what is known to happen in each: no gaps between them, boundaries on cuts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from adstudio.core.timebase import Span

SLACK_MS = 700
"""A cut so shortly after the first thing that is known of a scene may still be its beginning."""


def scene_spans(known: Sequence[Span | None], end: int, cuts: Sequence[int]) -> tuple[Span | None, ...]:
    """For each scene in order its stretch of the film, from the span of all that is known to happen in it.

    A scene of which nothing is known has none. The others cover the film, each with a positive length; one that
    nothing is left for has none either.
    """
    starts: list[tuple[int, int]] = []
    latest = 0
    for number, span in enumerate(known):
        if span is None:
            continue
        start = 0 if not starts else _boundary(latest, span.start, cuts)
        if starts and start <= starts[-1][1]:
            start = max(span.start, starts[-1][1] + 1)
        if start < end:
            starts.append((number, start))
        latest = max(latest, span.end)
    spans: list[Span | None] = [None] * len(known)
    for (number, start), (_, following) in pairwise([*starts, (len(known), end)]):
        spans[number] = Span(start, following)
    return tuple(spans)


def _boundary(last: int, first: int, cuts: Sequence[int]) -> int:
    """Where a scene begins whose first thing is at `first`, after one whose last thing ended at `last`."""
    place = bisect_right(cuts, first) - 1
    if place >= 0 and cuts[place] >= min(last, first):
        return cuts[place]
    following = bisect_left(cuts, first)
    return cuts[following] if following < len(cuts) and cuts[following] <= first + SLACK_MS else first
