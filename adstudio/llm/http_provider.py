"""What all HTTP providers share: one HTTP client over the project's transport, and running a request to its end."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import httpx2

from adstudio.llm.capabilities import Capabilities, capabilities_of
from adstudio.llm.cookies import no_cookies
from adstudio.llm.faults import TooLargeError
from adstudio.llm.keys import Secret, masked
from adstudio.llm.messages import Request, Response
from adstudio.llm.policy_enforcement import cloud_of, host_of, permit_request
from adstudio.llm.provider import OnChunk
from adstudio.llm.response import LONGEST_NAME, ResponseBuilder, reading_response, run_exchange
from adstudio.llm.runaway_guard import well_formed
from adstudio.llm.server_load import MOST_SLOTS

if TYPE_CHECKING:
    from adstudio.core.policy import Policy

_MOST_READ = 4 * LONGEST_NAME
"""Characters of a model's name in which a key is looked for before the name is cut."""


class HttpProvider(ABC):
    """See `Provider`. Everything goes through `transport`; subclasses implement `_exchange` and `_models`."""

    purpose: ClassVar[str] = ""
    """The end of its name if it does anything but generate text."""

    def __init__(
        self,
        kind: str,
        url: str,
        model: str,
        policy: Policy,
        transport: httpx2.AsyncBaseTransport,
        capabilities: Capabilities | None,
        key: Secret | None,
    ) -> None:
        self._kind = kind
        self._model = model
        self._policy = policy
        self._key = key
        self._host = host_of(url)
        self._place = str(self._host)
        self._capabilities = capabilities or capabilities_of(kind, model, cloud=cloud_of(self._host.name) is not None)
        # The transport enforces the timeouts; the environment's proxies and passwords are ignored.
        self._http = httpx2.AsyncClient(
            transport=transport, trust_env=False, follow_redirects=False, timeout=None, cookies=no_cookies()
        )

    @property
    def name(self) -> str:
        """See `Provider`."""
        return f"{self._kind} {self._model}{self.purpose}"

    @property
    def capabilities(self) -> Capabilities:
        """See `Provider`."""
        return self._capabilities

    @property
    def concurrency(self) -> int:
        """See `Provider`; nothing waits here (see `Retrying`)."""
        return MOST_SLOTS

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
            key=self._key,
        )

    async def models(self) -> tuple[str, ...]:
        """See `Provider`."""
        with reading_response(self._place):
            names = [
                masked(well_formed(name)[: 2 * LONGEST_NAME], self._key)[:LONGEST_NAME] for name in await self._models()
            ]
        return tuple(name for name in names if name)

    async def aclose(self) -> None:
        """See `Provider`."""
        await self._http.aclose()

    async def _permitted(self, request: Request, builder: ResponseBuilder) -> None:
        permit_request(self._policy, self._kind, self._host, request)
        await self._exchange(request, builder)

    @abstractmethod
    async def _exchange(self, request: Request, builder: ResponseBuilder) -> None:
        """Send a request and feed what arrives to `builder`; raises FaultError for everything that goes wrong."""

    @abstractmethod
    async def _models(self) -> list[str]:
        """The names of the server's models; raises FaultError if they cannot be listed."""

    def _require_size(self, size: int) -> None:
        """Check that a body of this size is accepted."""
        if size > self._capabilities.body_bytes:
            raise TooLargeError(
                f"the scene’s images are {size / 1e6:.0f} MB, and {self._place} accepts"
                f" {self._capabilities.body_bytes / 1e6:.0f} MB: send smaller ones, or split the scene"
            )
