"""Which sound track of the film's video is heard and listened to."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.core.steps import SetFilm, Step


def choose_sound_track(script: Script, number: int | None) -> Step | None:
    """Choose a sound track by its number; None leaves the choice to the program. No step without a video."""
    film = script.film
    if film.media is None or film.media.sound_track == number:
        return None
    return SetFilm(film, replace(film, media=replace(film.media, sound_track=number)))


def only_sound_track(old: Film, new: Film) -> bool:
    """Whether two films differ in the sound track alone."""
    if old.media is None or new.media is None or old == new:
        return False
    return old == replace(new, media=replace(new.media, sound_track=old.media.sound_track))
