"""Sorted spans: finding the visible ones, stacking those that overlap, density, ruler, snapping."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timeline_scripts import line

from adstudio.core.film import Film
from adstudio.core.timebase import RATES
from adstudio.ui.timeline.drags import Snap, snapped, targets
from adstudio.ui.timeline.lane_densities import Saliences, density_of
from adstudio.ui.timeline.ruler_ticks import ticks
from adstudio.ui.timeline.sorted_spans import deepest, strip_of, with_others
from adstudio.ui.timeline.visible_range import VisibleRange

SPANS = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 80)), max_size=60).map(
    lambda pairs: [(start, start + length, str(n)) for n, (start, length) in enumerate(pairs)]
)


@given(SPANS, st.integers(-10, 600), st.integers(0, 100))
def test_the_visible_spans_are_those_that_touch_the_stretch(spans, start, length) -> None:
    strip = strip_of(spans)
    expected = sorted((s, e, k) for s, e, k in spans if s <= start + length and e >= start)
    assert [(strip.starts[i], strip.ends[i], strip.keys[i]) for i in strip.between(start, start + length)] == expected


@given(SPANS)
def test_overlapping_spans_never_share_a_row(spans) -> None:
    strip = strip_of(spans)
    for i in range(len(strip)):
        for j in range(i):
            same_row = strip.levels[i] == strip.levels[j]
            overlap = strip.starts[i] < max(strip.ends[j], strip.starts[j] + 1)
            assert not (same_row and overlap)
        assert 0 <= strip.levels[i] < strip.depths[i]


@given(SPANS, st.integers(0, 600))
def test_the_nearest_span_is_the_nearest(spans, ms) -> None:
    strip = strip_of(spans)
    found = strip.nearest(ms)
    if found is None:
        assert not spans
        return
    distances = [max(s - ms, ms - e, 0) for s, e, _ in spans]
    assert max(strip.starts[found] - ms, ms - strip.ends[found], 0) == min(distances)


def test_one_long_cue_over_many_short_ones_takes_a_row_of_its_own() -> None:
    strip = strip_of([(0, 600, "long"), *((n * 3, n * 3 + 2, f"s{n}") for n in range(200))])
    assert set(strip.depths) == {2}
    assert strip.levels[strip.place["long"]] == 0 or strip.levels[strip.place["s0"]] == 0
    assert len(strip.between(300, 300)) == 2


def test_a_span_that_meets_none_has_the_lane_to_itself() -> None:
    strip = strip_of([(0, 10, "a"), (5, 15, "b"), (20, 30, "c"), (30, 40, "d")])
    assert [(level, depth) for level, depth in zip(strip.levels, strip.depths, strict=True)] == [
        (0, 2),
        (1, 2),
        (0, 1),
        (0, 1),
    ]


def test_a_reversed_span_stands_at_its_start() -> None:
    strip = strip_of([(50, 40, "reversed"), (60, 60, "empty")])
    assert (strip.starts, strip.ends) == ((50, 60), (50, 60))
    assert [strip.keys[i] for i in strip.between(50, 50)] == ["reversed"]


@given(SPANS, st.data(), st.integers(1, 4))
def test_a_strip_with_other_spans_is_as_if_laid_out_anew(spans, data, rows) -> None:
    """And no span that stands elsewhere than before lies outside the places that are told."""
    gone = data.draw(st.lists(st.sampled_from(spans), unique=True)) if spans else []
    left = [span for span in spans if span not in gone]
    new = data.draw(st.lists(st.tuples(st.integers(0, 600), st.integers(0, 60)), max_size=6))
    come = [(start, start + length, f"n{n}") for n, (start, length) in enumerate(new)]
    before = strip_of(spans, rows=rows)
    after, old_places, new_places = with_others(before, gone, come, rows)
    assert after == strip_of([*left, *come], rows=rows)
    was = dict(zip(before.keys, before.levels, strict=True))
    moved = [n for n, key in enumerate(after.keys) if was.get(key, after.levels[n]) != after.levels[n]]
    assert set(moved) <= set(new_places)
    assert {before.place[after.keys[n]] for n in moved} <= set(old_places)


@given(SPANS)
def test_deepest_counts_what_is_there_at_once(spans) -> None:
    most = max((sum(s <= t < e for s, e, _ in spans) for t in range(600)), default=0)
    found, at = deepest(spans, 1_000)
    assert found == most
    assert strip_of(spans).depth_at(at) == most
    assert deepest(spans, 2)[0] == min(most, 2)


def columns(count: int) -> VisibleRange:
    """So many columns of ten milliseconds from the film's start."""
    return VisibleRange(count, 1000, 10.0, 0.0)


def test_density_says_how_much_of_each_column_is_covered() -> None:
    density = density_of([0, 10, 15], [5, 20, 20])
    import numpy as np

    shares = density.columns(density.grown(np.ones(3)), columns(3))
    assert shares.tolist() == pytest.approx([0.5, 1.5, 0.0])  # 5 of 10; 10 + 5 of 10; nothing
    weighted = density.columns(density.grown(np.array([1.0, 0.5, 0.0])), columns(3))
    assert weighted.tolist() == pytest.approx([0.5, 0.5, 0.0])


def test_density_of_nothing_and_of_a_point() -> None:
    import numpy as np

    empty = density_of([], [])
    assert empty.columns(empty.grown(np.zeros(0)), columns(4)).tolist() == [0, 0, 0, 0]
    point = density_of([15], [15])
    assert point.columns(point.grown(np.ones(1)), columns(3)).tolist() == pytest.approx([0, 0.1, 0])


# The ruler


def labels(film: Film, start: float, end: float, scale: float) -> dict[str, float]:
    return {tick.label: tick.ms for tick in ticks(film, start, end, scale) if tick.label}


def test_the_ruler_of_a_film_at_25() -> None:
    found = labels(Film("", 600_000), 0, 60_000, 100)
    assert found["00:00:15"] == 15_000
    assert set(found) == {"00:00:00", "00:00:15", "00:00:30", "00:00:45", "00:01:00"}


def test_at_23976_a_labelled_minute_is_60060_milliseconds() -> None:
    found = labels(Film("", 600_000, frame_rate=RATES["23.976"], start_timecode="10:00:00:00"), 0, 130_000, 300)
    assert found["10:01:00"] == pytest.approx(60_060)
    assert found["10:02:00"] == pytest.approx(120_120)


def test_drop_frame_labels_keep_up_with_the_clock() -> None:
    found = labels(Film("", 700_000, frame_rate=RATES["29.97 DF"]), 590_000, 610_000, 100)
    assert found["00:10:00"] == pytest.approx(600_000, abs=1)  # 17,982 frames at 30000/1001 are 599,999.4 ms


def test_labels_go_round_at_midnight() -> None:
    film = Film("", 600_000, frame_rate=RATES["29.97 DF"], start_timecode="23:59:30;00")
    assert "00:00:00" in labels(film, 0, 60_000, 100)
    assert "23:59:45" in labels(film, 0, 60_000, 100)


@pytest.mark.parametrize("rate", list(RATES))
@pytest.mark.parametrize("scale", [0.3, 5, 60, 900, 40_000])
def test_no_rate_and_no_zoom_makes_the_ruler_fail_or_labels_collide(rate: str, scale: float) -> None:
    found = [t for t in ticks(Film("", 36_000_000, frame_rate=RATES[rate]), 0, 2000 * scale, scale) if t.label]
    places = [tick.ms / scale for tick in found]
    assert all(after - before > 90 for before, after in pairwise(places))
    assert all(0 <= tick.ms <= 36_000_000 for tick in ticks(Film("", 36_000_000), 0, 2000 * scale, scale))


# Snapping


def test_an_edge_sticks_to_what_is_nearer_than_eight_pixels() -> None:
    onto = targets((1000, 2000), (None, 3000))
    assert onto == (1000, 2000, 3000)
    assert snapped((1070,), onto, 10) == Snap(-70, 1000)  # seven pixels
    assert snapped((1080,), onto, 10) == Snap()  # eight
    assert snapped((1930, 2995), onto, 10) == Snap(5, 3000)  # of two edges the nearer one


def test_nothing_sticks_to_its_own_edges() -> None:
    assert targets((1000, 2000), without=(2000,)) == (1000,)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 99)), max_size=8))
def test_saliences_mended_are_those_made_anew(edits) -> None:
    made = tuple(line(f"e{n}", 0, 1, 1, n / 10) for n in range(5))
    kept = Saliences()
    kept.of(made)
    for what, place, value in edits:
        lines = list(made)
        if what == 0:
            lines.insert(place, line(f"n{value}", 0, 1, 1, 0.3))
        elif what == 1 and lines:
            del lines[min(place, len(lines) - 1)]
        elif what == 2:
            lines.reverse()
        elif lines:
            at = min(place, len(lines) - 1)
            lines[at] = replace(lines[at], salience=value or None)
        order, before, made = kept.order, [each.id for each in made], tuple(lines)
        assert kept.of(made).tolist() == [each.salience or 0 for each in made]
        assert kept.order != order or before == [each.id for each in made]
