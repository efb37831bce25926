"""The dialogue of a new project in film time, while its sources and its start timecode are being chosen."""

from __future__ import annotations

from dataclasses import dataclass

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Cue
from adstudio.drafting.film_time import dialogue_in_film
from adstudio.subtitles.start_offset import StartOffsetError
from adstudio.ui.files.film_fields import FilmFields
from adstudio.ui.files.source_fields import SourceFields


@dataclass(frozen=True)
class DialogueInFilm:
    """The cues, notes about their times, and why they cannot be used, in a sentence, with a guessed start timecode."""

    cues: tuple[Cue, ...] = ()
    oddities: tuple[Oddity, ...] = ()
    problem: str = ""
    guess: str = ""


def dialogue_of(sources: SourceFields, film: FilmFields) -> DialogueInFilm:
    """The dialogue as drafting will have it; as in the subtitles while the film is not known yet."""
    cues, path = sources.subtitles.cues, sources.subtitles.path
    probed = sources.found.probe if sources.found is not None else None
    if path is None or film.problem or (sources.video is not None and probed is None):
        return DialogueInFilm(cues)
    try:
        found, oddities = dialogue_in_film(
            cues, path, probed, sources.stated_end, rate=film.rate, start_timecode=film.start
        )
    except StartOffsetError as error:
        drop = film.rate is not None and film.rate.drop
        guess = error.guess.label[:-3] + ";00" if drop else error.guess.label
        return DialogueInFilm(cues, problem=str(error), guess=guess)
    except BadInputError as error:
        return DialogueInFilm(cues, problem=str(error))
    return DialogueInFilm(found, oddities)
