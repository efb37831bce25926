"""A model's server with so many slots and the delays of a real one, in virtual time."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from model_films import scenes_of
from plain_stages import Sentences
from scripted_model import PROSE, kind_of, usual
from virtual_time import VirtualLoop

from adstudio.core.timebase import Span
from adstudio.drafting.model.prompts import prompts
from adstudio.drafting.model.request_store import JobStore
from adstudio.drafting.model.requests import FilmSeen, ModelOptions
from adstudio.drafting.model.run import Outcome, draft_film
from adstudio.llm import faults
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.concurrency import Gate
from adstudio.llm.messages import Chunk, Request, Response, State, Usage
from adstudio.llm.retry import Retrying

PREPARED_S = 0.4
"""Seconds that the server takes to decode a clip, one clip at a time."""
FIRST_WORD_S = 1.5
WRITTEN_S = {"describe": 14.0, "elements": 45.0, "repair": 6.0, "direct": 20.0}
"""Seconds of writing: 400, 1,400 and 200 tokens at the 30 a second that each of 32 gets on one H200."""
CLIP_S = 1.2
"""Seconds that the client takes to make the clip of a minute."""
UNEVEN = 0.35
"""Answers are this share longer or shorter."""


@dataclass
class SlotServer:
    """Answers `slots` requests at a time, as the scripted model does; others wait, or are refused if `refuses`.

    `bad` of a hundred element answers have a wording that is too long, to be repaired. `rows` are the times at which
    the number of busy slots changed, that number, and how many waited; `last_begun` is when the last scene began.
    """

    slots: int
    says: bool = False
    refuses: bool = False
    bad: int = 30
    name: str = "slots/model-1"
    capabilities: Capabilities = field(default_factory=lambda: Capabilities(known=True, images=4))
    concurrency: int = 256
    rows: list[tuple[float, int, int]] = field(default_factory=list)
    refused: int = 0
    last_begun: float = 0.0
    in_flight: int = 0
    busy: int = 0
    taken: int = 0
    """Slots that another client keeps for itself."""
    _free: asyncio.Semaphore | None = None
    _decoder: asyncio.Lock | None = None
    _chance: random.Random = field(default_factory=lambda: random.Random(14))

    async def send(self, ask: Request, on_chunk: Callable[[Chunk], None], stop: asyncio.Event) -> Response:
        self._free = self._free or asyncio.Semaphore(self.slots - self.taken)
        self._decoder = self._decoder or asyncio.Lock()
        kind = kind_of(ask)
        if self.refuses and self.in_flight >= self.slots:
            self.refused += 1
            fault = faults.OverloadedError("too many")
            return Response("", State.FAILED, "too many", Usage(), fault=fault)
        if kind in ("describe", "direct"):
            self.last_begun = _now()
        self.in_flight += 1
        try:
            if len(ask.messages[0].parts) > 1:  # it has a clip
                async with self._decoder:
                    await asyncio.sleep(PREPARED_S)
            self._head(on_chunk)
            self._note()
            async with self._free:
                self.busy += 1
                self._note()
                try:
                    return await self._written(ask, kind, on_chunk)
                finally:
                    self.busy -= 1
                    self._note()
        finally:
            self.in_flight -= 1

    def _head(self, on_chunk: Callable[[Chunk], None]) -> None:
        if self.says:
            from adstudio.llm.server_load import ServerLoad

            on_chunk(Chunk(load=ServerLoad(self.in_flight, self.slots)))

    async def _written(self, ask: Request, kind: str, on_chunk: Callable[[Chunk], None]) -> Response:
        await asyncio.sleep(FIRST_WORD_S * self._uneven())
        # Each scene's own, or repairs would be the same request.
        text = usual(ask, PROSE.replace("the gate", f"gate {len(self.rows)}"))
        if kind == "elements" and self._chance.randrange(100) < self.bad:
            text = with_bad_wordings(text, "gate")
        on_chunk(Chunk(text[:7]))
        await asyncio.sleep(WRITTEN_S[kind] * self._uneven())
        on_chunk(Chunk(text[7:]))
        return Response(text, State.COMPLETE, usage=Usage(1000, 0, len(text) // 4, 0, 0), model="model-1.2")

    def _uneven(self) -> float:
        return 1 + UNEVEN * (2 * self._chance.random() - 1)

    def _note(self) -> None:
        self.rows.append((_now(), self.busy, self.in_flight - self.busy))

    async def models(self) -> tuple[str, ...]:
        return (self.name,)

    async def aclose(self) -> None:
        pass

    def spans(self, start: float, end: float) -> list[tuple[float, int, int]]:
        """How long how many slots were busy and how many requests waited, between two times."""
        found: list[tuple[float, int, int]] = []
        for (at, busy, waiting), (until, _, _) in zip(self.rows, [*self.rows[1:], (end, 0, 0)], strict=True):
            if (length := min(until, end) - max(at, start)) > 1e-6:
                found.append((length, busy, waiting))
        return found

    def mean_busy(self, start: float, end: float) -> float:
        return sum(length * busy for length, busy, _ in self.spans(start, end)) / (end - start)

    def reached(self, busy: int) -> float:
        """When so many slots were busy for the first time."""
        return next((at for at, now, _ in self.rows if now >= busy), float("inf"))


def with_bad_wordings(text: str, of: str = "") -> str:
    """An answer in which the three shortest wordings of lines (those in which `of` occurs) are far too long."""
    answer = json.loads(text)
    for line in answer["elements"]:
        if of in line["full"]:
            line.update(dict.fromkeys(("r70", "r60", "r50"), f"{line['full']} {line['full']}"))
    return json.dumps(answer)


def _now() -> float:
    return asyncio.get_running_loop().time()


class _Clip:
    def __init__(self, span: Span) -> None:
        self._span = span

    def read(self) -> bytes:
        return repr(self._span).encode()


async def slow_clip(_film: FilmSeen, span: Span, *given: object) -> _Clip:
    """In place of `clip_of`: as long as a clip takes, one at a time, and nothing decoded."""
    making = given[-1]
    assert isinstance(making, asyncio.Lock)
    async with making:
        await asyncio.sleep(CLIP_S)
    return _Clip(span)


def drafted_by(
    server: SlotServer, store: Path, scenes: int, *, gate: Callable[[Callable[[], float]], Gate] | None = None, **way
) -> tuple[Outcome, float, Gate]:
    """A film of so many scenes, drafted through the real client; with the seconds that it took, and its gate."""
    film = FilmSeen(Path("film.mp4"), scenes * 60_000, f"film of {scenes}")

    async def work() -> tuple[Outcome, float, Gate]:
        clock = asyncio.get_running_loop().time
        provider = Retrying(server, gate(clock) if gate else None, chance=lambda: 0.5, clock=clock)
        with JobStore(store) as jobs:
            outcome = await draft_film(
                film, scenes_of(scenes, 60_000), provider, jobs, ModelOptions(prompts(), **way), segmenter=Sentences()
            )
        return outcome, clock(), provider.gate

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work())
