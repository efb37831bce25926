"""Compares cuts in a process of its own: see `events.PROTOCOL` for what is exchanged."""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.conform.events import PROTOCOL, CompareCuts, CutCompared, CutEvent, CutProgress
from adstudio.conform.service import read_new_cut
from adstudio.system.worker import run_job

OUT_OF_MEMORY = "there is not enough memory to compare these films: close other programs"
LEAST = 0.01
"""Progress by less is not reported."""


def _work(request: CompareCuts, send: Callable[[CutEvent], None]) -> None:
    reported = ("", -1.0)

    def report(what: str, fraction: float) -> None:
        nonlocal reported
        if what != reported[0] or fraction - reported[1] >= LEAST:
            reported = what, fraction
            send(CutProgress(what, None if fraction < 0 else fraction))

    send(CutCompared(read_new_cut(request.former, request.project, request.request, report)))


def main() -> int:
    """Do what is requested."""
    return run_job(PROTOCOL, _work, out_of_memory=OUT_OF_MEMORY)


if __name__ == "__main__":
    sys.exit(main())
