"""A draft's lines weighed by a server: a model that is asked, or embeddings compared; the plan comes after."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from adstudio.core.errors import AdstudioError, BadInputError
from adstudio.core.policy import Sent
from adstudio.core.script import Eventuality, Script
from adstudio.core.timebase import Span
from adstudio.drafting.model.prompts import prompts
from adstudio.drafting.model.request_store import JobStore
from adstudio.drafting.polish.plan_passages import film_name
from adstudio.drafting.text.film_drafting import Told
from adstudio.drafting.weigh.methods import Way
from adstudio.drafting.weigh.run import weigh_film
from adstudio.drafting.weigh.scene import Shown, Weighed, WeighedScene, Weights
from adstudio.llm.provider import Provider

FILM = "film"
"""What the scene of a film that has none is called."""


@dataclass(frozen=True)
class Weighing:
    """How a draft is weighed: in which way, by whom (`opened` makes the provider), and where answers are kept.

    Once the film has cost `most_micro_usd` (millionths of a US dollar), with its drafts, no more is asked. Scenes that
    a person has marked as reviewed are left alone, unless `reviewed` says that they are to be weighed too.
    """

    way: Way
    opened: Callable[[], Provider]
    store: Path
    most_micro_usd: int | None = None
    reviewed: bool = False


def sends(way: Way) -> frozenset[Sent]:
    """What leaves the machine for it."""
    return frozenset({"text", "clips"}) if way == "video-embedding" else frozenset({"text"})


def require_weighable(way: Way, *, video: bool) -> None:
    """Check, before any work, that it can be done.

    Raises:
        BadInputError: for embeddings of clips without a video.
    """
    if way == "video-embedding" and not video:
        raise BadInputError("to weigh by embeddings of clips the film’s pictures are needed: give the video")


def weighed(
    script: Script, how: Weighing, told: Told, *, stopping: Callable[[asyncio.Event], None] = lambda _stop: None
) -> tuple[Script, Weights]:
    """The script with all lines weighed that have an occurrence; those of scenes that failed keep what they had.

    So do those of scenes that are left alone (`left_alone`), of which nothing is sent.

    `told` may raise to stop the work; `stopping` is given what stops it while a server is asked, in the loop in which
    that is done. What has come by then is kept in the store.

    Raises:
        StoppedError: where it was stopped so.
        BadInputError: as `require_weighable`, for a prompt of the project's own that cannot be used, and where the
            store cannot be used.
        OutsideFailureError: where the provider cannot be made, or the store cannot be used.
    """
    media = script.film.media
    wordings = prompts(dict(script.prompts))
    require_weighable(how.way, video=media is not None)
    left = frozenset[str]() if how.reviewed else _reviewed(script)
    scenes = [scene for scene in _scenes(script) if scene.id not in left]
    failed: dict[str, str] = {}
    if how.way == "video-embedding":
        scenes = [_shown(script, scene, failed, told) for scene in scenes]

    async def run() -> Weights:
        stop = asyncio.Event()
        stopping(stop)
        provider = how.opened()
        try:
            with JobStore(how.store) as jobs:
                return await weigh_film(
                    [scene for scene in scenes if scene.id not in failed],
                    how.way,
                    provider,
                    jobs,
                    film_name(script),
                    wordings,
                    stop=stop,
                    most_micro_usd=how.most_micro_usd,
                    told=lambda done, total: told("weighing", done / max(total, 1)),
                )
        finally:
            await provider.aclose()

    told("weighing", 0.0)
    weights = asyncio.run(run())
    weights = replace(weights, missing={**weights.missing, **failed})
    lines = tuple(_weighed(line, weights) for line in script.eventualities)
    return script.with_changes(eventualities=lines), weights


def left_alone(script: Script) -> int:
    """How many lines keep their weight only because somebody has marked their scene as reviewed."""
    mine = _reviewed(script)
    lines = [line.id for scene in _scenes(script) if scene.id in mine for line in scene.lines]
    return sum(not script.eventuality(identity).weighed for identity in lines)


def _reviewed(script: Script) -> frozenset[str]:
    return frozenset(scene.id for scene in script.scenes if scene.reviewed)


def _weighed(line: Eventuality, weights: Weights) -> Eventuality:
    """A line with the weight that came for it, and what weighed it; what a person has weighed stays."""
    if line.weighed or line.id not in weights.saliences:
        return line
    provenance = replace(line.provenance, weighed=weights.works.get(line.id))
    return replace(line, salience=weights.saliences[line.id], provenance=provenance)


def _scenes(script: Script) -> list[WeighedScene]:
    """The script's scenes; a film without any is one."""
    from adstudio.planning.film.film_problem import scene_of_each

    if not script.scenes:
        return [_scene(FILM, script.eventualities)]
    lines: dict[str, list[Eventuality]] = {scene.id: [] for scene in script.scenes}
    for line, name in zip(script.eventualities, scene_of_each(script), strict=True):
        if name in lines:
            lines[name].append(line)
    return [_scene(name, mine) for name, mine in lines.items()]


def _scene(name: str, mine: Sequence[Eventuality]) -> WeighedScene:
    lines = [
        Weighed(line.id, _words(line), line.occurrence.doubled_midpoint) for line in mine if line.occurrence is not None
    ]
    return WeighedScene(name, tuple(lines), " ".join(map(_words, mine)))


def _words(line: Eventuality) -> str:
    """The piece of the description that a line was made of, else its full wording."""
    return line.extract.strip() or line.variants[0].text


def _shown(script: Script, scene: WeighedScene, failed: dict[str, str], told: Told) -> WeighedScene:
    """The scene with its clips made; why they could not be made goes to `failed`."""
    from adstudio.media.clips import film_clip, parts

    media, found = script.film.media, script.scene_by_id.get(scene.id)
    if media is None or not scene.lines:
        return scene
    span = Span(0, script.film.end) if found is None else found.span
    shown: list[Shown] = []
    told("making clips", -1.0)
    for part in parts(span):
        try:
            clip = film_clip(
                Path(media.path), part, fingerprint=media.fingerprint, tell=partial(told, "making a scene’s clip")
            )
        except AdstudioError as error:
            failed[scene.id] = str(error)
            return scene
        shown.append(Shown(part, clip.read))
    return replace(scene, shown=tuple(shown))
