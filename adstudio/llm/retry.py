"""Asking again: only where it may help, never faster than the server asks, and not for what was already paid."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adstudio.llm.circuit_breaker import Breaker
from adstudio.llm.concurrency import Gate, Slot
from adstudio.llm.faults import DownError, FaultError
from adstudio.llm.messages import Chunk, OnChunk, Provider, Request, Response, State, Usage
from adstudio.llm.response import with_deadline

if TYPE_CHECKING:
    from adstudio.llm.capabilities import Capabilities


@dataclass(frozen=True, slots=True)
class Backoff:
    """Seconds between tries: up to `first`, then twice as long each time, at most `most`; a share of it by chance.

    What a server asks for is waited in full, and a little more by chance, so that not all come back at once.
    """

    first: float = 2.0
    most: float = 60.0

    def pause(self, attempts: int, asked_for: float | None, chance: float) -> float:
        """Before the next try, when so many were made; `chance` is in 0 to 1."""
        if asked_for is not None:
            return asked_for + chance * self.first
        return chance * min(self.first * 2 ** (attempts - 1), self.most)


class Retrying:
    """A provider that waits its turn at the gate and asks again where that may help; see `Provider`.

    What goes wrong for all asks alike (a refused key, a missing model) is asked once: all later asks get the same
    answer without a connection; so do those behind several in a row that the server has failed (`breaker`). A new
    provider begins anew.
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
        self._provider = provider
        self.gate = gate or Gate(clock=clock)
        self._backoff = backoff or Backoff()
        self._chance = chance
        self._clock = clock
        self._final_fault: FaultError | None = None
        self._breaker = breaker or Breaker()

    @property
    def name(self) -> str:
        """See `Provider`."""
        return self._provider.name

    @property
    def capabilities(self) -> Capabilities:
        """See `Provider`."""
        return self._provider.capabilities

    async def send(self, request: Request, on_chunk: OnChunk, stop: asyncio.Event) -> Response:
        """See `Provider`. The deadline is for all tries and the pauses between; waiting at the gate does not count."""
        spent, attempts, usage = 0.0, 0, Usage(micro_usd=0)
        best: Response | None = None
        repeated = False
        while True:
            left = request.limits.deadline - spent
            response, received = await self._once(with_deadline(request, left), on_chunk, stop)
            spent += response.seconds
            attempts, usage = attempts + response.attempts, usage + response.usage
            if received and response.text and response.state is State.TRUNCATED:
                best = response
            pause = self._before_next(response, attempts, paid=received and not (request.repeat_paid and not repeated))
            repeated = repeated or received
            if pause is None or spent + pause >= request.limits.deadline or stop.is_set():
                if best is not None and response.state is State.FAILED and not response.text:
                    # The server was lost for good behind words that had come: they are kept.
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
        """One try in a turn at the gate, and whether anything was heard of it."""
        nothing = Usage(micro_usd=0)
        held = 0.0
        while True:
            async with self.gate.slot(stop) as slot:
                hold = self.gate.hold
                final_fault = self._final_fault
                if final_fault is None and held + hold >= request.limits.deadline:
                    final_fault = self.gate.held_by
                if slot is None or stop.is_set():
                    return Response("", State.CANCELLED, "it was stopped", nothing, attempts=0), False
                if final_fault is not None:
                    return Response("", State.FAILED, str(final_fault), nothing, attempts=0, fault=final_fault), False
                if not hold:
                    return await self._attempt(request, on_chunk, stop, slot)
            # The turn is given back meanwhile: the gate may be narrower, and the hold longer, when it is over.
            pause = self._backoff.pause(1, hold, self._chance())
            held += pause
            await _pause(pause, stop)

    async def _attempt(
        self, request: Request, on_chunk: OnChunk, stop: asyncio.Event, slot: Slot
    ) -> tuple[Response, bool]:
        timer = _FirstChunkTimer(on_chunk, self._clock)
        response = await self._provider.send(request, timer, stop)
        self.gate.record(slot, response.fault, timer.first_chunk)
        if response.fault is not None and response.fault.affects_all:
            self._final_fault = response.fault
        return response, timer.first_chunk is not None

    async def models(self) -> tuple[str, ...]:
        """See `Provider`. Asked once, and past the gate: the describer waits for it."""
        return await self._provider.models()

    async def aclose(self) -> None:
        """See `Provider`."""
        await self._provider.aclose()

    def _record(self, response: Response) -> None:
        """What an ask that has come to its end, after all tries, says of those to come."""
        if not response.attempts or response.state is State.CANCELLED:
            return
        down = self._breaker.record(response, self._clock())
        if response.fault is None and isinstance(self._final_fault, DownError):
            self._final_fault = None  # it was on its way when the others were given up
        self._final_fault = self._final_fault or down

    def _before_next(self, response: Response, attempts: int, *, paid: bool) -> float | None:
        fault = response.fault
        if fault is None or not fault.retryable or attempts >= fault.max_attempts or not response.attempts or paid:
            return None
        return self._backoff.pause(attempts, fault.retry_after, self._chance())


class _FirstChunkTimer:
    """Hears pieces for another, and when the first came after it was made."""

    def __init__(self, on_chunk: OnChunk, clock: Callable[[], float]) -> None:
        self._on_piece = on_chunk
        self._clock = clock
        self._began = clock()
        self.first_chunk: float | None = None

    def __call__(self, chunk: Chunk) -> None:
        if self.first_chunk is None:
            self.first_chunk = self._clock() - self._began
        self._on_piece(chunk)


async def _pause(seconds: float, stop: asyncio.Event) -> None:
    if seconds > 0:
        try:
            await asyncio.wait_for(stop.wait(), seconds)
        except TimeoutError:
            return
