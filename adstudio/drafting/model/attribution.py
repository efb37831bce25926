"""Which models did a piece of work, from the requests that they answered."""

from __future__ import annotations

from collections.abc import Sequence

from adstudio.core.provenance import Contribution, ModelTask, ModelWork
from adstudio.drafting.model.context import plain
from adstudio.drafting.model.request_store import Job

LONGEST_MODEL = 80
"""Characters of a model's name, which a server gives."""


def model_work(jobs: Sequence[Job], task: ModelTask | None = None) -> ModelWork | None:
    """The models that answered these jobs, with the tasks of the jobs; None without jobs.

    With `task` each of them did that instead.
    """
    if not jobs:
        return None
    tasks: dict[str, dict[ModelTask, None]] = {}
    for job in jobs:
        found = (ModelTask.from_key(key) for key in job.stage.split(", ") if key) if task is None else (task,)
        tasks.setdefault(plain(job.model, LONGEST_MODEL), {}).update(dict.fromkeys(found))
    return ModelWork(
        tuple(Contribution(model, tuple(done)) for model, done in tasks.items()), int(max(job.at for job in jobs))
    )
