"""Retries: only where they may help, no faster than the server allows, and not for responses already paid for."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adstudio.llm.concurrency import Gate, Slot
from adstudio.llm.faults import DownError, FaultError
from adstudio.llm.messages import Chunk, Request, Response, State, Usage
from adstudio.llm.provider import OnChunk, Provider, ProviderWrapper
from adstudio.llm.response import STOPPED

if TYPE_CHECKING:
    pass

IN_A_ROW = 5
"""Failed requests, retries included (Google advises Gemini clients to stop after this many)."""
MIN_SECONDS = 120.0
"""Seconds from the first failure, so that a server which is only restarting gets its chance."""


class Breaker:
    """Counts consecutive requests that failed, after all retries, with the same kind of server fault.

    A response with any text does not count as failed, even if the connection was lost afterwards.
    """

    def __init__(self, most: int = IN_A_ROW, min_seconds: float = MIN_SECONDS) -> None:
        self._most = most
        self._min_seconds = min_seconds
        self._kind: type[FaultError] | None = None
        self._count = 0
        self._since = 0.0

    def record(self, response: Response, now: float) -> DownError | None:
        """Count one more request that ended at `now`; the fault for all later ones once there were enough."""
        fault = None if response.text.strip() else response.fault
        fault = fault if fault is not None and fault.server_down else None
        kind = None if fault is None else type(fault)
        if kind is not self._kind:
            self._kind, self._count, self._since = kind, 0, now - response.seconds
        self._count += 1
        if fault is None or self._count < self._most or now - self._since < self._min_seconds:
            return None
        return DownError(
            f"{fault}; {self._count} requests in a row failed this way, so no more are sent:"
            " start again when it is fixed"
        )


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential backoff with full jitter: seconds, doubling from `first` up to `most`.

    A wait that the server asks for is kept in full, plus jitter, so that not all requests return at once.
    """

    first: float = 2.0
    most: float = 60.0

    def pause(self, attempts: int, asked_for: float | None, chance: float) -> float:
        """Seconds to wait after so many attempts; `chance` is in 0..1."""
        if asked_for is not None:
            return asked_for + chance * self.first
        return chance * min(self.first * 2 ** (attempts - 1), self.most)


class Retrying(ProviderWrapper):
    """A provider with retries and limited concurrency; see `Provider`.

    `models` is sent once and without waiting for a slot, because a person is waiting.

    A fault that affects all requests (a rejected key, a missing model) ends them all: later requests get the same fault
    without a connection. So do requests after the `breaker` has tripped. A new provider starts afresh.
    """

    def __init__(
        self,
        provider: Provider,
        gate: Gate | None = None,
        *,
        backoff: Backoff | None = None,
        breaker: Breaker | None = None,
        chance: Callable[[], float] = random.random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(provider)
        self.gate = gate or Gate(clock=clock)
        self._backoff = backoff or Backoff()
        self._chance = chance
        self._clock = clock
        self._final_fault: FaultError | None = None
        self._breaker = breaker or Breaker()

    @property
    def concurrency(self) -> int:
        """See `Provider`."""
        return self.gate.limit

    async def send(self, request: Request, on_chunk: OnChunk, stop: asyncio.Event) -> Response:
        """See `Provider`. The deadline covers all attempts and the pauses between them, but not the wait for a slot."""
        spent, attempts, usage = 0.0, 0, Usage(micro_usd=0)
        best: Response | None = None
        repeated = False
        while True:
            left = request.limits.deadline - spent
            response, received = await self._once(
                replace(request, limits=replace(request.limits, deadline=left)), on_chunk, stop
            )
            spent += response.seconds
            attempts, usage = attempts + response.attempts, usage + response.usage
            if received and response.text and response.state is State.TRUNCATED:
                best = response
            pause = self._before_next(response, attempts, paid=received and not (request.repeat_paid and not repeated))
            repeated = repeated or received
            if pause is None or spent + pause >= request.limits.deadline or stop.is_set():
                if best is not None and response.state is State.FAILED and not response.text:
                    # The server is gone for good, so keep the text of an earlier attempt.
                    response = replace(best, fault=response.fault, why=response.why)
                response = replace(response, attempts=attempts, usage=usage, seconds=spent)
                self._record(response)
                return response
            on_chunk(Chunk(retry_reason=str(response.fault)))
            began = self._clock()
            await _pause(pause, stop)
            spent += self._clock() - began
            if received:
                on_chunk(Chunk(restarted=True))

    async def _once(self, request: Request, on_chunk: OnChunk, stop: asyncio.Event) -> tuple[Response, bool]:
        """One attempt in a slot, and whether any chunk was received."""
        nothing = Usage(micro_usd=0)
        held = 0.0
        while True:
            async with self.gate.slot(stop) as slot:
                hold = self.gate.hold
                final_fault = self._final_fault
                if final_fault is None and held + hold >= request.limits.deadline:
                    final_fault = self.gate.held_by
                if slot is None or stop.is_set():
                    return Response("", State.CANCELLED, STOPPED, nothing, attempts=0), False
                if final_fault is not None:
                    return Response("", State.FAILED, str(final_fault), nothing, attempts=0, fault=final_fault), False
                if not hold:
                    return await self._attempt(request, on_chunk, stop, slot)
            # The slot is released for the pause, after which the limit may be lower and the hold longer.
            pause = self._backoff.pause(1, hold, self._chance())
            held += pause
            await _pause(pause, stop)

    async def _attempt(
        self, request: Request, on_chunk: OnChunk, stop: asyncio.Event, slot: Slot
    ) -> tuple[Response, bool]:
        received = _Received(on_chunk, self.gate, slot, self._clock)
        response = await self._provider.send(request, received, stop)
        if response.fault is not None:
            self.gate.note_fault(slot, response.fault)
            if response.fault.affects_all:
                self._final_fault = response.fault
        return response, received.any

    def _record(self, response: Response) -> None:
        """Draw conclusions for later requests from one that has ended, retries included."""
        if not response.attempts or response.state is State.CANCELLED:
            return
        down = self._breaker.record(response, self._clock())
        if response.fault is None and isinstance(self._final_fault, DownError):
            self._final_fault = None  # it was in flight when the breaker tripped
        self._final_fault = self._final_fault or down

    def _before_next(self, response: Response, attempts: int, *, paid: bool) -> float | None:
        fault = response.fault
        if fault is None or not fault.retryable or attempts >= fault.max_attempts or not response.attempts or paid:
            return None
        return self._backoff.pause(attempts, fault.retry_after, self._chance())


class _Received:
    """Passes chunks on, and tells the gate how long the first one took and what the server says of its load."""

    def __init__(self, on_chunk: OnChunk, gate: Gate, slot: Slot, clock: Callable[[], float]) -> None:
        self._on_chunk = on_chunk
        self._gate = gate
        self._slot = slot
        self._clock = clock
        self._began = clock()
        self.any = False

    def __call__(self, chunk: Chunk) -> None:
        if chunk.load is not None:
            self._gate.note_load(chunk.load)
            return
        if not self.any:
            self.any = True
            self._gate.note_first_chunk(self._slot, self._clock() - self._began)
        self._on_chunk(chunk)


async def _pause(seconds: float, stop: asyncio.Event) -> None:
    if seconds > 0:
        try:
            await asyncio.wait_for(stop.wait(), seconds)
        except TimeoutError:
            return
