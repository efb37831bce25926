"""The messages between the editor and the process that says whose the found faces of a film are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from adstudio.characters.faces import Faces
from adstudio.characters.faces_clusters import FaceClusters
from adstudio.characters.faces_known import KnownFaces
from adstudio.characters.faces_portraits import PortraitMatch
from adstudio.characters.faces_shots import ShotPeople
from adstudio.core.cast import NamedFace
from adstudio.system.worker import Failed, WorkerProtocol

CRASHED = "The comparison of faces crashed. The rest of the editor is not affected."


@dataclass(frozen=True)
class IdentifyFaces:
    """Say whose the faces in a file of the cache are, answered by `FacesIdentified`.

    `portraits` are the hashes of each person's (`portrait_hashes`): the pictures themselves are not needed.
    """

    path: Path
    portraits: dict[str, tuple[str, ...]]
    named: tuple[NamedFace, ...]


@dataclass(frozen=True)
class FacesIdentified:
    """What is known of the faces in the file, but for the faces themselves; `count` is how many it holds."""

    count: int
    clusters: FaceClusters
    matched: tuple[tuple[int, PortraitMatch], ...]
    shots: tuple[ShotPeople, ...]
    lost: tuple[str, ...]
    faceless: tuple[str, ...]

    @classmethod
    def of(cls, known: KnownFaces) -> Self:
        """What is known, as it is sent."""
        matched = tuple(known.matched.items())
        return cls(len(known.faces.faces), known.clusters, matched, known.shots, known.lost, known.faceless)

    def known(self, faces: Faces) -> KnownFaces:
        """The same with the faces of the file."""
        return KnownFaces(faces, self.clusters, dict(self.matched), self.shots, self.lost, self.faceless)


Answer = FacesIdentified | Failed
PROTOCOL = WorkerProtocol[IdentifyFaces, Answer]("adstudio.characters.faces_known_worker", IdentifyFaces, Answer)
