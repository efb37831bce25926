"""Detects a server's first response: only then is the permission to use it recorded in the project."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Request, Response, State
from adstudio.llm.provider import OnChunk, Provider


class FirstResponseProvider:
    """A provider that calls `on_first_response` once, in the event loop's thread; see `Provider`."""

    def __init__(self, provider: Provider, on_first_response: Callable[[], None]) -> None:
        self._provider = provider
        self._on_first_response = on_first_response
        self._notified = False

    @property
    def name(self) -> str:
        """See `Provider`."""
        return self._provider.name

    @property
    def capabilities(self) -> Capabilities:
        """See `Provider`."""
        return self._provider.capabilities

    async def send(self, request: Request, on_chunk: OnChunk, stop: asyncio.Event) -> Response:
        """See `Provider`; exceptions from `on_first_response` propagate."""
        response = await self._provider.send(request, on_chunk, stop)
        came = response.text or response.state in (State.COMPLETE, State.BLOCKED, State.REFUSED)
        if came and not self._notified:
            self._notified = True
            self._on_first_response()
        return response

    async def models(self) -> tuple[str, ...]:
        """See `Provider`."""
        return await self._provider.models()

    async def aclose(self) -> None:
        """See `Provider`."""
        await self._provider.aclose()
