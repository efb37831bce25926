"""Gaps in the dialogue of each sequence, and what lies where."""

from __future__ import annotations

import pytest
from word_scorer import film, said, spoken

from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.evaluation.sequences import by_sequence, gaps_around, gaps_by_sequence


def seconds(spans: tuple[Span, ...]) -> list[tuple[float, float]]:
    return [(span.start / 1000, span.end / 1000) for span in spans]


def test_gaps_lie_before_between_and_after_subtitles_from_one_second_on():
    # 0–1 is a gap of exactly 1 s; 3–3.999 is too short; 6–7 is exactly long enough; 9–10 is after the last
    dialogue = spoken((1, 3), (3.999, 6), (7, 9))
    (gaps,) = gaps_by_sequence(film({}, {}, dialogue=dialogue, bounds=(0, 10)))
    assert seconds(gaps) == [(0, 1), (6, 7), (9, 10)]


def test_a_pause_across_a_boundary_is_a_gap_on_either_side_of_it():
    # the pause 2–12 is cut at 5 and at 11.5; of its last piece half a second remains, which is no gap
    found = gaps_by_sequence(film({}, {}, dialogue=spoken((0, 2), (12, 20)), bounds=(0, 5, 11.5, 20)))
    assert [seconds(gaps) for gaps in found] == [[(2, 5)], [(5, 11.5)], []]


def test_without_dialogue_each_sequence_is_one_gap():
    assert [seconds(gaps) for gaps in gaps_by_sequence(film({}, {}, bounds=(0, 4, 9)))] == [[(0, 4)], [(4, 9)]]


def test_overlapping_reversed_and_endless_subtitles_count_as_speech():
    dialogue = (*spoken((2, 6), (3, 4), (5, 8)), Cue("late", 90_000, 200_000, "Beyond the end."))
    (gaps,) = gaps_by_sequence(film({}, {}, dialogue=dialogue))
    assert seconds(gaps) == [(0, 2), (8, 90)]


@pytest.mark.parametrize("kind", [CueKind.SOUND, CueKind.MUSIC, CueKind.SUNG])
def test_only_speech_is_dialogue(kind: CueKind):
    (gaps,) = gaps_by_sequence(film({}, {}, dialogue=(Cue("a", 2_000, 5_000, "♪", None, kind),), bounds=(0, 10)))
    assert seconds(gaps) == [(0, 10)]


def test_a_description_belongs_to_the_sequence_of_its_midpoint():
    # midpoints: 4.9995, 5 (the next one's start), 9.5 (the last), 12 (beyond the film)
    lines = said((4, 5.999, "a"), (4, 6, "b"), (9, 10, "c"), (11, 13, "d"))
    found = by_sequence(film({}, {}, bounds=(0, 5, 10)), reversed(lines))
    assert [[each.text for each in part] for part in found] == [["a"], ["b", "c", "d"]]


@pytest.mark.parametrize(
    ("start", "end", "numbers"),
    [
        (10, 20, [0]),
        (9, 21, [0]),  # exactly the collar on either side
        (8.999, 20, []),
        (10, 21.001, []),
        (20, 21, [0, 1]),  # the pause between the gaps is a second: what lies in it belongs to both
        (20, 21.001, [1]),
        (19.999, 21.001, []),
        (22, 22, [1]),
        (50, 60, []),
    ],
)
def test_a_description_belongs_to_every_gap_that_contains_it_within_a_second(
    start: float, end: float, numbers: list[int]
):
    gaps = [Span(10_000, 20_000), Span(21_000, 30_000)]
    assert list(gaps_around(said((start, end, "x"))[0].span, gaps)) == numbers
