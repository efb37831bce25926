"""Two ADs of full length: another time base, another film and another language are found, and a right pair is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from evaluated_films import srt, write
from full_length import LENGTH, Line, ad

from adstudio.core.timebase import Span
from adstudio.evaluation.film_checks import OtherLanguageError, OtherTimeBaseError
from adstudio.evaluation.film_reading import read_film
from adstudio.evaluation.material import Description
from adstudio.evaluation.request import FilmFiles, ScriptFile
from adstudio.evaluation.time_base import OtherFilm, OtherTimeBase, mismatch


@cache
def first_ad() -> list[Line]:
    """Drawn when a test asks for it: collecting the tests takes long enough."""
    return ad(1, 11)


def found(other: Sequence[Line], one: Sequence[Line] | None = None) -> OtherTimeBase | OtherFilm | None:
    both = (first_ad() if one is None else one, other)
    sides = ([Description(Span(start, end), text) for start, end, text in lines] for lines in both)
    return mismatch(*sides)


@pytest.mark.parametrize("alike", [0.8, 0.5, 0.25])
@pytest.mark.parametrize("later", [0, 2_000, -2_000])
def test_a_right_pair_raises_no_alarm(alike: float, later: int) -> None:
    assert found(ad(1, 12, alike=alike, later=later), ad(1, 11, alike=alike)) is None


def test_times_are_not_off_where_another_cut_of_the_same_speed_differs_by_a_frame_in_a_thousand() -> None:
    """At 23.976 instead of 24 frames a second, two hours end 7 s later: within what two authors differ by."""
    assert found(ad(1, 12, speed=1.001)) is None


@pytest.mark.parametrize("later", [12_000, 20_000, -45_000, 600_000])
@pytest.mark.parametrize("alike", [0.8, 0.4])
def test_times_that_are_off_by_as_much_throughout_are_found(later: int, alike: float) -> None:
    off = found(ad(1, 12, alike=alike, later=later), ad(1, 11, alike=alike))
    assert isinstance(off, OtherTimeBase)
    assert off.rates == ("", "")
    assert abs(off.later - later) < 1_500


@pytest.mark.parametrize(
    ("speed", "rates"), [(24 / 25, ("24", "25")), (25 / 24, ("25", "24")), (24_000 / 25_025, ("23.976", "25"))]
)
@pytest.mark.parametrize("later", [0, 40_000])
def test_another_speed_is_found_also_with_an_offset(speed: float, rates: tuple[str, str], later: int) -> None:
    off = found(ad(1, 12, speed=speed, later=later))
    assert isinstance(off, OtherTimeBase)
    # 23.976 and 24 frames a second are nearer to one another than can be told apart with certainty.
    assert [each.replace("23.976", "24") for each in off.rates] == [each.replace("23.976", "24") for each in rates]


@pytest.mark.parametrize("film", [2, 3, 4])
def test_an_ad_of_another_film_is_found(film: int) -> None:
    """Of hundreds of words that both use, no more are said at the same time than chance brings: one in 360."""
    off = found(ad(film, 12))
    assert isinstance(off, OtherFilm)
    assert off.shared > 500
    assert off.together < off.shared / 100


def test_scenes_at_like_places_in_two_films_are_no_time_base() -> None:
    """Five minutes of one film are in the other at another time, in nearly the same words."""
    scene = [(start + 3_000_000, end + 3_000_000, text) for start, end, text in first_ad() if start < 300_000]
    other = sorted([*(line for line in ad(2, 12) if not 3_000_000 <= line[0] < 3_300_000), *scene])
    off = found(other)
    assert off is None or isinstance(off, OtherFilm)


def test_of_a_clip_nothing_is_told() -> None:
    clip = [line for line in first_ad() if line[0] < 300_000]
    assert found([line for line in ad(2, 12) if line[0] < 300_000], clip) is None


def files(folder: Path, other: Sequence[Line], *, reference: bool = True) -> FilmFiles:
    first = ScriptFile("first", write(folder / "first.srt", srt(first_ad())))
    second = ScriptFile("second", write(folder / "second.srt", srt(other)))
    film = FilmFiles("film", (first,), (), end=LENGTH + 60_000, without_dialogue=True)
    return replace(film, references=(first, second)) if reference else replace(film, systems=(second,))


def test_a_right_pair_of_files_is_read_without_a_note(tmp_path: Path) -> None:
    for reference in (True, False):
        assert read_film(files(tmp_path, ad(1, 12), reference=reference)).notes == ()


def test_a_reference_of_another_film_is_refused_unless_it_is_confirmed(tmp_path: Path) -> None:
    film = files(tmp_path, ad(2, 12))
    with pytest.raises(OtherTimeBaseError, match=r"second.srt has hardly anything in common with .*first.srt") as error:
        read_film(film)
    assert error.value.option == "--shift second=0"
    first, second = film.references
    assert read_film(replace(film, references=(first, replace(second, shift=0)))).notes == ()


def test_a_system_of_another_film_is_noted(tmp_path: Path) -> None:
    (note,) = read_film(files(tmp_path, ad(2, 12), reference=False)).notes
    assert "second.srt has hardly anything in common with" in note
    assert note.endswith("check that it is of this film")


def test_a_reference_in_another_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OtherLanguageError, match=r"another language \(“de”\).*first.srt \(“en”\)"):
        read_film(files(tmp_path, ad(1, 12, language="de")))
