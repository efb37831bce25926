"""Which matches of an alignment are the same speech, and which are coincidences.

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
_PASSES = 40
"""How often the room is narrowed; films need up to ten."""

Matches = tuple[tuple[int, int], ...]


class Evidence:
    """How rare each word of two texts is, and so how much a cluster of matches says."""

    def __init__(self, left: Sequence[str], right: Sequence[str]) -> None:
        counts = Counter(left) + Counter(right)
        total = len(left) + len(right)
        rare = {word: log2(total / count) for word, count in counts.items()}
        self._bits = [rare[word] for word in left]

    def of(self, cluster: Sequence[tuple[int, int]]) -> float:
        """The evidence that a cluster holds, in bits."""
        bits = [self._bits[i] for i, _ in cluster]
        best = max(range(len(bits)), key=lambda k: bits[k])
        found = bits[best]
        for k in range(len(cluster)):
            if k == best:
                continue
            a, b = (k, k + 1) if k < best else (k - 1, k)
            apart = cluster[b][0] - cluster[a][0] > 1 or cluster[b][1] - cluster[a][1] > 1
            found += max(0.0, bits[k] * _FOLLOWING - (_GAP_BITS if apart else 0.0))
        return found


def is_coincidence(evidence: float, left_places: int, right_places: int) -> bool:
    """Whether a cluster with this much evidence may well be a coincidence among so many positions on both sides."""
    return evidence < log2(max(1, left_places)) + log2(max(1, right_places)) + _MARGIN_BITS


def trusted_matches(matches: Matches, left: int, right: int, evidence: Evidence) -> Matches:
    """The matches that belong to trusted clusters, in order; `left` and `right` are the words of both texts."""
    clusters = _clusters(matches)
    weights = [evidence.of(cluster) for cluster in clusters]
    known = [-1, len(clusters)]
    waiting = sorted(range(len(clusters)), key=lambda k: (-weights[k], k))
    for _ in range(_PASSES):
        rest: list[int] = []
        for k in waiting:
            if is_coincidence(weights[k], *_room(clusters, known, k, (left, right))):
                rest.append(k)
            else:
                insort(known, k)
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


def _room(clusters: Sequence[Matches], known: Sequence[int], k: int, whole: tuple[int, int]) -> tuple[int, int]:
    """In how many places on each side the cluster might have been found."""
    place = bisect_left(known, k)
    before, after = known[place - 1], known[place]
    start = clusters[before][-1] if before >= 0 else (-1, -1)
    end = clusters[after][0] if after < len(clusters) else whole
    first, last = clusters[k][0], clusters[k][-1]
    return end[0] - start[0] - 1 - (last[0] - first[0]), end[1] - start[1] - 1 - (last[1] - first[1])
