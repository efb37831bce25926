"""Scores a script's lines with a server, before it is planned; all answers are stored and reused."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.policy import Sent
from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.core.provenance import ModelTask, ModelWork
from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.drafting.model.client import Asking, HaltedError, model_work, open_for_run
from adstudio.drafting.model.prompts import Prompts, prompts
from adstudio.drafting.model.request_store import Job, JobStore, name_of_film, together
from adstudio.drafting.text.film_drafting import stage_progress
from adstudio.drafting.weigh.by_embedding import weigh_by_text, weigh_by_video
from adstudio.drafting.weigh.by_model import weigh_by_model
from adstudio.drafting.weigh.scene import (
    SceneWeights,
    Shown,
    Way,
    Weighed,
    WeighedScene,
    Weighing,
    WeighingError,
    Weights,
    line_words,
)
from adstudio.llm.provider import Provider
from adstudio.media.clips import film_clip, parts
from adstudio.planning.film.film_problem import scene_of_each
from adstudio.system.stop_request import StopRequest

FILM = "film"
"""The name of the scene of a film that has none."""


def sends(way: Way) -> frozenset[Sent]:
    """The kinds of data that are sent."""
    return frozenset({"text", "clips"}) if way == "video-embedding" else frozenset({"text"})


def require_weighable(way: Way, *, video: bool) -> None:
    """Check, before any work, that it can be done; raises BadInputError for embeddings of clips without a video."""
    if way == "video-embedding" and not video:
        raise BadInputError("to weigh by embeddings of clips the film’s pictures are needed: give the video")


def weighed(
    script: Script,
    how: Weighing,
    opened: Callable[[], Provider],
    progress: OnProgress = ignore_progress,
    stop: StopRequest | None = None,
) -> tuple[Script, Weights]:
    """The script with all lines weighed that have an occurrence; those of scenes that failed keep their salience.

    So do those of scenes that are left alone (`left_alone`), of which nothing is sent. `opened` creates the provider in
    its event loop. `progress` may raise to stop the work, as `stop` does; what was received by then is stored.

    Raises:
        StoppedError: if it was stopped.
        BadInputError: as `require_weighable`, and if a prompt of the project's or the store cannot be used.
        OutsideFailureError: if the provider cannot be created, or the store cannot be used.
    """
    media = script.film.media
    wordings = prompts(dict(script.prompts))
    require_weighable(how.method, video=media is not None)
    left = frozenset[str]() if how.reviewed else _reviewed(script)
    scenes = [scene for scene in _scenes(script) if scene.id not in left]
    failed: dict[str, str] = {}
    if how.method == "video-embedding":
        scenes = [_shown(script, scene, failed, progress) for scene in scenes]

    async def run() -> Weights:
        async with open_for_run(opened, stop or StopRequest(), how.store) as (provider, jobs, event):
            return await weigh_film(
                [scene for scene in scenes if scene.id not in failed],
                how.method,
                provider,
                jobs,
                name_of_film(script),
                wordings,
                stop=event,
                most_micro_usd=how.most_micro_usd,
                on_scene=lambda done, total: progress(Progress(Stage.SCORING, done / max(total, 1))),
            )

    progress(Progress(Stage.SCORING, 0.0))
    weights = asyncio.run(run())
    weights = replace(weights, missing={**weights.missing, **failed})
    lines = tuple(_weighed(line, weights) for line in script.eventualities)
    return script.with_changes(eventualities=lines), weights


def left_alone(script: Script) -> int:
    """How many lines keep their salience only because their scene is reviewed."""
    mine = _reviewed(script)
    lines = [line.id for scene in _scenes(script) if scene.id in mine for line in scene.lines]
    return sum(not script.eventuality(identity).weighed for identity in lines)


def _reviewed(script: Script) -> frozenset[str]:
    return frozenset(scene.id for scene in script.scenes if scene.reviewed)


def _weighed(line: Eventuality, weights: Weights) -> Eventuality:
    """A line with its new salience, and what weighed it; what a person has weighed stays."""
    if line.weighed or line.id not in weights.saliences:
        return line
    provenance = replace(line.provenance, weighed=weights.works.get(line.id))
    return replace(line, salience=weights.saliences[line.id], provenance=provenance)


def _scenes(script: Script) -> list[WeighedScene]:
    """The script's scenes; a film without any is one."""
    if not script.scenes:
        return [_scene(FILM, script.eventualities)]
    lines: dict[str, list[Eventuality]] = {scene.id: [] for scene in script.scenes}
    for line, name in zip(script.eventualities, scene_of_each(script), strict=True):
        if name in lines:
            lines[name].append(line)
    return [_scene(name, mine) for name, mine in lines.items()]


def _scene(name: str, mine: Sequence[Eventuality]) -> WeighedScene:
    lines = [
        Weighed(line.id, line_words(line), line.occurrence.doubled_midpoint)
        for line in mine
        if line.occurrence is not None
    ]
    return WeighedScene(name, tuple(lines), " ".join(map(line_words, mine)))


def _shown(script: Script, scene: WeighedScene, failed: dict[str, str], progress: OnProgress) -> WeighedScene:
    """The scene with its clips; if they cannot be made, the reason is added to `failed`."""
    media, found = script.film.media, script.scene_by_id.get(scene.id)
    if media is None or not scene.lines:
        return scene
    span = Span(0, script.film.end) if found is None else found.span
    shown: list[Shown] = []
    progress(Progress(Stage.MAKING_CLIPS))
    for part in parts(span):
        try:
            clip = film_clip(
                Path(media.path),
                part,
                fingerprint=media.fingerprint,
                on_fraction=lambda share: progress(stage_progress(Stage.MAKING_CLIPS, share)),
            )
        except AdstudioError as error:
            failed[scene.id] = str(error)
            return scene
        shown.append(Shown(part, clip.read))
    return replace(scene, shown=tuple(shown))


_EMBEDDING_TASKS: dict[Way, ModelTask] = {
    "text-embedding": ModelTask("text embedding"),
    "video-embedding": ModelTask("video embedding"),
}
SCENES_AT_ONCE = 6
"""Scenes under way at a time: each may hold a clip in memory."""


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
    """The saliences of all scenes' lines; `on_scene` is called with the numbers of scenes done and in all.

    Once the film, with its drafts, has cost `most_micro_usd`, no more requests are sent. A scene that fails has none,
    and the reason is given; so have all that are left once no request can succeed.

    Raises:
        StoppedError: if it was stopped.
        OutsideFailureError: if the store cannot be used.
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
                found = await _scene_weights(scene, way, asking, prompts)
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


async def _scene_weights(scene: WeighedScene, way: Way, asking: Asking, prompts: Prompts) -> SceneWeights:
    match way:
        case "model":
            return await weigh_by_model(scene, asking, prompts)
        case "text-embedding":
            return await weigh_by_text(scene, asking)
        case "video-embedding":
            return await weigh_by_video(scene, asking)
