"""The alignment against every possible one, and SODA-M and SODA-T by hand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.timebase import Span
from adstudio.evaluation.soda import alignment, soda_m, soda_t

Path = tuple[tuple[int, int, int], ...]
DIAGONAL, UP, LEFT = 0, 1, 2


def paths(row: int, column: int) -> Iterator[Path]:
    """Every way from the end of both sides to their beginnings: moves with the place at which they are made."""
    if row == column == 0:
        yield ()
    if row and column:
        yield from (((DIAGONAL, row, column), *rest) for rest in paths(row - 1, column - 1))
    if row:
        yield from (((UP, row, column), *rest) for rest in paths(row - 1, column))
    if column:
        yield from (((LEFT, row, column), *rest) for rest in paths(row, column - 1))


def best_pairs(scores: list[list[int]], columns: int) -> list[tuple[int, int]]:
    """By trying all: the most, and of equals the first by diagonal, up, left, from the end."""

    def worth(path: Path) -> tuple[int, list[int]]:
        total = sum(scores[row - 1][column - 1] for move, row, column in path if move == DIAGONAL)
        return -total, [move for move, _, _ in path]

    best = min(paths(len(scores), columns), key=worth)
    return [(row - 1, column - 1) for move, row, column in reversed(best) if move == DIAGONAL]


@given(st.integers(0, 4).flatmap(lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), max_size=4)))
def test_the_alignment_is_the_best_of_all_with_its_rule_for_ties(scores: list[list[int]]):
    columns = len(scores[0]) if scores else 3
    table = np.array(scores, dtype=float).reshape(len(scores), columns)
    assert alignment(table) == best_pairs(scores, columns)


def test_order_is_preserved_at_the_cost_of_a_pair():
    # crossing pairs would be worth 1.8; either alone, or the two zeros of the diagonal, are what order allows
    assert alignment(np.array([[0.0, 0.9], [0.8, 0.0]])) == [(0, 1)]


def test_ties_pair_two_of_no_worth_and_then_leave_a_generated_one_alone():
    assert alignment(np.zeros((2, 2))) == [(0, 0), (1, 1)]
    # three generated ones for two of the reference: the diagonals from the end leave the first one alone
    assert alignment(np.zeros((3, 2))) == [(1, 0), (2, 1)]
    # up before left: worth 1 is reached by leaving row 1 or column 1 alone; the row is
    assert alignment(np.array([[0.0, 1.0], [1.0, 0.0]])) == [(0, 1)]


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_is_aligned_with_nothing(shape: tuple[int, int]):
    assert alignment(np.zeros(shape)) == []


def test_soda_m_is_the_sum_over_the_mean_number_of_descriptions():
    assert soda_m(0.9 + 0.3, 2, 3) == pytest.approx(100 * 1.2 / 2.5)  # 48
    assert soda_m(4.0, 4, 4) == 100
    assert soda_m(0.0, 4, 0) == 0


def test_soda_t_counts_pairs_less_than_ten_seconds_apart():
    reference = Span(20_000, 21_001)  # its midpoint is 20.5005 s
    near, exact, far = Span(30_000, 31_000), Span(30_001, 31_000), Span(30_001, 31_001)
    # 30.5, 30.5005 and 30.501 s: 9.9995, exactly 10 and 10.0005 s away
    for other, score in ((near, 50), (exact, 0), (far, 0)):
        assert soda_t([(reference, other)], 2) == score
        assert soda_t([(other, reference)], 2) == score
    assert soda_t([], 3) == 0
