"""The messages between the editor and the process that says whose the found faces of a film are."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from adstudio.core.cast import NamedFace
from adstudio.media.cache import Source
from adstudio.system.worker import Failed, WorkerProtocol

CRASHED = "The comparison of faces crashed. The rest of the editor is not affected."


@dataclass(frozen=True)
class IdentifyFaces:
    """Say whose the faces in a file of the cache are, answered by `FacesIdentified`.

    `portraits` are the hashes of each person's (`portrait_hashes`): the pictures themselves are not needed.
    """

    path: Path
    source: Source
    portraits: dict[str, tuple[str, ...]]
    named: tuple[NamedFace, ...]


@dataclass(frozen=True)
class FacesIdentified:
    """What is known of the faces in the file, as `encode_known` has it; `faces` is how many it holds."""

    faces: int
    known: bytes = field(repr=False)


Answer = FacesIdentified | Failed
PROTOCOL = WorkerProtocol[IdentifyFaces, Answer]("adstudio.characters.faces_known_worker", IdentifyFaces, Answer)
