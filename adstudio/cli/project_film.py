"""The film's file of a project, for commands that read it."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film


def project_film(film: Film, project: Path) -> Path | None:
    """The film of a project; None if it has none.

    Raises:
        BadInputError: if it is no longer there, or another one.
    """
    from adstudio.store.media import VideoState, find_video

    media = film.media
    if media is None:
        return None
    found = find_video(media, project)
    if found.path is None:
        raise BadInputError(f"{media.path}: the film of {project} is not there: move it back, or find it in the editor")
    if found.state is not VideoState.FOUND:
        raise BadInputError(f"{found.path} is not the film of {project} any more: open the editor to use it instead")
    return found.path


def film_to_hear(film: Film, project: Path) -> Path:
    """The film of a project, for its sound.

    Raises:
        BadInputError: if it has none, it is no longer there or another one, or has no sound.
    """
    video = project_film(film, project)
    if video is None or film.media is None:
        raise BadInputError(f"{project} has no film to listen to: link one in the editor (File › Project settings)")
    if not film.media.has_audio:
        raise BadInputError(f"{video} has no sound to listen to: use a copy of the film with its dialogue")
    return video
