"""Finds faces for the editor: `python -m adstudio.characters.faces_worker`.

It starts other processes (see `faces_detection`). It ends at once when it is terminated, or when its input closes, and
the others end with it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.characters.faces_detection import faces_of
from adstudio.characters.faces_messages import (
    JOB,
    DescribePortraits,
    FacesCached,
    FindFaces,
    JobEvent,
    JobRequest,
    PortraitsDescribed,
)
from adstudio.characters.faces_portraits import described
from adstudio.core.errors import OutsideFailureError
from adstudio.media.cache import Kind, source_of, stored, tidy
from adstudio.system.worker import run_job


def main() -> int:
    """Do what is requested, and return the exit code."""
    return run_job(JOB, _work, niceness=10)


def _work(request: JobRequest, send: Callable[[JobEvent], None]) -> None:
    match request:
        case FindFaces(video, fingerprint, processes):
            for progress in faces_of(video, fingerprint=fingerprint, processes=processes):
                send(progress)
            path = stored(Kind.FACES, source_of(video, fingerprint))
            if path is None:
                raise OutsideFailureError("the faces that were found cannot be cached: is the disk full?")
            tidy(using=source_of(video, fingerprint))
            send(FacesCached(path))
        case DescribePortraits(pictures):
            send(PortraitsDescribed(described(pictures)))


if __name__ == "__main__":
    sys.exit(main())
