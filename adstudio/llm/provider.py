"""The interface of every model provider."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Chunk, Request, Response, State

if TYPE_CHECKING:
    import asyncio

OnChunk = Callable[[Chunk], None]


class Provider(Protocol):
    """A model that requests can be sent to.

    One provider serves many concurrent requests in one event loop. External failures are never raised: they are a
    `Response` with a fault. Cancelling the sending task closes the connection and raises `CancelledError` as usual.
    """

    @property
    def name(self) -> str:
        """What determines its responses: its kind and model. Part of `Request.content_hash` and of the provenance."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it supports and costs."""
        ...

    @property
    def concurrency(self) -> int:
        """How many requests it sends at a time for now; others wait."""
        ...

    async def send(self, request: Request, on_chunk: OnChunk, stop: asyncio.Event) -> Response:
        """Send a request and collect the response; `on_chunk` is called in the same thread; setting `stop` ends it."""
        ...

    async def models(self) -> tuple[str, ...]:
        """The names of the server's models; a test of the connection.

        Raises:
            FaultError: if they cannot be listed.
        """
        ...

    async def aclose(self) -> None:
        """Close all connections."""
        ...


class ProviderWrapper(ABC):
    """A provider that sends through another one in its own way; all else is the other's."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    @property
    def name(self) -> str:
        """See `Provider`."""
        return self._provider.name

    @property
    def capabilities(self) -> Capabilities:
        """See `Provider`."""
        return self._provider.capabilities

    @property
    def concurrency(self) -> int:
        """See `Provider`."""
        return self._provider.concurrency

    @abstractmethod
    async def send(self, request: Request, on_chunk: OnChunk, stop: asyncio.Event) -> Response:
        """See `Provider`."""

    async def models(self) -> tuple[str, ...]:
        """See `Provider`."""
        return await self._provider.models()

    async def aclose(self) -> None:
        """See `Provider`."""
        await self._provider.aclose()


class FirstResponseProvider(ProviderWrapper):
    """Calls `on_first_response` once, in the event loop's thread: only then is a permission recorded in the project."""

    def __init__(self, provider: Provider, on_first_response: Callable[[], None]) -> None:
        super().__init__(provider)
        self._on_first_response = on_first_response
        self._notified = False

    async def send(self, request: Request, on_chunk: OnChunk, stop: asyncio.Event) -> Response:
        """See `Provider`; exceptions from `on_first_response` propagate."""
        response = await self._provider.send(request, on_chunk, stop)
        came = response.text or response.state in (State.COMPLETE, State.BLOCKED, State.REFUSED)
        if came and not self._notified:
            self._notified = True
            self._on_first_response()
        return response
