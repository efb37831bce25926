"""Drafting by a model in a process of its own: `python -m adstudio.drafting.model.worker REQUEST-FILE`.

It says what comes in lines of JSON (see `model_messages`). When its input closes, or it is terminated, it closes its
connections and ends; what had come is kept, and the same request goes on there.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from adstudio.connections.model_access import Connection, provider_of
from adstudio.core.errors import BadInputError
from adstudio.core.script import Scene, Script
from adstudio.drafting.model.events import SceneState
from adstudio.drafting.model.messages import Failed, Looking, Message, Noted, Over, Request, read_request, write_message
from adstudio.drafting.model.prompts import passed_over, prompts
from adstudio.drafting.model.request_store import JobStore, default_place
from adstudio.drafting.model.requests import FilmSeen, Way, faces_left_out
from adstudio.drafting.model.run import Outcome, draft_film
from adstudio.drafting.model.script_drafting import film_seen
from adstudio.drafting.stopping import Stopping
from adstudio.drafting.text.stages import Segmenter
from adstudio.drafting.worker_runtime import MOST_AT_ONCE, STOPPED, at_work
from adstudio.llm.provider import Provider
from adstudio.media.clips import tidy
from adstudio.store.media import fingerprint
from adstudio.system.child_process import Write

SHORT_OF_MEMORY = "there is not enough memory to draft this: close other programs, or draft fewer scenes at a time"

FILM_GONE = "the film is not where it was: File → Relink video… says where it is now (it was {})"

FILM_CHANGED = (
    "another film than the project’s lies in {}, and nothing of it was sent: File → Relink video… takes it, or says"
    " where the right one is"
)

Say = Callable[[Message], None]
Opened = Callable[[Connection], Provider]


def main(given: list[str] | None = None, opened: Opened = provider_of, segmenter: Segmenter | None = None) -> int:
    """Do what a request asks; the exit code is 0, that of the failure, or 130 where it was stopped."""
    (request,) = sys.argv[1:] if given is None else given
    stopping = Stopping()

    def work(write: Write) -> int:
        return _run(Path(request), stopping, opened, segmenter, lambda message: write(write_message(message)))

    return at_work(stopping, work, lambda error: write_message(Failed(str(error))), SHORT_OF_MEMORY)


def _run(path: Path, stopping: Stopping, opened: Opened, segmenter: Segmenter | None, say: Say) -> int:
    request = read_request(path)
    scenes = wanted_scenes(request.script, request.scenes)
    at_once = min(max(request.at_once, 1), MOST_AT_ONCE)
    way = Way(
        prompts(dict(request.script.prompts)),
        at_once=at_once,
        again=request.again,
        anew=request.anew,
        thinking=request.thinking,
        most_micro_usd=request.most_micro_usd,
    )
    media = request.script.film.media
    if media is not None and not Path(media.path).exists():
        raise BadInputError(FILM_GONE.format(media.path))
    if media is not None and fingerprint(Path(media.path)) != media.fingerprint:
        raise BadInputError(FILM_CHANGED.format(media.path))
    # Before the loop runs, so that whoever stops it meanwhile is heard at once.
    film = film_seen(request.script, lambda fraction: say(Looking(fraction)))
    outcome = asyncio.run(_draft(request, film, scenes, way, stopping, opened, segmenter, say))
    states = Counter(draft.state for draft in outcome.scenes)
    say(Over(states, outcome.halted, outcome.totals.asked, outcome.totals.usage))
    return STOPPED if SceneState.STOPPED in states else 0


async def _draft(
    request: Request,
    film: FilmSeen,
    scenes: Sequence[Scene],
    way: Way,
    stopping: Stopping,
    opened: Opened,
    segmenter: Segmenter | None,
    say: Say,
) -> Outcome:
    stop = asyncio.Event()
    stopping.sets(stop)
    provider = opened(request.connection)
    noted = (passed_over(dict(request.script.prompts)), faces_left_out(film, provider.capabilities.images))
    if any(noted):
        say(Noted("; ".join(filter(None, noted))))
    try:
        with JobStore(request.store or default_place()) as store:
            return await draft_film(
                film,
                scenes,
                provider,
                store,
                way,
                texts=request.texts,
                descriptions=request.descriptions,
                segmenter=segmenter,
                hear=say,
                stop=stop,
            )
    finally:
        await provider.aclose()
        tidy()


def wanted_scenes(script: Script, ids: Sequence[str]) -> tuple[Scene, ...]:
    """The scenes of those ids, all where none is named, in the order of the film.

    Raises:
        BadInputError: for a scene that there is not, or a film without scenes.
    """
    for identity in ids:
        if identity not in script.scene_by_id:
            raise BadInputError(f"the scene “{identity}” is not in the film any more")
    found = tuple(scene for scene in script.scenes if not ids or scene.id in ids)
    if not found:
        raise BadInputError("the film has no scenes: cut it into scenes first")
    return found


if __name__ == "__main__":
    sys.exit(main())
