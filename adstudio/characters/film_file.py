"""The film of a project, to be listened to."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.errors import BadInputError
from adstudio.core.film import Film
from adstudio.store.media import VideoState, find_video


def film_to_hear(film: Film, project: Path) -> Path:
    """Where the film is.

    Raises:
        BadInputError: if the project has none, it is not there, has changed, or has no sound.
    """
    if film.media is None:
        raise BadInputError(f"{project} has no film to listen to: link one in the editor (File › Project settings)")
    found = find_video(film.media, project)
    if found.path is None:
        raise BadInputError(
            f"{film.media.path}: the film of {project} is not there: move it back, or find it in the editor"
        )
    if found.state is not VideoState.FOUND:
        raise BadInputError(f"{found.path} is not the film of {project} any more: open the editor to use it instead")
    if not film.media.has_audio:
        raise BadInputError(f"{found.path} has no sound to listen to: use a copy of the film with its dialogue")
    return found.path
