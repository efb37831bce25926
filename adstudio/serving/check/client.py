"""The client of the checks: uses the project transport, under a policy that permits only the checked server."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import httpx2

from adstudio.core.policy import Policy
from adstudio.llm.capabilities import Capabilities, capabilities_of
from adstudio.llm.cookies import no_cookies
from adstudio.llm.keys import Secret
from adstudio.llm.openai_protocol import OpenAIProvider
from adstudio.llm.openai_protocol import Server as Asked
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.server_sent_events import bounded, events
from adstudio.llm.traffic_log import TrafficLog
from adstudio.llm.transport import Transport, TransportLimits

LIMITS = TransportLimits(connect=10.0, send=60.0, first=180.0, between=60.0)
LARGEST = 8_000_000


@dataclass(frozen=True)
class CheckedServer:
    """The server to check: its address (with or without `/v1`), key, and certificates to trust."""

    url: str
    key: Secret | None = field(default=None, repr=False)
    authority: Path | None = None
    model: str = ""

    @property
    def base(self) -> str:
        """Its address without `/v1`."""
        return self.url.strip().rstrip("/").removesuffix("/v1").rstrip("/")


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's reply: HTTP status and body."""

    status: int
    data: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body as a JSON object, empty if it is not one."""
        try:
            found: Any = json.loads(self.data, strict=False)
        except (ValueError, RecursionError):
            found = None
        return cast("dict[str, Any]", found) if isinstance(found, dict) else {}

    @property
    def words(self) -> str:
        """The status and the server's error message, shortened."""
        error = self.json.get("error")
        inner: Any = cast("dict[str, Any]", error).get("message") if isinstance(error, dict) else error
        reply = inner or self.json.get("message") or self.json.get("detail") or ""
        return f"{self.status}" + (f" “{str(reply)[:160]}”" if reply else "")


class CheckClient:
    """See the module; close it with `aclose`."""

    def __init__(self, server: CheckedServer, log: Path) -> None:
        self.server = server
        self.policy = Policy("on premises", (host_of(server.base),))
        self._transport = Transport(self.policy, TrafficLog(log, "check"), limits=LIMITS, authority=server.authority)
        self._client = httpx2.AsyncClient(
            transport=self._transport, trust_env=False, timeout=None, cookies=no_cookies()
        )
        self._asking: list[OpenAIProvider] = []

    async def get(self, path: str, *, key: Secret | None = None) -> Reply:
        """GET a path, with the server's key unless another is given."""
        async with self._client.stream("GET", self.server.base + path, headers=self._headers(key)) as response:
            return Reply(response.status_code, await bounded(response, LARGEST))

    async def post(self, path: str, request: dict[str, Any], *, key: Secret | None = None) -> Reply:
        """POST a JSON object."""
        async with self._posted(path, json.dumps(request).encode(), key) as response:
            return Reply(response.status_code, await bounded(response, LARGEST))

    async def post_padded(self, path: str, request: dict[str, Any], size: int) -> Reply:
        """POST a JSON object padded with spaces to `size` bytes, generated while sending."""
        data = json.dumps(request).encode()

        async def body() -> AsyncIterator[bytes]:
            yield data[:-1]
            left = size - len(data)
            while left > 0:
                yield b" " * min(left, 1_000_000)
                left -= 1_000_000
            yield b"}"

        async with self._posted(path, body(), length=max(size, len(data))) as response:
            return Reply(response.status_code, await bounded(response, LARGEST))

    @asynccontextmanager
    async def streaming(
        self, path: str, request: dict[str, Any]
    ) -> AsyncGenerator[tuple[Reply, AsyncGenerator[dict[str, Any]]]]:
        """The events of a streamed reply; leaving closes the connection. An error reply has no events."""
        async with self._posted(path, json.dumps(request).encode()) as response:
            refused = b"" if response.status_code == 200 else await bounded(response, LARGEST)
            async with aclosing(events(response.aiter_bytes(), self.server.base)) as stream:
                yield Reply(response.status_code, refused), stream

    def provider(self, model: str, *, thinks: bool = False) -> OpenAIProvider:
        """The provider used for drafting, for a model of this server; with a little reasoning if `thinks`."""
        known = capabilities_of("openai", model)
        can = Capabilities(
            levels=("off", "low") if thinks else ("off",), thought_tokens=64, body_bytes=known.body_bytes
        )
        asked = Asked(f"{self.server.base}/v1", model, key=self.server.key)
        found = OpenAIProvider(asked, self.policy, self._transport, capabilities=can)
        self._asking.append(found)
        return found

    async def aclose(self) -> None:
        """Close all connections."""
        for provider in self._asking:
            await provider.aclose()
        await self._client.aclose()

    @asynccontextmanager
    async def _posted(
        self, path: str, body: bytes | AsyncIterator[bytes], key: Secret | None = None, *, length: int | None = None
    ) -> AsyncGenerator[httpx2.Response]:
        headers = self._headers(key) | {"Content-Type": "application/json"}
        headers |= {} if length is None else {"Content-Length": str(length)}
        async with self._client.stream("POST", self.server.base + path, headers=headers, content=body) as response:
            yield response

    def _headers(self, key: Secret | None) -> dict[str, str]:
        used = key or self.server.key
        return {"User-Agent": "adstudio"} | ({"Authorization": f"Bearer {used.reveal()}"} if used is not None else {})


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked: the server's client, the model, its context in tokens, and the numbered test clip.

    `incoherent` is what the model replied instead of following a simple instruction; "" if it follows instructions.
    """

    client: CheckClient
    model: str
    context: int
    clip: bytes
    incoherent: str = ""
