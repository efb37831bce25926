"""The shots of a project's film, as far as they have been detected."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.errors import AdstudioError
from adstudio.core.film import Film


def known_shots(film: Film, project: Path) -> tuple[int, ...]:
    """The boundaries of the film's shots in ms; empty where it is not there, or nobody has detected them yet."""
    from adstudio.media.cache import Kind, cached, source_of
    from adstudio.media.shots import SHOTS
    from adstudio.store.media import locate_video

    if film.media is None or (video := locate_video(film.media, project)) is None:
        return ()
    try:
        path = cached(Kind.SHOTS, source_of(video, film.media.fingerprint))
        return () if path is None else SHOTS.read(path).boundaries
    except AdstudioError:
        return ()  # damaged, or gone meanwhile: it is detected again
