"""What people wrote: the film's script, its eventualities and compressions, its reference descriptions."""

from __future__ import annotations

from itertools import pairwise

import pytest

from adstudio.core.words import count_words
from adstudio.system.locations import resource
from sample_film.effects import effect
from sample_film.picture import _PLACES
from sample_film.source import RATES, FilmSource


def test_three_scenes_of_two_to_three_minutes_in_all(source: FilmSource) -> None:
    assert [scene.id for scene in source.scenes] == ["s1", "s2", "s3"]
    assert 120_000 <= source.end <= 180_000
    assert source.scenes[0].start == 0
    for before, after in pairwise(source.scenes):
        assert before.end == after.start


def test_shots_follow_one_another_on_frames(source: FilmSource) -> None:
    for before, after in pairwise(source.shots):
        assert before.end == after.start
    assert all(shot.end % 40 == 0 and shot.end > shot.start for shot in source.shots)


def test_moments_lines_and_sounds_lie_in_their_shot(source: FilmSource) -> None:
    for shot in source.shots:
        length = (shot.end - shot.start) / 1000
        for name, (start, end) in shot.moments.items():
            assert 0 <= start < end <= length, (shot.id, name)
        assert all(0 <= thing.at < length for thing in (*shot.lines, *shot.sounds)), shot.id


def test_every_place_sound_and_voice_exists(source: FilmSource) -> None:
    assert {shot.place for shot in source.shots} <= set(_PLACES)
    assert {line.voice for shot in source.shots for line in shot.lines} == set(source.voices)
    for name in {sound.name for shot in source.shots for sound in shot.sounds}:
        made, level = effect(name, 1.0)
        assert made.ndim == 1
        assert 0.99 < abs(made).max() < 1.01
        assert -40 < level < -6


def test_at_least_forty_eventualities_and_some_that_cannot_be_placed(source: FilmSource) -> None:
    elements = [element for scene in source.scenes for element in scene.elements]
    placed = [element for element in elements if element.occurrence is not None]
    assert len(placed) >= 40
    assert 1 <= len(elements) - len(placed) <= 3
    for element in elements:
        assert (element.occurrence is None) == (element.salience is None)


def test_occurrences_lie_in_their_scene_and_follow_the_text(source: FilmSource) -> None:
    for scene in source.scenes:
        spans = [element.occurrence for element in scene.elements if element.occurrence]
        assert all(scene.start <= start < end <= scene.end for start, end in spans)
        # Told in the order in which it begins, shot by shot: never more than a shot's length back.
        starts = [start for start, _ in spans]
        assert all(after >= before - 4000 for before, after in pairwise(starts))


def test_salience_uses_the_scale(source: FilmSource) -> None:
    values = [e.salience for scene in source.scenes for e in scene.elements if e.salience is not None]
    assert all(0 < value < 1 for value in values)
    assert min(values) <= 0.25
    assert max(values) >= 0.95
    assert len(set(values)) >= 10


@pytest.mark.parametrize("place", range(len(RATES)))
def test_compressions_have_about_the_words_that_their_rate_asks_for(source: FilmSource, place: int) -> None:
    rate = float(RATES[place])
    for scene in source.scenes:
        for element in scene.elements:
            assert abs(count_words(element.shorter[place]) - rate * count_words(element.text)) <= 1, element.text


def test_compressions_never_grow_and_never_repeat(source: FilmSource) -> None:
    for scene in source.scenes:
        for element in scene.elements:
            wordings = [element.text, *element.shorter]
            lengths = [count_words(wording) for wording in wordings]
            assert lengths == sorted(lengths, reverse=True), element.text
            assert len(set(wordings)) == len(wordings), element.text


def test_resources_are_found_and_missing_ones_are_told() -> None:
    from adstudio.core.errors import OutsideFailureError

    assert resource("sample", "film.mp4").is_file()
    with pytest.raises(OutsideFailureError, match=r"resources/sample/nothing\.mp4 is missing"):
        resource("sample", "nothing.mp4")


def test_any_moment_can_be_drawn_alone(source: FilmSource) -> None:
    from sample_film.picture import SIZE, one_drawing

    before, after = (one_drawing(source, (), "1.9", t) for t in (1.0, 4.0))
    assert before.size == after.size == SIZE
    # The words that Tom writes in between.
    assert before.crop((340, 340, 600, 400)).tobytes() != after.crop((340, 340, 600, 400)).tobytes()
