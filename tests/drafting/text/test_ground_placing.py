"""Prose laid along a film: the path by order, what it shares with the dialogue, credits, and the pace of its times."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.script import Cue, CueKind
from adstudio.core.timebase import Span
from adstudio.drafting.text.ground.credits import titles_and_credits
from adstudio.drafting.text.ground.evidence import Grounding, Seen
from adstudio.drafting.text.ground.likeness import at_times, likeness
from adstudio.drafting.text.ground.path import SKIP_MS, SKIPS, Steps, chances, fit, middles
from adstudio.drafting.text.ground.placing import Placed, placed

CELL = 1_000.0


def found(texts: list[str], end: int, cues: tuple[Cue, ...] = (), cuts: tuple[int, ...] = ()) -> list[Grounding]:
    return placed([Placed(text) for text in texts], seen(end, cues, cuts), cues, None)


def seen(end: int, cues: tuple[Cue, ...] = (), cuts: tuple[int, ...] = ()) -> Seen:
    return Seen(end, cuts, tuple(Span(cue.start, cue.end) for cue in cues if cue.kind is CueKind.SPEECH))


def middle(grounding: Grounding) -> float:
    assert grounding.occurrence is not None
    return grounding.occurrence.doubled_midpoint / 2


def step(mean: float, skips: float, cells: int) -> list[float]:
    """The chance of each number of cells between two points: a gamma distribution, and now and then an exponential."""
    at = [(lag + 0.25) * CELL for lag in range(cells)]
    near = [(3 * each / mean) ** 2 * exp(-3 * each / mean) for each in at]
    far = [exp(-each / SKIP_MS) for each in at]
    return [(1 - skips) * n / sum(near) + skips * f / sum(far) for n, f in zip(near, far, strict=True)]


def test_the_chances_are_those_of_all_paths_counted_one_by_one():
    lengths, cells = (2_000.0, 3_000.0, 4_000.0), 6
    hints = np.array([[1, 2, 1, 1, 1, 1], [1, 1, 1, 3, 1, 1], [1, 1, 4, 1, 0.5, 1]], dtype=float)
    first, second, third, last = (
        step(mean, skips, cells) for mean, skips in ((1_000, 0.3), (2_500, SKIPS), (3_500, SKIPS), (2_000, 0.5))
    )
    expected = np.zeros((3, cells))
    for a, b, c in combinations_with_replacement(range(cells), 3):
        way = first[a] * second[b - a] * third[c - b] * last[cells - 1 - c] * hints[0, a] * hints[1, b] * hints[2, c]
        for row, place in enumerate((a, b, c)):
            expected[row, place] += way
    steps = Steps(lengths, 1.0, 0.3, 0.5)
    assert chances(steps, CELL, cells, hints) == pytest.approx(expected / expected[0].sum())
    assert fit(steps, CELL, cells, hints) == pytest.approx(np.log(expected[0].sum()))


def test_a_pace_that_cannot_be_leaves_chances_that_sum_to_one():
    # A thousand elements of a word or two, and hints that hold all of them back at the end of two hours.
    hints = np.exp(np.repeat(np.linspace(-40, 40, 1_000)[None, :], 1_000, axis=0))
    steps = Steps((1_000.0,) * 1_000, 0.7, 0.3, 0.5)
    assert chances(steps, 7_200.0, 1_000, hints).sum(axis=1) == pytest.approx(np.ones(1_000))
    assert np.isfinite(fit(steps, 7_200.0, 1_000, hints))


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.floats(200, 20_000), min_size=1, max_size=8),
    st.floats(0.5, 6),
    st.integers(12, 60),
    st.integers(0, 2**16),
)
def test_middles_never_go_back(lengths: list[float], pace: float, cells: int, seed: int):
    hints = np.exp(np.random.default_rng(seed).normal(0, 3, (len(lengths), cells)))
    rows = chances(Steps(tuple(lengths), pace, 0.3, 0.5), CELL, cells, hints)
    at = middles(rows)
    assert all(one <= other + 1e-9 for one, other in pairwise(at))
    assert all(0 <= place <= cells for place in at)


def test_lines_without_anything_to_go_by_share_the_film_by_their_words():
    texts = ["Ten words are in this line, which takes its time."] * 6
    middles_found = [middle(each) for each in found(texts, 60_000)]
    assert middles_found == sorted(middles_found)
    assert middles_found[0] < 12_000
    assert 20_000 < middles_found[3] < 50_000


def test_words_that_the_dialogue_shares_draw_a_line_to_it():
    cues = (
        Cue("c1", 10_000, 12_000, "I am not hungry."),
        Cue("c2", 80_000, 82_000, "Where did you put the lantern?"),
        Cue("c3", 100_000, 102_000, "It was never yours."),
    )
    texts = ["He waits by the wall.", "She lifts a lantern off the hook.", "They leave."]
    near = found(texts, 120_000, cues)
    assert abs(middle(near[1]) - 81_000) < 10_000
    far = found([texts[0], "She lifts a bucket off the hook.", texts[2]], 120_000, cues)
    assert abs(middle(far[1]) - 81_000) > abs(middle(near[1]) - 81_000)
    assert near[1].confidence > far[1].confidence


def test_a_word_that_is_everywhere_says_nothing():
    often = [Cue(f"c{n}", n * 5_000, n * 5_000 + 1_000, "The lantern.") for n in range(8)]
    once = [*often[:7], Cue("c7", 35_000, 36_000, "A violin.")]
    texts = ["A lantern.", "A violin."]
    by_words, _ = likeness(texts, once, None)
    assert by_words[1, 7] > 2 * by_words[0, 0] > 0
    around = at_times(likeness(texts, once, None), once, np.array([500.0, 35_500.0]))
    assert around[1, 1] > around[1, 0]


def test_what_is_heard_draws_too():
    cues = (Cue("c1", 90_000, 92_000, "[TELEPHONE RINGS]", kind=CueKind.SOUND),)
    texts = ["He sits.", "He stares at the telephone.", "He goes."]
    assert abs(middle(found(texts, 120_000, cues)[1]) - 91_000) < 12_000


@pytest.mark.parametrize(
    ("texts", "opening", "closing"),
    [
        (["Rain falls.", "Tom waits."], 0, 0),
        (["A logo: a red fox.", "Rain falls.", "Directed by Ann Poe.", "Music by Lee Roe."], 1, 2),
        (["The words appear: Two Winters.", "Rain falls.", "Credits roll."], 1, 1),
        (["Harbour Films presents.", "A quay.", "A film by Ann Poe.", "Rain.", "He edits a letter."], 3, 0),
        (["He gives the credit to Tom: a nod.", "Rain.", "Snow.", "The end."], 1, 1),
    ],
)
def test_titles_and_credits(texts: list[str], opening: int, closing: int):
    assert titles_and_credits(texts) == (opening, closing)


def test_closing_credits_are_behind_the_last_that_is_said_and_titles_ahead_of_the_first():
    cues = tuple(Cue(f"c{n}", 30_000 + 10_000 * n, 33_000 + 10_000 * n, "Not now, not here.") for n in range(10))
    story = ["He waits by the gate, and looks up at the windows."] * 8
    closing = ["Directed by Ann Poe.", "Written by Lee Roe.", "Music by Kim Doe.", "Edited by Jo Moe."] * 4
    at = [middle(each) for each in found(["Harbour Films presents.", *story, *closing], 200_000, cues)]
    assert at[0] < 30_000
    assert all(place >= 120_000 for place in at[9:])
    # Without their being known, the words alone would have them begin long before.
    plain = [middle(each) for each in found([*story, *["He waits and looks."] * 16], 200_000, cues)]
    assert plain[8] < 120_000


@pytest.mark.parametrize("pace", [1.5, 3.0])
@pytest.mark.parametrize("every", [4, 16])
def test_the_pace_is_found_from_the_times(pace: float, every: int):
    # 64 lines of 10 words (3 s to read), told at that pace without a pause; every so many lines there is a time.
    length = round(3_000 * pace)
    text = "He goes on past one more of the many doors."
    times = [number // every * every * length for number in range(64)]
    elements = [
        Placed(text, at, at + every * length if at + every * length < 64 * length else None, 0.95, timed=True)
        for at in times
    ]
    at = [middle(each) for each in placed(elements, seen(64 * length), (), None)]
    errors = [abs(place - (number + 0.5) * length) for number, place in enumerate(at)]
    assert sum(errors) / len(errors) < 4_000


def test_a_line_with_a_time_of_its_own_is_at_it_however_far_the_next_one_is():
    elements = [
        Placed("He opens the door of the shed.", at, at + 40_000, 0.95, timed=True) for at in (10_000, 50_000, 90_000)
    ]
    at = [each.occurrence for each in placed(elements, seen(130_000), (), None)]
    assert [span.start for span in at if span is not None] == [10_000, 50_000, 90_000]
    assert all(span is not None and span.length <= 8_000 for span in at)


def test_what_is_past_the_film_or_without_support_has_none():
    assert placed([], seen(10_000), (), None) == []
    assert placed([Placed("He waits.", 20_000, None, 0.0)], seen(10_000), (), None) == [Grounding(None, 0)]
    assert [each.occurrence for each in found(["He waits.", "He goes."], 7_200_000)] == [None, None]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["He waits.", "She lifts the lantern off its hook.", "Directed by Ann Poe.", "…"]),
            st.none() | st.integers(0, 70_000),
            st.none() | st.integers(0, 70_000),
            st.booleans(),
        ),
        max_size=8,
    ),
    st.integers(1, 60_000),
    st.lists(st.tuples(st.integers(0, 60_000), st.integers(-500, 4_000)), max_size=4),
)
def test_occurrences_are_in_order_inside_the_film_and_always_the_same(
    texts: list[tuple[str, int | None, int | None, bool]], end: int, said: list[tuple[int, int]]
):
    cues = tuple(Cue(f"c{n}", at, at + length, "The lantern, now.") for n, (at, length) in enumerate(sorted(said)))
    elements = [Placed(text, after, before, 0.9, timed and after is not None) for text, after, before, timed in texts]
    film = Seen(end, (end // 2,), tuple(Span(cue.start, cue.end) for cue in cues if cue.end > cue.start))
    groundings = placed(elements, film, cues, None)
    assert len(groundings) == len(elements)
    spans = [each.occurrence for each in groundings if each.occurrence is not None]
    assert all(0 <= span.start < span.end <= end for span in spans)
    assert all(one.start <= other.start for one, other in pairwise(spans))
    assert all(0 <= each.confidence <= 1000 for each in groundings)
    assert placed(elements, film, cues, None) == groundings


@pytest.mark.parametrize("every", [4, 16])
def test_what_says_that_it_is_right_is_right_as_often_on_films_that_nothing_was_set_on(every: int):
    # Actions take as long as they like (log-normal, σ = 0.6) around twice what reading takes; some film between them
    # is passed over. What is said of ten films together is compared with what is so.
    rng = np.random.default_rng(17)
    said: list[float] = []
    right: list[bool] = []
    for _ in range(10):
        texts: list[str] = []
        spans: list[tuple[float, float]] = []
        now = 0.0
        for _ in range(48):
            words = int(rng.integers(4, 16))
            length = 600 * words * float(rng.lognormal(0, 0.6))
            now += float(rng.exponential(12_000)) if rng.random() < 0.1 else 0
            texts.append("walks " * words)
            spans.append((now, now + length))
            now += length
        times = [round(spans[number // every * every][0]) for number in range(48)]
        following = [next((at for at in times if at > own), None) for own in times]
        elements = [
            Placed(text, at, before, 1.0, timed=True) for text, at, before in zip(texts, times, following, strict=True)
        ]
        for each, (start, end) in zip(placed(elements, seen(round(now)), (), None), spans, strict=True):
            said.append(each.confidence / 1000)
            right.append(each.occurrence is not None and abs(middle(each) - (start + end) / 2) <= 5_000)
    # It may be a little too careful, and hardly at all too sure.
    for low, high in ((0.0, 0.35), (0.35, 0.65), (0.65, 1.01)):
        band = [place for place, chance in enumerate(said) if low <= chance < high]
        if len(band) >= 60:
            more = float(np.mean([right[place] for place in band]) - np.mean([said[place] for place in band]))
            assert -0.08 <= more <= 0.15
    assert abs(float(np.mean(right) - np.mean(said))) <= 0.06
