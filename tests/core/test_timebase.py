"""Time: labels of the trade's nine rates, exact retiming, and labels that stay in their gap.

Values by hand from SMPTE ST 12-1's counting: at 29.97 drop-frame the labels ;00 and ;01 of every minute save each
tenth are skipped, so a minute has 1798 frames (the tenth 1800) and ten minutes 17982; at 59.94 all of it doubled.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.errors import BadInputError
from adstudio.core.timebase import (
    RATES,
    FrameRate,
    Rounding,
    Span,
    TimeError,
    clock,
    ms_from_seconds,
)

FILM = Fraction(24000, 1001)
rates = st.sampled_from(list(RATES.values()))
any_rate = st.one_of(
    rates, st.fractions(min_value=1, max_value=240, max_denominator=1001).map(FrameRate), st.just(FrameRate(FILM))
)
times = st.integers(0, 7_200_000)


def test_the_nine_rates_of_the_trade() -> None:
    assert list(RATES) == ["23.976", "24", "25", "29.97 DF", "29.97 NDF", "30", "50", "59.94 DF", "59.94 NDF"]
    assert {name: rate.nominal for name, rate in RATES.items()} == {
        "23.976": 24, "24": 24, "25": 25, "29.97 DF": 30, "29.97 NDF": 30, "30": 30, "50": 50, "59.94 DF": 60,
        "59.94 NDF": 60,
    }  # fmt: skip


@pytest.mark.parametrize("name", RATES)
def test_every_label_of_two_hours_is_unique_and_comes_back(name: str) -> None:
    rate = RATES[name]
    count = int(7200 * rate.rate) + 1
    labels = [rate.label_of_frame(frame) for frame in range(count)]
    assert len(set(labels)) == count
    assert [rate.frame_of_label(label) for label in labels] == list(range(count))


@pytest.mark.parametrize("name", RATES)
def test_every_frame_of_two_hours_is_found_again_by_its_time(name: str) -> None:
    rate = RATES[name]
    for frame in range(0, int(7200 * rate.rate) + 1, 61):
        ms = rate.ms_of_frame(frame)
        assert {rate.frame_at(ms, rounding) for rounding in Rounding} == {frame}
        assert rate.ms_of_label(rate.label(ms)) == ms


@pytest.mark.parametrize(
    ("name", "frame", "label"),
    [
        ("29.97 DF", 1799, "00:00:59;29"),
        ("29.97 DF", 1800, "00:01:00;02"),
        ("29.97 DF", 3597, "00:01:59;29"),
        ("29.97 DF", 3598, "00:02:00;02"),
        ("29.97 DF", 17981, "00:09:59;29"),
        ("29.97 DF", 17982, "00:10:00;00"),
        ("29.97 DF", 17983, "00:10:00;01"),
        ("29.97 DF", 107892, "01:00:00;00"),
        ("59.94 DF", 3599, "00:00:59;59"),
        ("59.94 DF", 3600, "00:01:00;04"),
        ("59.94 DF", 35964, "00:10:00;00"),
        ("59.94 DF", 215784, "01:00:00;00"),
        ("29.97 NDF", 1800, "00:01:00:00"),
        ("23.976", 172800, "02:00:00:00"),
        ("24", 86399, "00:59:59:23"),
        ("25", 90000, "01:00:00:00"),
        ("30", 29, "00:00:00:29"),
        ("50", 49, "00:00:00:49"),
        ("59.94 NDF", 60, "00:00:01:00"),
    ],
)
def test_known_labels(name: str, frame: int, label: str) -> None:
    assert RATES[name].label_of_frame(frame) == label
    assert RATES[name].frame_of_label(label) == frame


def test_drop_frame_labels_keep_up_with_the_clock_and_the_others_fall_behind() -> None:
    # One hour is 107892.1 frames of 29.97: the drop-frame label is the clock's, the other is 3.6 s behind.
    assert RATES["29.97 DF"].label(3_600_000) == "01:00:00;00"
    assert RATES["29.97 NDF"].label(3_600_000) == "00:59:56:12"


def test_frame_172800_of_24000_over_1001_is_at_7207_200_seconds() -> None:
    rate = FrameRate(FILM)
    assert rate.ms_of_frame(172800) == 7_207_200
    assert rate.frame_at(7_207_200) == 172800
    assert RATES["24"].ms_of_frame(172800) == 7_200_000


@pytest.mark.parametrize(
    ("name", "label", "reason"),
    [
        ("29.97 DF", "00:01:00;00", "does not exist: drop-frame timecode skips ;00 and ;01 in every minute"),
        ("29.97 DF", "00:01:00;01", "does not exist"),
        ("29.97 DF", "23:59:00:01", "does not exist"),
        ("59.94 DF", "00:01:00;03", "skips ;00 and ;01 and ;02 and ;03"),
        ("25", "00:00:00:25", "has frame 25, but a second has only 25 frames at 25"),
        ("23.976", "00:00:00:24", "has only 24 frames at 23.976"),
        ("25", "00:00:00;10", "is drop-frame timecode, but the rate is 25"),
        ("29.97 NDF", "00:00:00;10", "drop-frame timecode"),
        ("25", "24:00:00:00", "beyond 24 hours"),
        ("25", "00:60:00:00", "not a timecode"),
        ("25", "00:00:60:00", "not a timecode"),
        ("25", "0:0:0:0", "not a timecode"),
        ("25", "10:00:00", "lacks the frames: write 10:00:00:00"),
        ("29.97 DF", "10:00:00", "lacks the frames: write 10:00:00;00"),
        ("25", "", "not a timecode"),
        ("25", "-00:00:01:00", "not a timecode"),
        ("25", "00:00:01,040,", "not a timecode"),
    ],
)
def test_illegal_labels_are_refused_with_the_reason(name: str, label: str, reason: str) -> None:
    with pytest.raises(TimeError, match=reason):
        RATES[name].frame_of_label(label)


def test_each_tenth_minute_has_all_its_labels() -> None:
    assert RATES["29.97 DF"].frame_of_label("00:10:00;01") == 17983
    assert RATES["59.94 DF"].frame_of_label("00:20:00;03") == 71931


def test_every_label_of_a_drop_frame_day_that_is_not_skipped_exists() -> None:
    rate = RATES["29.97 DF"]
    legal = 0
    for minute in range(24 * 60):
        for frame in range(2):
            try:
                rate.frame_of_label(f"{minute // 60:02d}:{minute % 60:02d}:00;{frame:02d}")
                legal += 1
            except TimeError:
                assert minute % 10
    assert legal == 2 * 6 * 24
    # ST 12-1: a drop-frame day has 2,589,408 frames.
    assert rate.frame_of_label("23:59:59;29") == 2_589_407
    assert rate.label_of_frame(2_589_408) == "00:00:00;00"


def test_a_film_may_start_at_any_label() -> None:
    rate = RATES["25"]
    assert rate.label(1040, start="10:00:00:00") == "10:00:01:01"
    assert rate.ms_of_label("10:00:01:01", start="10:00:00:00") == 1040
    assert rate.ms_of_label("09:59:59:24", start="10:00:00:00") == -40
    with pytest.raises(TimeError, match="not a timecode"):
        rate.label(0, start="ten o'clock")


@pytest.mark.parametrize(
    ("rate", "drop", "reason"),
    [
        (Fraction(0), False, "not a valid frame rate"),
        (Fraction(-25), False, "not a valid frame rate"),
        (Fraction(1000), False, "not a valid frame rate"),
        (Fraction(25), True, "drop-frame timecode exists only at 29.97 and 59.94 fps, not at 25"),
        (FILM, True, "not at 23.976"),
    ],
)
def test_impossible_rates(rate: Fraction, drop: bool, reason: str) -> None:
    with pytest.raises(TimeError, match=reason):
        FrameRate(rate, drop)


def test_labels_of_a_fast_camera_come_back_too() -> None:
    rate = FrameRate(Fraction(120))
    assert rate.label_of_frame(119) == "00:00:00:119"
    assert rate.frame_of_label("00:00:00:119") == 119


@given(any_rate, st.integers(-1000, 2_000_000))
def test_any_frame_is_found_again_by_its_time(rate: FrameRate, frame: int) -> None:
    ms = rate.ms_of_frame(frame)
    assert {rate.frame_at(ms, rounding) for rounding in Rounding} == {frame}


@given(any_rate, st.integers(-10_000, 7_200_000))
def test_rounding_goes_where_it_says(rate: FrameRate, ms: int) -> None:
    earlier, nearest, later = (rate.frame_at(ms, rounding) for rounding in Rounding)
    assert rate.ms_of_frame(earlier) <= ms <= rate.ms_of_frame(later)
    assert nearest in (earlier, later)
    assert later - earlier <= 1


@given(any_rate, times, st.integers(0, 5000), st.integers(0, 5000), st.integers(0, 5000))
def test_labels_never_leave_the_gap(rate: FrameRate, start: int, before: int, length: int, after: int) -> None:
    room = Span(start, start + before + length + after)
    span = Span(start + before, start + before + length)
    first, last = (rate.ms_of_label(label) for label in rate.labels_inside(span, room))
    holds_a_frame = rate.ms_of_frame(rate.frame_at(room.start, Rounding.LATER)) <= room.end
    if holds_a_frame:
        assert room.start <= first <= last <= room.end
    else:
        assert first == last == rate.ms_of_frame(rate.frame_at(room.start, Rounding.EARLIER))


def test_worked_out_labels_inside() -> None:
    rate = RATES["25"]
    # Frames lie at 0, 40, 80 … ms: 1015 is nearest to 1000, which is outside; 1990 is nearest to 2000, which is too.
    assert rate.labels_inside(Span(1015, 1990), Span(1010, 1995)) == ("00:00:01:01", "00:00:01:24")
    assert rate.labels_inside(Span(1015, 1990), Span(0, 3000)) == ("00:00:01:00", "00:00:02:00")
    # Both edges are nearest to frame 2 (80 ms), outside; frame 1 is in.
    assert rate.labels_inside(Span(61, 65), Span(0, 65)) == ("00:00:00:01", "00:00:00:01")
    assert rate.labels_inside(Span(0, 1000), Span(0, 1000), start="01:00:00:00") == ("01:00:00:00", "01:00:01:00")


@pytest.mark.parametrize(
    ("text", "ms"), [("0", 0), ("1.5", 1500), ("0.001", 1), ("-2.25", -2250), (0.1, 100), (57.4, 57400), ("1E3", 10**6)]
)
def test_seconds(text: str | float, ms: int) -> None:
    assert ms_from_seconds(text) == ms


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0.0001", "more than three decimals"),
        (0.30000000000000004, "more than three decimals"),
        ("1.0000000000000000000000000000000001", "more than three decimals"),
        ("nan", "not a time in a film"),
        ("sNaN", "not a time in a film"),
        ("-inf", "not a time in a film"),
        (float("inf"), "not a time in a film"),
        ("360000.001", "limit is 100 hours"),
        ("1e999999", "limit is 100 hours"),
        ("1e9999999", "limit is 100 hours"),
        ("ten", "not a number of seconds"),
        ("", "not a number of seconds"),
    ],
)
def test_seconds_that_are_none(text: str | float, reason: str) -> None:
    with pytest.raises(BadInputError, match=reason):
        ms_from_seconds(text)


def test_a_span_cannot_be_reversed() -> None:
    with pytest.raises(TimeError):
        Span(2, 1)


def test_worked_out_spans() -> None:
    assert Span(0, 4000).doubled_midpoint == 4000
    assert Span(0, 10).overlap(Span(10, 20)) == Span(10, 10)
    assert Span(0, 10).overlap(Span(11, 20)) is None
    assert Span(0, 10).contains(Span(0, 10))
    assert not Span(0, 10).contains(Span(5, 11))


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "00:00:00.000"), (3_723_045, "01:02:03.045"), (-40, "-00:00:00.040"), (360_000_000, "100:00:00.000")],
)
def test_clock(ms: int, text: str) -> None:
    assert clock(ms) == text
    assert clock(ms, separator=",") == text.replace(".", ",")
