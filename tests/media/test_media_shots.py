from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from media_clips import TICK, even, last_of, make_clip, tone

from adstudio.media import opening
from adstudio.media.cache import DamagedCacheError
from adstudio.media.opening import MediaError
from adstudio.media.probe import probe
from adstudio.media.shots import Shots, encode_shots, make_shots, parse_shots


def shots_of(path):
    return last_of(make_shots(path))


def assert_sound(shots, duration, frame):
    """Every shot is positive, the first begins with the film and the last ends with it, within a frame."""
    assert shots.complete
    assert abs(shots.boundaries[-1] - duration) <= frame


@pytest.mark.parametrize("rate", [Fraction(24_000, 1001), Fraction(25), Fraction(30_000, 1001), Fraction(60)])
@pytest.mark.parametrize(("ending", "codec"), [("mp4", "libx264"), ("mkv", "libx264"), ("ts", "libx264")])
def test_cuts_are_found_within_a_frame(tmp_path, rate, ending, codec):
    shots = shots_of(make_clip(tmp_path / f"a.{ending}", even(rate, 10), [4, 8], rate=rate, codec=codec))
    frame = float(1000 / rate)
    assert len(shots.cuts) == 2
    assert all(0 <= found - true <= frame for found, true in zip(shots.cuts, [4000, 8000], strict=True))
    assert shots.boundaries[0] == 0
    assert_sound(shots, 10_000, frame)


@pytest.mark.parametrize("ending", ["mkv", "mp4"])
def test_cuts_where_24_frames_a_second_become_60(tmp_path, ending):
    """Counted at the average rate of 42, the cut at 4 s would be found at 2.3 s."""
    times = [*even(24, 6), *even(60, 6, first=6)]
    path = make_clip(tmp_path / f"a.{ending}", times, [4, 6, 8], rate=24)
    shots = shots_of(path)
    assert len(shots.cuts) == 3
    assert all(abs(found - true) <= 42 for found, true in zip(shots.cuts, [4000, 6000, 8000], strict=True))
    assert_sound(shots, 12_000, 42)


def test_cuts_in_a_recording_whose_rate_wanders(tmp_path):
    times, at = [], Fraction(0)
    while at < 10:
        times.append(round(at / TICK))
        at += Fraction([16, 33, 50, 17, 90][len(times) % 5], 1000)
    shots = shots_of(make_clip(tmp_path / "a.mkv", times, [4, 8], rate=30))
    shown = [round(time * TICK * 1000) for time in times]
    assert list(shots.cuts) == [min(t for t in shown if t >= cut) for cut in (4000, 8000)]
    assert_sound(shots, 10_000, 90)


def test_a_still_of_four_seconds(tmp_path):
    times = [*even(25, 2), *even(25, 2, first=6)]
    shots = shots_of(make_clip(tmp_path / "a.mp4", times, [1, 6]))
    assert shots.cuts == (1000, 6000)
    assert_sound(shots, 8000, 40)


def test_film_time_is_that_of_the_file_and_not_of_its_clock(tmp_path):
    path = make_clip(tmp_path / "a.ts", [t + 900_000 for t in even(25, 6)], [2, 4, 12, 14])
    shots = shots_of(path)
    assert len(shots.cuts) == 2
    assert all(abs(found - true) <= 40 for found, true in zip(shots.cuts, [2000, 4000], strict=True))


def test_pictures_that_begin_after_the_sound(tmp_path):
    path = make_clip(tmp_path / "a.mkv", even(25, 6, first=2), [4], sound=tone(8, []), audio_codec="pcm_s16le")
    assert shots_of(path).boundaries == (2000, 4000, 8000)


def test_one_shot(tmp_path):
    path = make_clip(tmp_path / "a.mp4", even(25, 3))
    shots = shots_of(path)
    assert shots.boundaries == (0, 3000)
    assert shots.boundaries[-1] == probe(path).duration


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_handful_of_pictures(tmp_path, count):
    assert shots_of(make_clip(tmp_path / "a.mp4", even(25, 1)[:count])).boundaries == (0, count * 40)


def test_sound_alone_has_no_shots(tmp_path):
    shots = shots_of(make_clip(tmp_path / "a.wav", sound=tone(1, []), audio_codec="pcm_s16le"))
    assert (shots.boundaries, shots.count, shots.cuts) == ((), 0, ())
    assert parse_shots(encode_shots(shots)) == shots


def test_pictures_in_an_unknown_code_are_told(tmp_path):
    path = make_clip(tmp_path / "a.mp4", even(25, 2))
    path.write_bytes(path.read_bytes().replace(b"avc1", b"zzzz"))
    with pytest.raises(MediaError, match="unknown codec"):
        shots_of(path)


def test_pictures_beyond_all_measure_are_not_decoded(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "MOST_PIXELS", 128 * 72 - 1)
    with pytest.raises(MediaError, match="can be decoded"):
        shots_of(make_clip(tmp_path / "a.mp4", even(25, 1)))


def test_damage_in_the_middle_leaves_the_rest(tmp_path):
    path = make_clip(tmp_path / "a.ts", even(25, 12), [3, 10], gop=25)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 3000] = b"\xff" * 3000
    path.write_bytes(data)
    shots = shots_of(path)
    assert {3000, 10_000} <= set(shots.cuts)
    assert_sound(shots, 12_000, 40)


def test_stages_are_sound_and_say_how_far_they_are(tmp_path):
    seen = [(s.fraction, s.take()) for s in make_shots(make_clip(tmp_path / "a.mp4", even(25, 12), [4, 8]))]
    assert [fraction for fraction, _ in seen] == sorted(fraction for fraction, _ in seen)
    assert [shots.complete for _, shots in seen] == [False] * 3 + [True]
    assert seen[1][1].boundaries == (0, 4000, 8000)
    assert seen[-1][1].boundaries == (0, 4000, 8000, 12_000)


def test_cuts_are_between_shots():
    shots = Shots((40, 1000, 2000))
    assert (shots.count, shots.cuts) == (2, (1000,))


@pytest.mark.parametrize("boundaries", [(5,), (0, 0), (0, 10, 5)])
def test_shots_without_length_cannot_be(boundaries):
    with pytest.raises(ValueError, match="increase"):
        Shots(boundaries)


@given(st.sets(st.integers(0, 10**7), min_size=2), st.booleans())
def test_shots_are_read_as_they_were_written(boundaries, complete):
    shots = Shots(tuple(sorted(boundaries)), complete)
    assert parse_shots(encode_shots(shots)) == shots


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"",
            b"{}",
            b"[]",
            b"null",
            b"[" * 100_000,
            b'{"boundaries": [0, 5]}',
            b'{"boundaries": 5, "complete": true}',
        ),
        *(b'{"boundaries": [5, 0], "complete": true}', b'{"boundaries": [0, 1.5], "complete": true}', b"\xff\xfe"),
    ],
)
def test_a_damaged_file_of_shots_is_told(data):
    with pytest.raises(DamagedCacheError):
        parse_shots(data)
