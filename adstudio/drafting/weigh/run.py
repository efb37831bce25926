"""All scenes of a film weighed, some at a time; what a server has answered is kept and not asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from adstudio.core.provenance import ModelTask, ModelWork
from adstudio.drafting.model.attribution import model_work
from adstudio.drafting.model.client import Asking, HaltedError
from adstudio.drafting.model.prompts import Prompts
from adstudio.drafting.model.request_store import Job, JobStore, together
from adstudio.drafting.weigh.by_embedding import weigh_by_text, weigh_by_video
from adstudio.drafting.weigh.by_model import weigh_by_model
from adstudio.drafting.weigh.methods import Way
from adstudio.drafting.weigh.scene import SceneWeights, WeighedScene, WeighingError, Weights
from adstudio.llm.provider import Provider

_EMBEDDING_TASKS: dict[Way, ModelTask] = {
    "text-embedding": ModelTask("text embedding"),
    "video-embedding": ModelTask("video embedding"),
}
SCENES_AT_ONCE = 6
"""Scenes in hand at a time: each may hold a clip in memory."""


async def weigh_film(
    scenes: Sequence[WeighedScene],
    way: Way,
    provider: Provider,
    jobs: JobStore,
    film: str,
    prompts: Prompts,
    *,
    stop: asyncio.Event,
    on_scene: Callable[[int, int], None],
    most_micro_usd: int | None = None,
) -> Weights:
    """The saliences of all scenes' lines; `told` hears of scenes done and in all.

    Once the film has cost `most_micro_usd`, with its drafts, no more is asked.
    A scene whose weighing fails is without, with the reason; so are all that are left once no ask can succeed.

    Raises:
        StoppedError: where it was stopped.
        OutsideFailureError: where the store cannot be used.
    """
    ended: list[Job] = []
    asking = Asking(provider, jobs, film, stop, ended.append, most_micro_usd=most_micro_usd)
    gate = asyncio.Semaphore(SCENES_AT_ONCE)
    saliences: dict[str, int] = {}
    works: dict[str, ModelWork] = {}
    missing: dict[str, str] = {}
    done = 0

    async def weigh(scene: WeighedScene) -> None:
        nonlocal done
        async with gate:
            try:
                found = await _weighed(scene, way, asking, prompts)
                saliences.update(found.saliences)
                if (work := model_work(found.jobs, _EMBEDDING_TASKS.get(way, prompts.weigh.task))) is not None:
                    works.update(dict.fromkeys(found.saliences, work))
            except (WeighingError, HaltedError) as error:
                missing[scene.id] = str(error)
        done += 1
        on_scene(done, len(tasks))

    tasks = [asyncio.ensure_future(weigh(scene)) for scene in scenes if scene.lines]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task_of_one in tasks:
            task_of_one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    model = next((job.model for job in ended if job.model), "")
    return Weights(saliences, missing, together(job.usage for job in ended), len(ended), model, works)


async def _weighed(scene: WeighedScene, way: Way, asking: Asking, prompts: Prompts) -> SceneWeights:
    match way:
        case "model":
            return await weigh_by_model(scene, asking, prompts)
        case "text-embedding":
            return await weigh_by_text(scene, asking)
        case "video-embedding":
            return await weigh_by_video(scene, asking)
