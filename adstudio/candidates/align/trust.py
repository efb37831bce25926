"""Which matches of an alignment stand for the same speech, and which are there by accident.

The least edits match many words by accident: every “the” finds another. Matches that lie close together are taken as
one cluster, and a cluster is trusted if it is not likely to be found by accident in the room that it was found in. That
room is what lies between the nearest trusted clusters on both sides: a screenplay words by b film words give a·b pairs
of places, so by accident a cluster that holds w bits of evidence turns up a·b·2^−w times. It is trusted if that is less
than once in a hundred. The strongest clusters come first; each one that is trusted narrows the room of the others.

A word's evidence is the logarithm of how rare it is in both texts. Words that follow one another are not independent,
so beyond the rarest word of a cluster only two thirds of it count, and a word after a gap costs the two bits that the
freedom of the gap is worth.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Sequence
from math import log2

_REACH = 2
"""Matches belong to one cluster if on both sides at most one word lies between them."""
_FOLLOWING = 2 / 3
_GAP_BITS = 2.0
_MARGIN_BITS = log2(100)

Matches = tuple[tuple[int, int], ...]


def trusted(matches: Matches, left: Sequence[str], right: Sequence[str]) -> Matches:
    """The matches that belong to trusted clusters, in order."""
    clusters = _clusters(matches)
    counts = Counter(left) + Counter(right)
    total = len(left) + len(right)
    evidence = [_evidence(cluster, [log2(total / counts[left[i]]) for i, _ in cluster]) for cluster in clusters]
    known = [-1, len(clusters)]
    waiting = sorted(range(len(clusters)), key=lambda k: (-evidence[k], k))
    while True:
        rest: list[int] = []
        for k in waiting:
            room = _room(clusters, known, k, len(left), len(right))
            if evidence[k] >= room + _MARGIN_BITS:
                insort(known, k)
            else:
                rest.append(k)
        if len(rest) == len(waiting):
            break
        waiting = rest
    return tuple(match for k in known[1:-1] for match in clusters[k])


def _clusters(matches: Matches) -> list[Matches]:
    cuts = [
        k
        for k in range(1, len(matches))
        if matches[k][0] - matches[k - 1][0] > _REACH or matches[k][1] - matches[k - 1][1] > _REACH
    ]
    return [matches[a:b] for a, b in zip([0, *cuts], [*cuts, len(matches)], strict=True) if a < b]


def _evidence(cluster: Matches, bits: Sequence[float]) -> float:
    best = max(range(len(bits)), key=lambda k: bits[k])
    found = bits[best]
    for k in range(len(cluster)):
        if k == best:
            continue
        a, b = (k, k + 1) if k < best else (k - 1, k)
        apart = cluster[b][0] - cluster[a][0] > 1 or cluster[b][1] - cluster[a][1] > 1
        found += max(0.0, bits[k] * _FOLLOWING - (_GAP_BITS if apart else 0.0))
    return found


def _room(clusters: Sequence[Matches], known: Sequence[int], k: int, left: int, right: int) -> float:
    """The logarithm of how many pairs of places the cluster might have been found in."""
    place = bisect_left(known, k)
    before, after = known[place - 1], known[place]
    start = clusters[before][-1] if before >= 0 else (-1, -1)
    end = clusters[after][0] if after < len(clusters) else (left, right)
    cluster = clusters[k]
    places = [max(1, (end[side] - start[side] - 1) - (cluster[-1][side] - cluster[0][side])) for side in (0, 1)]
    return log2(places[0]) + log2(places[1])
