"""Time to pixels and back, zoom, fit, scroll: pure geometry."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.timebase import Span
from adstudio.ui.timeline.lane_headings import sizes_from, sizes_text
from adstudio.ui.timeline.lanes import (
    COMPACT_HEIGHT,
    LEAST_HEIGHT,
    UNIT,
    WANTED_HEIGHT,
    Lane,
    LaneSizes,
    arrange,
    lane_at,
)
from adstudio.ui.timeline.visible_range import FINEST, MARGIN, VisibleRange

STEPS = st.sampled_from((1.0, 1 / 1.25, 1 / 1.5, 0.5))
ENDS = st.sampled_from((1, 1_000, 60_000, 7_200_000, 36_000_000))


@st.composite
def views(draw) -> VisibleRange:
    view = VisibleRange(end=draw(ENDS)).sized(draw(st.integers(50, 4000)), draw(STEPS))
    view = view.zoomed(draw(st.floats(0.001, 1000)), draw(st.floats(0, 4000)))
    return view.scrolled(draw(st.floats(-1e6, 1e6)))


@given(views(), st.integers(0, 36_000_000))
def test_a_time_comes_back_from_its_pixel_to_within_half_a_pixel_of_the_screen(view: VisibleRange, ms: int) -> None:
    assert abs(view.time(view.x(ms)) - ms) <= view.ms_per_px * view.step * 0.51 + 1e-6


@given(views(), st.lists(st.integers(0, 36_000_000), min_size=1))
def test_many_times_at_once_stand_where_each_stands_alone(view: VisibleRange, times: list[int]) -> None:
    places = range(len(times))
    assert view.xs(times, places) == [view.x(ms) for ms in times]


@given(views())
def test_a_view_never_leaves_the_film_and_lies_on_whole_pixels(view: VisibleRange) -> None:
    assert -MARGIN - view.step <= view.left <= view.greatest_left + view.step
    assert FINEST <= view.ms_per_px <= view.coarsest
    assert abs(view.left / view.step - round(view.left / view.step)) < 1e-6


@given(st.floats(0.2, 5), st.integers(0, 1000), STEPS)
def test_zoom_keeps_the_time_under_the_pointer(factor: float, x: int, step: float) -> None:
    view = replace(VisibleRange(1000, 7_200_000, 100.0, 0.0), step=step).scrolled_to(30_000)
    zoomed = view.zoomed(factor, x)
    assert abs(zoomed.time(x) - view.time(x)) <= zoomed.ms_per_px * step
    assert zoomed.ms_per_px == pytest.approx(100.0 / factor)


def test_a_stretch_is_fitted_with_six_hundredths_of_the_width_on_each_side() -> None:
    view = VisibleRange(1000, 600_000).fitted(Span(100_000, 188_000))
    assert view.ms_per_px == pytest.approx(100.0)  # 88 s on 880 pixels
    assert view.x(100_000) == pytest.approx(60, abs=1)
    assert view.x(188_000) == pytest.approx(940, abs=1)


def test_the_whole_film_fits_between_the_margins() -> None:
    view = VisibleRange(1048, 100_000).fitted_film()
    assert view.ms_per_px == 100.0
    assert (view.x(0), view.x(100_000)) == (24, 1024)


def test_a_film_of_one_second_and_one_of_ten_hours_can_be_shown() -> None:
    assert VisibleRange(1000, 1_000).fitted_film().x(1_000) == pytest.approx(976, abs=1)
    assert VisibleRange(1000, 36_000_000).fitted_film().x(36_000_000) == pytest.approx(976, abs=1)
    assert VisibleRange(1000, 0).fitted_film().ms(500) == 0


def test_showing_scrolls_no_more_than_needed() -> None:
    view = VisibleRange(1000, 600_000, 100.0, 0.0)
    assert view.showing(Span(10_000, 20_000)) == view
    assert view.showing(Span(110_000, 112_000)).left == 1120 + 48 - 1000
    assert view.scrolled_to(2000).showing(Span(110_000, 112_000)).left == 1100 - 48


def test_the_page_turns_when_the_playhead_leaves_it() -> None:
    view = VisibleRange(1000, 600_000, 100.0, 0.0)
    assert view.turned_to(93_000) == view
    assert view.turned_to(95_000).left == 950 - 80
    assert view.scrolled_to(3000).turned_to(100_000).left == 1000 - 80


@pytest.mark.parametrize("height", [*range(100, 900, 7), LEAST_HEIGHT, COMPACT_HEIGHT, WANTED_HEIGHT])
def test_lanes_lie_on_the_grid_and_use_the_height(height: int) -> None:
    bands = arrange(height)
    tops = [band.top for band in bands.values()]
    assert all(band.top % UNIT == 0 and band.height % UNIT == 0 for band in bands.values())
    assert tops == sorted(tops)
    assert bands[Lane.NARRATION].bottom <= max(height, LEAST_HEIGHT)
    assert bands[Lane.NARRATION].height >= 32
    assert bands[Lane.ACTION].height >= 48


def test_the_compact_height_still_has_every_lane_and_below_it_the_shots_go_first() -> None:
    bands = arrange(COMPACT_HEIGHT)
    assert {lane for lane, band in bands.items() if not band.height} == {Lane.PEOPLE}  # nobody is known here
    assert arrange(COMPACT_HEIGHT - 4)[Lane.SHOTS].height == 0
    assert arrange(COMPACT_HEIGHT - 4)[Lane.SOUND].height > 0
    assert lane_at(arrange(400), 2) is Lane.RULER
    assert lane_at(arrange(400), 5000) is None


@pytest.mark.parametrize("height", [*range(100, 1400, 11), LEAST_HEIGHT])
@pytest.mark.parametrize("text", [9, 14, 21, 28, 56])
def test_sound_never_goes_however_low_the_window_and_large_the_text(height: int, text: int) -> None:
    sizes = LaneSizes(text)
    bands = arrange(height, sizes)
    assert bands[Lane.SOUND].height >= 24
    assert bands[Lane.NARRATION].bottom <= max(height, sizes.least_height)
    assert all(band.height % UNIT == 0 for band in bands.values())
    # What has text is never lower than it; the rows of the action lane leave text out that does not fit.
    for lane in (Lane.RULER, Lane.SCENES, Lane.DIALOGUE, Lane.GAPS, Lane.NARRATION):
        assert bands[lane].height >= text + 4


def test_what_is_scarce_goes_before_the_sound() -> None:
    # Nobody is known here, so there is no lane of people.
    gone = [
        {lane for lane, band in arrange(height).items() if not band.height} - {Lane.PEOPLE}
        for height in range(244, 100, -4)
    ]
    assert gone[0] == set()
    assert gone[1] == {Lane.SHOTS}
    assert all(each <= {Lane.SHOTS, Lane.THREADS} for each in gone)
    assert gone[-1] == {Lane.SHOTS, Lane.THREADS}


def test_a_lane_has_the_height_that_was_set_and_the_others_share_the_rest() -> None:
    sizes = LaneSizes().with_height(Lane.SOUND, 151)
    assert arrange(700, sizes)[Lane.SOUND].height == 152  # on the grid
    assert arrange(700, sizes)[Lane.NARRATION].bottom <= 700
    # In a low window it takes what the others can do without.
    low = arrange(COMPACT_HEIGHT + 40, sizes)
    assert low[Lane.SOUND].height == 24 + 40
    assert all(low[lane].height == arrange(COMPACT_HEIGHT)[lane].height for lane in Lane if lane is not Lane.SOUND)
    assert arrange(700, sizes.without_height(Lane.SOUND)) == arrange(700)


@pytest.mark.parametrize(("wish", "found"), [(-5, 24), (3, 24), (10_000, 320), (49, 52)])
def test_a_height_that_no_lane_can_have_is_the_nearest_one(wish: int, found: int) -> None:
    assert arrange(2000, LaneSizes().with_height(Lane.SOUND, wish))[Lane.SOUND].height == found


@pytest.mark.parametrize(
    ("stored", "wished"),
    [
        ("", {}),
        ("{", {}),
        ("[1]", {}),
        ('{"sound": 80, "ruler": 90, "nothing": 1, "gaps": "high"}', {Lane.SOUND: 80}),
        ('{"sound": 100000000000000000000}', {Lane.SOUND: 320}),
    ],
)
def test_stored_heights_are_read_as_far_as_they_can_be(stored: str, wished: dict[Lane, int]) -> None:
    sizes = sizes_from(stored, LaneSizes(20))
    assert (sizes.text, dict(sizes.wished)) == (20, wished)
    assert sizes_from(sizes_text(sizes), LaneSizes(20)) == sizes
