"""Times and figures as they are read."""

from __future__ import annotations

import pytest

from adstudio.ui.widgets.formatting import as_sentence, duration, used_of


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (0, "0.0 s"),
        (4_200, "4.2 s"),
        (99_000, "99.0 s"),
        (99_001, "1 min 39 s"),
        (119_500, "2 min 0 s"),
        (754_000, "12 min 34 s"),
        # 12237.3 s are 3 hours (10,800 s), 23 minutes (1,380 s) and 57.3 s.
        (12_237_300, "3 h 23 min 57 s"),
        (-1_500, "-1.5 s"),
        (-125_000, "-2 min 5 s"),
    ],
)
def test_a_length_is_seconds_up_to_a_point_and_then_minutes(qapp, ms: int, said: str):
    assert duration(ms) == said


@pytest.mark.parametrize(
    ("used", "whole", "said"),
    [
        (3_000, 99_000, "3.0 s of 99.0 s"),
        (84_400, 104_000, "1 min 24 s of 1 min 44 s"),
        (20_000, 104_000, "0 min 20 s of 1 min 44 s"),
        (754_000, 12_237_300, "12 min 34 s of 3 h 23 min 57 s"),
    ],
)
def test_a_part_of_a_length_is_in_the_units_of_the_length(qapp, used: int, whole: int, said: str):
    assert used_of(used, whole) == said


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("the disk is full", "The disk is full."),
        ("Nothing was recorded.", "Nothing was recorded."),
        ("was it unplugged?", "Was it unplugged?"),
        ("it is gone!", "It is gone!"),
        ("The voice asks “Why?”", "The voice asks “Why?”."),
        ("film.mp4 is a folder", "film.mp4 is a folder."),
        ("", ""),
    ],
)
def test_a_sentence_has_one_mark_at_its_end(said: str, sentence: str):
    assert as_sentence(said) == sentence
