"""The cast of a draft: the characters that are known stay as they are, and those whom the sources name join them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from adstudio.characters.cast_reading import collected_cast
from adstudio.core.cast import People, people_error
from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.script import Script
from adstudio.drafting.draft import DraftedFilm
from adstudio.drafting.request import Sources
from adstudio.store.media import locate_source


def with_cast(sources: Sources, film: DraftedFilm, known: People = ()) -> DraftedFilm:
    """A drafted film with its characters: those that are `known`, and whom its sources name.

    Raises:
        BadInputError: for a cast list that is none, or has too much for a cast.
        OutsideFailureError: for one that cannot be read.
    """
    script = film.script.with_changes(people=known)
    cast = collected_cast(script, found=film.people, cast_list=sources.cast_list, encoding=sources.encoding)
    _require_cast(cast.people, sources)
    source = sources.cast_list or sources.text or sources.subtitles or sources.video
    odd = tuple((str(source), oddity) for oddity in cast.oddities)
    return replace(film, script=script.with_changes(people=cast.people), oddities=(*film.oddities, *odd))


def cast_of_project(sources: Sources, script: Script, project: Path) -> tuple[People, tuple[Oddity, ...]]:
    """The cast of a project in which drafting resumes, and what is odd in a cast list.

    Where there are characters, only a list that is given adds to them: whom a describer deleted does not come back.
    Raises as `with_cast`.
    """
    if script.people and sources.cast_list is None:
        return script.people, ()
    screenplay = sources.screenplay
    if screenplay is None and script.film.screenplay is not None:
        screenplay = locate_source(script.film.screenplay, project)
    named = not script.people
    cast = collected_cast(
        script,
        screenplay=screenplay if named else None,
        cast_list=sources.cast_list,
        encoding=sources.encoding,
        subtitles=named,
    )
    _require_cast(cast.people, sources)
    return cast.people, cast.oddities


def _require_cast(people: People, sources: Sources) -> None:
    if wrong := people_error(people):
        raise BadInputError(f"{sources.cast_list or 'the cast of the sources'}: {wrong}")
