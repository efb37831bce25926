"""Who is seen in which shot, from the clusters of the film's faces."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from adstudio.characters.faces import Faces
from adstudio.characters.faces_clusters import NOBODY, FaceCluster
from adstudio.characters.faces_portraits import PortraitMatch
from adstudio.core.cast import FaceBox
from adstudio.core.timebase import Span

SAME_FACE = 0.4
"""How much of a face's box must be shared with one that the describer has named."""
SAME_TIME_MS = 200
"""How far apart in time they may lie."""


class Identified(Enum):
    """By what it is known who somebody is."""

    DESCRIBER = "describer"
    PORTRAIT = "portrait"


@dataclass(frozen=True)
class SeenPerson:
    """Somebody in a shot: a person's id, or None for somebody who is not known, with the number of the cluster.

    `times` are those of the pictures (ms) in which the face was found.
    """

    cluster: int
    person: str | None
    by: Identified | None
    times: tuple[int, ...]


@dataclass(frozen=True)
class ShotPeople:
    """Who is seen in a shot of the film, those seen most often first; without whom the describer called nobody."""

    shot: Span
    people: tuple[SeenPerson, ...]

    @property
    def known(self) -> tuple[str, ...]:
        """The ids of those who are known."""
        return tuple(dict.fromkeys(each.person for each in self.people if each.person))


def people_in_shots(
    faces: Faces, clusters: Sequence[FaceCluster], matched: Mapping[int, PortraitMatch] | None = None
) -> tuple[ShotPeople, ...]:
    """All shots of a film, in order, with the people whose faces were found in them."""
    boundaries = faces.boundaries
    shots: list[dict[int, list[int]]] = [{} for _ in pairwise(boundaries)]
    for number, cluster in enumerate(clusters):
        if cluster.person == NOBODY:
            continue
        for face in cluster.faces:
            shot = min(bisect_right(boundaries, faces.times[face]), len(shots)) - 1
            if shot >= 0:
                shots[shot].setdefault(number, []).append(faces.times[face])
    found: list[ShotPeople] = []
    for (start, end), seen in zip(pairwise(boundaries), shots, strict=True):
        people = [
            SeenPerson(number, *who_is(clusters[number], (matched or {}).get(number)), tuple(sorted(times)))
            for number, times in seen.items()
        ]
        people.sort(key=lambda each: (-len(each.times), each.times[0], each.cluster))
        found.append(ShotPeople(Span(start, end), tuple(people)))
    return tuple(found)


def face_at(faces: Faces, time: int, box: FaceBox) -> int | None:
    """The number of the face found there, or nearly there, which may be that of another search; None for none."""
    first = bisect_right(faces.times, time - SAME_TIME_MS - 1)
    behind = bisect_right(faces.times, time + SAME_TIME_MS)
    near = [(box.overlap(faces.faces[n].box), -abs(faces.times[n] - time), n) for n in range(first, behind)]
    best = max(near, default=None, key=lambda each: each[:2])
    return None if best is None or best[0] < SAME_FACE else best[2]


def who_is(cluster: FaceCluster, match: PortraitMatch | None) -> tuple[str | None, Identified | None]:
    """Who a cluster is, a person's id or None, and by what that is known."""
    if cluster.person is not None:
        return cluster.person, Identified.DESCRIBER
    return (None, None) if match is None else (match.person, Identified.PORTRAIT)
