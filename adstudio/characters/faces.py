"""The faces of a film as they were found, and how they are cached: where, when, what tells them apart, a small picture.

Nothing of them leaves this machine. They lie in the cache of the film (`media.cache`), never in a project.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from mmap import mmap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, overload

from adstudio.core.cast import BOX_SCALE, FaceBox
from adstudio.core.timebase import MAX_TIME_MS
from adstudio.media.cache import DamagedCacheError, mapped_content
from adstudio.media.cached_data import joined, parted_view
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


class FaceRows(Sequence[Face]):
    """Faces as they lie in a file of the cache: each is put together when it is asked for, as there may be thousands.

    Equal to any sequence of equal faces. `places` are rows of integers: time, box, score, where the crop begins and
    ends in `crops`.
    """

    def __init__(self, places: NDArray[np.int64], vectors: NDArray[np.float32], crops: memoryview) -> None:
        self.places, self.vectors, self._crops = places, vectors, crops

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> Face: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Face]: ...
    def __getitem__(self, index: int | slice) -> Face | Sequence[Face]:
        if isinstance(index, slice):
            return FaceRows(self.places[index], self.vectors[index], self._crops)
        time, left, top, width, height, score, start, end = self.places[index].tolist()
        vector = self.vectors[index].astype("<f4").tobytes()
        return Face(time, FaceBox(left, top, width, height), score, vector, bytes(self._crops[start:end]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(cast("Sequence[object]", other))

    __hash__ = None  # pyright: ignore[reportAssignmentType]


@dataclass(frozen=True)
class PortraitVector:
    """What tells the face of a portrait apart; empty where it shows none. `picture` is the hash of its file.

    `faces` is how many it shows: of several the largest is taken.
    """

    picture: str
    vector: bytes = field(repr=False)
    faces: int = 1


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

    faces: Sequence[Face]
    boundaries: tuple[int, ...] = ()
    sampled: tuple[int, ...] = ()
    undecoded: int = 0
    left_out: int = 0
    complete: bool = True
    portraits: tuple[PortraitVector, ...] = ()
    """Of pictures with which the faces have been compared."""

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """What tells the faces apart, a row of 128 numbers for each."""
        import numpy as np

        if isinstance(self.faces, FaceRows):
            return self.faces.vectors
        return np.frombuffer(b"".join(face.vector for face in self.faces), "<f4").reshape(-1, DIMENSIONS)

    @cached_property
    def times(self) -> list[int]:
        """When each of the faces is seen (ms)."""
        if isinstance(self.faces, FaceRows):
            return self.faces.places[:, 0].tolist()
        return [face.time for face in self.faces]

    def without(self, gone: Iterable[Face]) -> Faces:
        """The same without the faces that are where these are."""
        places = {(face.time, face.box) for face in gone}
        return replace(self, faces=tuple(face for face in self.faces if (face.time, face.box) not in places))


@dataclass(frozen=True)
class _Head:
    total: str
    """The sum of the numbers, vectors and crops."""
    complete: bool
    faces: int
    boundaries: int
    sampled: int
    undecoded: int
    left_out: int
    portraits: Annotated[tuple[tuple[str, bytes, int], ...], Limits(items=MOST_PORTRAITS)]


_COLUMNS = 7
"""Time, box and score of a face, and the bytes of its crop."""


def encode_faces(faces: Faces) -> bytes:
    """A line of JSON, then as little-endian 32-bit numbers where the faces, the boundaries and the searched frames are.

    Then follow all vectors and all crops.
    """
    import numpy as np

    rows = [(each.time, *astuple(each.box), each.score, len(each.crop)) for each in faces.faces]
    body = b"".join(
        (
            np.array(rows, "<i4").tobytes(),
            np.array([*faces.boundaries, *faces.sampled], "<i4").tobytes(),
            *(each.vector for each in faces.faces),
            *(each.crop for each in faces.faces),
        )
    )
    counts = len(rows), len(faces.boundaries), len(faces.sampled), faces.undecoded, faces.left_out
    portraits = tuple((each.picture, each.vector, each.faces) for each in faces.portraits)
    return joined(_Head(blake2b(body, digest_size=16).hexdigest(), faces.complete, *counts, portraits), body)


def parse_faces(data: bytes) -> Faces:
    """The inverse of `encode_faces`; raises as `CachedData.parse` does."""
    return _parsed(*parted_view(data, _Head))


def read_faces(path: Path) -> tuple[Faces, str]:
    """The faces in a file of the cache, and their state, as `state_of` has it.

    Raises:
        BadInputError: where the file is missing or damaged.
        OutsideFailureError: where it cannot be read.
    """
    data, start = mapped_content(path)
    return _parsed(*parted_view(data, _Head, start)), _state(data, start)


def state_of(path: Path) -> str:
    """What tells the faces in a file of the cache, and the portraits beside them, from any others; raises as above."""
    return _state(*mapped_content(path))


def _state(data: bytes | mmap, start: int) -> str:
    # The first line has the sum of all that follows it.
    return blake2b(data[start : data.find(b"\n", start)], digest_size=16).hexdigest()


def _parsed(head: _Head, body: memoryview) -> Faces:
    import numpy as np

    counts = head.faces, head.boundaries, head.sampled
    if min(counts) < 0 or head.faces > MOST_FACES or head.sampled > MOST_SAMPLED:
        raise DamagedCacheError
    numbers = _COLUMNS * head.faces + head.boundaries + head.sampled
    if len(body) < 4 * numbers + VECTOR_BYTES * head.faces:
        raise DamagedCacheError
    read = np.frombuffer(body, "<i4", numbers).astype(np.int64)
    rows, times = np.split(read, [_COLUMNS * head.faces])
    places = np.zeros((head.faces, _COLUMNS + 1), np.int64)
    places[:, :_COLUMNS] = rows.reshape(-1, _COLUMNS)
    vectors = np.frombuffer(body, "<f4", DIMENSIONS * head.faces, 4 * numbers).reshape(-1, DIMENSIONS)
    sizes, crops = places[:, _COLUMNS - 1].copy(), body[4 * numbers + VECTOR_BYTES * head.faces :]
    ends = np.cumsum(sizes)
    places[:, _COLUMNS - 1], places[:, _COLUMNS] = ends - sizes, ends
    if not _are_possible(places, sizes) or len(crops) != int(sizes.sum()):
        raise DamagedCacheError
    boundaries, sampled = np.split(times, [head.boundaries])
    portraits = tuple(PortraitVector(*each) for each in head.portraits)
    if any(len(each.vector) not in (0, VECTOR_BYTES) for each in portraits):
        raise DamagedCacheError
    compared = np.frombuffer(b"".join(each.vector for each in portraits), "<f4")
    # No NaN is less than anything.
    if not (bool((np.abs(vectors) < 10).all()) and bool((np.abs(compared) < 10).all())):
        raise DamagedCacheError
    return Faces(
        FaceRows(places, vectors, crops),
        tuple(boundaries.tolist()),
        tuple(sampled.tolist()),
        head.undecoded,
        head.left_out,
        head.complete,
        portraits,
    )


def _are_possible(places: NDArray[np.int64], sizes: NDArray[np.int64]) -> bool:
    """Whether faces can be there, in order of time, with crops of those sizes."""
    import numpy as np

    time, left, top, width, height = places[:, :5].T
    possible = (
        (time >= 0) & (time < MAX_TIME_MS),
        (left >= 0) & (top >= 0) & (width >= 1) & (height >= 1),
        (left + width <= BOX_SCALE) & (top + height <= BOX_SCALE),
        (sizes >= 0) & (sizes <= LARGEST_CROP),
        np.diff(time) >= 0,
    )
    return all(bool(each.all()) for each in possible)
