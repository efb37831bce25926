"""Lines stand in the rendered stretch to the sample, and two at once are heard, bent and reported."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.timebase import Span
from adstudio.speech.engine import SpeechRequestError
from adstudio.speech.rendering import render_segment
from adstudio.speech.sound import Sound


def steady(ms: int, level: float = 0.5) -> Sound:
    return Sound(np.full(ms * 48, level, np.float32), 48_000)


def heard(samples: np.ndarray) -> list[int]:
    return np.flatnonzero(samples).tolist()


def test_a_line_starts_and_ends_at_its_own_samples():
    # from 1.234 s in a stretch from 1.000 s: sample 234 × 48 = 11,232; 100 ms are 4,800 samples
    ahead = render_segment(Span(1000, 2000), [(steady(100), 1234)])
    assert len(ahead.samples) == 48_000
    assert heard(ahead.samples) == list(range(11_232, 16_032))
    assert ahead.samples[11_232:16_032].tolist() == [0.5] * 4800
    assert ahead.overlaps == ()
    assert ahead.cut == ()


def test_a_line_at_another_rate_starts_there_too():
    pulse = np.zeros(2205, np.float32)
    pulse[0] = 0.5
    ahead = render_segment(Span(0, 1000), [(Sound(pulse, 22_050), 777)])
    assert int(np.argmax(np.abs(ahead.samples))) == 777 * 48


def test_what_lies_outside_is_not_heard_and_is_reported():
    lines = [
        (steady(100), 950),  # 50 ms of it before
        (steady(100), 1950),  # 50 ms of it after
        (steady(100), 1200),
        (steady(100), 800),  # wholly before
        (steady(100), 2000),  # wholly after
    ]
    ahead = render_segment(Span(1000, 2000), lines)
    expected = [*range(2400), *range(200 * 48, 300 * 48), *range(950 * 48, 48_000)]
    assert heard(ahead.samples) == expected
    assert ahead.cut == (0, 1, 3, 4)


def test_lines_that_touch_do_not_overlap():
    ahead = render_segment(Span(0, 1000), [(steady(100), 100), (steady(100), 200)])
    assert ahead.overlaps == ()
    assert np.array_equal(ahead.samples[4800:14_400], np.full(9600, 0.5, np.float32))


def test_two_lines_at_once_are_mixed_without_clipping_and_reported():
    lines = [(steady(200, 0.6), 300), (steady(200, 0.6), 100)]
    lines += [(steady(200, 0.6), 150)]
    ahead = render_segment(Span(0, 1000), lines)
    # 100–300 and 150–350 share 150–300; 300–500 shares 300–350 with the second
    assert ahead.overlaps == (Span(150, 350),)
    both = ahead.samples[150 * 48 : 300 * 48]
    assert 0.7 < both.min() <= both.max() < 1
    alone = ahead.samples[100 * 48 : 150 * 48]
    assert np.array_equal(alone, np.full(len(alone), 0.6, np.float32))


def test_a_long_line_under_two_short_ones_overlaps_twice():
    lines = [(steady(500), 0), (steady(50), 100), (steady(50), 300)]
    assert render_segment(Span(0, 1000), lines).overlaps == (Span(100, 150), Span(300, 350))


def test_a_loud_line_is_turned_down_as_a_whole():
    samples = np.array([0.5, -1.0] * 480, np.float32)
    ahead = render_segment(Span(0, 100), [(Sound(samples, 48_000), 0)])
    assert np.allclose(ahead.samples[:960], samples * 0.7, atol=1e-6)


def test_a_stretch_of_no_length_or_no_lines():
    assert len(render_segment(Span(5, 5), [(steady(10), 5)]).samples) == 0
    assert not render_segment(Span(0, 100), []).samples.any()


def test_a_stretch_that_is_too_long_is_refused():
    with pytest.raises(SpeechRequestError, match="at most 10 minutes"):
        render_segment(Span(0, 600_001), [])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-300, 1300), st.integers(0, 400), st.floats(-1, 1, width=32)), max_size=8))
def test_any_lines_stay_below_full_scale_and_overlaps_are_where_two_sound(lines: list[tuple[int, int, float]]):
    placed = [(steady(ms, level), start) for start, ms, level in lines]
    ahead = render_segment(Span(0, 1000), placed)
    assert len(ahead.samples) == 48_000
    assert np.abs(ahead.samples).max() < 1
    count = np.zeros(1000, int)
    for start, ms, _ in lines:
        count[max(start, 0) : max(start + ms, 0)] += 1
    reported = np.zeros(1000, bool)
    for span in ahead.overlaps:
        reported[span.start : span.end] = True
    assert np.array_equal(count > 1, reported)
