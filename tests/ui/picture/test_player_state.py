"""The arithmetic of moving through a film: values worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from adstudio.core.timebase import RATES
from adstudio.ui.picture.playback_state import Frames, clamped_speed, frames_of, mpv_volume, next_shuttle


def test_times_stand_on_pictures():
    frames = Frames(RATES["25"])
    assert [frames.snapped(ms) for ms in (0, 19, 21, 2519, 2521)] == [0, 0, 40, 2520, 2520]
    # 24000/1001: picture 60 starts at 2.5025 s, picture 59 at 2.46079 s.
    assert Frames(RATES["23.976"]).snapped(2500) == 2502
    assert Frames(RATES["23.976"]).moved(2502, -1) == 2461
    assert Frames().snapped(1234) == 1234


def test_steps_go_from_picture_to_picture_and_not_before_the_film():
    frames = Frames(RATES["25"])
    assert (frames.moved(80, 1), frames.moved(80, -1), frames.moved(0, -1)) == (120, 40, 0)


def test_mpv_is_aimed_half_a_picture_early():
    # mpv takes a picture up to 5 ms before what it is asked for: 2.520 − 0.020 + 0.005.
    assert Frames(RATES["25"]).aim(2520) == pytest.approx(2.505)
    assert Frames(RATES["25"]).aim(0) == 0
    assert Frames().aim(2520) == pytest.approx(2.52)


def test_a_film_labelled_otherwise_than_it_runs_is_not_snapped():
    assert frames_of(RATES["25"], Fraction(25), varies=False).rate == RATES["25"]
    assert frames_of(RATES["25"], None, varies=False).rate == RATES["25"]
    assert frames_of(RATES["25"], Fraction(24), varies=False).rate is None
    assert frames_of(RATES["25"], Fraction(25), varies=True).rate is None


def test_the_shuttle_gets_faster_and_turns_round():
    paces = [0]
    for direction in (1, 1, 1, 1, 1, -1, -1, 1):
        paces.append(next_shuttle(paces[-1], direction))
    assert paces == [0, 1, 2, 4, 8, 8, -1, -2, 1]


def test_speeds_stay_within_what_can_be_had():
    assert [clamped_speed(speed) for speed in (0.1, 0.25, 1.5, 20)] == [0.25, 0.25, 1.5, 8]


def test_decibels_on_mpvs_cubic_scale():
    # Half the amplitude is −6.02 dB; (v/100)³ = 0.5 at v = 79.37.
    assert mpv_volume(100, -6.0206) == pytest.approx(79.37, abs=0.01)
    assert mpv_volume(100, -60) == pytest.approx(10)
    assert mpv_volume(50, 0) == 50
