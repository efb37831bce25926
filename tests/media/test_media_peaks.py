from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from media_clips import even, last_of, make_clip, tone

from adstudio.core.errors import BadInputError
from adstudio.media.cache import DamagedCacheError
from adstudio.media.cached_data import UNKNOWN
from adstudio.media.opening import MediaError
from adstudio.media.peaks import Peaks, encode_peaks, make_peaks, parse_peaks

HALF = 128  # amplitude 0.5 of 255, rounded


def peaks_of(path):
    return last_of(make_peaks(path))


def assert_burst(peaks, start, end, level=HALF, edge=0):
    """Loud from `start` to `end` (ms), silent elsewhere; a lossy codec smears by up to `edge` ms."""
    bins = peaks.bins.astype(int)
    at = np.arange(len(bins)) * 10
    inside = bins[(at >= start + edge) & (at + 10 <= end - edge)]
    outside = bins[(at + 10 <= start - edge) | (at >= end + edge)]
    assert len(inside)
    assert abs(inside - level).max() <= 3 + 12 * (edge > 0)
    assert outside.max(initial=0) <= 2


def test_a_burst_lies_in_its_hundredths_of_a_second(tmp_path):
    peaks = peaks_of(make_clip(tmp_path / "a.wav", sound=tone(5, [(2, 3)]), audio_codec="pcm_s16le"))
    assert (peaks.duration, len(peaks.bins), peaks.complete) == (5000, 500, True)
    assert_burst(peaks, 2000, 3000)


@pytest.mark.parametrize(
    ("ending", "codec"), [("mp4", "aac"), ("mkv", "aac"), ("ts", "aac"), ("webm", "libopus"), ("mkv", "flac")]
)
def test_a_burst_lies_where_it_is_heard_in_films(tmp_path, ending, codec):
    pictures = {"codec": "libvpx"} if ending == "webm" else {}
    sound = tone(5, [(2, 3)])
    if codec == "flac":
        pytest.importorskip("av")
        codec = "pcm_s16le"
    path = make_clip(tmp_path / f"a.{ending}", even(25, 5), sound=sound, audio_codec=codec, **pictures)
    assert_burst(peaks_of(path), 2000, 3000, edge=0 if codec.startswith("pcm") else 50)


def test_the_window_shows_the_burst_in_the_right_columns(tmp_path):
    peaks = peaks_of(make_clip(tmp_path / "a.wav", sound=tone(5, [(2, 3)]), audio_codec="pcm_s16le"))
    assert [round(v / HALF) for v in peaks.window(0, 5000, 5)] == [0, 0, 1, 0, 0]
    assert [round(v / HALF) for v in peaks.window(1900, 2100, 4)] == [0, 0, 1, 1]
    assert [round(v / HALF) for v in peaks.window(-1000, 1000, 2)] == [0, 0]
    assert [round(v / HALF) for v in peaks.window(2990, 3010, 4)] == [1, 1, 0, 0]
    assert list(peaks.window(6000, 9000, 3)) == [0, 0, 0]


def test_sound_that_begins_later_lies_later(tmp_path):
    path = make_clip(tmp_path / "a.mkv", even(25, 6), sound=tone(3, [(1, 2)]), audio_codec="pcm_s16le", sound_at=2)
    peaks = peaks_of(path)
    assert peaks.duration == 5000
    assert_burst(peaks, 3000, 4000)


def test_a_file_whose_clock_does_not_start_at_0(tmp_path):
    path = make_clip(
        tmp_path / "a.ts", [t + 900_000 for t in even(25, 5)], sound=tone(5, [(2, 3)]), sound_at=10, audio_codec="mp2"
    )
    assert_burst(peaks_of(path), 2000, 3000, edge=50)


def test_a_hole_in_the_sound_is_silent_and_what_follows_lies_right(tmp_path):
    """Loud all along, but what is past the first second is shown two seconds later."""
    path = make_clip(
        tmp_path / "a.mkv",
        even(25, 5),
        sound=tone(2.048, [(0, 3)]),
        audio_codec="pcm_s16le",
        sound_at=lambda sample: 2 if sample >= 1024 * 48 else 0,
    )
    peaks = peaks_of(path)
    bins = peaks.bins
    assert bins[:102].min() > 120
    assert bins[103:302].max() == 0
    assert bins[303:404].min() > 120
    assert abs(peaks.duration - 4048) <= 1


@pytest.mark.parametrize("rate", [8000, 11_025, 22_050, 44_100])
def test_rates_that_no_hundredth_divides(tmp_path, rate):
    path = make_clip(tmp_path / "a.wav", sound=tone(5, [(2, 3)], rate=rate), audio_codec="pcm_s16le", sample_rate=rate)
    peaks = peaks_of(path)
    assert peaks.duration == 5000
    assert_burst(peaks, 2000, 3000)


@pytest.mark.parametrize(("channels", "loud"), [(1, 0), (2, 1), (6, 2), (8, 7)])
def test_one_loud_channel_of_many_is_seen_in_full(tmp_path, channels, loud):
    sound = tone(3, [(1, 2)], channels=channels, only_channel=loud)
    assert_burst(peaks_of(make_clip(tmp_path / "a.wav", sound=sound, audio_codec="pcm_s16le")), 1000, 2000)


def test_channels_out_of_phase_do_not_cancel(tmp_path):
    sound = tone(3, [(1, 2)])
    sound[1] = -sound[0]
    assert_burst(peaks_of(make_clip(tmp_path / "a.wav", sound=sound, audio_codec="pcm_s16le")), 1000, 2000)


def test_full_scale_is_255_and_silence_0(tmp_path):
    sound = np.zeros((1, 48_000), np.float32)
    sound[0, 4800] = -1
    bins = peaks_of(make_clip(tmp_path / "a.wav", sound=sound, audio_codec="pcm_s16le")).bins
    assert (bins[10], bins[:10].max(), bins[11:].max()) == (255, 0, 0)


def test_a_film_without_sound_has_no_peaks(tmp_path):
    peaks = peaks_of(make_clip(tmp_path / "a.mp4", even(25, 2)))
    assert (len(peaks.bins), peaks.duration, peaks.complete) == (0, 0, True)
    assert list(peaks.window(0, 2000, 4)) == [0, 0, 0, 0]
    assert parse_peaks(encode_peaks(peaks)).duration == 0


def test_stages_grow_and_say_how_far_they_are(tmp_path):
    path = make_clip(tmp_path / "a.wav", sound=tone(40, [(2, 3)], rate=8000), audio_codec="pcm_s16le", sample_rate=8000)
    seen = []
    for stage in make_peaks(path):
        peaks = stage.take()
        seen.append((stage.fraction, peaks.duration, peaks.complete))
        if peaks.duration >= 3000:
            assert_burst(peaks, 2000, 3000)
    assert seen == sorted(seen)
    assert len(seen) >= 4
    assert [complete for *_, complete in seen] == [False] * (len(seen) - 1) + [True]
    assert seen[-1][:2] == (1.0, 40_000)


def test_a_recording_that_does_not_say_how_long_it_is(tmp_path):
    path = make_clip(
        tmp_path / "a.webm", even(25, 3), codec="libvpx", form="webm", options={"live": "1"},
        sound=tone(3, [(1, 2)]), audio_codec="libopus",
    )  # fmt: skip
    stages = [(stage.fraction, stage.take()) for stage in make_peaks(path)]
    assert {fraction for fraction, _ in stages[:-1]} <= {UNKNOWN}
    assert_burst(stages[-1][1], 1000, 2000, edge=50)


def test_damage_in_the_middle_loses_only_what_it_hit(tmp_path):
    path = make_clip(tmp_path / "a.ts", even(25, 20), sound=tone(20, [(1, 2), (18, 19)]))
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 20_000] = bytes(20_000)
    path.write_bytes(data)
    bins = peaks_of(path).bins
    assert bins[110:190].min() > 100
    assert bins[1810:1890].min() > 100
    assert bins[300:700].max() <= 2


def test_a_file_cut_short_has_the_peaks_of_what_is_there(tmp_path):
    path = make_clip(tmp_path / "a.ts", even(25, 20), sound=tone(20, [(1, 2)]))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    peaks = peaks_of(path)
    assert 5000 < peaks.duration < 15_000
    assert_burst(peaks, 1000, 2000, edge=50)


@pytest.mark.parametrize("content", [b"", b"hello", bytes(100_000), b"\xff" * 5000])
def test_what_is_no_film_is_refused(tmp_path, content):
    path = tmp_path / "a.mp4"
    path.write_bytes(content)
    with pytest.raises(MediaError):
        peaks_of(path)


def test_a_missing_film():
    with pytest.raises(BadInputError, match="no such film"):
        peaks_of(Path("none.mp4"))


def test_the_real_film(shared_data):
    peaks = peaks_of(shared_data / "film/plan9-trailer/plan9.av1.mp4")
    assert abs(peaks.duration - 35_306) <= 30
    assert peaks.bins.max() > 100


def brute(bins, start, end, columns):
    """The maximum of the bins whose start lies in each column, or of the one that holds its start."""
    result = []
    edges = [(start * columns + (end - start) * n) // (10 * columns) for n in range(columns + 1)]
    for first, behind in pairwise(edges):
        part = [bins[n] for n in range(max(first, 0), min(max(behind, first + 1), len(bins)))]
        result.append(max(part, default=0))
    return result


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(0, 255), max_size=400),
    st.integers(-3000, 5000),
    st.integers(1, 8000),
    st.integers(1, 300),
)
def test_the_window_is_the_maximum_of_each_part(bins, start, length, columns):
    peaks = Peaks(np.array(bins, np.uint8), len(bins) * 10)
    if length / columns < 640:  # wider columns are made of coarser bins
        assert list(peaks.window(start, start + length, columns)) == brute(bins, start, start + length, columns)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 5000), st.integers(0, 4999), st.integers(1, 40))
def test_no_peak_is_lost_at_any_zoom(count, place, columns):
    bins = np.zeros(count, np.uint8)
    bins[place % count] = 200
    seen = Peaks(bins, count * 10).window(0, count * 10, columns)
    assert seen.max() == 200
    assert (seen > 0).sum() <= -(-columns // count)
    column = int((place % count) / count * columns)
    assert 200 in seen[max(column - 1, 0) : column + 2]


def test_levels_are_maxima_of_four():
    peaks = Peaks(np.arange(100, dtype=np.uint8), 1000)
    assert [len(level) - 1 for level in peaks._levels] == [100, 25, 7, 2]
    assert list(peaks._levels[2][:-1]) == [15, 31, 47, 63, 79, 95, 99]


@pytest.mark.parametrize(
    ("start", "end", "columns"),
    [
        (0, 0, 5),
        (10, 5, 5),
        (0, 10, 0),
        (0, 10, -1),
        (float("-inf"), float("inf"), 7),
        (float("nan"), 5, 3),
        (0, 1e300, 9),
    ],
)
def test_odd_windows_do_no_harm(start, end, columns):
    assert len(Peaks(np.full(50, 9, np.uint8), 500).window(start, end, columns)) == max(columns, 0)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_a_damaged_file_of_peaks_is_told(data):
    with pytest.raises(DamagedCacheError):
        parse_peaks(data)


def test_peaks_are_read_as_they_were_written():
    peaks = Peaks(np.arange(105, dtype=np.uint8), 1045, complete=False)
    data = encode_peaks(peaks)
    found = parse_peaks(data)
    assert (list(found.bins), found.duration, found.complete) == (list(range(105)), 1045, False)
    for broken in (data[:-1], data + b"x", data.replace(b"1045", b"1e99"), data.replace(b"1045", b"-145")):
        with pytest.raises(DamagedCacheError):
            parse_peaks(broken)
