"""Request bodies of the OpenAI protocol, encoded while they are sent."""

from __future__ import annotations

import json
import re
import secrets
from base64 import b64encode
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import httpx2

from adstudio.llm.capabilities import THOUGHTS
from adstudio.llm.messages import Clip, Image, Message, Part, Request, Text

if TYPE_CHECKING:
    from adstudio.llm.capabilities import Capabilities

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
        for place, text in enumerate(self._texts):
            yield text
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
