"""Looks for the face in a portrait, for the editor: `python -m adstudio.characters.portrait_worker`."""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.characters.faces_portraits import portrait_vectors
from adstudio.characters.portrait_messages import PROTOCOL, LookAtPortrait, PortraitSeen
from adstudio.system.worker import Failed, run_job


def main() -> int:
    """Do what is requested, and return the exit code."""
    return run_job(PROTOCOL, _work, background=True)


def _work(request: LookAtPortrait, send: Callable[[PortraitSeen | Failed], None]) -> None:
    send(PortraitSeen(portrait_vectors([request.image])[0].faces))


if __name__ == "__main__":
    sys.exit(main())
