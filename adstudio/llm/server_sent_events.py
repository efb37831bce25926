"""Server-sent events, as a stream of JSON objects: bounded, and tolerant of what servers and proxies add."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, cast

from adstudio.llm.faults import FaultError, GarbledError, RunawayError
from adstudio.llm.json_fields import parsed

LONGEST_LINE = 1_000_000
"""Bytes of one event; an event carries a few letters of the answer."""
LEFT_S = 1.0
"""Seconds that a stream may take to end once it has said that nothing more comes."""


async def lines(blocks: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """The lines of a stream, each without its end: CR, LF or both.

    Raises:
        RunawayError: for a line that does not end.
    """
    # A line may come byte by byte: what there is of it is not copied each time.
    rest = bytearray()
    returned = False
    async for block in blocks:
        if not block:
            continue
        # The LF of a CR that ended the block before belongs to that line.
        news = block[1:] if returned and block.startswith(b"\n") else block
        returned = block.endswith(b"\r")
        for part in news.splitlines(keepends=True):
            line = part.rstrip(b"\r\n")
            rest += line
            if len(line) < len(part):
                yield bytes(rest)
                rest = bytearray()
        if len(rest) > LONGEST_LINE:
            raise _endless()
    if rest:
        yield bytes(rest)


def _endless() -> RunawayError:
    return RunawayError("the server sent a line without end, so it was stopped: look at the proxy before it")


async def events(blocks: AsyncIterator[bytes], place: str) -> AsyncGenerator[dict[str, Any]]:
    """The JSON object of each event, until the one that says [DONE] (WHATWG HTML, section 9.2.6).

    An event of one line is told before the blank line behind it, which some servers leave out; so is the last one of a
    stream that breaks off.

    Raises:
        GarbledError: for what is no JSON object.
        RunawayError: as `lines`.
    """
    event = bytearray()
    first = True
    async for line in lines(blocks):
        plain = line.removeprefix(codecs.BOM_UTF8) if first else line
        first = False
        if not plain and event.strip():
            yield json_object(bytes(event), place)
        if not plain:
            event.clear()
        if not plain.startswith(b"data:"):
            continue  # comments that keep the connection alive, names of events
        data = plain[5:].strip()
        if not event and data == b"[DONE]":
            await _to_its_end(blocks)
            return
        # JSON that is whole does not go on in a second line.
        if not event and isinstance(found := parsed(data), dict):
            yield cast("dict[str, Any]", found)
            continue
        event += data + b"\n"
        if len(event) > LONGEST_LINE:
            raise _endless()
    if event.strip():
        yield json_object(bytes(event), place)


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
