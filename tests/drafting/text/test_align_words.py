"""The alignment of least edits against the plain matrix, and its fixed rule for ties."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from adstudio.drafting.text.align.align import moved_to_boundaries
from adstudio.drafting.text.align.edit_distance import MOST_WORDS, AlignmentError, aligned, quick_distance


def plain(left, right):
    """Distance and most hits by the textbook's matrix, cell by cell."""
    above = [(j, 0) for j in range(len(right) + 1)]
    for i in range(1, len(left) + 1):
        row = [(i, 0)]
        for j in range(1, len(right) + 1):
            same = left[i - 1] == right[j - 1]
            distance, hits = above[j - 1]
            row.append(
                min(
                    (distance + (not same), hits - same),
                    (above[j][0] + 1, above[j][1]),
                    (row[j - 1][0] + 1, row[j - 1][1]),
                )
            )
        above = row
    return above[-1][0], -above[-1][1]


def cost(matches, left, right):
    """What an alignment with these matches costs: between two of them as many edits as the longer side has words."""
    at = [(-1, -1), *matches, (len(left), len(right))]
    return sum(max(b[0] - a[0], b[1] - a[1]) - 1 for a, b in pairwise(at))


def cases(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        words = [str(k) for k in range(rng.choice((1, 2, 3, 6, 25)))]
        left = rng.choices(words, k=rng.randrange(40))
        if rng.random() < 0.5:
            right = rng.choices(words, k=rng.randrange(40))
        else:
            right = [w if rng.random() > 0.2 else rng.choice(words) for w in left if rng.random() > 0.2]
        yield (left, right) if rng.random() < 0.5 else (right, left)


def test_least_edits_then_most_matches_as_the_plain_matrix_finds_them():
    for left, right in cases(1, 2000):
        found = aligned(left, right)
        assert (found.distance, found.hits) == plain(left, right), (left, right)
        assert cost(found.matches, left, right) == found.distance
        assert all(left[i] == right[j] for i, j in found.matches)
        assert quick_distance([int(w) for w in left], [int(w) for w in right]) >= found.distance


def test_wide_sides_cross_many_blocks_and_agree_with_the_plain_matrix():
    rng = random.Random(4)
    for size, other in ((700, 500), (300, 900), (600, 600)):
        left = [str(int(rng.paretovariate(0.7))) for _ in range(size)]
        right = [str(int(rng.paretovariate(0.7))) for _ in range(other)]
        found = aligned(left, right)
        assert (found.distance, found.hits) == plain(left, right)


def test_most_matches_among_alignments_of_the_same_distance():
    # Two substitutions match nothing; leaving out a and putting in c costs two as well and matches b.
    assert aligned(["a", "b"], ["b", "c"]).matches == ((1, 0),)
    assert aligned(["a", "b"], ["b", "c"]).distance == 2


@pytest.mark.parametrize(
    ("left", "right", "matches"),
    [
        ("the cat", "the dog the cat", ((0, 2), (1, 3))),  # not “the … cat”
        ("the cat", "the cat the dog", ((0, 0), (1, 1))),
        ("go now", "go now or now", ((0, 0), (1, 1))),  # the last word is drawn to the one before
        ("go now or now", "go now", ((0, 0), (1, 1))),
        ("", "go", ()),
        ("go", "", ()),
    ],
)
def test_runs_stay_together(left, right, matches):
    assert aligned(left.split(), right.split()).matches == matches


def test_the_same_every_time():
    left, right = next(cases(9, 1))
    assert aligned(left, right) == aligned(list(left), list(right))


def test_too_many_words_are_refused_with_the_limit():
    with pytest.raises(AlignmentError, match="60,000"):
        aligned(["a"] * (MOST_WORDS + 1), ["a"])


def test_a_gap_slides_to_where_a_speech_ends():
    # “all new | it is new | yes” without its second speech: either “new” costs the same.
    left, right = ["all", "new", "it", "is", "new", "yes"], ["all", "new", "yes"]
    late = ((0, 0), (4, 1), (5, 2))
    assert moved_to_boundaries(late, left, right, {0, 2, 5, 6}, {0, 2, 3}) == ((0, 0), (1, 1), (5, 2))
    early = ((0, 0), (1, 1), (5, 2))
    assert moved_to_boundaries(early, left, right, {0, 1, 4, 6}, {0, 1, 3}) == ((0, 0), (4, 1), (5, 2))


def test_sliding_keeps_distance_and_matches():
    rng = random.Random(6)
    for left, right in cases(7, 1000):
        found = aligned(left, right)
        starts = [{0, len(side), *rng.sample(range(len(side) + 1), len(side) // 3)} for side in (left, right)]
        matches = moved_to_boundaries(found.matches, left, right, *starts)
        assert len(matches) == found.hits
        assert all(left[i] == right[j] for i, j in matches)
        assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(matches))
        assert cost(matches, left, right) == found.distance
