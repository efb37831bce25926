"""What of a sequence stayed in order, where as little as possible was moved."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def longest_rise(values: Sequence[int]) -> list[int]:
    """The places of the longest rising run of values, not necessarily next to each other."""
    # The smallest last value of a run of each length, and its place.
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        at = bisect_left(ends, value)
        before.append(last[at - 1] if at else -1)
        ends[at : at + 1] = [value]
        last[at : at + 1] = [place]
    found: list[int] = []
    place = last[-1] if last else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]
