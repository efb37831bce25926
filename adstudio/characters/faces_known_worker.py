"""Says for the editor whose the faces are: `python -m adstudio.characters.faces_known_worker`.

Comparing thousands of them takes up to seconds, for which the window must not stand still.
"""

from __future__ import annotations

import os
import sys

# One thread: threads that wait for one another take the editor's time.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from adstudio.characters.faces import parse_faces
from adstudio.characters.faces_known import identified_faces
from adstudio.characters.faces_known_messages import PROTOCOL, FacesIdentified, IdentifyFaces
from adstudio.media.cache import read_content
from adstudio.system.worker import answer_requests


def main() -> int:
    """Answer requests until the input ends, and return the exit code."""
    return answer_requests(PROTOCOL, _answer)


def _answer(request: IdentifyFaces) -> FacesIdentified:
    faces = parse_faces(read_content(request.path))
    return FacesIdentified.of(identified_faces(faces, request.portraits, request.named))


if __name__ == "__main__":
    sys.exit(main())
