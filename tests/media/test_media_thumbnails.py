from __future__ import annotations

import io
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from media_clips import HEIGHT, WIDTH, even, last_of, make_clip, picture, tone
from PIL import Image

from adstudio.core.timebase import Span
from adstudio.media import thumbnails as module
from adstudio.media.cache import DamagedCacheError
from adstudio.media.shots import Shots
from adstudio.media.thumbnails import (
    Thumbnail,
    Thumbnails,
    chosen,
    encode_thumbnails,
    in_leaps,
    make_thumbnails,
    parse_thumbnails,
)


def image(thumbnail):
    return np.asarray(Image.open(io.BytesIO(thumbnail.jpeg)).convert("RGB")).astype(int)


def assert_shows(thumbnail, shot):
    """The mean colours of the textures are far apart: 240 for the strongest, 30 for the weakest channel."""
    found = image(thumbnail).mean(axis=(0, 1))
    wanted = picture(shot, 0).mean(axis=(0, 1))
    assert abs(found - wanted).max() < 12


@pytest.mark.parametrize("gop", [5, 50, 1000], ids=["many key pictures", "some", "one"])
@pytest.mark.parametrize("ending", ["mp4", "mkv", "ts"])
def test_each_shot_has_a_picture_of_its_own(tmp_path, gop, ending):
    path = make_clip(tmp_path / f"a.{ending}", even(25, 12), [4, 8], gop=gop, sound=tone(12, []))
    shots = Shots((0, 4000, 8000, 12_000))
    found = last_of(make_thumbnails(path, shots))
    assert found.complete
    assert [(item.start, item.end) for item in found.items] == [(0, 4000), (4000, 8000), (8000, 12_000)]
    for number, item in enumerate(found.items):
        assert item.start <= item.time < item.end
        if ending != "ts":  # where one can only guess where to go
            assert item.time <= item.start + 4000 // 3 + 40
        assert image(item).shape == (192, round(192 * WIDTH / HEIGHT), 3) == (item.height, item.width, 3)
        assert_shows(item, number)


def test_shots_of_a_few_pictures(tmp_path):
    cuts = [1 + n * Fraction(4, 25) for n in range(6)]
    path = make_clip(tmp_path / "a.mp4", even(25, 4), cuts)
    shots = Shots((0, *(round(cut * 1000) for cut in cuts), 4000))
    found = last_of(make_thumbnails(path, shots))
    assert len(found.items) == 7
    for number, item in enumerate(found.items):
        assert_shows(item, number)


def test_a_file_whose_clock_does_not_start_at_0(tmp_path):
    path = make_clip(tmp_path / "a.ts", [t + 900_000 for t in even(25, 6)], [12, 14])
    for number, item in enumerate(last_of(make_thumbnails(path, Shots((0, 2000, 4000, 6000)))).items):
        assert_shows(item, number)


@pytest.mark.parametrize(("rotation", "turns"), [(90, 1), (180, 2), (-90, 3)])
def test_a_film_taken_upright_is_shown_upright(tmp_path, rotation, turns):
    path = make_clip(tmp_path / "a.mp4", even(25, 2), rotation=rotation)
    (item,) = last_of(make_thumbnails(path, Shots((0, 2000)))).items
    plain = make_clip(tmp_path / "b.mp4", even(25, 2))
    (straight,) = last_of(make_thumbnails(plain, Shots((0, 2000)))).items
    turned = np.rot90(image(straight), turns)
    again = np.asarray(Image.fromarray(turned.astype(np.uint8)).resize((item.width, item.height))).astype(int)
    assert (item.width > item.height) == (turns == 2)
    assert abs(again - image(item)).mean() < 8


def test_pixels_that_are_not_square(tmp_path):
    path = make_clip(tmp_path / "a.mp4", even(25, 1), pixel=Fraction(4, 3))
    (item,) = last_of(make_thumbnails(path, Shots((0, 1000)))).items
    assert item.width == round(192 * Fraction(WIDTH, HEIGHT) * Fraction(4, 3))


def test_stages_show_the_whole_film_early(tmp_path):
    path = make_clip(tmp_path / "a.mp4", even(25, 8), range(1, 8))
    stages = [(s.fraction, s.take()) for s in make_thumbnails(path, Shots(tuple(range(0, 8001, 1000))))]
    assert [fraction for fraction, _ in stages] == [n / 8 for n in range(1, 9)] + [1.0]
    assert [item.start for item in stages[3][1].items] == [0, 2000, 4000, 6000]
    assert [found.complete for _, found in stages] == [False] * 8 + [True]


def test_shots_behind_the_end_of_a_damaged_film_have_none(tmp_path):
    path = make_clip(tmp_path / "a.ts", even(25, 8), [4], gop=25)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 4])
    found = last_of(make_thumbnails(path, Shots((0, 1000, 5000, 8000))))
    assert [item.start for item in found.items] == [0, 1000]


def test_no_pictures_or_no_shots(tmp_path):
    sound = make_clip(tmp_path / "a.wav", sound=tone(1, []), audio_codec="pcm_s16le")
    assert last_of(make_thumbnails(sound, Shots(()))) == Thumbnails(())
    assert last_of(make_thumbnails(sound, Shots((0, 1000)))) == Thumbnails(())
    assert last_of(make_thumbnails(make_clip(tmp_path / "b.mp4", even(25, 1)), Shots(()))) == Thumbnails(())


def test_of_thousands_of_shots_the_longest_are_chosen():
    boundaries, at = [0], 0
    for number in range(5000):
        at += 3000 if number % 5 == 0 else 500
        boundaries.append(at)
    spans = chosen(Shots(tuple(boundaries)), module.MOST)
    assert len(spans) == 2000
    assert spans == sorted(spans)
    assert sum(span.length == 3000 for span in spans) == 1000


@given(st.integers(0, 300))
def test_leaps_leave_nothing_out(count):
    spans = [Span(n, n + 1) for n in range(count)]
    assert sorted(in_leaps(spans)) == spans
    if count >= 16:
        first = sorted(span.start for span in in_leaps(spans)[: count // 4])
        assert max(b - a for a, b in zip([0, *first], [*first, count], strict=True)) <= 8


def test_the_one_of_a_time_and_those_of_a_stretch():
    a, b, c = (Thumbnail(start, end, start, 1, 1, b"") for start, end in ((0, 10), (10, 20), (40, 50)))
    found = Thumbnails((a, b, c))
    assert [found.at(ms) for ms in (-1, 0, 9, 10, 20, 39, 45, 50)] == [None, a, a, b, None, None, c, None]
    assert found.between(5, 15) == (a, b)
    assert found.between(10, 40) == (b,)
    assert found.between(20, 41) == (c,)
    assert found.between(60, 70) == ()
    assert Thumbnails(()).between(0, 9) == ()


items = st.lists(st.binary(max_size=30), max_size=8).map(
    lambda jpegs: tuple(Thumbnail(n * 10, n * 10 + 10, n * 10 + 3, 341, 192, jpeg) for n, jpeg in enumerate(jpegs))
)


@given(items, st.booleans())
def test_thumbnails_are_read_as_they_were_written(made, complete):
    found = Thumbnails(made, complete)
    assert parse_thumbnails(encode_thumbnails(found)) == found


@settings(max_examples=50)
@given(items.filter(len), st.integers(0, 10**6), st.binary(min_size=1, max_size=3))
def test_a_damaged_file_of_thumbnails_is_told_or_read(made, place, noise):
    data = encode_thumbnails(Thumbnails(made))
    place %= len(data)
    for broken in (data[:place] + noise + data[place:], data[:place] + noise + data[place + len(noise) :], noise):
        try:
            parse_thumbnails(broken)
        except DamagedCacheError:
            continue
