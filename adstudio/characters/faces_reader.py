"""Searches pictures of a film: `python -m adstudio.characters.faces_reader`, one of several (see `faces_detection`).

A crash in a decoder or a detector ends only this process, and the pictures it was given are left out.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

from adstudio.characters.faces import Face
from adstudio.characters.faces_frames import FilmReader, crop_of
from adstudio.characters.faces_messages import READER, DetectFaces, FacesSeen
from adstudio.characters.faces_models import FaceModels
from adstudio.system.background_priority import lower_priority, wait_for_quiet
from adstudio.system.worker import answer_requests


def main() -> int:
    """Answer requests until the input ends, and return the exit code."""
    lower_priority()
    with contextlib.ExitStack() as stack:
        return answer_requests(READER, _Searching(stack).answer)


class _Searching:
    """The models and the film, once something was asked."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._models: FaceModels | None = None
        self._film: tuple[Path, FilmReader] | None = None

    def answer(self, request: DetectFaces) -> FacesSeen:
        models = self._models = self._models or FaceModels()
        if self._film is None or self._film[0] != request.video:
            self._film = request.video, self._stack.enter_context(FilmReader(request.video))
        found: list[Face] = []
        undecoded, left_out, last = 0, 0, -1
        for frame in request.frames:
            wait_for_quiet()
            seen = self._film[1].picture_at(frame)
            if seen is None:
                undecoded += 1
                continue
            time, pixels = seen
            if time == last:
                continue  # a still picture, which has been searched
            last = time
            seen_here, more = models.faces_in(pixels, wait_for_quiet)
            left_out += more
            found += [Face(time, each.box, each.score, each.vector, crop_of(pixels, each.box)) for each in seen_here]
        return FacesSeen(tuple(found), undecoded, left_out)


if __name__ == "__main__":
    sys.exit(main())
