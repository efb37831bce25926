"""What a model is asked and what it answers, whichever it is: the words that all providers share."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import asyncio

    from adstudio.llm.capabilities import Capabilities
    from adstudio.llm.faults import FaultError

FORMAT = "adstudio-ask/1"

CHARACTERS_A_TOKEN = 8
"""More than a token ever has."""

Thinking = Literal["off", "low", "medium", "high"]
"""How long a model may think before it answers; off is as little as it can."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words, sent as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture, encoded."""

    data: bytes = field(repr=False)
    mime: str = "image/jpeg"


@dataclass(frozen=True, slots=True)
class Clip:
    """A film clip, encoded, of constant frame rate: a model reads its times from the file alone."""

    data: bytes = field(repr=False)
    mime: str = "video/mp4"
    fps: Fraction = Fraction(1)


Part = Text | Image | Clip


@dataclass(frozen=True, slots=True)
class Message:
    """What one side says. A model's own earlier answer is text alone, without its thoughts."""

    role: Literal["user", "model"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """What an answer may take.

    `tokens` is for the answer itself; what a model may think comes on top of it. `characters` bounds the memory that an
    answer can take, whatever the server does. `deadline` is in seconds for the whole ask, tries and waits included.
    """

    tokens: int = 4096
    characters: int = 200_000
    deadline: float = 900.0

    @classmethod
    def of_answer(cls, tokens: int, *, deadline: float = 900.0) -> Limits:
        """For an answer of so many tokens, each of no more letters than one ever has, and what stands around them."""
        return cls(tokens, CHARACTERS_A_TOKEN * tokens + 2_000, deadline)


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model.

    A later prompt about the same clip is the earlier ask, continued (`continued`): servers then know its beginning.
    `schema` (JSON schema) binds the answer to JSON of that shape. `scene` is any text that is the same for all asks of
    one scene and tells nothing of it, such as a hash: servers that share work send them to the same machine.
    `repeat_paid` allows one more try even where the first has brought words, which are paid for.
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
        """The next question in the same conversation, after the model's answer (or the describer's version of it)."""
        messages = (*self.messages, Message("model", (Text(response),)), Message("user", parts))
        return replace(self, messages=messages, schema=schema)

    def content_hash(self, provider: str) -> str:
        """A hash of all that shapes the answer: what is asked, how, and of which provider (its `name`)."""
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


def user(*parts: Part | str) -> Message:
    """What we say; strings are texts."""
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
    """How an ask ended."""

    COMPLETE = "complete"
    """The model came to its end."""
    TRUNCATED = "truncated"
    """The answer is cut short: at its limit, or the server was lost after words had come. What came is kept."""
    BLOCKED = "blocked"
    """The provider's own filters withheld it: asking again does not help, another provider may."""
    REFUSED = "refused"
    """The model declined."""
    CANCELLED = "cancelled"
    """The describer stopped it. What came is kept."""
    FAILED = "failed"
    """Nothing of use came; `Response.fault` says why."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer took, in tokens; `cached` are among those that went in, `thought` come on top of those out.

    `micro_usd` is its price in millionths of a US dollar; null where the model's price is not known.
    """

    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    tokens_thought: int = 0
    micro_usd: int | None = None

    def __add__(self, other: Usage) -> Usage:
        """The two together; a price that is not known makes the sum unknown."""
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
    """What has just arrived: more of the response text, more of the model's reasoning, or both.

    `restarted`: an earlier attempt was abandoned and the response starts again from nothing. `retry_reason`: one
    sentence that says why the last attempt failed, sent before the wait for the next one.
    """

    text: str = ""
    thought: str = ""
    restarted: bool = False
    retry_reason: str = ""


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


OnChunk = Callable[[Chunk], None]


class Provider(Protocol):
    """A model that can be asked.

    One provider serves many concurrent requests in one event loop. External failures are never raised: they are a
    `Response` with a fault. Cancelling the sending task closes the connection and raises `CancelledError` as usual.
    """

    @property
    def name(self) -> str:
        """What shapes its answers: its kind and model. Part of `Request.content_hash`, and of the provenance."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can do and costs."""
        ...

    async def send(self, request: Request, on_chunk: OnChunk, stop: asyncio.Event) -> Response:
        """Send it and gather the answer; `on_chunk` hears it come, in the same thread; setting `stop` ends it."""
        ...

    async def models(self) -> tuple[str, ...]:
        """The names of the models that the server has: a test of the connection.

        Raises:
            FaultError: when it cannot be asked.
        """
        ...

    async def aclose(self) -> None:
        """Close all connections."""
        ...
