"""Drafting by a model in a process of its own: `python -m adstudio.drafting.model_worker REQUEST-FILE`.

It says what comes in lines of JSON (see `model_messages`). When its input closes, or it is terminated, it closes its
connections and ends; what had come is kept, and the same request goes on there.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from adstudio.candidates.model_draft.asks import FilmSeen, Way
from adstudio.candidates.model_draft.events import SceneState
from adstudio.candidates.model_draft.jobs import JobStore, default_place
from adstudio.candidates.model_draft.prompts import prompts
from adstudio.candidates.model_draft.run import Outcome, draft_film
from adstudio.candidates.provider.model import Provider
from adstudio.candidates.stages import Segmenter
from adstudio.child_process import leash, voice
from adstudio.core.errors import AdstudioError, BadInputError, OutsideFailureError
from adstudio.core.script import Scene, Script
from adstudio.drafting.by_model import film_seen
from adstudio.drafting.connection import Connection, provider_of
from adstudio.drafting.model_messages import Failed, Looking, Message, Over, Request, read_request, write_message
from adstudio.drafting.stopping import Stopping
from adstudio.media.clips import tidy

STOPPED = 130
MOST_AT_ONCE = 64

Say = Callable[[Message], None]
Opened = Callable[[Connection], Provider]


def main(given: list[str] | None = None, opened: Opened = provider_of, segmenter: Segmenter | None = None) -> int:
    """Do what a request asks; the exit code is 0, that of the failure, or 130 where it was stopped."""
    (request,) = sys.argv[1:] if given is None else given
    stopping = Stopping()
    signal.signal(signal.SIGTERM, stopping)
    try:
        with leash(stopping), voice() as write:
            return _run(Path(request), stopping, opened, segmenter, lambda message: write(write_message(message)))
    except (KeyboardInterrupt, BrokenPipeError):
        return STOPPED


def _run(path: Path, stopping: Stopping, opened: Opened, segmenter: Segmenter | None, say: Say) -> int:
    try:
        request = read_request(path)
        scenes = wanted_scenes(request.script, request.scenes)
        at_once = min(max(request.at_once, 1), MOST_AT_ONCE)
        way = Way(prompts(dict(request.script.prompts)), at_once=at_once, again=request.again)
        # Before the loop runs, so that whoever stops it meanwhile is heard at once.
        film = film_seen(request.script, lambda fraction: say(Looking(fraction)))
        outcome = asyncio.run(_draft(request, film, scenes, way, stopping, opened, segmenter, say))
    except AdstudioError as error:
        say(Failed(str(error)))
        return error.exit_code
    except MemoryError:
        say(Failed("there is not enough memory to draft this: close other programs, or draft fewer scenes at a time"))
        return OutsideFailureError.exit_code
    except BaseExceptionGroup as group:
        # Whoever listened is gone: the scenes in hand find that out together.
        if group.split(BrokenPipeError)[1] is None:
            return STOPPED
        raise
    except ImportError as error:
        say(Failed(f"a part of the program is missing ({error.name}): install the program again"))
        return OutsideFailureError.exit_code
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
    try:
        with JobStore(request.store or default_place()) as store:
            return await draft_film(
                film,
                scenes,
                provider,
                store,
                way,
                texts=request.texts,
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
