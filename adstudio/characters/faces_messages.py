"""The messages between those who look for faces: the editor, the process that does it, and the processes it starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from adstudio.characters.faces import Face
from adstudio.characters.faces_frames import SampledFrame
from adstudio.system.worker import Failed, WorkerProtocol

CRASHED = "The search for faces crashed. The rest of the editor is not affected."


@dataclass(frozen=True)
class FindFaces:
    """Find the faces of a film and cache them, answered by `FacesCached`; what was found before is gone on from.

    `portraits` are pictures of the cast, to be compared with them. `processes`: how many search at a time, 0 for as
    many as the machine has processors to spare.
    """

    video: Path
    fingerprint: str = ""
    portraits: tuple[bytes, ...] = field(default=(), repr=False)
    processes: int = 0


@dataclass(frozen=True)
class FacesProgress:
    """How far the search is, 0 to 1; None where that is not known. `shots`: the shots are still being detected."""

    fraction: float | None
    shots: bool = False
    partial: Path | None = None
    """What has been found so far, to be read again now."""
    left: int | None = None
    """How long it will take still, in milliseconds."""


@dataclass(frozen=True)
class FacesCached:
    """The faces lie in a file of the cache."""

    path: Path


@dataclass(frozen=True)
class DetectFaces:
    """Search these pictures of a film, answered by `FacesSeen`. Times rise from one request to the next."""

    video: Path
    frames: tuple[SampledFrame, ...]


@dataclass(frozen=True)
class FacesSeen:
    """The faces, by time; how many of the pictures could not be decoded, and how many faces were too many for one."""

    faces: tuple[Face, ...]
    undecoded: int
    left_out: int = 0


JobEvent = FacesProgress | FacesCached | Failed
JOB = WorkerProtocol[FindFaces, JobEvent]("adstudio.characters.faces_worker", FindFaces, JobEvent)
READER = WorkerProtocol[DetectFaces, FacesSeen | Failed](
    "adstudio.characters.faces_reader", DetectFaces, FacesSeen | Failed
)
