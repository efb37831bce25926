"""Asking a model for an evaluation: one provider and one store of answers for the whole run, requests side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from adstudio.connections.model_access import Connection, OpenProvider
from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.policy import Sent
from adstudio.drafting.model.client import LOOK_S, Asking, HaltedError, open_for_run
from adstudio.drafting.model.request_store import Job, JobState, JobStore, default_place
from adstudio.llm.messages import Request, Usage
from adstudio.system.stop_request import StopRequest

SENDS: frozenset[Sent] = frozenset({"text"})
"""Descriptions and questions about them; never pictures."""
CONTINUES = "what was answered is kept, and the same command continues from there"
R = TypeVar("R")


@dataclass(frozen=True)
class ModelAsked:
    """Which model is asked, and how.

    No more is sent once the run has cost `most_micro_usd` (millionths of a US dollar) over all times that it was
    started. `again`: what was withheld or cut short is requested again. `store`: None for the user's own.
    """

    connection: Connection
    name: str
    most_micro_usd: int | None = None
    again: bool = False
    store: Path | None = None


@dataclass(frozen=True)
class Asked:
    """What a run has taken: requests that were sent, answers that were reused, and the usage."""

    requests: int
    reused: int
    usage: Usage


def run_with_model(
    model: ModelAsked, about: str, opened: OpenProvider, stop: StopRequest, work: Callable[[Asking], Awaitable[R]]
) -> tuple[R, Asked]:
    """Do what asks a model; `about` identifies what the cost limit is for.

    Raises:
        NotAllowedError: where the policy does not permit the server.
        StoppedError: if it was stopped.
        OutsideFailureError: if the model cannot be asked, did not answer, or the store cannot be used.
    """
    model.connection.require_allowed()

    async def run() -> tuple[R, Asked]:
        async with open_for_run(lambda: opened(model.connection), stop, model.store) as (provider, store, event):
            film = sha256(f"evaluation {about}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
            asking = Asking(provider, store, film, event, lambda _job: None, model.again, model.most_micro_usd)
            try:
                found = await work(asking)
            except HaltedError as error:
                raise OutsideFailureError(f"{error}; {CONTINUES}") from error
            return found, Asked(asking.requests, len(asking.reused), asking.usage)

    return asyncio.run(run())


async def side_by_side(asking: Asking, works: Sequence[Callable[[], Coroutine[Any, Any, R]]]) -> list[R]:
    """The results, in order; once one fails nothing more is requested, and its error is raised.

    Requests that are under way then come to their end, as they are paid for. No more are under way than the server
    bears and one ahead, as a request's time counts from when it is begun.
    """
    tasks: list[asyncio.Task[R]] = []
    under_way: set[asyncio.Task[R]] = set()
    failed: list[BaseException] = []

    def ended(task: asyncio.Task[R]) -> None:
        under_way.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            failed.append(error)
            asking.halted = asking.halted or str(error)

    try:
        for work in works:
            while len(under_way) > max(asking.provider.concurrency, 1):
                await asyncio.wait(under_way, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED)
            if failed:
                break
            under_way.add(task := asyncio.create_task(work()))
            task.add_done_callback(ended)
            tasks.append(task)
        await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if failed:
        raise failed[0]
    return [task.result() for task in tasks]


async def ask_text(asking: Asking, request: Request, scene: str, stage: str) -> Job:
    """The job of a request that was answered, withheld, or answered with nothing that can be read.

    Raises:
        StoppedError, HaltedError: as asking does.
        BadInputError: where it is more than the model accepts at once.
        OutsideFailureError: where it was not answered.
    """
    job = await asking.ask(request, scene, stage)
    if job.state is JobState.TOO_LONG:
        raise BadInputError(f"“{scene}” is more text than the model accepts at once: {job.why}")
    if job.state is JobState.FAILED and job.key not in asking.spoilt:
        raise OutsideFailureError(f"{job.why or 'a request was not answered'}; {CONTINUES}")
    return job


def give_back(asking: Asking, job: Job, why: str) -> None:
    """Note that an answer cannot be read: this run goes on without it, and the next one requests it again."""
    asking.give_back(job, job.why or why)
    asking.spoilt.add(job.key)


def answered_before(store: Path | None, requests: Sequence[Request], name: str) -> list[bool]:
    """Which of these requests are answered in the store, so that they are not sent; `name` is the provider's."""
    place = store or default_place()
    if not place.exists():
        return [False] * len(requests)
    with JobStore(place) as jobs:
        found = [jobs.job(each.content_hash(name)) for each in requests]
    return [job is not None and job.answered for job in found]
