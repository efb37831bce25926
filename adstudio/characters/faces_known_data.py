"""What is known of a film's faces, as it goes from one process to another and lies in the cache.

A film of two hours has thousands of faces, in thousands of shots. As numbers in arrays they are read in a moment, where
so many objects of JSON would make the window stand still.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate, chain, compress, islice
from pathlib import Path
from typing import Annotated, cast, overload

from adstudio.characters.faces import Faces
from adstudio.characters.faces_clusters import FaceCluster, FaceClusters
from adstudio.characters.faces_known import KnownFaces
from adstudio.characters.faces_portraits import PortraitMatch
from adstudio.characters.faces_shots import Identified, SeenPerson, ShotPeople, who_is
from adstudio.core.cast import MAX_NAMED_FACES, NamedFace
from adstudio.core.timebase import Span
from adstudio.media.cache import DamagedCacheError, read_content
from adstudio.media.cached_data import joined, parted
from adstudio.system.codec import Codec, Limits

_CODEC = Codec()


@dataclass(frozen=True)
class _Head:
    key: str
    faces: int
    people: tuple[str, ...]
    first_seen: tuple[tuple[str, int], ...]
    lost: Annotated[tuple[str, ...], Limits(items=MAX_NAMED_FACES)]
    faceless: tuple[str, ...]
    several: tuple[str, ...]
    uncompared: int
    lengths: tuple[int, ...]


@dataclass(frozen=True)
class _Key:
    state: str
    portraits: dict[str, tuple[str, ...]]
    named: Annotated[tuple[NamedFace, ...], Limits(items=MAX_NAMED_FACES)]


def known_key(state: str, portraits: Mapping[str, Sequence[str]], named: Iterable[NamedFace]) -> str:
    """What tells it apart of what something is known: the `state_of` the faces, the cast's portraits, named faces."""
    asked = _Key(state, {person: tuple(each) for person, each in portraits.items()}, tuple(named))
    return blake2b(_CODEC.encode(asked), digest_size=16).hexdigest()


def encode_known(known: KnownFaces, key: str) -> bytes:
    """A line of JSON, then arrays of numbers, in this machine's form; the faces themselves are not among them."""
    clusters = known.clusters.clusters
    people = tuple(dict.fromkeys([*(each.person for each in clusters), *(m.person for m in known.matched.values())]))
    number = {person: place for place, person in enumerate(each for each in people if each is not None)}
    shots = [(place, shot) for place, shot in enumerate(known.shots) if shot.people]
    seen = [(place, each) for place, shot in shots for each in shot.people]
    arrays = (
        (len(each.faces) for each in clusters),
        (-1 if each.person is None else number[each.person] for each in clusters),
        (face for each in clusters for face in each.faces),
        (face in each.labelled for each in clusters for face in each.faces),
        chain.from_iterable((at, number[each.person], each.apart) for at, each in known.matched.items()),
        chain.from_iterable(known.clusters.alike),
        chain.from_iterable((place, each.cluster, len(each.times)) for place, each in seen),
        (time for _, each in seen for time in each.times),
    )
    numbers = [array("i", each) for each in arrays]
    head = _Head(
        key,
        len(known.faces.faces),
        tuple(number),
        tuple(known.first_seen.items()),
        known.lost,
        known.faceless,
        known.several,
        known.clusters.uncompared,
        tuple(map(len, numbers)),
    )
    return joined(head, b"".join(each.tobytes() for each in numbers))


def parse_known(data: bytes, faces: Faces) -> KnownFaces:
    """The inverse of `encode_known`, with the faces of which it is known.

    Raises:
        DamagedCacheError: for anything else, and where it is known of other faces.
    """
    head, body = parted(data, _Head)
    if head.faces != len(faces.faces):
        raise DamagedCacheError
    try:
        sizes, persons, order, labelled, matched, alike, seen, times = _arrays(body, head.lengths)
        who = [None if each < 0 else head.people[each] for each in persons]
        clusters = tuple(_clusters(sizes, who, order, labelled))
        found = {at: PortraitMatch(head.people[person], apart) for at, person, apart in _rows(matched, 3)}
        known = [who_is(cluster, found.get(number)) for number, cluster in enumerate(clusters)]
        shots = _ShotRows(faces.boundaries, known, seen, times)
    except (ValueError, LookupError, StopIteration) as error:
        raise DamagedCacheError from error
    if not (_are_below(head.faces, order) and _are_below(head.faces, alike)):
        raise DamagedCacheError
    pairs = tuple((one, other) for one, other in _rows(alike, 2))
    all_clusters = FaceClusters(clusters, pairs, head.uncompared)
    return KnownFaces(faces, all_clusters, found, shots, head.lost, head.faceless, head.several)


def read_first_seen(path: Path, key: str) -> dict[str, int] | None:
    """When each person (id) is first seen (ms), where a file of the cache knows it by that key; else None.

    Raises:
        BadInputError: where the file is missing or damaged.
        OutsideFailureError: where it cannot be read.
    """
    head, _ = parted(read_content(path), _Head)
    return dict(head.first_seen) if head.key == key else None


def _arrays(body: bytes, lengths: Sequence[int]) -> list[array[int]]:
    numbers = array("i")
    if sum(lengths) * numbers.itemsize != len(body) or min(lengths, default=0) < 0:
        raise DamagedCacheError
    numbers.frombytes(body)
    places = iter(numbers)
    return [array("i", islice(places, length)) for length in lengths]


def _are_below(end: int, numbers: array[int]) -> bool:
    """Whether all are from 0 to below `end`."""
    return not numbers or (min(numbers) >= 0 and max(numbers) < end)


def _rows(numbers: array[int], width: int) -> Iterator[tuple[int, ...]]:
    return zip(*([iter(numbers)] * width), strict=True)


def _clusters(
    sizes: array[int], people: Sequence[str | None], order: array[int], labelled: array[int]
) -> Iterator[FaceCluster]:
    numbers, marks = order.tolist(), labelled.tolist()
    if min(sizes, default=1) < 1 or not sum(sizes) == len(numbers) == len(marks):
        raise ValueError("not the faces of these clusters")
    end = 0
    for size, person in zip(sizes, people, strict=True):
        start, end = end, end + size
        faces = tuple(numbers[start:end])
        yield FaceCluster(faces, person, frozenset(compress(faces, marks[start:end])))


class _ShotRows(Sequence[ShotPeople]):
    """The shots of a film as they lie in arrays: each is put together when it is asked for, as there may be thousands.

    Equal to any sequence of equal shots. `seen` are the shot, the cluster and the number of times of each person in
    one, in the order of the shots. ValueError for what cannot be.
    """

    def __init__(
        self,
        boundaries: Sequence[int],
        known: Sequence[tuple[str | None, Identified | None]],
        seen: array[int],
        times: array[int],
    ) -> None:
        if len(seen) % 3:
            raise ValueError("not three of each")
        places, clusters, sizes = seen[::3], seen[1::3], seen[2::3]
        if any(list(each) != sorted(each) for each in (boundaries, places)):
            raise ValueError("not in order of time")
        self._boundaries, self._known = boundaries, known
        if not (_are_below(len(self), places) and _are_below(len(known), clusters)):
            raise ValueError("no such shot or cluster")
        self._places, self._clusters, self._times = places, clusters, times
        self._ends = [0, *accumulate(sizes)]
        if min(sizes, default=0) < 0 or self._ends[-1] != len(times):
            raise ValueError("not seen so often")

    def __len__(self) -> int:
        return max(len(self._boundaries) - 1, 0)

    @overload
    def __getitem__(self, index: int) -> ShotPeople: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ShotPeople]: ...
    def __getitem__(self, index: int | slice) -> ShotPeople | Sequence[ShotPeople]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        rows = range(bisect_left(self._places, place), bisect_right(self._places, place))
        people = map(self._person, rows)
        return ShotPeople(Span(self._boundaries[place], self._boundaries[place + 1]), tuple(people))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(cast("Sequence[object]", other))

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def _person(self, row: int) -> SeenPerson:
        cluster = self._clusters[row]
        return SeenPerson(cluster, *self._known[cluster], tuple(self._times[self._ends[row] : self._ends[row + 1]]))
