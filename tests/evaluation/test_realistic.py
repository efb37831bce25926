"""The realistic filter at its edges, and what it counts."""

from __future__ import annotations

import pytest
from word_scorer import said

from adstudio.core.timebase import Span
from adstudio.evaluation.material import Description
from adstudio.evaluation.realistic import realistic, total
from adstudio.evaluation.results import FilterCounts, Unrealistic

GAPS = [Span(10_000, 20_000), Span(30_000, 40_000)]


def filtered(*lines: tuple[float, float, str]) -> tuple[list[str], FilterCounts]:
    descriptions = said(*lines)
    remaining, counts = realistic(descriptions, {each.text: each.text for each in descriptions}, GAPS)
    return [each.text for each in remaining], counts


def words(number: int) -> str:
    return " ".join(f"w{place}" for place in range(number))


@pytest.mark.parametrize(
    ("length", "number", "stays", "far_too_fast"),
    [
        (2.0, 10, False, 0),  # 10 words in 2 s are exactly 300 a minute
        (2.001, 10, True, 0),  # 299.85
        (1.2, 10, False, 0),  # exactly 500: not beyond
        (1.199, 10, False, 1),
        (0.0, 1, False, 1),  # no time at all
        (1.0, 4, True, 0),  # 240
    ],
)
def test_words_a_minute(length: float, number: int, stays: bool, far_too_fast: int):
    remaining, counts = filtered((12, 12 + length, words(number)))
    assert bool(remaining) == stays
    assert counts.removed[Unrealistic.TOO_FAST] == 1 - stays
    assert counts.faster_than_500 == far_too_fast


@pytest.mark.parametrize(
    ("start", "end", "stays"), [(9, 21, True), (8.999, 12, False), (19, 21.001, False), (22, 28, False), (29, 31, True)]
)
def test_outside_the_gaps_and_their_collar(start: float, end: float, stays: bool):
    remaining, counts = filtered((start, end, "a dog"))
    assert (remaining, counts.removed[Unrealistic.OVER_DIALOGUE]) == (["a dog"] if stays else [], 1 - stays)


def test_one_that_begins_before_the_end_of_the_one_before_it_that_stays():
    remaining, counts = filtered(
        (10, 13, "a"),
        (12.999, 14, "b"),  # during a
        (13, 15, "c"),  # when a ends; b, which was removed, is in nobody's way
        (14, 14.1, "d d d"),  # during c, but too fast first: counted once
    )
    assert remaining == ["a", "c"]
    assert counts == FilterCounts(
        4, {Unrealistic.TOO_FAST: 1, Unrealistic.OVER_DIALOGUE: 0, Unrealistic.OVERLAPPING: 1}, 1
    )


def test_words_are_tokens():
    lines = (Description(Span(12_000, 13_000), "“Don’t!” – he says."),)
    # by the tokenizer five words, do n't he says and one more: 300 a minute
    assert realistic(lines, {lines[0].text: "do n't he says so"}, GAPS)[0] == ()
    assert realistic(lines, {lines[0].text: "do n't he says"}, GAPS)[0] == lines


def test_the_counts_of_films_are_added():
    one = FilterCounts(3, dict.fromkeys(Unrealistic, 1), 1)
    assert total([one, one]) == FilterCounts(6, dict.fromkeys(Unrealistic, 2), 2)
