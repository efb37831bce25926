"""Makes the clips of a draft one at a time, in a thread, so that answers are received and scenes asked meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

from adstudio.core.timebase import Span
from adstudio.drafting.model.client import Asking
from adstudio.drafting.model.requests import FilmSeen
from adstudio.media.clips import Clip, ClipSettings, clip_stages
from adstudio.store.film_contents import require_unchanged


async def clip_of(film: FilmSeen, span: Span, settings: ClipSettings, asking: Asking, making: asyncio.Lock) -> Clip:
    """The clip of a span, made unless it is cached; `making` is held meanwhile.

    Raises:
        StoppedError, HaltedError: as `Asking.ask` does.
        BadInputError, OutsideFailureError: if the film cannot be shown, or was changed since the draft began.
    """
    async with making:
        stages = clip_stages(film.video, span, settings, fingerprint=film.fingerprint)
        try:
            while True:
                asking.require_going_on(begun=True)
                if (clip := await _next_stage(stages)) is not None:
                    if film.state is not None:
                        require_unchanged(film.video, film.state)
                    return clip
        finally:
            stages.close()


async def _next_stage(stages: Generator[float, None, Clip]) -> Clip | None:
    """Do the next stage in a thread; the clip after the last."""

    def stage() -> Clip | None:
        try:
            next(stages)
        except StopIteration as end:
            return end.value
        return None

    work = asyncio.ensure_future(asyncio.to_thread(stage))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        # A generator cannot be closed while it runs.
        await asyncio.wait((work,))
        raise
