"""Which faces of a film are of one person: agglomerative clustering that respects the describer's labels.

Two faces lie as far apart as their vectors (Euclidean); clusters as far as the mean square of that between their faces.
The nearest two are united as long as they are less than `APART` apart, and never where they hold faces of two people
by the describer's word, or faces of one picture. Then stray faces, of which there are too few to know somebody by, join
the cluster that they are clearly most like, and all clusters of a person are one. The order of the faces does not
matter, and the same faces give the same clusters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import TYPE_CHECKING

from adstudio.characters.faces import Face, Faces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

APART = 0.5
"""How far apart clusters of two people are. Faces of one person are up to 0.45 apart in good light; at 0.55 people of
one film are already mixed up."""
AT_ONCE = 500
"""Of the others, so many are compared with the clusters at a time."""
STRAY = 5
"""Faces of a cluster at most that may be somebody else's, seen badly."""
STRAY_APART, CLEARLY = 0.6, 0.05
"""How far they may be from that cluster, and how much nearer it has to be than the next one. At 0.6 two faces are as
likely of one person as not, so of two people alone who are this near nobody is joined to the other."""
SAME_SHOT_APART = 0.4
"""Faces of a shot that follow each other are of one person up to here, so that they need not all be compared."""
SAME_PLACE, SAME_PLACE_MS, SAME_PLACE_APART = 0.5, 2500, 0.6
"""So are those in the same place of the picture (intersection over union), if no more time has gone by, up to here:
whoever turns away or blurs stays who they are. Faces of two people who are in one place one after the other, behind a
cut that was not detected, are further apart."""
MOST_COMPARED = 4000
"""Runs of faces that are compared, each with each (64 MB); the clearest ones, where there are more."""
_FEWEST = 3
"""Clusters among which one can be clearly the nearest to another."""
NOBODY = ""
"""Instead of a person: the describer has said that a face is nobody of the cast."""


@dataclass(frozen=True)
class FaceCluster:
    """Faces of one person, by their numbers in `Faces.faces`, the best to show first.

    `person` is the id of whom the describer has named, `NOBODY` for nobody of the cast, None where no face has a label.
    `labelled` are the faces that carry that name by the describer's own word; the others follow them.
    """

    faces: tuple[int, ...]
    person: str | None = None
    labelled: frozenset[int] = frozenset()


@dataclass(frozen=True)
class FaceClusters:
    """All clusters, the largest first; `alike` are pairs of faces of one picture that look like one person.

    Such pairs are twins, mirrors, pictures on a wall, or drawn people who look the same. `uncompared` counts the faces
    that are in no cluster, as there were too many.
    """

    clusters: tuple[FaceCluster, ...]
    alike: tuple[tuple[int, int], ...] = ()
    uncompared: int = 0


def clustered(faces: Faces, labels: Mapping[int, str]) -> FaceClusters:
    """The faces of a film by person; `labels` gives a person's id, or `NOBODY`, to faces by their numbers."""
    if not faces.faces:
        return FaceClusters(())
    faces = replace(faces, faces=tuple(faces.faces))  # put together once
    runs = _runs(faces, labels)
    compared = _compared(runs, faces.faces)
    groups = _with_strays(faces, _united(faces, compared, labels), labels)
    uncompared = _with_rest(faces, groups, runs, labels)
    by_person: dict[str | None, list[list[int]]] = {}
    for group in groups:
        by_person.setdefault(_person(group, labels), []).append(group)
    found = [
        FaceCluster(_best_first(group, faces.faces), person, frozenset(labels.keys() & group))
        for person, groups in by_person.items()
        for group in (groups if not person else [list(chain.from_iterable(groups))])
    ]
    found.sort(key=lambda cluster: (-len(cluster.faces), min(cluster.faces)))
    return FaceClusters(tuple(found), _alike(faces), uncompared)


def spread(cluster: FaceCluster, faces: Sequence[Face], most: int) -> list[int]:
    """So many faces of a cluster, evenly spread over the film, with the best one among them."""
    ordered = sorted(cluster.faces, key=lambda number: faces[number].time)
    steps = min(most, len(ordered))
    return list(dict.fromkeys((cluster.faces[0], *(ordered[n * len(ordered) // steps] for n in range(steps)))))[:most]


def quality(face: Face) -> int:
    """How well a face shows who it is: large and clear to the detector."""
    return max(face.score, 1) * min(face.box.height, 4000)


def _best_first(group: Sequence[int], faces: Sequence[Face]) -> tuple[int, ...]:
    return tuple(sorted(group, key=lambda number: (-quality(faces[number]), number)))


def _runs(faces: Faces, labels: Mapping[int, str]) -> list[list[int]]:
    """Faces that follow each other within a shot and are alike, or in the same place; labelled ones stay single."""
    import numpy as np

    found, vectors, shots = faces.faces, faces.vectors, np.searchsorted(faces.boundaries, faces.times, "right")
    runs: list[list[int]] = []
    open_runs: list[list[int]] = []
    shot = -1
    for _, group in groupby(range(len(faces.faces)), key=faces.times.__getitem__):
        numbers = list(group)
        if shots[numbers[0]] != shot:
            shot, open_runs = shots[numbers[0]], []
        taken: list[list[int]] = []
        for number in numbers:
            free = [run for run in open_runs if run not in taken] if number not in labels else []
            ends = [float(np.linalg.norm(vectors[run[-1]] - vectors[number])) for run in free]
            near = [
                (apart, place)
                for place, (run, apart) in enumerate(zip(free, ends, strict=True))
                if apart <= SAME_SHOT_APART or (apart <= SAME_PLACE_APART and _in_place(found[run[-1]], found[number]))
            ]
            if near:
                run = free[min(near)[1]]
                run.append(number)
            else:
                run = [number]
                runs.append(run)
                if number not in labels:
                    open_runs.append(run)
            taken.append(run)
    return runs


def _in_place(face: Face, later: Face) -> bool:
    """Whether a face is where another one of the shot has just been."""
    return later.time - face.time <= SAME_PLACE_MS and face.box.overlap(later.box) >= SAME_PLACE


def _compared(runs: list[list[int]], faces: Sequence[Face]) -> list[list[int]]:
    if len(runs) <= MOST_COMPARED:
        return runs
    return sorted(runs, key=lambda run: -max(quality(faces[number]) for number in run))[:MOST_COMPARED]


def _with_rest(faces: Faces, groups: list[list[int]], runs: Sequence[Sequence[int]], labels: Mapping[int, str]) -> int:
    """Put runs that were too many to be compared with one another to the groups that they are like.

    How many faces are like none is returned.
    """
    import numpy as np

    there = {number for group in groups for number in group}
    rest = [run for run in runs if run[0] not in there]
    if not rest:
        return 0
    fixed = [list(group) for group in groups]
    seen: list[set[int]] = [{faces.times[number] for number in group} for group in groups]
    people = [_person(group, labels) for group in groups]
    uncompared = 0
    for first in range(0, len(rest), AT_ONCE):
        some = rest[first : first + AT_ONCE]
        for run, apart in zip(some, _apart(faces, some, fixed), strict=True):
            times, mine = {faces.times[number] for number in run}, _person(run, labels)
            near: list[int] = np.flatnonzero(apart < APART**2).tolist()
            free = [n for n in near if times.isdisjoint(seen[n]) and (mine is None or mine == people[n])]
            if free:
                nearest = min(free, key=apart.__getitem__)
                groups[nearest] += run
                seen[nearest] |= times
            else:
                uncompared += len(run)
    return uncompared


def _united(faces: Faces, runs: list[list[int]], labels: Mapping[int, str]) -> list[list[int]]:
    """The runs, united as long as two are near enough."""
    import numpy as np

    groups: list[list[int]] = [list(run) for run in runs]
    sizes = np.array([len(run) for run in runs], np.float32)
    apart = _distances(faces, runs)
    _separate(apart, faces, runs, labels)
    nearest = apart.argmin(axis=1)
    least = apart[np.arange(len(runs)), nearest]
    while True:
        one = int(least.argmin())
        if not least[one] < APART**2:
            return [group for group in groups if group]
        other = int(nearest[one])
        one, other = min(one, other), max(one, other)
        # The mean over all pairs of faces, from the means of the two parts.
        both = (sizes[one] * apart[one] + sizes[other] * apart[other]) / (sizes[one] + sizes[other])
        both[one] = both[other] = np.inf
        apart[one] = apart[:, one] = both
        apart[other] = apart[:, other] = np.inf
        sizes[one] += sizes[other]
        groups[one] += groups[other]
        groups[other] = []
        least[other] = np.inf
        stale = np.flatnonzero((nearest == one) | (nearest == other))
        closer = both < least
        nearest[closer], least[closer] = one, both[closer]
        for row in {one, *stale.tolist()} - {other}:
            nearest[row] = apart[row].argmin()
            least[row] = apart[row, nearest[row]]


def _with_strays(faces: Faces, groups: list[list[int]], labels: Mapping[int, str]) -> list[list[int]]:
    """The groups, with small ones joined to others that they are clearly most like."""
    import numpy as np

    if len(groups) < _FEWEST:
        return groups
    apart = _distances(faces, groups)
    _separate(apart, faces, groups, labels)
    sizes = np.array([len(group) for group in groups], np.float32)
    nearest = apart.min(axis=1)
    left = len(groups)
    for one in np.argsort(nearest, kind="stable").tolist():
        if not nearest[one] < STRAY_APART**2 or left < _FEWEST:
            break
        other = int(apart[one].argmin())
        first, second = np.sqrt(np.partition(apart[one], 1)[:2]).tolist()
        if not groups[one] or sizes[one] > STRAY or first >= STRAY_APART or second - first < CLEARLY:
            continue
        both = (sizes[one] * apart[one] + sizes[other] * apart[other]) / (sizes[one] + sizes[other])
        both[one] = both[other] = np.inf
        apart[other] = apart[:, other] = both
        apart[one] = apart[:, one] = np.inf
        groups[other] = [*groups[other], *groups[one]]
        sizes[other] += sizes[one]
        groups[one] = []
        left -= 1
    return [group for group in groups if group]


def _distances(faces: Faces, runs: Sequence[Sequence[int]]) -> Matrix:
    """The mean square distances between the faces of runs; of a run from itself it is infinite."""
    import numpy as np

    found = _apart(faces, runs, runs)
    np.fill_diagonal(found, np.inf)
    return found


def _apart(faces: Faces, runs: Sequence[Sequence[int]], others: Sequence[Sequence[int]]) -> Matrix:
    """The mean square distances between the faces of runs and those of others."""
    import numpy as np

    vectors = faces.vectors.astype(np.float64)
    means, other_means = (np.array([vectors[run].mean(axis=0) for run in each]) for each in (runs, others))
    spreads, other_spreads = (np.array([vectors[run].var(axis=0).sum() for run in each]) for each in (runs, others))
    alone = (means**2).sum(axis=1) + spreads
    found = alone[:, None] + ((other_means**2).sum(axis=1) + other_spreads)[None, :] - 2 * means @ other_means.T
    return np.maximum(found, 0).astype(np.float32)


def _separate(apart: Matrix, faces: Faces, runs: Sequence[Sequence[int]], labels: Mapping[int, str]) -> None:
    """Put those infinitely far apart that are of two people: by the describer's word, or as one picture shows both."""
    import numpy as np

    people = [_person(run, labels) for run in runs]
    run_of = {number: place for place, run in enumerate(runs) for number in run}
    for _, group in groupby(range(len(faces.faces)), key=faces.times.__getitem__):
        places = [run_of[number] for number in group if number in run_of]
        for one in places:
            for other in places:
                # The describer's word is stronger than a mirror.
                if one != other and (people[one] is None or people[one] != people[other]):
                    apart[one, other] = np.inf
    for person in {each for each in people if each is not None}:
        its = np.array([each == person for each in people])
        others = np.array([each is not None and each != person for each in people])
        apart[np.ix_(its, others)] = np.inf


def _person(group: Sequence[int], labels: Mapping[int, str]) -> str | None:
    """Whose faces of a group are by the describer's word; all labelled ones have the same label."""
    return next((labels[number] for number in group if number in labels), None)


def _alike(faces: Faces) -> tuple[tuple[int, int], ...]:
    import numpy as np

    found: list[tuple[int, int]] = []
    for _, group in groupby(range(len(faces.faces)), key=faces.times.__getitem__):
        numbers = list(group)
        found += [
            (one, other)
            for place, one in enumerate(numbers)
            for other in numbers[place + 1 :]
            if float(np.linalg.norm(faces.vectors[one] - faces.vectors[other])) < SAME_SHOT_APART
        ]
    return tuple(found)
