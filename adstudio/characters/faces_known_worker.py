"""Says for the editor whose the faces are: `python -m adstudio.characters.faces_known_worker`.

Comparing thousands of them takes up to seconds, for which the window must not stand still.
"""

from __future__ import annotations

import os
import sys

# One thread: threads that wait for one another take the editor's time.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from adstudio.characters.faces_in_film import known_data
from adstudio.characters.faces_known_messages import PROTOCOL, FacesIdentified, IdentifyFaces
from adstudio.system.worker import answer_requests


def main() -> int:
    """Answer requests until the input ends, and return the exit code."""
    return answer_requests(PROTOCOL, _answer)


def _answer(request: IdentifyFaces) -> FacesIdentified:
    faces, data = known_data(request.path, request.source, request.portraits, request.named)
    return FacesIdentified(len(faces.faces), data)


if __name__ == "__main__":
    sys.exit(main())
