"""How the checks speak with a server: through the one transport, under a policy that names that server alone."""

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
from adstudio.llm.keys import Secret
from adstudio.llm.openai_protocol import OpenAIProvider
from adstudio.llm.openai_protocol import Server as Asked
from adstudio.llm.policy_enforcement import host_of
from adstudio.llm.server_sent_events import events
from adstudio.llm.traffic_log import TrafficLog
from adstudio.llm.transport import Transport, TransportLimits

LIMITS = TransportLimits(connect=10.0, send=60.0, first=180.0, between=60.0)
LARGEST = 8_000_000


@dataclass(frozen=True)
class Place:
    """A server to be checked: its address (with or without `/v1`), the key, and the certificates to trust."""

    url: str
    key: Secret | None = field(default=None, repr=False)
    authority: Path | None = None
    model: str = ""

    @property
    def base(self) -> str:
        """Its address without `/v1`."""
        return self.url.strip().rstrip("/").removesuffix("/v1").rstrip("/")


@dataclass(frozen=True, slots=True)
class Said:
    """What a server answered: HTTP's status, and its bytes."""

    status: int
    data: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The answer as a JSON object; empty where it is none."""
        try:
            found: Any = json.loads(self.data, strict=False)
        except (ValueError, RecursionError):
            found = None
        return cast("dict[str, Any]", found) if isinstance(found, dict) else {}

    @property
    def words(self) -> str:
        """The server's own words about what is wrong, in short."""
        error = self.json.get("error")
        inner: Any = cast("dict[str, Any]", error).get("message") if isinstance(error, dict) else error
        said = inner or self.json.get("message") or self.json.get("detail") or ""
        return f"{self.status}" + (f" “{str(said)[:160]}”" if said else "")


class Wire:
    """See the module. One at a time of it is open; `aclose` ends it."""

    def __init__(self, place: Place, log: Path) -> None:
        self.place = place
        self.policy = Policy("on premises", (host_of(place.base),))
        self._transport = Transport(self.policy, TrafficLog(log, "check"), limits=LIMITS, authority=place.authority)
        self._client = httpx2.AsyncClient(transport=self._transport, trust_env=False, timeout=None)
        self._asking: list[OpenAIProvider] = []

    async def get(self, path: str, *, key: Secret | None = None) -> Said:
        """What is at a path, asked with the place's key unless another one is given."""
        async with self._client.stream("GET", self.place.base + path, headers=self._headers(key)) as response:
            return Said(response.status_code, await _whole(response))

    async def post(self, path: str, said: dict[str, Any], *, key: Secret | None = None) -> Said:
        """The answer to a JSON object."""
        headers = self._headers(key) | {"Content-Type": "application/json"}
        data = json.dumps(said).encode()
        async with self._client.stream("POST", self.place.base + path, headers=headers, content=data) as response:
            return Said(response.status_code, await _whole(response))

    async def post_padded(self, path: str, said: dict[str, Any], size: int) -> Said:
        """The same with so many spaces in the object that the request is `size` bytes; they are never held at once."""
        data = json.dumps(said).encode()

        async def body() -> AsyncIterator[bytes]:
            yield data[:-1]
            left = size - len(data)
            while left > 0:
                yield b" " * min(left, 1_000_000)
                left -= 1_000_000
            yield b"}"

        headers = self._headers(None) | {
            "Content-Type": "application/json",
            "Content-Length": str(max(size, len(data))),
        }
        async with self._client.stream("POST", self.place.base + path, headers=headers, content=body()) as response:
            return Said(response.status_code, await _whole(response))

    @asynccontextmanager
    async def streaming(
        self, path: str, said: dict[str, Any]
    ) -> AsyncGenerator[tuple[Said, AsyncGenerator[dict[str, Any]]]]:
        """The events of an answer as they come; leaving closes the connection. A refusal has none, and its words."""
        headers = self._headers(None) | {"Content-Type": "application/json"}
        data = json.dumps(said).encode()
        async with self._client.stream("POST", self.place.base + path, headers=headers, content=data) as response:
            refused = b"" if response.status_code == 200 else await _whole(response)
            async with aclosing(events(response.aiter_bytes(), self.place.base)) as stream:
                yield Said(response.status_code, refused), stream

    def provider(self, model: str, *, thinks: bool = False) -> OpenAIProvider:
        """The client that films are drafted with, for a model of this server; it may think a little if `thinks`."""
        known = capabilities_of("openai", model)
        can = Capabilities(
            levels=("off", "low") if thinks else ("off",), thought_tokens=64, body_bytes=known.body_bytes
        )
        asked = Asked(f"{self.place.base}/v1", model, key=self.place.key)
        found = OpenAIProvider(asked, self.policy, self._transport, capabilities=can)
        self._asking.append(found)
        return found

    async def aclose(self) -> None:
        """Close all connections."""
        for provider in self._asking:
            await provider.aclose()
        await self._client.aclose()

    def _headers(self, key: Secret | None) -> dict[str, str]:
        used = key or self.place.key
        return {"User-Agent": "adstudio"} | ({"Authorization": f"Bearer {used.reveal()}"} if used is not None else {})


async def _whole(response: httpx2.Response) -> bytes:
    data = bytearray()
    async for block in response.aiter_bytes():
        data += block
        if len(data) > LARGEST:
            break
    return bytes(data[:LARGEST])


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked: the way to the server, the model there, its context in tokens, and the numbered clip.

    `senseless` is what the model said in place of what it was told to; empty for one that does as it is told.
    """

    wire: Wire
    model: str
    context: int
    clip: bytes
    senseless: str = ""
