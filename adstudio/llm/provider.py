"""The interface of every model provider."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Chunk, Request, Response

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
