"""What tells the voices of a film's cues apart, cached by the film: measured once for each stretch of its sound.

These are biometric data of the people who speak. They stay in this user's cache, hold no names, and go with everything
of a person: all of the film's, as nobody may have said yet which voice is whose.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from adstudio.characters.faces_in_film import film_source
from adstudio.characters.voice_embeddings import SIZE
from adstudio.core.errors import AdstudioError
from adstudio.core.film import Film
from adstudio.core.timebase import MAX_TIME_MS, Span
from adstudio.media.cache import DamagedCacheError, Kind, Source, read_content, remove_all, store, stored
from adstudio.media.cached_data import joined, parted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST = 50_000
"""Stretches of one film."""
FilmVoices = Mapping[Span, "NDArray[np.float32] | None"]
"""The vector of the voice in each stretch of sound (ms), of length 1; None where there is none to be measured."""


@dataclass(frozen=True)
class _Head:
    count: int


def cached_voices(source: Source) -> dict[Span, NDArray[np.float32] | None]:
    """The voices that have been measured in a film; none where nothing usable is cached."""
    path = stored(Kind.VOICES, source)
    if path is None:
        return {}
    try:
        return parse_voices(read_content(path))
    except AdstudioError:
        return {}


def store_voices(source: Source, voices: FilmVoices) -> None:
    """Keep the voices of a film in place of those known before; what cannot be kept is measured again the next time."""
    with contextlib.suppress(AdstudioError):
        store(Kind.VOICES, source, encode_voices(dict(list(voices.items())[-MOST:])), complete=True)


def delete_voices(film: Film, project: Path) -> None:
    """Delete the voices of a project's film from this machine, whether its file is still there or not.

    Raises:
        OutsideFailureError: if they cannot be deleted.
    """
    source = film_source(film, project)
    known = {film.media.fingerprint if film.media is not None else "", source.fingerprint if source is not None else ""}
    for fingerprint in sorted(filter(None, known)):
        remove_all(Kind.VOICES, fingerprint)


def encode_voices(voices: FilmVoices) -> bytes:
    """A line of JSON, the stretches as little-endian 32-bit numbers, then the vectors; a zero vector for none."""
    import numpy as np

    spans = np.array([(span.start, span.end) for span in voices], "<i4").reshape(-1, 2)
    none = np.zeros(SIZE, "<f4")
    rows = np.array([none if each is None else each for each in voices.values()], "<f4").reshape(-1, SIZE)
    return joined(_Head(len(voices)), spans.tobytes() + rows.tobytes())


def parse_voices(data: bytes) -> dict[Span, NDArray[np.float32] | None]:
    """The inverse of `encode_voices`.

    Raises:
        DamagedCacheError: for anything else.
    """
    import numpy as np

    head, body = parted(data, _Head)
    if not 0 <= head.count <= MOST or len(body) != head.count * (8 + 4 * SIZE):
        raise DamagedCacheError
    spans = np.frombuffer(body, "<i4", 2 * head.count).reshape(-1, 2)
    rows = np.frombuffer(body, "<f4", offset=8 * head.count).reshape(-1, SIZE)
    if (spans < 0).any() or (spans > MAX_TIME_MS).any() or (spans[:, 1] < spans[:, 0]).any():
        raise DamagedCacheError
    lengths = np.linalg.norm(rows, axis=1)
    if not (((lengths > 0.99) & (lengths < 1.01)) | ~rows.any(axis=1)).all():
        raise DamagedCacheError
    return {
        Span(int(start), int(end)): row if length else None
        for (start, end), row, length in zip(spans, rows, lengths, strict=True)
    }
