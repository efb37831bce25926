"""Requests to models and their responses, as all providers share them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from adstudio.llm.faults import FaultError
    from adstudio.llm.server_load import ServerLoad

FORMAT = "adstudio-ask/1"

CHARACTERS_A_TOKEN = 8
"""More characters than a token ever has."""

Thinking = Literal["off", "low", "medium", "high"]
"""How much a model may reason before it responds; off means as little as it can."""


@dataclass(frozen=True, slots=True)
class Text:
    """Text, sent as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """An encoded image."""

    data: bytes = field(repr=False)
    mime: str = "image/jpeg"


@dataclass(frozen=True, slots=True)
class Clip:
    """An encoded film clip of constant frame rate, since a model derives times from the frame count."""

    data: bytes = field(repr=False)
    mime: str = "video/mp4"
    fps: Fraction = Fraction(1)


Part = Text | Image | Clip


@dataclass(frozen=True, slots=True)
class Message:
    """One side's message. A model's own earlier response is text only, without its reasoning."""

    role: Literal["user", "model"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on a response.

    `tokens` is for the response itself; reasoning comes on top. `characters` bounds its memory, whatever the server
    does. `deadline` is in seconds for the whole request, retries and waits included.
    """

    tokens: int = 4096
    characters: int = 200_000
    deadline: float = 900.0

    @classmethod
    def of_answer(cls, tokens: int, *, deadline: float = 900.0) -> Limits:
        """Limits for a response of so many tokens, with room for the JSON around them."""
        return cls(tokens, CHARACTERS_A_TOKEN * tokens + 2_000, deadline)


@dataclass(frozen=True, slots=True)
class Request:
    """One request to a model.

    A follow-up about the same clip continues the earlier request (`continued`), so that servers can reuse their prefix
    cache. `schema` (JSON schema) constrains the response. `scene` is any text shared by all requests about one scene
    that reveals nothing of it, such as a hash: load balancers route them to the same machine. `repeat_paid` allows one
    more attempt even after text has arrived, which has to be paid for.
    """

    messages: tuple[Message, ...]
    system: str = ""
    schema: dict[str, Any] | None = None
    limits: Limits = Limits()
    thinking: Thinking = "off"
    temperature: float | None = None
    seed: int | None = None
    scene: str = ""
    repeat_paid: bool = False

    def continued(self, response: str, *parts: Part, schema: dict[str, Any] | None = None) -> Request:
        """The next request in the same conversation, after the model's answer (or the describer's edit of it)."""
        messages = (*self.messages, Message("model", (Text(response),)), Message("user", parts))
        return replace(self, messages=messages, schema=schema)

    def content_hash(self, provider: str) -> str:
        """A hash of everything that determines the response: content, settings and provider (its `name`)."""
        shapes = {
            "format": FORMAT,
            "provider": provider,
            "system": self.system,
            "turns": [[message.role, [_plain(part) for part in message.parts]] for message in self.messages],
            "schema": self.schema,
            "most": [self.limits.tokens, self.limits.characters],
            "how": [self.thinking, self.temperature, self.seed],
        }
        return sha256(json.dumps(shapes, ensure_ascii=True, separators=(",", ":")).encode()).hexdigest()


def scene_key(text: str) -> str:
    """A `Request.scene` for a text that identifies the scene: it reveals nothing of it."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def user(*parts: Part | str) -> Message:
    """A user message; strings become texts."""
    return Message("user", tuple(Text(part) if isinstance(part, str) else part for part in parts))


def _plain(part: Part) -> list[str]:
    match part:
        case Text(text):
            return ["text", text]
        case Image(data, mime):
            return ["image", mime, sha256(data).hexdigest()]
        case Clip(data, mime, fps):
            return ["clip", mime, str(fps), sha256(data).hexdigest()]


class State(StrEnum):
    """How a request ended."""

    COMPLETE = "complete"
    """The model finished."""
    TRUNCATED = "truncated"
    """Cut short: at the token limit, or the server was lost after text had arrived. The text is kept."""
    BLOCKED = "blocked"
    """The provider's filters blocked it: retrying does not help, another provider may."""
    REFUSED = "refused"
    """The model declined."""
    CANCELLED = "cancelled"
    """The user stopped it. The text so far is kept."""
    FAILED = "failed"
    """Nothing usable arrived; `Response.fault` says why."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a response used; `tokens_cached` are part of `tokens_in`, `tokens_thought` are not in `tokens_out`.

    `micro_usd` is the price in millionths of a US dollar, None if the model's price is unknown.
    """

    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    tokens_thought: int = 0
    micro_usd: int | None = None

    def __add__(self, other: Usage) -> Usage:
        """The sum; an unknown price makes the sum unknown."""
        known = None if self.micro_usd is None or other.micro_usd is None else self.micro_usd + other.micro_usd
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_cached + other.tokens_cached,
            self.tokens_out + other.tokens_out,
            self.tokens_thought + other.tokens_thought,
            known,
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """What has just arrived: more of the response text, more of the model's reasoning, or the server's load.

    `restarted`: an earlier attempt was abandoned and the response starts again from nothing. `retry_reason`: one
    sentence that says why the last attempt failed, sent before the wait for the next one. `load` comes alone.
    """

    text: str = ""
    thought: str = ""
    restarted: bool = False
    retry_reason: str = ""
    load: ServerLoad | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """The outcome of a request, in every state; `why` is a sentence unless it is complete.

    `fault` is set when something went wrong (always when failed). `model` is what the server reports, with its
    version if given. `seconds` covers the whole request, `attempts` counts how often it was sent. `fingerprint` is the
    server's name for its configuration (vLLM: version and settings) and `response_id` its id for the response: both are
    for the record only, "" if not given.
    """

    text: str
    state: State
    why: str = ""
    usage: Usage = Usage()
    model: str = ""
    seconds: float = 0.0
    attempts: int = 1
    fault: FaultError | None = None
    fingerprint: str = ""
    response_id: str = ""
