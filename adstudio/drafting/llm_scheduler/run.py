"""Has a model plan a problem: its response is stored, its plan verified and compared with the proven one."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from adstudio.core.errors import OutsideFailureError
from adstudio.core.plan import Plan
from adstudio.drafting.model.client import Asking, HaltedError, StoppedError
from adstudio.drafting.model.context import block, plain
from adstudio.drafting.model.prompts import Prompts, prompts
from adstudio.drafting.model.request_store import NOTHING, Job, JobStore
from adstudio.llm.messages import Limits, Request, Thinking, Usage, scene_key, user
from adstudio.llm.provider import Provider
from adstudio.planning.engines.llm_scheduler import Material, answer_schema, empty_plan, material_for, plan_of
from adstudio.planning.problem import Problem

STAGE = "schedule"
"""The name of these requests in the request store."""
DELIVERY_TOKENS = 40
"""Tokens of a delivery: an id, a start and the JSON around them; twice as many are allowed."""
DEADLINE = 900.0
"""The default deadline, in seconds."""
THINKING: Thinking = "high"
"""As in the paper, whose models all reason before they respond."""


def scheduling(
    problem: Problem,
    material: Material,
    wordings: Prompts,
    *,
    deadline: float = DEADLINE,
    thinking: Thinking = THINKING,
    bound: bool = True,
) -> Request:
    """The request for which candidates to speak and when; `bound`: the server enforces the JSON schema.

    `Material.choice` must not be empty.
    """
    schema = answer_schema(problem, material)
    parts = [
        block("CANDIDATES, in the order of what they tell", _rows(material.candidates)),
        block("GAPS", _rows(material.gaps)),
        block("CONDITIONS", map(plain, material.conditions)),
        wordings.schedule.text,
    ]
    if not bound:
        empty = json.dumps({"deliveries": [{"id": "", "start": 0}]})
        parts.append(f"The form, with an entry for each delivery:\n{empty}")
    text = "\n\n".join(parts)
    tokens = 2 * DELIVERY_TOKENS * len(problem.elements) + 1_000
    return Request(
        messages=(user(text),),
        system=wordings.system.text,
        schema=schema,
        limits=Limits.of_answer(tokens, deadline=deadline),
        thinking=thinking,
        scene=scene_key(text),
    )


def _rows(rows: Iterable[Mapping[str, object]]) -> list[str]:
    return [plain(json.dumps(row, ensure_ascii=False)) for row in rows]


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
