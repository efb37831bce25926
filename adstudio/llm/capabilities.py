"""What each known model supports and costs. Unknown models get conservative defaults."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from adstudio.llm.messages import Thinking, Usage
from adstudio.system.locations import resource

THOUGHTS: dict[Thinking, int] = {"low": 1_024, "medium": 4_096, "high": 16_384}
"""Reasoning tokens allowed at each level, capped by what the model supports."""
_ORDER: tuple[Thinking, ...] = ("off", "low", "medium", "high")


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model accepts, and its price in US dollars per million tokens (None if unknown).

    `levels` are its reasoning levels; `thought_tokens` is the most that reasoning may use on top of the response.
    `temperature` and `seed` say whether it honours them. `body_bytes` is the largest request body that servers accept.
    `conversations`: an embedding model that embeds conversations rather than plain texts.
    """

    known: bool = False
    tokens_in: int = 32_768
    tokens_out: int = 8_192
    clips: int = 1
    images: int = 16
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
        """The closest supported reasoning level: the one wanted, else a lower one, else the model's lowest."""
        for level in _ORDER[_ORDER.index(wanted) :: -1]:
            if level in self.levels:
                return level
        return self.levels[0]

    @property
    def price_known(self) -> bool:
        """Whether the price of a response can be computed."""
        return self.usd_in is not None and self.usd_out is not None

    @property
    def free(self) -> bool:
        """Whether tokens are known to cost nothing."""
        return self.usd_in == 0 and self.usd_out == 0

    def priced(self, usage: Usage) -> Usage:
        """The same usage with its price. Reasoning tokens cost as much as output tokens."""
        if self.usd_in is None or self.usd_out is None:
            return usage
        cached = min(usage.tokens_cached, usage.tokens_in)
        usd_cached = self.usd_in if self.usd_cached is None else self.usd_cached
        micro = (usage.tokens_in - cached) * self.usd_in + cached * usd_cached
        micro += (usage.tokens_out + usage.tokens_thought) * self.usd_out
        return replace(usage, micro_usd=round(micro))


def capabilities_of(kind: str, model: str, *, cloud: bool = False) -> Capabilities:
    """The table's entry for a model: the one with the longest id that is a prefix of the model's name.

    The table is keyed by protocol; vLLM speaks OpenAI's. A local server's tokens are free for any model; prices of
    cloud providers that speak OpenAI's protocol (`cloud`) are not in the table, so they are unknown.
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
