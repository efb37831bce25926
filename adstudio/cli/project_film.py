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
