"""Server-sent events, as a stream of JSON objects: bounded, and tolerant of what servers and proxies add."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, cast

from adstudio.candidates.provider.faults import FaultError, GarbledError, RunawayError
from adstudio.candidates.provider.fields import parsed

LONGEST_LINE = 1_000_000
"""Bytes of one event; an event carries a few letters of the answer."""
LEFT_S = 1.0
"""Seconds that a stream may take to end once it has said that nothing more comes."""


async def lines(blocks: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """The lines of a stream, each without its end.

    Raises:
        RunawayError: for a line that does not end.
    """
    # A line may come byte by byte: what there is of it is not copied each time.
    rest = bytearray()
    async for block in blocks:
        first, *others = block.split(b"\n")
        rest += first
        for other in others:
            yield bytes(rest).rstrip(b"\r")
            rest = bytearray(other)
        if len(rest) > LONGEST_LINE:
            raise RunawayError("the server sent a line without end, so it was stopped: look at the proxy before it")
    if rest:
        yield bytes(rest).rstrip(b"\r")


async def events(blocks: AsyncIterator[bytes], place: str) -> AsyncGenerator[dict[str, Any]]:
    """The JSON object of each event, until the one that says [DONE].

    Raises:
        GarbledError: for what is no JSON object.
        RunawayError: as `lines`.
    """
    async for line in lines(blocks):
        if not line.startswith(b"data:"):
            continue  # comments that keep the connection alive, names of events
        data = line[5:].strip()
        if data == b"[DONE]":
            await _to_its_end(blocks)
            return
        yield json_object(data, place)


async def _to_its_end(blocks: AsyncIterator[bytes]) -> None:
    """Read what is left of a stream that has said all, so that it counts as answered and not as broken off."""
    with contextlib.suppress(TimeoutError, FaultError):
        async with asyncio.timeout(LEFT_S):
            async for _ in blocks:
                pass


def json_object(data: bytes, place: str) -> dict[str, Any]:
    """A JSON object.

    Raises:
        GarbledError: when it is none.
    """
    found = parsed(data)
    if not isinstance(found, dict):
        raise GarbledError(f"{place} sent something that is not the protocol: check its address and what is before it")
    return cast("dict[str, Any]", found)
