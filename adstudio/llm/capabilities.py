"""What each known model can do and costs. Ids are settings: a model that is not in the table is treated with care."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from adstudio.llm.messages import Thinking, Usage
from adstudio.system.resources import resource

THOUGHTS: dict[Thinking, int] = {"low": 1_024, "medium": 4_096, "high": 16_384}
"""Tokens of thought that each way of thinking may take, as far as the model takes so many."""
_ORDER: tuple[Thinking, ...] = ("off", "low", "medium", "high")


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model can be sent, and its price in US dollars for a million tokens (null where it is not known).

    `levels` are the ways of thinking that it knows; `thought_tokens` what each may take on top of the answer.
    `temperature` and `seed` say whether it heeds them. `body_bytes` is the largest request that servers take.
    `conversations`: it makes embeddings, and of conversations rather than of bare texts.
    """

    known: bool = False
    tokens_in: int = 32_768
    tokens_out: int = 8_192
    clips: int = 1
    images: int = 16
    clip_frames: int = 768
    schema: bool = True
    levels: tuple[Thinking, ...] = ("off",)
    thought_tokens: int = 0
    temperature: bool = True
    seed: bool = True
    body_bytes: int = 20_000_000
    conversations: bool = False
    usd_in: float | None = None
    usd_cached: float | None = None
    usd_out: float | None = None

    def level(self, wanted: Thinking) -> Thinking:
        """The nearest way of thinking that the model knows: as much as was wanted, else less, else its least."""
        wished = _ORDER[_ORDER.index(wanted) :: -1]
        for level in wished:
            if level in self.levels:
                return level
        return self.levels[0]

    @property
    def price_known(self) -> bool:
        """Whether anybody can tell what an answer costs."""
        return self.usd_in is not None and self.usd_out is not None

    @property
    def free(self) -> bool:
        """Whether it is known that an answer costs nothing by the token."""
        return self.usd_in == 0 and self.usd_out == 0

    def priced(self, usage: Usage) -> Usage:
        """The same usage with its price. Thoughts cost what the answer costs."""
        if self.usd_in is None or self.usd_out is None:
            return usage
        cached = min(usage.tokens_cached, usage.tokens_in)
        usd_cached = self.usd_in if self.usd_cached is None else self.usd_cached
        micro = (usage.tokens_in - cached) * self.usd_in + cached * usd_cached
        micro += (usage.tokens_out + usage.tokens_thought) * self.usd_out
        return Usage(usage.tokens_in, usage.tokens_cached, usage.tokens_out, usage.tokens_thought, round(micro))


def capabilities_of(kind: str, model: str, *, cloud: bool = False) -> Capabilities:
    """The table's row for a model of a kind of connection or provider: the longest id that begins its name.

    vLLM speaks OpenAI's protocol, and the table goes by protocol. A local server's tokens cost nothing, whichever model
    it is; what a provider takes (`cloud`) that is asked in OpenAI's protocol, the table does not know.
    """
    rows: dict[str, dict[str, Any]] = _table().get("openai" if kind == "vllm" else kind, {})
    plain = model.rsplit("/", 1)[-1].lower()
    found = max((name for name in rows if name != "default" and plain.startswith(name)), key=len, default=None)
    row: dict[str, Any] = {**rows.get("default", {}), **(rows[found] if found else {}), "known": found is not None}
    row["levels"] = tuple(row.get("levels", ("off",)))
    if cloud and kind != "gemini":
        row |= {"usd_in": None, "usd_cached": None, "usd_out": None}
    return Capabilities(**row)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(resource("models.toml").read_text("utf-8"))
