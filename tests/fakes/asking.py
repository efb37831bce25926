"""Asking a provider in a test: its own loop, what was heard, what was logged."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from adstudio.llm.messages import Chunk, Clip, Image, Limits, Request, Response, user

SCHEMA = {
    "type": "object",
    "properties": {"salience_pct": {"type": "integer", "minimum": 1, "maximum": 99}},
    "required": ["salience_pct"],
    "additionalProperties": False,
}
CLIP = b"\x00\x00\x00\x18ftypmp42" + bytes(range(256)) * 400
FACE = b"\xff\xd8\xff\xe0face"


def an_ask(**how: Any) -> Request:
    parts = user("This is ANNA:", Image(FACE), Clip(CLIP), "What happens?")
    return Request((parts,), system="You describe films.", **{"limits": Limits(deadline=20.0), **how})


async def ask_of(provider: Any, ask: Request | None = None, heard: list[Chunk] | None = None) -> Response:
    heard = [] if heard is None else heard
    return await provider.send(an_ask() if ask is None else ask, heard.append, asyncio.Event())


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(30):
            return await work()

    return asyncio.run(bounded())
