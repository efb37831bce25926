"""Portraits of the cast against the faces of the film: who each cluster is likely to be.

As in the paper (its appendix on character faces), a face that is like several portraits is whose portrait it is most
like. The paper also limits the people to choose from to those whom a scene's text names: whoever wants that gives the
portraits of those alone. Here whole clusters are compared, as
single faces turn away and blur.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adstudio.characters.faces import DIMENSIONS, Face, Faces, PortraitVector, picture_hash
from adstudio.characters.faces_clusters import FaceCluster
from adstudio.characters.faces_models import LONGEST_SIDE, FaceModels
from adstudio.media.faces import FaceError, face_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LIKE = 0.55
"""How far a portrait may be from the faces of its person. A portrait is of another day than the film, so this is more
than within a film; dlib's authors take 0.6."""
CLEARLY = 0.05
"""How much nearer than the next person the likeliest one has to be."""


@dataclass(frozen=True)
class PortraitMatch:
    """Whose portrait a cluster is like: the person's id, and how far it is from that, in thousandths (550 at most)."""

    person: str
    apart: int


def portrait_vectors(pictures: Sequence[bytes]) -> tuple[PortraitVector, ...]:
    """What tells the largest face of each picture apart; none where it shows no face, or is no picture.

    Raises:
        OutsideFailureError: where the part that finds faces is not installed.
    """
    models = FaceModels()
    return tuple(_portrait(picture, models) for picture in pictures)


def matches(
    faces: Faces, clusters: Sequence[FaceCluster], portraits: Mapping[str, Sequence[bytes]]
) -> dict[int, PortraitMatch]:
    """By the number of an unlabelled cluster, whose portrait it is like; without those that are unclear.

    `portraits` gives the vectors of a person's portraits.
    """
    people = [person for person, vectors in portraits.items() if any(vectors)]
    found: dict[int, PortraitMatch] = {}
    for number, cluster in enumerate(clusters):
        if cluster.person is not None or not people:
            continue
        vectors = faces.vectors[list(cluster.faces)]
        apart = {person: _apart(vectors, portraits[person]) for person in people}
        first, *others = sorted(people, key=lambda person: apart[person])
        if apart[first] < LIKE and (not others or apart[others[0]] - apart[first] >= CLEARLY):
            found[number] = PortraitMatch(first, round(1000 * apart[first]))
    return found


def best_portrait(faces: Faces, cluster: FaceCluster) -> Face:
    """The face of a cluster that would make the best portrait."""
    return faces.faces[cluster.faces[0]]


def _apart(vectors: NDArray[np.float32], portraits: Sequence[bytes]) -> float:
    """How far a cluster is from the nearest portrait of a person: the median over its faces."""
    import numpy as np

    return min(
        float(np.median(np.linalg.norm(vectors - np.frombuffer(each, "<f4"), axis=1)))
        for each in portraits
        if len(each) == 4 * DIMENSIONS
    )


def _portrait(picture: bytes, models: FaceModels) -> PortraitVector:
    import numpy as np
    from PIL import Image

    try:
        read = Image.open(io.BytesIO(face_of(picture, "a portrait")))
    except FaceError:
        return PortraitVector(picture_hash(picture), b"", 0)
    scale = LONGEST_SIDE / 2 / max(read.size)
    size = (max(round(read.width * scale), 1), max(round(read.height * scale), 1))
    # A frame around it, as the detector finds no face that fills the picture to its edges.
    frame = Image.new("RGB", (2 * size[0], 2 * size[1]), "grey")
    frame.paste(read.resize(size), (size[0] // 2, size[1] // 2))
    found, more = models.faces_in(np.asarray(frame))
    vector = max(found, key=lambda face: face.box.area).vector if found else b""
    return PortraitVector(picture_hash(picture), vector, len(found) + more)
