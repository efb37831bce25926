"""What all protocols share: one HTTP client over the project's transport, and asking as gathering of one exchange."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING

import httpx2

from adstudio.llm.capabilities import Capabilities, capabilities_of
from adstudio.llm.faults import TooLargeError
from adstudio.llm.messages import OnChunk, Request, Response
from adstudio.llm.policy_enforcement import cloud_of, host_of, permit_request
from adstudio.llm.response import LONGEST_NAME, ResponseBuilder, run_exchange
from adstudio.llm.runaway_guard import well_formed
from adstudio.llm.unexpected_errors import reading_response

if TYPE_CHECKING:
    from adstudio.core.policy import Policy


class HttpProvider(ABC):
    """See `Provider`. All that it sends goes through `transport`; a protocol gives `_exchange` and `_models`."""

    def __init__(
        self,
        kind: str,
        url: str,
        model: str,
        policy: Policy,
        transport: httpx2.AsyncBaseTransport,
        capabilities: Capabilities | None,
    ) -> None:
        self._kind = kind
        self._model = model
        self._policy = policy
        self._host = host_of(url)
        self._place = str(self._host)
        self._capabilities = capabilities or capabilities_of(kind, model, cloud=cloud_of(self._host.name) is not None)
        # The transport waits as long as it was told to; the environment's proxies and passwords are not asked.
        self._http = httpx2.AsyncClient(transport=transport, trust_env=False, follow_redirects=False, timeout=None)

    @property
    def name(self) -> str:
        """Its kind and model."""
        return f"{self._kind} {self._model}"

    @property
    def capabilities(self) -> Capabilities:
        """See `Provider`."""
        return self._capabilities

    async def send(self, request: Request, on_chunk: OnChunk, stop: asyncio.Event) -> Response:
        """See `Provider`."""
        return await run_exchange(
            partial(self._permitted, request),
            request,
            place=self._place,
            model=self._model,
            capabilities=self._capabilities,
            on_chunk=on_chunk,
            stop=stop,
        )

    async def models(self) -> tuple[str, ...]:
        """See `Provider`."""
        with reading_response(self._place):
            names = [well_formed(name)[:LONGEST_NAME] for name in await self._models()]
        return tuple(name for name in names if name)

    async def aclose(self) -> None:
        """See `Provider`."""
        await self._http.aclose()

    async def _permitted(self, request: Request, builder: ResponseBuilder) -> None:
        permit_request(self._policy, self._kind, self._host, request)
        await self._exchange(request, builder)

    @abstractmethod
    async def _exchange(self, request: Request, builder: ResponseBuilder) -> None:
        """Send an ask and gather what comes.

        Raises:
            FaultError: for all that goes wrong.
        """

    @abstractmethod
    async def _models(self) -> list[str]:
        """The names of the models that the server has.

        Raises:
            FaultError: when it cannot be asked.
        """

    def _require_size(self, size: int) -> None:
        """Check that a body of so many bytes is taken there."""
        if size > self._capabilities.body_bytes:
            raise TooLargeError(
                f"the scene’s pictures make {size / 1e6:.0f} MB, and {self._place} takes"
                f" {self._capabilities.body_bytes / 1e6:.0f} MB at once: send smaller ones, or split the scene"
            )
