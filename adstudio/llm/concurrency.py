"""Adaptive concurrency: the limit grows while requests succeed and is halved when the server is overloaded."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from adstudio.llm.faults import FaultError


@dataclass(frozen=True, slots=True)
class Bounds:
    """Concurrent requests: initial, minimum and maximum; and how many successes raise the limit by one.

    A first chunk that took `slow` times as long as the fastest and at least `patience` seconds means that the server
    queues requests, so the limit is lowered by one.
    """

    start: int = 8
    least: int = 1
    most: int = 16
    good: int = 20
    slow: float = 4.0
    patience: float = 10.0


@dataclass(frozen=True, slots=True)
class Slot:
    """Permission to send one request; `cuts` counts how often the limit had been cut when it was granted."""

    cuts: int


class Gate:
    """Admits requests in order of arrival, up to the current limit."""

    def __init__(self, bounds: Bounds | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._bounds = bounds or Bounds()
        self.limit = max(min(self._bounds.start, self._bounds.most), self._bounds.least)
        """How many requests may run now."""
        self.running = 0
        """How many requests are running."""
        self.held_by: FaultError | None = None
        """The fault with which the server last asked for a pause."""
        self._clock = clock
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._cuts = 0
        self._good = 0
        self._quickest = float("inf")
        self._not_before = 0.0

    @property
    def hold(self) -> float:
        """Seconds left of the pause that the server asked for."""
        return max(self._not_before - self._clock(), 0.0)

    @contextlib.asynccontextmanager
    async def slot(self, stop: asyncio.Event) -> AsyncGenerator[Slot | None]:
        """Wait for a slot; None when `stop` was set first."""
        entered = await self._enter(stop)
        try:
            yield Slot(self._cuts) if entered else None
        finally:
            if entered:
                self._leave()

    def record(self, slot: Slot, fault: FaultError | None, first_chunk: float | None) -> None:
        """Adapt the limit to how a request went: its fault, and the seconds to the first chunk of its response."""
        if fault is not None and fault.retry_after is not None and fault.slow_down:
            self._not_before = max(self._not_before, self._clock() + fault.retry_after)
            self.held_by = fault
        if fault is not None and fault.slow_down:
            self._cut(slot, self.limit // 2)
        elif first_chunk is not None:
            self._quickest = min(self._quickest, first_chunk)
            if first_chunk > max(self._quickest * self._bounds.slow, self._bounds.patience):
                self._cut(slot, self.limit - 1)
            elif fault is None:
                self._count_success()

    def _cut(self, slot: Slot, limit: int) -> None:
        # Requests that were in flight at the last cut say nothing about the new limit.
        if slot.cuts == self._cuts:
            self._cuts += 1
            self._good = 0
            self.limit = max(limit, self._bounds.least)

    def _count_success(self) -> None:
        self._good += 1
        if self._good >= self._bounds.good and self.limit < self._bounds.most:
            self._good = 0
            self.limit += 1
            self._admit_waiting()

    async def _enter(self, stop: asyncio.Event) -> bool:
        if stop.is_set():
            return False
        if self.running < self.limit and not self._waiting:
            self.running += 1
            return True
        slot_future = asyncio.get_running_loop().create_future()
        self._waiting.append(slot_future)
        stopping = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait((slot_future, stopping), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._give_up(slot_future)
            raise
        finally:
            stopping.cancel()
        if stop.is_set():
            self._give_up(slot_future)
            return False
        return True

    def _give_up(self, slot_future: asyncio.Future[None]) -> None:
        if slot_future.done():  # granted and not used
            self._leave()
        else:
            self._waiting.remove(slot_future)

    def _leave(self) -> None:
        self.running -= 1
        self._admit_waiting()

    def _admit_waiting(self) -> None:
        while self._waiting and self.running < self.limit:
            self.running += 1
            self._waiting.popleft().set_result(None)
