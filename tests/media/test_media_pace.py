from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.core.timebase import RATES
from adstudio.media.probe import MeasuredRate, measured_rate

MS = Fraction(1, 1000)
TS = Fraction(1, 90_000)


def shown(rate, count, tick=MS, first=0):
    """Presentation times in ticks, cut to whole ones as muxers do."""
    return [first + int(Fraction(n) / (Fraction(rate) * tick)) for n in range(count)]


@pytest.mark.parametrize("rate", sorted({r.rate for r in RATES.values()}))
@pytest.mark.parametrize("tick", [MS, TS, Fraction(1, 15_360)])
def test_the_rates_of_the_trade_are_recognised_within_ten_seconds(rate, tick):
    assert measured_rate([shown(rate, 10 * int(rate), tick)], tick, None) == MeasuredRate(rate, variable=False)


def test_24_and_23_976_are_told_apart_after_two_hours():
    assert measured_rate([shown(24, 172_800)], MS, Fraction(24_000, 1001)).rate == 24
    assert measured_rate([shown(Fraction(24_000, 1001), 172_626)], MS, Fraction(24)).rate == Fraction(24_000, 1001)


def test_the_declared_rate_decides_where_the_measurement_cannot():
    one_second = shown(24, 24)
    assert measured_rate([one_second], MS, Fraction(24_000, 1001)).rate == Fraction(24_000, 1001)
    assert measured_rate([one_second], MS, Fraction(24)).rate == 24


def test_a_declared_rate_that_is_wrong_is_not_believed():
    assert measured_rate([shown(25, 500)], MS, Fraction(50)).rate == 25


@pytest.mark.parametrize("rate", [Fraction(15), Fraction(60), Fraction(25, 2)])
def test_other_rates_come_out_as_they_are(rate):
    assert measured_rate([shown(rate, 1200, TS)], TS, None) == MeasuredRate(rate, variable=False)
    assert measured_rate([shown(rate, 1200, MS)], MS, rate) == MeasuredRate(rate, variable=False)


@pytest.mark.parametrize("run", [[], [5], [5, 5]])
def test_fewer_than_two_pictures_have_no_rate(run):
    assert measured_rate([run], MS, Fraction(25)) == MeasuredRate(None, variable=False)


def concatenated(*parts):
    run, at = [], 0
    for rate, count in parts:
        run += shown(rate, count, TS, first=at)
        at = run[-1] + int(1 / (Fraction(rate) * TS))
    return run


@pytest.mark.parametrize(
    "run",
    [
        concatenated((24, 100), (60, 250)),
        concatenated((24, 500), (25, 500)),
        concatenated((Fraction(30_000, 1001), 3000), (30, 3000)),
        sorted({*shown(25, 500, TS)} - {250 * 3600}),
        [n * 3600 + (900 if n % 2 else 0) for n in range(300)],
        [0, 3600, 7200, 7200 + 360_000, 7200 + 363_600],
    ],
    ids=["24 then 60", "24 then 25", "29.97 then 30", "one picture dropped", "unsteady", "a still of four seconds"],
)
def test_a_rate_that_varies_is_seen(run):
    assert measured_rate([run], TS, None).variable


def test_jitter_of_a_millisecond_is_no_varying_rate():
    run = [t + n % 2 for n, t in enumerate(shown(Fraction(60_000, 1001), 5000, MS, first=10))]
    assert measured_rate([run], MS, None) == MeasuredRate(Fraction(60_000, 1001), variable=False)


def test_runs_that_differ_make_a_varying_rate_and_a_gap_between_runs_does_not():
    far = shown(25, 150, TS, first=90_000_000)
    assert measured_rate([shown(25, 150, TS), far], TS, None) == MeasuredRate(Fraction(25), variable=False)
    assert measured_rate([shown(24, 150, TS), far], TS, None).variable


@settings(max_examples=150, deadline=None)
@given(
    st.fractions(min_value=10, max_value=120, max_denominator=1001),
    st.sampled_from([MS, TS, Fraction(1, 48_000)]),
    st.integers(100, 1500),
    st.integers(-1000, 10**6),
)
def test_an_even_rate_never_varies_and_is_measured_to_a_five_thousandth(rate, tick, count, first):
    found = measured_rate([shown(rate, count, tick, first)], tick, None)
    assert not found.variable
    length = (count - 1) / rate
    assert abs(found.rate - rate) <= rate * (Fraction(1, 2500) + 4 * tick / length)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(st.integers(-(10**12), 10**12), max_size=30).map(sorted), max_size=4))
def test_no_times_do_harm(runs):
    found = measured_rate([sorted(set(run)) for run in runs], MS, None)
    assert found.rate is None or found.rate > 0
