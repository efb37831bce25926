"""Finds faces for the editor: `python -m adstudio.characters.faces_worker`.

It starts other processes (see `faces_detection`). When it is terminated, or when its input closes, it caches what has
been found and ends, and the others end with it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.characters.faces_detection import faces_of
from adstudio.characters.faces_messages import JOB, FacesCached, FindFaces, JobEvent
from adstudio.core.errors import OutsideFailureError
from adstudio.media.cache import Kind, source_of, stored, tidy
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import run_job


def main() -> int:
    """Do what is requested, and return the exit code."""
    return run_job(JOB, _work, stop=StopRequest(), background=True)


def _work(request: FindFaces, send: Callable[[JobEvent], None]) -> None:
    video, fingerprint = request.video, request.fingerprint
    search = faces_of(video, fingerprint=fingerprint, processes=request.processes, portraits=request.portraits)
    for progress in search:
        send(progress)
    source = source_of(video, fingerprint)
    path = stored(Kind.FACES, source)
    if path is None:
        raise OutsideFailureError("the faces that were found cannot be cached: is the disk full?")
    tidy(using=source)
    send(FacesCached(path))


if __name__ == "__main__":
    sys.exit(main())
