"""Adaptive concurrency: as many requests as the server says that it bears, or as many as it turns out to bear.

The limit doubles while first chunks come quickly and is halved when the server is overloaded. From then on it doubles
only up to what the server says; if it says nothing, it grows one by one, and goes back to where that began when the
server is overloaded again (as in TCP: slow start and congestion avoidance, RFC 5681).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from adstudio.llm.faults import FaultError
from adstudio.llm.server_load import ServerLoad


@dataclass(frozen=True, slots=True)
class Bounds:
    """Concurrent requests: initial and maximum, both unless the server says what it bears, and minimum.

    A first chunk that took `slow` times as long as the fastest and at least `patience` seconds means that the server
    queues requests. Once the limit has been halved, it takes `good` quick ones to raise it by one.
    """

    start: int = 8
    least: int = 1
    most: int = 64
    good: int = 20
    slow: float = 4.0
    patience: float = 10.0


@dataclass(frozen=True, slots=True)
class Slot:
    """Permission to send one request; `change` counts how often the limit had been changed when it was granted."""

    change: int


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
        self._waiting: deque[asyncio.Future[Slot]] = deque()
        self._load: ServerLoad | None = None
        self._changes = self._last_cut = 0
        self._threshold = self._bounds.most
        """Up to here it doubles, and to here it goes back if that was right for the server."""
        self._window = self.limit
        self._seen = self._slow = self._good = 0
        self._quickest = float("inf")
        self._not_before = 0.0

    @property
    def hold(self) -> float:
        """Seconds left of the pause that the server asked for."""
        return max(self._not_before - self._clock(), 0.0)

    @contextlib.asynccontextmanager
    async def slot(self, stop: asyncio.Event) -> AsyncGenerator[Slot | None]:
        """Wait for a slot; None when `stop` was set first."""
        slot = await self._enter(stop)
        try:
            yield slot
        finally:
            if slot is not None:
                self._leave()

    def note_load(self, load: ServerLoad) -> None:
        """Take over what the server says that it bears, at first and whenever that changes."""
        before, self._load = self._load, load
        if before is None or before.slots != load.slots:
            self._threshold = load.slots
            self._change(max(load.slots, self._bounds.least))

    def note_first_chunk(self, slot: Slot, seconds: float) -> None:
        """Adapt the limit to the seconds that the first chunk of a response took.

        It counts with others that were sent under the same limit: one may be slow by itself, and many are if requests
        wait for each other at the server. In a server that has no more in flight than it bears, none does.
        """
        self._quickest = min(self._quickest, seconds)
        if slot.change != self._changes:
            return
        queued = self._load is None or self._load.in_flight > self._load.slots
        slow = seconds > max(self._quickest * self._bounds.slow, self._bounds.patience)
        self._seen += 1
        self._slow += slow and queued
        if 2 * self._slow >= self._window:
            self._back_off()
        elif self._seen >= self._window:
            quick = 8 * self._slow <= self._window
            self._good = self._good + self._seen if quick else 0
            self._seen = self._slow = 0
            if quick and self._waiting:
                self._grow()

    def note_fault(self, slot: Slot, fault: FaultError) -> None:
        """Adapt the limit to what went wrong with a request."""
        if not fault.slow_down:
            return
        if fault.retry_after is not None:
            self._not_before = max(self._not_before, self._clock() + fault.retry_after)
            self.held_by = fault
        # Requests that were in flight at the last cut say nothing about the new limit.
        if slot.change >= self._last_cut:
            self._back_off()

    def _grow(self) -> None:
        most = self._load.slots if self._load is not None else self._bounds.most
        if self.limit < self._threshold:
            limit = min(2 * self.limit, self._threshold, most)
        else:
            limit = min(self.limit + (self._good >= self._bounds.good), most)
        if (more := limit - self.limit) > 0:
            self._change(limit)
            # Those that were under way before say nothing about the new limit, so the added ones are enough.
            self._window = more if more > 1 else limit

    def _back_off(self) -> None:
        limit = self._threshold if self.limit > self._threshold else max(self.limit // 2, self._bounds.least)
        self._threshold = self._load.slots if self._load is not None else limit
        self._change(limit)
        self._last_cut = self._changes

    def _change(self, limit: int) -> None:
        self._changes += 1
        self._seen = self._slow = self._good = 0
        self.limit = self._window = limit
        self._admit_waiting()

    async def _enter(self, stop: asyncio.Event) -> Slot | None:
        if stop.is_set():
            return None
        if self.running < self.limit and not self._waiting:
            self.running += 1
            return Slot(self._changes)
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
            return None
        return slot_future.result()

    def _give_up(self, slot_future: asyncio.Future[Slot]) -> None:
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
            self._waiting.popleft().set_result(Slot(self._changes))
