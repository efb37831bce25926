"""Small films for models to be shown, and drafts of them by a scripted one."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from plain_stages import Sentences

from adstudio.core.script import Scene
from adstudio.core.timebase import Span
from adstudio.drafting.model.prompts import prompts
from adstudio.drafting.model.request_store import JobStore
from adstudio.drafting.model.requests import FilmSeen, ModelOptions
from adstudio.drafting.model.run import Outcome, draft_film
from adstudio.drafting.model.scenes import draft_part


def small_film(path: Path, seconds: int) -> Path:
    """A picture a second, each of its own shade, so that all clips differ."""
    with av.open(str(path), "w", format="mp4") as out:
        stream = out.add_stream("libx264", rate=1, options={"preset": "ultrafast", "g": "10"})
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1)
        for number in range(seconds):
            grey = np.full((64, 64, 3), number * 37 % 256, np.uint8)
            grey[: number % 64] = number // 64 * 5 % 256
            frame = av.VideoFrame.from_ndarray(grey, format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1)
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return path


def scenes_of(count: int, length: int = 6_000) -> tuple[Scene, ...]:
    return tuple(Scene(f"s{n + 1}", Span(n * length, (n + 1) * length)) for n in range(count))


def drafted(
    film: FilmSeen,
    scenes,
    model,
    store: Path,
    *,
    segmenter=None,
    texts=None,
    descriptions=None,
    hear=None,
    stop=None,
    drafting=draft_part,
    **way,
) -> Outcome:
    """A run of its own, as a process has one."""
    way.setdefault("at_once", 4)

    async def run() -> Outcome:
        with JobStore(store) as jobs:
            return await draft_film(
                film, scenes, model, jobs, ModelOptions(prompts(), **way), texts=texts, descriptions=descriptions,
                segmenter=segmenter or Sentences(), hear=hear or (lambda event: None), stop=stop, drafting=drafting,
            )  # fmt: skip

    return asyncio.run(run())
