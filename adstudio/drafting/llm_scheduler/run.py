"""A problem planned by a model: asked once, its answer kept, its plan verified and held against the proven one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from adstudio.core.errors import OutsideFailureError
from adstudio.core.plan import Plan
from adstudio.drafting.llm_scheduler.requests import DEADLINE, STAGE, scheduling
from adstudio.drafting.model.client import Asking, HaltedError, StoppedError
from adstudio.drafting.model.prompts import Prompts, prompts
from adstudio.drafting.model.request_store import NOTHING, Job, JobStore
from adstudio.llm.messages import Request, Usage
from adstudio.llm.provider import Provider
from adstudio.planning.engines.llm_scheduler import empty_plan, plan_of, told
from adstudio.planning.problem import Problem

FILM = "plans"
"""What the job store knows these asks by: a problem need not belong to any film."""


@dataclass(frozen=True)
class Scheduled:
    """A model's plan, verified, and what made it: the model as its server calls it, and the prompt with its version.

    `asked` is false where the answer was kept from an earlier time, or nothing had to be asked.
    """

    plan: Plan
    model: str = ""
    prompt: str = ""
    usage: Usage = NOTHING
    asked: bool = False


def plan_by_model(
    problem: Problem,
    best: Plan,
    opened: Callable[[], Provider],
    store: Path,
    *,
    wordings: Prompts | None = None,
    deadline: float = DEADLINE,
) -> Scheduled:
    """Have a model plan a problem whose proven plan is `best`; `opened` makes the provider, in the loop it is used in.

    It is asked in `wordings`, a project's own, or else in ours. An answer is kept in `store`: the same question is not
    asked twice, unless the answer was cut short or withheld.

    Raises:
        BadInputError: where the problem is more than a model is asked about.
        OutsideFailureError: where no plan came, with the reason.
    """
    material = told(problem)
    if not material.choice:
        return Scheduled(empty_plan(problem, best))
    words = wordings or prompts()
    began = time.monotonic()

    async def run() -> Scheduled:
        provider = opened()
        ended: list[Job] = []
        try:
            request = scheduling(problem, material, words, deadline=deadline, bound=provider.capabilities.schema)
            with JobStore(store) as jobs:
                asking = Asking(provider, jobs, FILM, asyncio.Event(), ended.append, again=True)
                job = await _job(asking, request, problem.scene)
                plan = plan_of(problem, job.text, best) if job.answered else None
                if plan is None:
                    why = job.why or "its answer holds no list of deliveries: try again, or another model"
                    if job.answered:
                        asking.give_back(job, why)
                    raise OutsideFailureError(f"no plan came from {job.model or 'the model'}: {why}")
                plan = replace(plan, seconds=time.monotonic() - began)
                return Scheduled(plan, job.model, words.schedule.key, job.usage, bool(ended))
        finally:
            await provider.aclose()

    return asyncio.run(run())


async def _job(asking: Asking, request: Request, scene: str) -> Job:
    try:
        return await asking.ask(request, scene, STAGE)
    except (HaltedError, StoppedError) as error:
        raise OutsideFailureError(str(error) or "it was stopped") from None
