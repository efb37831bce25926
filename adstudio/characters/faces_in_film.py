"""What is known of the faces in a project's film, from the cache: nothing is searched.

Comparing thousands of faces takes seconds, so what came of it is cached as well, and serves as long as the faces, the
cast's portraits and the named faces are the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from adstudio.characters.faces import Faces, read_faces, state_of
from adstudio.characters.faces_detection import forget
from adstudio.characters.faces_known import KnownFaces, identified_faces, portrait_hashes
from adstudio.characters.faces_known_data import encode_known, known_key, parse_known, read_first_seen
from adstudio.core.cast import NamedFace
from adstudio.core.errors import AdstudioError
from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.media.cache import Kind, Source, read_content, source_of, store, stored
from adstudio.store.media import locate_video


def known_data(
    path: Path, source: Source, portraits: Mapping[str, Sequence[str]], named: Sequence[NamedFace]
) -> tuple[Faces, bytes]:
    """The faces in a file of the cache, and what is known of them (`encode_known`): cached, or worked out and cached.

    Raises:
        BadInputError: where the file is missing or damaged.
        OutsideFailureError: where it cannot be read.
    """
    faces, state = read_faces(path)
    key = known_key(state, portraits, named)
    known = stored(Kind.KNOWN_FACES, source)
    if known is not None:
        with contextlib.suppress(AdstudioError):
            if read_first_seen(known, key) is not None:
                data = read_content(known)
                parse_known(data, faces)
                return faces, data
    data = encode_known(identified_faces(faces, portraits, named), key)
    with contextlib.suppress(AdstudioError):
        store(Kind.KNOWN_FACES, source, data, complete=True)
    return faces, data


def cached_known_faces(script: Script, source: Source | None) -> KnownFaces | None:
    """What has been found so far in the film of that source; None where the film or its faces are not there."""
    path = None if source is None else stored(Kind.FACES, source)
    if source is None or path is None:
        return None
    try:
        faces, data = known_data(path, source, portrait_hashes(script.people), script.named_faces)
    except AdstudioError:
        return None
    return parse_known(data, faces)


def first_seen_in_film(script: Script, project: Path) -> dict[str, int]:
    """When each person (id) is first seen (ms), as far as faces have been found in the project's film."""
    # Without one of these no face is anybody's.
    tells = any(face.person for face in script.named_faces) or any(person.all_portraits for person in script.people)
    source = film_source(script.film, project) if tells else None
    if source is None:
        return {}
    path, known = stored(Kind.FACES, source), stored(Kind.KNOWN_FACES, source)
    if path is not None and known is not None:
        with contextlib.suppress(AdstudioError):
            key = known_key(state_of(path), portrait_hashes(script.people), script.named_faces)
            if (first_seen := read_first_seen(known, key)) is not None:
                return first_seen
    found = cached_known_faces(script, source)
    return {} if found is None else found.first_seen


def delete_found_faces(script: Script, project: Path, person: str) -> None:
    """Delete from the cache what was found of a person: faces that are named or like a portrait, and the portraits'.

    Raises:
        OutsideFailureError: where the cache cannot be written.
    """
    source = film_source(script.film, project)
    known = cached_known_faces(script, source)
    if known is not None and source is not None:
        pictures = [portrait.image for each in script.people if each.id == person for portrait in each.all_portraits]
        forget(source, known.faces_of(person), pictures)


def film_source(film: Film, project: Path) -> Source | None:
    """By what the faces of a project's film are cached; None where the film is not there."""
    if film.media is None:
        return None
    try:
        video = locate_video(film.media, project)
        return None if video is None else source_of(video, film.media.fingerprint)
    except AdstudioError:
        return None
