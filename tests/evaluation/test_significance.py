"""The permutation test against every arrangement, and intervals where they are known."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest

from adstudio.evaluation.significance import intervals, least_p, permutation_p, weights


def exact_p(differences: list[float], counts: list[int]) -> float:
    """Every arrangement, one after the other."""
    weighted = [each * weight for each, weight in zip(differences, weights(counts), strict=True)]
    observed = abs(sum(weighted))
    sums = [
        abs(sum(sign * each for sign, each in zip(signs, weighted, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(weighted))
    ]
    return sum(each >= observed - 1e-9 for each in sums) / len(sums)


def column(*values: float) -> np.ndarray:
    return np.array(values)[:, None]


def test_three_sequences_by_hand():
    # 1, 2 and 3: of the eight arrangements only +++ and −−− reach 6, so p = 2 / 8; with 0 instead of 1 the sign of the
    # first is of no account, and four reach 5
    assert permutation_p(column(1, 2, 3), [3]) == pytest.approx([0.25])
    assert permutation_p(column(0, 2, 3), [3]) == pytest.approx([0.5])
    # 1, −1, 1 is at 1: all eight arrangements are at 1 or 3
    assert permutation_p(column(1, -1, 1), [3]) == pytest.approx([1])


def test_a_film_of_few_sequences_weighs_as_much_as_one_of_many():
    # the films' means are 4 and (−1 −1 −1 −1) / 4 = −1: what is reported is (4 − 1) / 2 = 1.5; with any signs the
    # films' means are ±4 and m, |m| ≤ 1, and |±4 + m| / 2 is 1.5 at least: every arrangement is as extreme
    counts, differences = [1, 4], column(4, -1, -1, -1, -1)
    assert weights(counts) @ differences == pytest.approx([1.5])
    assert permutation_p(differences, counts) == pytest.approx([1])
    # over sequences alike it would be (4 − 4) / 5 = 0


@pytest.mark.parametrize("seed", range(5))
def test_all_arrangements_and_drawn_ones_agree_with_trying_each(seed: int):
    generator = np.random.default_rng(seed)
    counts = [5, 3, 4]
    differences = generator.normal(0.5, 1, (12, 6))
    expected = [exact_p(list(differences[:, place]), counts) for place in range(6)]
    assert permutation_p(differences, counts) == pytest.approx(expected)
    # of 4000 drawn ones the standard deviation of p is at most 0.008
    assert permutation_p(differences, counts, rounds=4_000) == pytest.approx(expected, abs=0.035)


def test_drawn_arrangements_are_the_same_every_time_and_never_leave_out_the_observed_one():
    differences = np.ones((40, 1))
    assert permutation_p(differences, [40], rounds=999) == pytest.approx([1 / 1000])
    some = np.random.default_rng(1).normal(size=(40, 2))
    assert np.array_equal(permutation_p(some, [20, 20]), permutation_p(some, [20, 20]))


def test_no_difference_has_p_1():
    assert permutation_p(np.zeros((30, 2)), [30]) == pytest.approx([1, 1])
    assert permutation_p(column(3), [1]) == pytest.approx([1])


def test_six_sequences_can_show_a_difference_and_five_cannot():
    assert [least_p(number) for number in (0, 1, 2, 5, 6)] == [1, 1, 0.5, 0.0625, 0.03125]
    assert permutation_p(np.ones((5, 1)), [5]) == pytest.approx([least_p(5)])


def test_a_thousand_comparisons_of_a_thousand_sequences_take_little_memory():
    differences = np.random.default_rng(1).normal(size=(1_000, 300))
    tracemalloc.start()
    permutation_p(differences, [1_000], rounds=1_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40_000_000


def test_intervals_of_known_means():
    # all alike; and two sequences of 0 and 100, of which half of the draws take one of each
    scores = np.array([[7.0, 0.0], [7.0, 100.0]])
    assert intervals(scores, [2]).tolist() == [[7, 7], [0, 100]]
    # each film has one sequence: there is nothing to draw
    assert intervals(scores, [1, 1]).tolist() == [[7, 7], [50, 50]]


def test_an_interval_is_that_of_the_normal_distribution_where_there_are_many():
    scores = np.random.default_rng(3).normal(50, 10, (400, 1))
    low, high = intervals(scores, [400])[0]
    spread = 1.96 * scores.std() / 20  # √400
    assert (low, high) == pytest.approx((scores.mean() - spread, scores.mean() + spread), abs=0.1)
