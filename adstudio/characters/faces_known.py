"""What is known of a film's faces: found ones, whose they are by the describer's word or a portrait, who is in a shot.

It is put together from what was found; nothing is searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from adstudio.characters.faces import Face, Faces, picture_hash
from adstudio.characters.faces_clusters import NOBODY, FaceClusters, clustered
from adstudio.characters.faces_portraits import PortraitMatch, matches
from adstudio.characters.faces_shots import ShotPeople, face_at, people_in_shots
from adstudio.core.cast import NamedFace, People


@dataclass(frozen=True)
class KnownFaces:
    """The faces of a film, in clusters, and who is in which shot.

    `matched` says whose portrait a cluster is like, by its number; `lost` are the ids of faces that the describer has
    named and that this search has not found; `faceless` those of people whose portraits show no face; `several` those
    of people of whom a portrait shows more than one.
    """

    faces: Faces
    clusters: FaceClusters
    matched: dict[int, PortraitMatch]
    shots: Sequence[ShotPeople]
    lost: tuple[str, ...] = ()
    faceless: tuple[str, ...] = ()
    several: tuple[str, ...] = ()

    def person_of(self, cluster: int) -> str | None:
        """Who a cluster is: a person's id, `NOBODY`, or None where that is not known."""
        labelled = self.clusters.clusters[cluster].person
        match = self.matched.get(cluster)
        return match.person if labelled is None and match is not None else labelled

    @property
    def seen(self) -> list[tuple[int, str]]:
        """When somebody of the cast is seen: the times of the frames (ms) and the ids, in order."""
        people = (each for shot in self.shots for each in shot.people)
        return sorted((time, each.person) for each in people if each.person for time in each.times)

    @property
    def first_seen(self) -> dict[str, int]:
        """When each person (id) of whom a face was found is first seen, in ms."""
        found: dict[str, int] = {}
        for number, cluster in enumerate(self.clusters.clusters):
            if person := self.person_of(number):
                time = min(self.faces.times[face] for face in cluster.faces)
                found[person] = min(time, found.get(person, time))
        return found

    def faces_of(self, person: str) -> list[Face]:
        """The faces of a person."""
        clusters, found = self.clusters.clusters, self.faces.faces
        return [found[n] for at, each in enumerate(clusters) if self.person_of(at) == person for n in each.faces]


def known_faces(faces: Faces, people: People, named: Iterable[NamedFace]) -> KnownFaces:
    """What the faces of a film tell, given its cast and the faces that the describer has named."""
    return identified_faces(faces, portrait_hashes(people), named)


def portrait_hashes(people: People) -> dict[str, tuple[str, ...]]:
    """By what the portraits of each person (id) are known again."""
    return {person.id: tuple(picture_hash(each.image) for each in person.all_portraits) for person in people}


def identified_faces(faces: Faces, portraits: Mapping[str, Sequence[str]], named: Iterable[NamedFace]) -> KnownFaces:
    """As `known_faces`; of the cast no more is needed than its `portrait_hashes`."""
    labels: dict[int, str] = {}
    lost: list[str] = []
    for each in named:
        number = face_at(faces, each.time, each.box)
        if number is None:
            lost.append(each.id)
        elif each.person is None or each.person in portraits:
            labels[number] = each.person or NOBODY
    clusters = clustered(faces, labels)
    looked_at = {each.picture: each for each in faces.portraits}
    compared = {
        person: found
        for person, pictures in portraits.items()
        if (found := [looked_at[picture] for picture in pictures if picture in looked_at])
    }
    vectors = {person: [each.vector for each in found] for person, found in compared.items()}
    matched = matches(faces, clusters.clusters, vectors)
    shots = people_in_shots(faces, clusters.clusters, matched)
    faceless = tuple(person for person, found in vectors.items() if not any(found))
    several = tuple(person for person, found in compared.items() if any(each.faces > 1 for each in found))
    return KnownFaces(faces, clusters, matched, shots, tuple(lost), faceless, several)


def portraits_of(people: People) -> tuple[bytes, ...]:
    """The pictures of a cast that faces can be compared with, each once."""
    return tuple(dict.fromkeys(portrait.image for person in people for portrait in person.all_portraits))
