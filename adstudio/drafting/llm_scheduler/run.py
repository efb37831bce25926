"""Has a model plan a problem: its response is stored, its plan verified and compared with the proven one."""

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
from adstudio.planning.engines.llm_scheduler import empty_plan, material_for, plan_of
from adstudio.planning.problem import Problem

FILM = "plans"
"""In place of a film in the request store, since a problem need not belong to a film."""


@dataclass(frozen=True)
class Scheduled:
    """A model's verified plan, the model's name as reported by its server, and the prompt with its version.

    `asked` is false if the response came from the store, or no request was needed.
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
    """Have a model plan a problem whose proven plan is `best`; `opened` creates the provider inside its event loop.

    `wordings` are the prompts, a project's own or the default ones. Responses are kept in `store`: the same request is
    not sent twice, unless its response was cut short or blocked.

    Raises:
        BadInputError: if the problem is too large for a model.
        OutsideFailureError: if there is no plan, with the reason.
    """
    material = material_for(problem)
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
                    why = job.why or "its response has no list of deliveries: try again, or try another model"
                    if job.answered:
                        asking.give_back(job, why)
                    raise OutsideFailureError(f"{job.model or 'the model'} returned no plan: {why}")
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
