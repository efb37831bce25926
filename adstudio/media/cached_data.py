"""What is computed from a film once and cached: its waveform, shots, thumbnails, speech."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from mmap import mmap
from pathlib import Path
from typing import Generic, TypeVar, cast

from adstudio.core.errors import AdstudioError
from adstudio.media.cache import DamagedCacheError, Kind, cached, read_content, source_of, store
from adstudio.system.codec import Codec, CodecError

T = TypeVar("T")
Head = TypeVar("Head")

OnFraction = Callable[[float], None]
"""Called with the fraction done, 0..1, or -1 if unknown."""
UNKNOWN = -1.0
"""The fraction done if the length is unknown."""
_CODEC = Codec()


@dataclass(frozen=True)
class Stage(Generic[T]):
    """A stage of the work: the fraction done (0..1, or `UNKNOWN`), and a function that returns the result so far.

    The last stage's result is complete.
    """

    fraction: float
    take: Callable[[], T]


def fraction_done(at: int, length: Fraction | None) -> float:
    """How far film time `at` (ms) is through a film of `length` seconds."""
    return min(max(at / (1000 * float(length)), 0.0), 1.0) if length else UNKNOWN


@dataclass(frozen=True)
class CachedData(Generic[T]):
    """A kind of data, how it is computed from a film, and how it is written to a file and read again.

    `parse` raises `DamagedCacheError` for whatever `encode` would not have written.
    """

    kind: Kind
    make: Callable[[Path], Iterator[Stage[T]]]
    encode: Callable[[T], bytes]
    parse: Callable[[bytes], T]
    track: int | None = None

    def of_track(self, track: int | None) -> CachedData[T]:
        """The same of a sound track chosen by its number, which `make` takes too; of the film without one."""
        if track is None:
            return self
        make = cast("Callable[..., Iterator[Stage[T]]]", self.make)
        return replace(self, make=partial(make, track=track), track=track)

    def read(self, path: Path) -> T:
        """The data in a file of the cache.

        Raises:
            BadInputError: where the file is missing or damaged.
            OutsideFailureError: when it cannot be read.
        """
        return self.parse(read_content(path))

    def of_film(self, video: Path, *, fingerprint: str = "", on_fraction: OnFraction | None = None) -> T:
        """The data of a film, from the cache or computed now; a missing `fingerprint` is computed.

        What cannot be cached is computed again the next time.

        Raises:
            BadInputError: where there is no such file, and whatever `make` raises.
            OutsideFailureError: when the file may not be read, and whatever `make` raises.
        """
        source = source_of(video, fingerprint, self.track)
        path = cached(self.kind, source)
        if path is not None:
            with contextlib.suppress(AdstudioError):
                return self.read(path)
        stages = self.make(video)
        stage = next(stages)
        for stage in stages:
            if on_fraction is not None:
                on_fraction(stage.fraction)
        found = stage.take()
        with contextlib.suppress(AdstudioError):
            store(self.kind, source, self.encode(found), complete=True)
        return found


def joined(head: object, body: bytes) -> bytes:
    """A dataclass as one line of JSON, followed by bytes."""
    return _CODEC.encode(head) + b"\n" + body


def parted(data: bytes, kind: type[Head]) -> tuple[Head, bytes]:
    """The inverse of `joined`.

    Raises:
        DamagedCacheError: for anything else.
    """
    head, body = parted_view(data, kind)
    return head, bytes(body)


def parted_view(data: bytes | mmap, kind: type[Head], start: int = 0) -> tuple[Head, memoryview]:
    """As `parted`, of what begins there in the data, and without a copy of the bytes."""
    end = data.find(b"\n", start)
    if end < 0:
        end = len(data)
    try:
        return _CODEC.decode(data[start:end], kind), memoryview(data)[end + 1 :]
    except CodecError as error:
        raise DamagedCacheError from error
