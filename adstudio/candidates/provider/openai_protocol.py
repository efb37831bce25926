"""vLLM, and any server of the house that speaks the OpenAI protocol.

Spoken over HTTPX2 itself and not through the `openai` client, which is built on it: that client makes the whole body in
memory (290 MB for 50 MB of pictures), gathers events without bound, and retries by itself; what it would still give,
typed parameters, has no word for video. So the transport is ours alone to rule, and one dependency less.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import httpx2

from adstudio.candidates.provider import faults
from adstudio.candidates.provider.capabilities import Capabilities
from adstudio.candidates.provider.events import events, json_object
from adstudio.candidates.provider.gathering import End, Gathering
from adstudio.candidates.provider.http_faults import Said, fault_of, retry_after
from adstudio.candidates.provider.http_provider import HttpProvider
from adstudio.candidates.provider.model import Ask, Usage
from adstudio.candidates.provider.openai_body import Body, body_of
from adstudio.core.policy import Policy

if TYPE_CHECKING:
    from adstudio.candidates.provider.keys import Secret

KIND = "openai"
_LARGEST_ERROR = 65_536
_LARGEST_LIST = 1_000_000
_ENDS: dict[str, End] = {"stop": "stop", "length": "limit", "content_filter": "blocked"}


@dataclass(frozen=True, slots=True)
class Server:
    """A server: its address with the `/v1`, the model's name there, and whether it is vLLM."""

    url: str
    model: str
    vllm: bool = True
    salt: str = ""
    key: Secret | None = field(default=None, repr=False)


class OpenAIProvider(HttpProvider):
    """See `Provider`. All that it sends goes through `transport`."""

    def __init__(
        self,
        server: Server,
        policy: Policy,
        transport: httpx2.AsyncBaseTransport,
        *,
        capabilities: Capabilities | None = None,
    ) -> None:
        super().__init__(KIND, server.url, server.model, policy, transport, capabilities)
        self._server = server

    @property
    def name(self) -> str:
        """Its kind and model."""
        return f"{'vllm' if self._server.vllm else KIND} {self._server.model}"

    async def models(self) -> tuple[str, ...]:
        """See `Provider`."""
        async with self._http.stream("GET", self._url("models"), headers=self._headers()) as response:
            data = await bounded(response, _LARGEST_LIST)
            if response.status_code != 200:
                raise self._refusal(response, data)
        rows = json_object(data, self._place).get("data")
        return tuple(
            name for row in cast("list[Any]", rows if isinstance(rows, list) else []) if (name := _text(row, "id"))
        )

    async def _exchange(self, ask: Ask, gathering: Gathering) -> None:
        server = self._server
        body = body_of(ask, server.model, self._capabilities, vllm=server.vllm, salt=server.salt)
        self._require_size(body.length)
        async with self._post("chat/completions", body, ask.scene) as response:
            await self._listen(response, gathering)

    @contextlib.asynccontextmanager
    async def _post(self, path: str, body: Body, scene: str) -> AsyncGenerator[httpx2.Response]:
        """The answer to a body that was sent there, its refusal raised as a fault."""
        headers = self._headers() | {"Content-Type": "application/json", "Content-Length": str(body.length)}
        if scene:
            headers["X-Session-ID"] = scene
        async with self._http.stream("POST", self._url(path), headers=headers, content=body) as response:
            if response.status_code != 200:
                raise self._refusal(response, await bounded(response, _LARGEST_ERROR))
            yield response

    async def _listen(self, response: httpx2.Response, gathering: Gathering) -> None:
        kind = response.headers.get("content-type", "").split(";")[0].strip().lower()
        if kind == "application/json":  # a server that does not stream
            self._take(json_object(await bounded(response, _LARGEST_LIST), self._place), gathering)
            return
        if kind not in ("text/event-stream", ""):
            raise faults.GarbledError(f"{self._place} answered with {kind or 'nothing'}: check the server’s address")
        async with contextlib.aclosing(events(response.aiter_bytes(), self._place)) as stream:
            async for event in stream:
                self._take(event, gathering)

    def _take(self, event: dict[str, Any], gathering: Gathering) -> None:
        if event.get("error") is not None or event.get("object") == "error":
            raise self._error_in_stream(event)
        gathering.model = _text(event, "model") or gathering.model
        if isinstance(usage := event.get("usage"), dict):
            gathering.usage = usage_of(cast("dict[str, Any]", usage))
        choices = event.get("choices")
        if not isinstance(choices, list) or not choices:
            return
        choice: Any = cast("list[Any]", choices)[0]
        said = _part(choice, "delta") or _part(choice, "message")
        gathering.thought(_text(said, "reasoning") or _text(said, "reasoning_content"))
        gathering.text(_text(said, "content"))
        if refusal := _text(said, "refusal"):
            gathering.end, gathering.why = "refused", (gathering.why + refusal)[:400]
        reason = _text(choice, "finish_reason")
        if reason == "error":
            raise faults.ServerError(f"{self._place} failed in the middle of its answer: look at the server’s log")
        if reason and gathering.end != "refused":
            gathering.end = _ENDS.get(reason)
            gathering.why = "its content filter" if reason == "content_filter" else gathering.why

    def _error_in_stream(self, event: dict[str, Any]) -> faults.FaultError:
        error: Any = event.get("error") or event
        code: Any = cast("dict[str, Any]", error).get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and 400 <= code < 600 else 500
        words = _text(error, "message") or (error if isinstance(error, str) else "")
        return fault_of(Said(self._place, self._server.model, status, words), self._server.key)

    def _refusal(self, response: httpx2.Response, data: bytes) -> faults.FaultError:
        words = ""
        if "json" in response.headers.get("content-type", ""):
            with contextlib.suppress(faults.GarbledError):
                found = json_object(data, self._place)
                words = _text(_part(found, "error"), "message") or _text(found, "message") or _text(found, "detail")
                words = words or _text(found, "error")
        said = Said(self._place, self._server.model, response.status_code, words, retry_after(response.headers))
        return fault_of(said, self._server.key)

    def _url(self, path: str) -> str:
        return f"{self._server.url.strip().rstrip('/')}/{path}"

    def _headers(self) -> dict[str, str]:
        key = self._server.key
        return {"Accept": "text/event-stream, application/json", "User-Agent": "adstudio"} | (
            {"Authorization": f"Bearer {key.reveal()}"} if key is not None else {}
        )


def usage_of(usage: dict[str, Any]) -> Usage:
    """Tokens as the protocol counts them; what it counts as completion holds the thoughts."""
    thought = _number(_part(usage, "completion_tokens_details"), "reasoning_tokens")
    return Usage(
        tokens_in=_number(usage, "prompt_tokens"),
        tokens_cached=_number(_part(usage, "prompt_tokens_details"), "cached_tokens"),
        tokens_out=max(_number(usage, "completion_tokens") - thought, 0),
        tokens_thought=thought,
    )


async def bounded(response: httpx2.Response, most: int) -> bytes:
    """What comes of an answer, up to so many bytes."""
    data = bytearray()
    async for block in response.aiter_bytes():
        data += block
        if len(data) > most:
            break
    return bytes(data[:most])


def _part(of: Any, key: str) -> dict[str, Any]:  # noqa: ANN401 - whatever JSON holds
    found: Any = cast("dict[str, Any]", of).get(key) if isinstance(of, dict) else None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _text(of: Any, key: str) -> str:  # noqa: ANN401 - whatever JSON holds
    found: Any = cast("dict[str, Any]", of).get(key) if isinstance(of, dict) else None
    return found if isinstance(found, str) else ""


def _number(of: dict[str, Any], key: str) -> int:
    found = of.get(key)
    return found if isinstance(found, int) and found >= 0 else 0
