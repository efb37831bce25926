"""Gemini through Google's own client, which sends through our transport like everything else.

The client only builds requests and parses responses: it does not retry, use a proxy, follow redirects, or open a
connection that the transport did not permit.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import httpx2

from adstudio.core.optional_parts import install_packages
from adstudio.core.policy import Policy
from adstudio.llm import faults
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.cloud_hosts import CLOUD_HOSTS
from adstudio.llm.embedding_format import as_text
from adstudio.llm.finish_reasons import block_words
from adstudio.llm.http_faults import http_error, stream_error
from adstudio.llm.http_provider import HttpProvider
from adstudio.llm.keys import Secret
from adstudio.llm.messages import Clip, Image, Part, Request, Text, Thinking, Usage
from adstudio.llm.network_backend import closing_responses
from adstudio.llm.policy_enforcement import host_of, permit
from adstudio.llm.response import ResponseBuilder
from adstudio.llm.server_sent_events import LARGEST_ERROR, bounded, events, kind_of

if TYPE_CHECKING:
    from google.genai import types

    from adstudio.llm.keys import Secret

_SUPPORTED = frozenset(
    (
        *("type", "format", "title", "description", "enum", "items", "prefixItems", "minItems", "maxItems", "minimum"),
        *("maximum", "anyOf", "oneOf", "properties", "additionalProperties", "required", "propertyOrdering"),
        *("$defs", "$ref"),
    )
)
"""Keywords of JSON schema that Gemini supports."""
_NAMED = frozenset(("properties", "$defs"))
"""Keywords whose keys are names rather than keywords."""


def for_gemini(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema as far as Gemini supports it; the rest is checked when the response has arrived."""
    plain = dict(schema)
    if "const" in plain:
        plain["enum"] = [plain["const"]]
    for bound, word, step in (("minimum", "exclusiveMinimum", 1), ("maximum", "exclusiveMaximum", -1)):
        if isinstance(limit := plain.get(word), int):
            plain.setdefault(bound, limit + step)
    if "properties" in plain:
        plain.setdefault("propertyOrdering", list(plain["properties"]))
    return {word: _inside(word, value) for word, value in plain.items() if word in _SUPPORTED}


def _inside(word: str, value: Any) -> Any:  # noqa: ANN401 - whatever a schema holds
    if word in _NAMED and isinstance(value, dict):
        return {name: for_gemini(each) for name, each in cast("dict[str, dict[str, Any]]", value).items()}
    if word in ("enum", "required", "propertyOrdering", "type"):
        return value
    if isinstance(value, dict):
        return for_gemini(cast("dict[str, Any]", value))
    if isinstance(value, list):
        return [for_gemini(cast("dict[str, Any]", each)) if isinstance(each, dict) else each for each in value]  # pyright: ignore[reportUnknownVariableType]
    return value


KIND = "gemini"
_LEVELS: dict[Thinking, str] = {"off": "MINIMAL", "low": "LOW", "medium": "MEDIUM", "high": "HIGH"}
_FILTERS = ("HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT")
"""Filters to switch off, since films contain all of these; what Google never allows is blocked all the same."""
MOST_MODELS = 1_000
"""Model names read from a list, at most."""


@dataclass(frozen=True, slots=True)
class Account:
    """A Gemini model and its API key. Another address is for tests and on-premises gateways."""

    model: str
    key: Secret
    url: str = f"https://{CLOUD_HOSTS[KIND][0]}"


class GeminiProvider(HttpProvider):
    """See `Provider`. Everything goes through `transport`.

    Google's client is only loaded by the first permitted request: loading takes a second, and one of its libraries
    probes the network on import.
    """

    def __init__(
        self,
        account: Account,
        policy: Policy,
        transport: httpx2.AsyncBaseTransport,
        *,
        capabilities: Capabilities | None = None,
    ) -> None:
        reading = GoogleTransport(transport, str(host_of(account.url)), account.model, account.key)
        super().__init__(KIND, account.url, account.model, policy, reading, capabilities, account.key)
        self._account = account
        self._loaded: Any = None

    async def _models(self) -> list[str]:
        self._permit()
        client = self._client()
        names: list[str] = []
        async with (
            closing_responses(),
            contextlib.aclosing(client_chunks(client.aio.models.list, self._account)) as found,
        ):
            async for model in found:
                names.append(str(model.name or "").removeprefix("models/"))
                if len(names) == MOST_MODELS:  # the pages of a list may never end
                    break
        return names

    def _permit(self) -> None:
        host = self._host
        permit(self._policy, "http" if host.plain else "https", host.name, host.port)

    async def _exchange(self, request: Request, builder: ResponseBuilder) -> None:
        self._permit()
        parts = [part for message in request.messages for part in message.parts]
        self._require_size(sum(len(part.data) for part in parts if not isinstance(part, Text)) * 4 // 3)
        self._client()
        seen: set[str] = set()
        shown = any(isinstance(part, Clip) for part in parts)
        async with contextlib.aclosing(client_chunks(lambda: self._opened(request), self._account)) as chunks:
            async for chunk in chunks:
                seen |= _read_event(chunk, builder)
                builder.unseen = shown and bool(seen) and "VIDEO" not in seen

    async def _opened(self, request: Request) -> Any:  # noqa: ANN401 - the client's own, an asynchronous iterator
        return await self._client().aio.models.generate_content_stream(
            model=self._account.model, contents=[*contents_of(request)], config=self._config(request)
        )

    def _client(self) -> Any:  # noqa: ANN401 - the client's own
        if self._loaded is None:
            try:
                from google import genai
                from google.genai import types
            except ImportError:
                raise faults.ClientMissingError(
                    f"Google’s client library for Gemini is not installed: {install_packages('google-genai')}"
                ) from None
            options = types.HttpOptions(
                base_url=self._account.url,
                httpx_async_client=self._http,
                httpx_client=httpx2.Client(transport=_BlockedTransport(), trust_env=False),
            )
            self._loaded = genai.Client(vertexai=False, api_key=self._account.key.reveal(), http_options=options)
        return self._loaded

    def _config(self, request: Request) -> types.GenerateContentConfig:
        from google.genai import types

        known = self._capabilities
        level = known.level(request.thinking)
        config = types.GenerateContentConfig(
            system_instruction=request.system or None,
            max_output_tokens=min(request.limits.tokens + known.thought_tokens, known.tokens_out),
            temperature=request.temperature if known.temperature else None,
            seed=request.seed if known.seed else None,
            safety_settings=[
                types.SafetySetting(
                    category=types.HarmCategory(f"HARM_CATEGORY_{name}"), threshold=types.HarmBlockThreshold.OFF
                )
                for name in _FILTERS
            ],
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            http_options=types.HttpOptions(timeout=max(int(request.limits.deadline * 1000), 1)),
        )
        if request.schema is not None and known.schema:
            config.response_mime_type = "application/json"
            config.response_json_schema = for_gemini(request.schema)
        if known.known:
            config.thinking_config = types.ThinkingConfig(
                thinking_level=types.ThinkingLevel(_LEVELS[level]), include_thoughts=level != "off"
            )
        return config


async def client_chunks(opened: Callable[[], Awaitable[Any]], account: Account) -> AsyncGenerator[Any]:
    """The client's chunks, with faults in place of its own errors.

    The faults are raised outside the handlers, because the client's errors hold the request and so the key.
    """
    from google.genai import errors

    fault: faults.FaultError | None = None
    stream: Any = None
    while fault is None:
        try:
            stream = await opened() if stream is None else stream
            chunk = await anext(stream)
        except StopAsyncIteration:
            return
        except faults.FaultError as error:
            fault = error
        except (errors.APIError, ValueError, TypeError, AttributeError, LookupError):
            # What the client raises for malformed responses; HTTP errors never reach it.
            fault = faults.GarbledError(
                f"{host_of(account.url)} sent a malformed response: check its address and any proxy in front of it"
            )
        else:
            yield chunk
    raise fault


class _BlockedTransport(httpx2.BaseTransport):
    """In place of the client's synchronous transport, which nothing here uses."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Never."""
        raise faults.NotAllowedError(f"nothing is sent to {request.url.host} except through the project’s transport")


def contents_of(request: Request) -> tuple[types.Content, ...]:
    """The conversation in Gemini's format, clips and images included."""
    from google.genai import types

    return tuple(
        types.Content(role=message.role, parts=[_content(part) for part in message.parts])
        for message in request.messages
    )


def _content(part: Part) -> types.Part:
    from google.genai import types

    match part:
        case Text(text):
            return types.Part(text=text)
        case Image(data, mime):
            return types.Part(inline_data=types.Blob(data=data, mime_type=mime))
        case Clip(data, mime, fps):
            blob = types.Blob(data=data, mime_type=mime)
            return types.Part(
                inline_data=blob, video_metadata=None if fps == 1 else types.VideoMetadata(fps=float(fps))
            )


def _read_event(chunk: types.GenerateContentResponse, builder: ResponseBuilder) -> set[str]:
    """Take one chunk; returns the modalities that the model reports having been shown."""
    builder.model = chunk.model_version or builder.model
    builder.response_id = chunk.response_id or builder.response_id
    seen: set[str] = set()
    if (usage := chunk.usage_metadata) is not None:
        builder.usage = Usage(
            tokens_in=usage.prompt_token_count or 0,
            tokens_cached=usage.cached_content_token_count or 0,
            tokens_out=usage.candidates_token_count or 0,
            tokens_thought=usage.thoughts_token_count or 0,
        )
        seen = {
            str(detail.modality.value) for detail in usage.prompt_tokens_details or [] if detail.modality is not None
        }
    feedback = chunk.prompt_feedback
    if feedback is not None and feedback.block_reason is not None:
        builder.end, builder.why = "blocked", block_words(feedback.block_reason.value)
    candidate = (chunk.candidates or [None])[0]
    if candidate is None:
        return seen
    for part in (candidate.content.parts if candidate.content is not None else None) or []:
        (builder.thought if part.thought else builder.text)(part.text or "")
    if candidate.finish_reason is not None:
        # Google's own "other" is not the model's end, as an unknown name is.
        reason = candidate.finish_reason.value
        builder.note_end("SAFETY" if reason == "OTHER" else reason)
        builder.why = block_words(reason) if builder.end == "blocked" else builder.why
    return seen


TASK = "SEMANTIC_SIMILARITY"
"""The embeddings are compared with one another."""


class GeminiEmbeddings(GeminiProvider):
    """Embeds texts, one message each; see `Provider`. The response is in `embedding_format`."""

    purpose = " embeddings"

    async def _exchange(self, request: Request, builder: ResponseBuilder) -> None:
        self._permit()
        if not all(isinstance(part, Text) for message in request.messages for part in message.parts):
            raise faults.BadRequestError(f"{self._place} only embeds text")
        self._client()
        async with contextlib.aclosing(client_chunks(partial(self._opened, request), self._account)) as found:
            async for response in found:
                embeddings: list[Any] = response.embeddings or []
                rows: list[dict[str, Any]] = [{"embedding": each.values} for each in embeddings]
                builder.lines(as_text(rows, len(request.messages), self._place))
        builder.end = "stop"

    async def _opened(self, request: Request) -> Any:  # noqa: ANN401 - the client's own
        from google.genai import types

        options = types.HttpOptions(timeout=max(int(request.limits.deadline * 1000), 1))
        return _one(
            await self._client().aio.models.embed_content(
                model=self._account.model,
                contents=[*contents_of(request)],
                config=types.EmbedContentConfig(task_type=TASK, http_options=options),
            )
        )


async def _one(response: Any) -> AsyncGenerator[Any]:  # noqa: ANN401 - the client's own
    yield response


class GoogleTransport(httpx2.AsyncBaseTransport):
    """Sends through another transport, raises HTTP errors as faults, and normalises event streams."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, place: str, model: str, key: Secret) -> None:
        self._inner = inner
        self._place, self._model, self._key = place, model, key

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; raises FaultError for an HTTP error."""
        response = await self._inner.handle_async_request(request)
        if response.status_code != 200:
            try:
                data = await bounded(response, LARGEST_ERROR)
            finally:
                await response.aclose()
            raise http_error(response, data, self._place, self._model, self._key)
        if kind_of(response) != "text/event-stream":
            return response
        stream = _Events(response, self._place, self._model, self._key)
        return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, stream=stream)

    async def aclose(self) -> None:
        """Close the other transport."""
        await self._inner.aclose()


class _Events(httpx2.AsyncByteStream):
    """A stream in the form that Google's client reads; an error event is raised as a fault."""

    def __init__(self, response: httpx2.Response, place: str, model: str, key: Secret) -> None:
        self._response = response
        self._place, self._model, self._key = place, model, key

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async with contextlib.aclosing(events(self._response.aiter_bytes(), self._place)) as found:
            async for event in found:
                if event.get("error") is not None:
                    raise stream_error(event, self._place, self._model, self._key)
                yield b"data: %s\n\n" % json.dumps(event).encode()

    async def aclose(self) -> None:
        await self._response.aclose()
