"""The choice of a sound track as a step."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.film import Film, Media
from adstudio.core.script import Script
from adstudio.core.steps import SetFilm
from adstudio.editing.labels import label_of
from adstudio.editing.sound_track import choose_sound_track, only_sound_track

MEDIA = Media("film.mkv", "film.mkv", 1, "blake2b:00", 1000, has_audio=True)
SCRIPT = Script(Film("Film", 1000, media=MEDIA))


def test_it_changes_the_sound_track_alone():
    step = choose_sound_track(SCRIPT, 2)
    assert step == SetFilm(SCRIPT.film, replace(SCRIPT.film, media=replace(MEDIA, sound_track=2)))
    assert step is not None
    assert label_of(step, SCRIPT) == "Choose sound track"
    assert choose_sound_track(SCRIPT, None) is None
    assert choose_sound_track(Script(Film("Film", 1000)), 2) is None


def test_other_changes_are_called_otherwise():
    film = SCRIPT.film
    other = replace(film, title="Other", media=replace(MEDIA, sound_track=2))
    assert not only_sound_track(film, other)
    assert not only_sound_track(film, film)
    assert not only_sound_track(film, replace(film, media=None))
    assert label_of(SetFilm(film, other), SCRIPT) == "Change film details"
