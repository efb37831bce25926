"""Asking again: only where it may help, never faster than the server asks, and not for what was already paid."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adstudio.llm.circuit_breaker import Breaker
from adstudio.llm.concurrency import Gate, Turn
from adstudio.llm.faults import DownError, FaultError
from adstudio.llm.messages import Answer, Ask, Hear, Piece, Provider, State, Usage
from adstudio.llm.response import within

if TYPE_CHECKING:
    from adstudio.llm.capabilities import Capabilities


@dataclass(frozen=True, slots=True)
class Backoff:
    """Seconds between tries: up to `first`, then twice as long each time, at most `most`; a share of it by chance.

    What a server asks for is waited in full, and a little more by chance, so that not all come back at once.
    """

    first: float = 2.0
    most: float = 60.0

    def pause(self, tries: int, asked_for: float | None, chance: float) -> float:
        """Before the next try, when so many were made; `chance` is in 0 to 1."""
        if asked_for is not None:
            return asked_for + chance * self.first
        return chance * min(self.first * 2 ** (tries - 1), self.most)


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
        self._over: FaultError | None = None
        self._breaker = breaker or Breaker()

    @property
    def name(self) -> str:
        """See `Provider`."""
        return self._provider.name

    @property
    def capabilities(self) -> Capabilities:
        """See `Provider`."""
        return self._provider.capabilities

    async def ask(self, ask: Ask, on_piece: Hear, stop: asyncio.Event) -> Answer:
        """See `Provider`. The deadline is for all tries and the pauses between; waiting at the gate does not count."""
        spent, tries, usage = 0.0, 0, Usage(micro_usd=0)
        best: Answer | None = None
        repeated = False
        while True:
            left = ask.limits.deadline - spent
            answer, heard = await self._once(within(ask, left), on_piece, stop)
            spent += answer.seconds
            tries, usage = tries + answer.tries, usage + answer.usage
            if heard and answer.text and answer.state is State.TRUNCATED:
                best = answer
            pause = self._before_next(answer, tries, paid=heard and not (ask.repeat_paid and not repeated))
            repeated = repeated or heard
            if pause is None or spent + pause >= ask.limits.deadline or stop.is_set():
                if best is not None and answer.state is State.FAILED and not answer.text:
                    # The server was lost for good behind words that had come: they are kept.
                    answer = replace(best, fault=answer.fault, why=answer.why)
                answer = replace(answer, tries=tries, usage=usage, seconds=spent)
                self._learn(answer)
                return answer
            on_piece(Piece(trouble=str(answer.fault)))
            began = self._clock()
            await _pause(pause, stop)
            spent += self._clock() - began
            if heard:
                on_piece(Piece(anew=True))

    async def _once(self, ask: Ask, on_piece: Hear, stop: asyncio.Event) -> tuple[Answer, bool]:
        """One try in a turn at the gate, and whether anything was heard of it."""
        nothing = Usage(micro_usd=0)
        held = 0.0
        while True:
            async with self.gate.turn(stop) as turn:
                hold = self.gate.hold
                over = self._over
                if over is None and held + hold >= ask.limits.deadline:
                    over = self.gate.held_by
                if turn is None or stop.is_set():
                    return Answer("", State.CANCELLED, "it was stopped", nothing, tries=0), False
                if over is not None:
                    return Answer("", State.FAILED, str(over), nothing, tries=0, fault=over), False
                if not hold:
                    return await self._sent(ask, on_piece, stop, turn)
            # The turn is given back meanwhile: the gate may be narrower, and the hold longer, when it is over.
            pause = self._backoff.pause(1, hold, self._chance())
            held += pause
            await _pause(pause, stop)

    async def _sent(self, ask: Ask, on_piece: Hear, stop: asyncio.Event, turn: Turn) -> tuple[Answer, bool]:
        hearing = _Hearing(on_piece, self._clock)
        answer = await self._provider.ask(ask, hearing, stop)
        self.gate.learn(turn, answer.fault, hearing.first_word)
        if answer.fault is not None and answer.fault.for_all:
            self._over = answer.fault
        return answer, hearing.first_word is not None

    async def models(self) -> tuple[str, ...]:
        """See `Provider`. Asked once, and past the gate: the describer waits for it."""
        return await self._provider.models()

    async def aclose(self) -> None:
        """See `Provider`."""
        await self._provider.aclose()

    def _learn(self, answer: Answer) -> None:
        """What an ask that has come to its end, after all tries, says of those to come."""
        if not answer.tries or answer.state is State.CANCELLED:
            return
        down = self._breaker.after(answer, self._clock())
        if answer.fault is None and isinstance(self._over, DownError):
            self._over = None  # it was on its way when the others were given up
        self._over = self._over or down

    def _before_next(self, answer: Answer, tries: int, *, paid: bool) -> float | None:
        fault = answer.fault
        if fault is None or not fault.again or tries >= fault.most_tries or not answer.tries or paid:
            return None
        return self._backoff.pause(tries, fault.wait, self._chance())


class _Hearing:
    """Hears pieces for another, and when the first came after it was made."""

    def __init__(self, on_piece: Hear, clock: Callable[[], float]) -> None:
        self._on_piece = on_piece
        self._clock = clock
        self._began = clock()
        self.first_word: float | None = None

    def __call__(self, piece: Piece) -> None:
        if self.first_word is None:
            self.first_word = self._clock() - self._began
        self._on_piece(piece)


async def _pause(seconds: float, stop: asyncio.Event) -> None:
    if seconds > 0:
        try:
            await asyncio.wait_for(stop.wait(), seconds)
        except TimeoutError:
            return
