"""Whether a server has answered yet: what allows it to be asked is noted in a project then, and not before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Answer, Ask, Hear, Provider, State


class Answering:
    """A provider that tells, once and in the loop's own thread, that it has answered; see `Provider`."""

    def __init__(self, provider: Provider, told: Callable[[], None]) -> None:
        self._provider = provider
        self._told = told
        self._has_told = False

    @property
    def name(self) -> str:
        """See `Provider`."""
        return self._provider.name

    @property
    def capabilities(self) -> Capabilities:
        """See `Provider`."""
        return self._provider.capabilities

    async def ask(self, ask: Ask, on_piece: Hear, stop: asyncio.Event) -> Answer:
        """See `Provider`; what `told` raises is raised."""
        answer = await self._provider.ask(ask, on_piece, stop)
        came = answer.text or answer.state in (State.COMPLETE, State.BLOCKED, State.REFUSED)
        if came and not self._has_told:
            self._has_told = True
            self._told()
        return answer

    async def models(self) -> tuple[str, ...]:
        """See `Provider`."""
        return await self._provider.models()

    async def aclose(self) -> None:
        """See `Provider`."""
        await self._provider.aclose()
