"""The faces of a film as they were found, and how they are cached: where, when, what tells them apart, a small picture.

Nothing of them leaves this machine. They lie in the cache of the film (`media.cache`), never in a project.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

from adstudio.core.cast import FaceBox
from adstudio.core.timebase import MAX_TIME_MS
from adstudio.media.cache import DamagedCacheError
from adstudio.media.cached_data import joined, parted
from adstudio.system.codec import Limits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSIONS = 128
"""Numbers that tell one face from another."""
VECTOR_BYTES = 4 * DIMENSIONS
MOST_FACES = 20_000
"""Faces of one film that are kept; further ones are counted."""
MOST_SAMPLED = 40_000
MOST_PORTRAITS = 10_000
LARGEST_CROP = 40_000
"""Bytes of a face's small picture."""


@dataclass(frozen=True)
class Face:
    """A face at a film time (ms).

    `score` is how sure the detector was, in thousandths: 0 is its threshold, a clear face has 1000 and more. `vector`
    is what tells it from other faces: 128 numbers as little-endian float32; two of one person lie less than about 0.5
    apart. `crop` is a small JPEG of it.
    """

    time: int
    box: FaceBox
    score: int
    vector: bytes = field(repr=False)
    crop: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class PortraitVector:
    """What tells the face of a portrait apart; empty where it shows none. `picture` is the hash of its file."""

    picture: str
    vector: bytes = field(repr=False)


def picture_hash(image: bytes) -> str:
    """By what a portrait is known again."""
    return blake2b(image, digest_size=16).hexdigest()


@dataclass(frozen=True)
class Faces:
    """The faces of a film by time, and then from left to right.

    `boundaries` are those of its shots (ms); `sampled` are the times of the frames that were searched, `undecoded`
    counts those that could not be decoded, `left_out` the faces that were too many. Where they are not `complete`,
    there is more to be searched.
    """

    faces: tuple[Face, ...]
    boundaries: tuple[int, ...] = ()
    sampled: tuple[int, ...] = ()
    undecoded: int = 0
    left_out: int = 0
    complete: bool = True
    portraits: tuple[PortraitVector, ...] = ()
    """Of pictures with which the faces have been compared."""

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """What tells the faces apart, a row for each."""
        return vectors_of(self.faces)

    def without(self, gone: Iterable[Face]) -> Faces:
        """The same without the faces that are where these are."""
        places = {(face.time, face.box) for face in gone}
        return replace(self, faces=tuple(face for face in self.faces if (face.time, face.box) not in places))


def vectors_of(faces: Sequence[Face]) -> NDArray[np.float32]:
    """What tells faces apart, a row of 128 numbers for each."""
    import numpy as np

    return np.frombuffer(b"".join(face.vector for face in faces), "<f4").reshape(-1, DIMENSIONS)


_Entry = tuple[int, int, int, int, int, int, int]
"""Time, box and score of a face, and the bytes of its crop."""


@dataclass(frozen=True)
class _Head:
    complete: bool
    boundaries: Annotated[tuple[int, ...], Limits(items=1_000_000)]
    sampled: Annotated[tuple[int, ...], Limits(items=MOST_SAMPLED)]
    undecoded: int
    left_out: int
    portraits: Annotated[tuple[tuple[str, bytes], ...], Limits(items=MOST_PORTRAITS)]
    faces: Annotated[tuple[_Entry, ...], Limits(items=MOST_FACES)]


def encode_faces(faces: Faces) -> bytes:
    """A line of JSON that says where the faces are, then all vectors, then all crops."""
    entries = tuple((each.time, *astuple(each.box), each.score, len(each.crop)) for each in faces.faces)
    portraits = tuple((each.picture, each.vector) for each in faces.portraits)
    head = _Head(faces.complete, faces.boundaries, faces.sampled, faces.undecoded, faces.left_out, portraits, entries)
    return joined(head, b"".join((*(each.vector for each in faces.faces), *(each.crop for each in faces.faces))))


def parse_faces(data: bytes) -> Faces:
    """The inverse of `encode_faces`; raises as `CachedData.parse` does."""
    head, body = parted(data, _Head)
    place, found = VECTOR_BYTES * len(head.faces), list[Face]()
    if len(body) != place + sum(entry[-1] for entry in head.faces):
        raise DamagedCacheError
    if any(after < before for before, after in pairwise(entry[0] for entry in head.faces)):
        raise DamagedCacheError
    for number, (time, left, top, width, height, score, size) in enumerate(head.faces):
        if not (0 <= time < MAX_TIME_MS and 0 <= size <= LARGEST_CROP):
            raise DamagedCacheError
        try:
            box = FaceBox(left, top, width, height)
        except ValueError as error:
            raise DamagedCacheError from error
        vector = body[VECTOR_BYTES * number : VECTOR_BYTES * (number + 1)]
        found.append(Face(time, box, score, vector, body[place : place + size]))
        place += size
    portraits = tuple(PortraitVector(*each) for each in head.portraits)
    faces = Faces(tuple(found), head.boundaries, head.sampled, head.undecoded, head.left_out, head.complete, portraits)
    if any(len(each.vector) not in (0, VECTOR_BYTES) for each in portraits):
        raise DamagedCacheError
    if not _are_finite(b"".join((*(each.vector for each in found), *(each.vector for each in portraits)))):
        raise DamagedCacheError
    return faces


def _are_finite(vectors: bytes) -> bool:
    import numpy as np

    return bool((np.abs(np.frombuffer(vectors, "<f4")) < 10).all())  # no NaN is less than anything
