"""vLLM, and any other server that speaks the OpenAI protocol.

Uses HTTPX2 directly rather than the `openai` client, which builds the whole body in memory (290 MB for 50 MB of
images), buffers events without bound, retries by itself, and has no typed parameters for video.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
from base64 import b64encode
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import httpx2

from adstudio.core.policy import Policy
from adstudio.llm import faults
from adstudio.llm.capabilities import THOUGHTS, Capabilities
from adstudio.llm.embedding_format import as_text
from adstudio.llm.http_faults import http_error, stream_error
from adstudio.llm.http_provider import HttpProvider
from adstudio.llm.json_fields import number, part, quotable, rows, text
from adstudio.llm.messages import Clip, Image, Message, Part, Request, Text, Usage
from adstudio.llm.response import ResponseBuilder
from adstudio.llm.server_load import LOAD_HEADER
from adstudio.llm.server_sent_events import LARGEST_ERROR, bounded, events, json_body, json_object, kind_of

if TYPE_CHECKING:
    from adstudio.llm.keys import Secret

KIND = "openai"
_LARGEST_LIST = 1_000_000
_LARGEST_EMBEDDINGS = 16_000_000
"""Bytes of a response at most: 32 embeddings of 8,192 numbers, in decimal, are about 6 MB."""
GRACE_S = 10.0
"""Seconds in which more may come after the end was named: usage does, while some servers never end the stream."""
_BLOCK = 3 * 16_384
_MARKS = re.compile(r"(?i)<\|[^|<>\n]{1,60}\|>|</?(?:think|tool_call|tool_response)>")
INSTRUCTION = "Represent the user's input."
"""Qwen3-VL-Embedding's default instruction."""


class Body(httpx2.AsyncByteStream):
    """A request body. Images are base64-encoded block by block while sending, so they are never in memory twice."""

    def __init__(self, skeleton: str, mark: str, blobs: list[bytes]) -> None:
        self._texts = [chunk.encode() for chunk in skeleton.split(mark)]
        self._blobs = blobs

    @property
    def length(self) -> int:
        """Its length in bytes."""
        return sum(map(len, self._texts)) + sum((len(blob) + 2) // 3 * 4 for blob in self._blobs)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for place, piece in enumerate(self._texts):
            yield piece
            if place < len(self._blobs):
                blob = memoryview(self._blobs[place])
                for start in range(0, len(blob), _BLOCK):
                    yield b64encode(blob[start : start + _BLOCK])


def body_of(request: Request, model: str, capabilities: Capabilities, *, vllm: bool, salt: str) -> Body:
    """The request body. `vllm` adds vLLM's own fields; `salt` isolates the project's entries in the server's cache."""
    mark = secrets.token_hex(24)
    blobs: list[bytes] = []
    messages: list[dict[str, Any]] = [{"role": "system", "content": harmless(request.system)}] if request.system else []
    for message in request.messages:
        if message.role == "model":
            messages.append({"role": "assistant", "content": harmless(_text_of(message))})
        else:
            messages.append({"role": "user", "content": [_content(part, mark, blobs) for part in message.parts]})
    level = capabilities.level(request.thinking)
    thoughts = min(THOUGHTS.get(level, 0), capabilities.thought_tokens)
    payload: dict[str, Any] = {
        "model": model,
        "messages": messages,
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": min(request.limits.tokens, capabilities.tokens_out) + thoughts,
    }
    if request.schema is not None and capabilities.schema:
        named = {"name": "answer", "schema": request.schema, "strict": True}
        payload["response_format"] = {"type": "json_schema", "json_schema": named}
    if request.temperature is not None and capabilities.temperature:
        payload["temperature"] = request.temperature
    if request.seed is not None and capabilities.seed:
        payload["seed"] = request.seed
    if vllm:
        # With each chunk, so that usage is known even when the request is stopped.
        payload["stream_options"]["continuous_usage_stats"] = True
        # No sampling options for clips: vLLM 0.32 rejects a request's mm_processor_kwargs unless its administrator
        # allows them, and by default it uses every frame of a clip of up to 2 fps.
        payload["chat_template_kwargs"] = {"enable_thinking": level != "off"}
        if level != "off":
            payload["thinking_token_budget"] = thoughts
        if salt:
            payload["cache_salt"] = salt
    return Body(json.dumps(payload, ensure_ascii=False, separators=(",", ":")), mark, blobs)


def embeddings_body(request: Request, model: str, capabilities: Capabilities, *, vllm: bool, salt: str) -> Body:
    """The body of a request for embeddings, one per message.

    Plain texts go as `input`. Clips and images, anything with an instruction (`Request.system`), and all input of
    models that embed conversations go as conversations, which only vLLM accepts, in the form that the authors of
    Qwen3-VL-Embedding use: an instruction, the input, and an empty assistant message.
    """
    mark = secrets.token_hex(24)
    blobs: list[bytes] = []
    payload: dict[str, Any] = {"model": model, "encoding_format": "base64"}
    bare = all(isinstance(part, Text) for message in request.messages for part in message.parts)
    if bare and not request.system and not capabilities.conversations:
        payload["input"] = [harmless(_text_of(message)) for message in request.messages]
    else:
        instruction = {"role": "system", "content": [{"type": "text", "text": request.system or INSTRUCTION}]}
        coming = {"role": "assistant", "content": [{"type": "text", "text": ""}]}
        talks = [
            [instruction, {"role": "user", "content": [_content(part, mark, blobs) for part in message.parts]}, coming]
            for message in request.messages
        ]
        payload["messages"] = talks[0] if len(talks) == 1 else talks
        payload |= {"continue_final_message": True, "add_special_tokens": True}
    if vllm and salt:
        payload["cache_salt"] = salt
    return Body(json.dumps(payload, ensure_ascii=False, separators=(",", ":")), mark, blobs)


def _text_of(message: Message) -> str:
    return "".join(part.text for part in message.parts if isinstance(part, Text))


def harmless(text: str) -> str:
    """The text without a chat template's control tokens: a subtitle could otherwise end our message."""
    return _MARKS.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)


def _content(part: Part, mark: str, blobs: list[bytes]) -> dict[str, Any]:
    match part:
        case Text(text):
            return {"type": "text", "text": harmless(text)}
        case Image(data, mime):
            blobs.append(data)
            return {"type": "image_url", "image_url": {"url": f"data:{mime};base64,{mark}"}}
        case Clip(data, mime, _):
            blobs.append(data)
            return {"type": "video_url", "video_url": {"url": f"data:{mime};base64,{mark}"}}


@dataclass(frozen=True, slots=True)
class Server:
    """A server: its address including `/v1`, the model's name there, and whether it is vLLM."""

    url: str
    model: str
    vllm: bool = True
    salt: str = ""
    key: Secret | None = field(default=None, repr=False)


class OpenAIProvider(HttpProvider):
    """See `Provider`. Everything goes through `transport`."""

    def __init__(
        self,
        server: Server,
        policy: Policy,
        transport: httpx2.AsyncBaseTransport,
        *,
        capabilities: Capabilities | None = None,
    ) -> None:
        super().__init__(KIND, server.url, server.model, policy, transport, capabilities, server.key)
        self._server = server

    @property
    def name(self) -> str:
        """See `Provider`."""
        return f"{'vllm' if self._server.vllm else KIND} {self._server.model}{self.purpose}"

    async def _models(self) -> list[str]:
        async with self._http.stream("GET", self._url("models"), headers=self._headers()) as response:
            data = await bounded(response, _LARGEST_LIST)
            if response.status_code != 200:
                raise self._refusal(response, data)
        return [text(row, "id") for row in rows(json_object(data, self._place), "data")]

    async def _exchange(self, request: Request, builder: ResponseBuilder) -> None:
        server = self._server
        body = body_of(request, server.model, self._capabilities, vllm=server.vllm, salt=server.salt)
        self._require_size(body.length)
        async with self._post("chat/completions", body, request.scene, builder) as response:
            await self._read(response, builder)

    @contextlib.asynccontextmanager
    async def _post(
        self, path: str, body: Body, scene: str, builder: ResponseBuilder
    ) -> AsyncGenerator[httpx2.Response]:
        """The response to a POST, with HTTP errors raised as faults."""
        headers = self._headers() | {"Content-Type": "application/json", "Content-Length": str(body.length)}
        if scene:
            headers["X-Session-ID"] = scene
        async with self._http.stream("POST", self._url(path), headers=headers, content=body) as response:
            builder.load(response.headers.get(LOAD_HEADER, ""))
            if response.status_code != 200:
                raise self._refusal(response, await bounded(response, LARGEST_ERROR))
            yield response

    async def _read(self, response: httpx2.Response, builder: ResponseBuilder) -> None:
        kind = kind_of(response)
        if kind == "application/json":  # from a server that does not stream
            self._read_event(await json_body(response, _LARGEST_LIST, self._place), builder)
            builder.note_done()
            return
        if kind not in ("text/event-stream", ""):
            raise faults.GarbledError(f"{self._place} responded with {quotable(kind, 80)}: check the server’s address")
        found = events(response.aiter_bytes(), self._place, builder.note_done)
        grace = asyncio.timeout(None)
        try:
            async with contextlib.aclosing(found) as stream, grace:
                async for event in stream:
                    self._read_event(event, builder)
                    grace.reschedule(asyncio.get_running_loop().time() + GRACE_S if builder.ended else None)
        except TimeoutError:
            if not grace.expired():
                raise

    def _read_event(self, event: dict[str, Any], builder: ResponseBuilder) -> None:
        if event.get("error") is not None or event.get("object") == "error":
            raise stream_error(event, self._place, self._server.model, self._server.key)
        read_identity(event, builder)
        if usage := part(event, "usage"):
            builder.usage = usage_of(usage)
        # Only one choice was requested; ignore any other.
        choice: Any = next((each for each in rows(event, "choices") if not number(each, "index")), None)
        if usage and choice is None and builder.has_text:
            builder.note_done()  # usage on its own is sent after the last chunk
        said = part(choice, "delta")
        if not said and not builder.has_text:  # some servers send the whole message again at the end
            said = part(choice, "message")
        builder.thought(text(said, "reasoning") or text(said, "reasoning_content"))
        self._read_content(said.get("content"), builder)
        builder.called_tool = builder.called_tool or bool(rows(said, "tool_calls") or part(said, "function_call"))
        if refusal := text(said, "refusal"):
            builder.end, builder.why = "refused", (builder.why + refusal)[:400]
        builder.note_end(text(choice, "finish_reason"))

    def _read_content(self, content: object, builder: ResponseBuilder) -> None:
        """Add a message's content: text, or a list of parts, as Mistral's reasoning models send it."""
        if isinstance(content, str):
            builder.text(content)
        for each in cast("list[object]", content) if isinstance(content, list) else ():
            if isinstance(each, str):
                builder.text(each)
                continue
            kind = text(each, "type")
            if kind in ("thinking", "reasoning"):
                builder.thought(text(each, kind) or text(each, "text"))
                for thought in rows(each, kind):
                    builder.thought(text(thought, "text"))
            elif kind != "refusal":
                builder.text(text(each, "text") or text(part(each, "text"), "value"))
            elif refusal := text(each, "refusal"):
                builder.end, builder.why = "refused", (builder.why + refusal)[:400]

    def _refusal(self, response: httpx2.Response, data: bytes) -> faults.FaultError:
        return http_error(response, data, self._place, self._server.model, self._server.key)

    def _url(self, path: str) -> str:
        return f"{self._server.url.strip().rstrip('/')}/{path}"

    def _headers(self) -> dict[str, str]:
        key = self._server.key
        return {"Accept": "text/event-stream, application/json", "User-Agent": "adstudio"} | (
            {"Authorization": f"Bearer {key.reveal()}"} if key is not None else {}
        )


def read_identity(event: dict[str, Any], builder: ResponseBuilder) -> None:
    """Take the model's name, fingerprint and response id: in any event, or only in the first or last."""
    builder.model = text(event, "model") or builder.model
    builder.fingerprint = text(event, "system_fingerprint") or builder.fingerprint
    builder.response_id = text(event, "id") or builder.response_id


def usage_of(usage: dict[str, Any]) -> Usage:
    """Usage from the protocol's counts, where completion tokens include reasoning."""
    thought = number(part(usage, "completion_tokens_details"), "reasoning_tokens") or 0
    return Usage(
        tokens_in=number(usage, "prompt_tokens") or 0,
        tokens_cached=number(part(usage, "prompt_tokens_details"), "cached_tokens") or 0,
        tokens_out=max((number(usage, "completion_tokens") or 0) - thought, 0),
        tokens_thought=thought,
    )


class OpenAIEmbeddings(OpenAIProvider):
    """Embeds text, or clips with vLLM as a pooling server, one message each; see `Provider`.

    A vLLM engine either generates or embeds (`vllm serve … --runner pooling`), so embeddings need their own connection.
    The response is in `embedding_format`.
    """

    purpose = " embeddings"

    async def _exchange(self, request: Request, builder: ResponseBuilder) -> None:
        server = self._server
        body = embeddings_body(request, server.model, self._capabilities, vllm=server.vllm, salt=server.salt)
        self._require_size(body.length)
        async with self._post("embeddings", body, request.scene, builder) as response:
            data = await json_body(response, _LARGEST_EMBEDDINGS, self._place)
        builder.usage = usage_of(part(data, "usage"))
        read_identity(data, builder)
        builder.lines(as_text(data.get("data"), len(request.messages), self._place))
        builder.end = "stop"
