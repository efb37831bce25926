"""How many asks run at a time: more while all goes well, half when the server says that it is too many."""

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
    """Asks at a time: at first, at least and at most; and how many good answers make it one more.

    A first word that took `slow` times as long as the quickest and at least `patience` seconds tells of a queue: the
    server gains nothing by one more.
    """

    start: int = 8
    least: int = 1
    most: int = 16
    good: int = 20
    slow: float = 4.0
    patience: float = 10.0


@dataclass(frozen=True, slots=True)
class Slot:
    """Leave to ask, given when the limit had been cut so many times."""

    cuts: int


class Gate:
    """Lets asks through in the order in which they came, as many at a time as the server bears."""

    def __init__(self, bounds: Bounds | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._bounds = bounds or Bounds()
        self._limit = max(min(self._bounds.start, self._bounds.most), self._bounds.least)
        self._clock = clock
        self._running = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._cuts = 0
        self._good = 0
        self._quickest = float("inf")
        self._not_before = 0.0
        self._held_by: FaultError | None = None

    @property
    def limit(self) -> int:
        """How many may run just now."""
        return self._limit

    @property
    def running(self) -> int:
        """How many do."""
        return self._running

    @property
    def hold(self) -> float:
        """Seconds for which the server asked to be left alone."""
        return max(self._not_before - self._clock(), 0.0)

    @property
    def held_by(self) -> FaultError | None:
        """The fault by which it last asked so."""
        return self._held_by

    @contextlib.asynccontextmanager
    async def slot(self, stop: asyncio.Event) -> AsyncGenerator[Slot | None]:
        """Wait for leave to ask; null when `stop` came first."""
        entered = await self._enter(stop)
        try:
            yield Slot(self._cuts) if entered else None
        finally:
            if entered:
                self._leave()

    def record(self, slot: Slot, fault: FaultError | None, first_chunk: float | None) -> None:
        """What an ask tells about the server: its fault, and the seconds to the first word of its answer."""
        if fault is not None and fault.retry_after is not None and fault.slow_down:
            self._not_before = max(self._not_before, self._clock() + fault.retry_after)
            self._held_by = fault
        if fault is not None and fault.slow_down:
            self._cut(slot, self._limit // 2)
        elif first_chunk is not None:
            self._quickest = min(self._quickest, first_chunk)
            if first_chunk > max(self._quickest * self._bounds.slow, self._bounds.patience):
                self._cut(slot, self._limit - 1)
            elif fault is None:
                self._count_success()

    def _cut(self, slot: Slot, limit: int) -> None:
        # Asks that were on their way at the last cut tell nothing about the limit since.
        if slot.cuts == self._cuts:
            self._cuts += 1
            self._good = 0
            self._limit = max(limit, self._bounds.least)

    def _count_success(self) -> None:
        self._good += 1
        if self._good >= self._bounds.good and self._limit < self._bounds.most:
            self._good = 0
            self._limit += 1
            self._admit_waiting()

    async def _enter(self, stop: asyncio.Event) -> bool:
        if stop.is_set():
            return False
        if self._running < self._limit and not self._waiting:
            self._running += 1
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
        if slot_future.done():  # leave was given and is not used
            self._leave()
        else:
            self._waiting.remove(slot_future)

    def _leave(self) -> None:
        self._running -= 1
        self._admit_waiting()

    def _admit_waiting(self) -> None:
        while self._waiting and self._running < self._limit:
            self._running += 1
            self._waiting.popleft().set_result(None)
