"""What is made of a film, made once: taken from what was kept, else made now and kept."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from adstudio.core.errors import AdstudioError
from adstudio.media.cache import Kind, cached, keep, source_of
from adstudio.media.processing import Stage

T = TypeVar("T")

Tell = Callable[[float], None]
"""Hears how far it is: 0..1, or -1 where nobody knows."""


def made_once(
    kind: Kind,
    video: Path,
    *,
    make: Callable[[Path], Iterator[Stage[T]]],
    read: Callable[[Path], T],
    encode: Callable[[T], bytes],
    fingerprint: str = "",
    tell: Tell | None = None,
) -> T:
    """The content of a kind for a film; without its `fingerprint` that is taken. What cannot be kept is made again.

    Raises:
        BadInputError: where there is no such file, and whatever `make` raises.
        OutsideFailureError: when the file may not be read, and whatever `make` raises.
    """
    source = source_of(video, fingerprint)
    path = cached(kind, source)
    if path is not None:
        with contextlib.suppress(AdstudioError):
            return read(path)
    stages = make(video)
    stage = next(stages)
    for stage in stages:
        if tell is not None:
            tell(stage.fraction)
    found = stage.take()
    with contextlib.suppress(AdstudioError):
        keep(kind, source, encode(found), complete=True)
    return found
