"""Clips for models: which pictures are in them, that their bytes stay the same, and that nothing is too long."""

from __future__ import annotations

import io
import itertools
from hashlib import sha256

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from media_clips import TICK, even, last_of, make_clip

from adstudio.core.errors import OutsideFailureError
from adstudio.core.timebase import Span
from adstudio.media import clips
from adstudio.media.clips import ClipSettings, film_clip, parts
from adstudio.media.opening import MediaError


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(clips, "folder", lambda: tmp_path / "clips")


def shots_in(data, colours=4):
    """The shot of each picture of a clip, by its colour; and the times of the pictures."""
    kinds = np.array([(200, 40, 40), (30, 60, 180), (60, 170, 60), (180, 170, 30)][:colours], float) + 40
    found, times = [], []
    with av.open(io.BytesIO(data)) as film:
        assert len(film.streams) == 1, "no sound goes along"
        for frame in film.decode(video=0):
            colour = frame.to_ndarray(format="rgb24").reshape(-1, 3).mean(0)
            found.append(int(np.abs(kinds - colour).sum(1).argmin()))
            times.append(float(frame.pts * frame.time_base))
    return found, times


def clip_of(path, start, end, **settings):
    return last_of(clips.make_clip(path, Span(start, end), ClipSettings(**settings)))


def test_a_picture_each_second_by_the_time_at_which_it_is_shown(tmp_path):
    film = make_clip(tmp_path / "film.mp4", even(25, 9), cuts=[2, 4.5, 6.04])
    shots, times = shots_in(clip_of(film, 0, 9000))
    # Shown at 0, 1, … 8 s: the cut at 2 s is the third picture's own, that of 4.5 s is seen from 5 s on.
    assert shots == [0, 0, 1, 1, 1, 2, 2, 3, 3]
    assert times == [0, 1, 2, 3, 4, 5, 6, 7, 8]


def test_a_stretch_within_the_film_begins_at_its_own_second(tmp_path):
    film = make_clip(tmp_path / "film.mp4", even(25, 9), cuts=[2, 4.5, 6.04], gop=25)
    # At 3.52, 4.52, 5.52, 6.52 s; the part of a second at the end has a picture too.
    assert shots_in(clip_of(film, 3520, 6600))[0] == [1, 2, 2, 3]
    # At 4.5 s the picture of 4.48 s is still shown.
    assert shots_in(clip_of(film, 3500, 4600))[0] == [1, 1]
    # At 6.039 s the picture of 6.0 s is still shown, at 6.04 s the next one is.
    assert shots_in(clip_of(film, 6039, 6500))[0] == [2]
    assert shots_in(clip_of(film, 6040, 6500))[0] == [3]


def test_variable_rate_late_start_and_a_hole(tmp_path):
    # The first picture comes at 1.5 s of a film whose sound starts at 0; nothing between 3 and 6.5 s.
    times = [round(t / TICK) for t in (1.5, 1.6, 2.9, 3.0, 6.5, 6.6, 7.9, 8.0)]
    sound = np.zeros((1, 48_000 * 9), np.float32)
    film = make_clip(tmp_path / "film.mkv", times, cuts=[2, 6.4], sound=sound)
    # 0 and 1 s: the first picture stands; 4, 5, 6 s: that of 3.0 s stays; 9 s: that of 8.0 s stays.
    assert shots_in(clip_of(film, 0, 10_000))[0] == [0, 0, 0, 1, 1, 1, 1, 2, 2, 2]


def test_a_stretch_behind_the_last_picture_shows_that_one(tmp_path):
    film = make_clip(tmp_path / "film.mp4", even(25, 3), cuts=[2])
    assert shots_in(clip_of(film, 20_000, 22_000))[0] == [1, 1]


@pytest.mark.parametrize("form", ["mpegts", "matroska", "avi"])
def test_other_containers(tmp_path, form):
    film = make_clip(tmp_path / "film", even(25, 8), cuts=[2, 4.5], form=form, gop=100)
    assert shots_in(clip_of(film, 3000, 7000))[0] == [1, 1, 2, 2]


def test_never_larger_than_the_film_or_the_setting_and_even(tmp_path):
    film = make_clip(tmp_path / "film.mp4", even(25, 1))
    for side, expected in ((640, (128, 72)), (100, (100, 56))):
        with av.open(io.BytesIO(clip_of(film, 0, 1000, longest_side=side))) as found:
            assert (found.streams.video[0].width, found.streams.video[0].height) == expected


def test_turned_films_are_upright_and_square_in_their_pixels(tmp_path):
    turned = make_clip(tmp_path / "turned.mp4", even(25, 1), rotation=90)
    wide = make_clip(tmp_path / "wide.mp4", even(25, 1), pixel=2)
    with av.open(io.BytesIO(clip_of(turned, 0, 1000))) as found:
        assert (found.streams.video[0].width, found.streams.video[0].height) == (72, 128)
    with av.open(io.BytesIO(clip_of(wide, 0, 1000))) as found:
        assert (found.streams.video[0].width, found.streams.video[0].height) == (256, 72)


def test_the_same_bytes_each_time_kept_and_told_apart(tmp_path):
    film = make_clip(tmp_path / "film.mp4", even(25, 6), cuts=[3])
    first = film_clip(film, Span(0, 4000))
    assert first.read() == clip_of(film, 0, 4000)
    assert first.sha256 == sha256(first.read()).hexdigest()
    made = first.path.stat().st_ino
    again = film_clip(film, Span(0, 4000))
    assert again == first
    assert again.path.stat().st_ino == made, "kept, not made again"
    other = film_clip(film, Span(0, 4000), ClipSettings(longest_side=96))
    assert other.sha256 != first.sha256
    assert {first.path, other.path} == set((tmp_path / "clips").iterdir())


def test_a_damaged_clip_is_made_again_and_never_sent(tmp_path):
    film = make_clip(tmp_path / "film.mp4", even(25, 2))
    clip = film_clip(film, Span(0, 2000))
    whole = clip.path.read_bytes()
    clip.path.write_bytes(whole[:-10] + bytes(10))
    with pytest.raises(OutsideFailureError, match="damaged"):
        clip.read()
    assert film_clip(film, Span(0, 2000)).read() == whole


def test_stopped_on_the_way_nothing_is_left(tmp_path):
    film = make_clip(tmp_path / "film.mp4", even(25, 20))

    def stop(fraction):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        film_clip(film, Span(0, 20_000), on_fraction=stop)
    assert not (tmp_path / "clips").exists()


def test_tidied_to_a_limit_the_oldest_first(tmp_path):
    import os

    film = make_clip(tmp_path / "film.mp4", even(25, 4))
    made = [film_clip(film, Span(start, start + 1000)) for start in (0, 1000, 2000)]
    for age, clip in zip((30, 10, 20), made, strict=True):
        os.utime(clip.path, (1_000_000 - age, 1_000_000 - age))
    stranger = tmp_path / "clips" / "mine.txt"
    stranger.write_text("not a clip")
    assert clips.tidy(most=made[1].size) == made[1].size
    assert [clip.path.exists() for clip in made] == [False, True, False]
    assert stranger.exists()


def test_no_film_no_pictures(tmp_path):
    text = tmp_path / "text.mp4"
    text.write_text("no film")
    sound = make_clip(tmp_path / "sound.mp4", sound=np.zeros((1, 48_000), np.float32))
    for path in (text, sound):
        with pytest.raises(MediaError):
            film_clip(path, Span(0, 1000))


def test_a_stretch_of_forty_minutes_goes_in_parts_that_end_at_cuts():
    span = Span(10_000, 10_000 + 40 * 60_000)
    cut = 10_000 + 175_000  # near the first of the fourteen ends, at 171.4 s
    found = parts(span, [cut, 500_001])
    assert len(found) == 14
    assert found[0] == Span(10_000, cut)
    assert all(a.end == b.start for a, b in itertools.pairwise(found))
    assert (found[0].start, found[-1].end) == (span.start, span.end)
    assert max(part.length for part in found) <= clips.LONGEST_MS
    assert parts(Span(5, 5)) == (Span(5, 5),)
    assert parts(Span(0, 180_000)) == (Span(0, 180_000),)
    assert parts(Span(0, 180_001)) == (Span(0, 90_000), Span(90_000, 180_001))


def test_too_long_a_stretch_is_refused(tmp_path):
    with pytest.raises(ValueError, match="parts"):
        next(clips.make_clip(tmp_path / "film.mp4", Span(0, 180_001)))


@given(
    st.integers(0, 10**6),
    st.integers(0, 5 * 10**6),
    st.lists(st.integers(0, 6 * 10**6), max_size=40),
    st.integers(1000, 200_000),
)
def test_parts_cover_the_stretch_and_none_is_too_long(start, length, cuts, longest):
    found = parts(Span(start, start + length), cuts, longest)
    assert (found[0].start, found[-1].end) == (start, start + length)
    assert all(a.end == b.start for a, b in itertools.pairwise(found))
    assert all(part.length <= longest for part in found)
    assert len(found) == max(-(-length // longest), 1)
    assert length == 0 or all(part.length > 0 for part in found)
