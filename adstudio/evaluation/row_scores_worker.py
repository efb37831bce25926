"""Scores the gaps of a film in a process of its own: see `row_scores_events.PROTOCOL` for what is exchanged."""

from __future__ import annotations

import sys
from collections.abc import Callable

from adstudio.evaluation.java_scorer import JavaScorer
from adstudio.evaluation.row_scores import row_scores
from adstudio.evaluation.row_scores_events import PROTOCOL, Event, GapsScored, ScoreGaps
from adstudio.system.stop_request import StopRequest
from adstudio.system.worker import run_job


def _work(request: ScoreGaps, send: Callable[[Event], None]) -> None:
    with JavaScorer() as scorer:
        send(GapsScored(row_scores(request.gaps, scorer)))


def main() -> int:
    """Do what is requested."""
    # Not an end at once: the scorer takes its programs along.
    return run_job(PROTOCOL, _work, stop=StopRequest(), background=True)


if __name__ == "__main__":
    sys.exit(main())
