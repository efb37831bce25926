"""The messages between the editor and the process that looks for the face in a portrait."""

from __future__ import annotations

from dataclasses import dataclass, field

from adstudio.core.counts import counted
from adstudio.system.worker import Failed, WorkerProtocol

CRASHED = "Looking for the face in the picture crashed. The picture is kept."


@dataclass(frozen=True)
class LookAtPortrait:
    """Say how many faces a picture shows, answered by `PortraitSeen`."""

    image: bytes = field(repr=False)


@dataclass(frozen=True)
class PortraitSeen:
    """How many faces are recognised in it."""

    faces: int


PROTOCOL = WorkerProtocol[LookAtPortrait, PortraitSeen | Failed](
    "adstudio.characters.portrait_worker", LookAtPortrait, PortraitSeen | Failed
)


def portrait_remark(name: str, faces: int) -> str:
    """What ought to be known of a picture of somebody that shows so many faces; empty for one."""
    if faces == 1:
        return ""
    if faces:
        return f"This picture of “{name}” shows {counted(faces, 'face')}, of which the largest is compared."
    return (
        f"No face is recognised in this picture of “{name}”: it is kept, but faces in the film cannot be compared with "
        "it. Take one from the front; drawn faces are not always recognised."
    )
