"""What made something, for a person: the models that truly answered, the prompts with their versions, and when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from adstudio.drafting.model.context import plain
from adstudio.drafting.model.request_store import Job

LONGEST_MODEL = 80
"""Characters of a model's name, which a server gives."""
UNNAMED = "a model"
"""What is told of one whose name nobody knows."""


def made_by(jobs: Sequence[Job], what: str = "") -> str:
    """What jobs made, in words: `m, describe 1, then n, candidates 1, 2026-11-28 08:00 UTC`; empty without jobs.

    The stages are those of the jobs, by the model that answered them; with `what` that is told in their place.
    """
    if not jobs:
        return ""
    stages: dict[str, dict[str, None]] = {}
    for job in jobs:
        stages.setdefault(_name(job.model), {})[what or job.stage] = None
    told = ", then ".join(", ".join(filter(None, (model, *done))) for model, done in stages.items())
    at = dt.datetime.fromtimestamp(max(job.at for job in jobs), dt.UTC)
    return f"{told}, {at:%Y-%m-%d %H:%M} UTC"


def _name(model: str) -> str:
    # What stands behind a semicolon in a line's source is of somebody else.
    return plain(model.replace(";", ","), LONGEST_MODEL) or UNNAMED
