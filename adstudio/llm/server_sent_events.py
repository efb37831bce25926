"""Server-sent events as a stream of JSON objects: bounded, and tolerant of deviations by servers and proxies."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TYPE_CHECKING, Any, cast

from adstudio.llm.faults import FaultError, GarbledError, RunawayError
from adstudio.llm.json_fields import parsed

if TYPE_CHECKING:
    import httpx2

LARGEST_ERROR = 65_536
"""Bytes of an error body that are read."""


def kind_of(response: httpx2.Response) -> str:
    """The content type without parameters, "" if there is none."""
    return response.headers.get("content-type", "").split(";")[0].strip().lower()


async def bounded(response: httpx2.Response, most: int) -> bytes:
    """The response body, up to `most` bytes."""
    data = bytearray()
    async for block in response.aiter_bytes():
        data += block
        if len(data) > most:
            break
    return bytes(data[:most])


def json_object(data: bytes, place: str) -> dict[str, Any]:
    """The bytes parsed as a JSON object; raises GarbledError if they are not one."""
    found = parsed(data)
    if not isinstance(found, dict):
        raise GarbledError(f"{place} sent a malformed response: check its address and any proxy in front of it")
    return cast("dict[str, Any]", found)


LONGEST_LINE = 1_000_000
"""Bytes of one line or event; an event normally carries a few characters of the response."""
LEFT_S = 1.0
"""Seconds that a stream may take to end after [DONE]."""


async def lines(blocks: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """The lines of a stream without their ends (CR, LF or CRLF); raises RunawayError for an endless line."""
    # A bytearray, because a line may arrive byte by byte and must not be copied each time.
    rest = bytearray()
    returned = False
    async for block in blocks:
        if not block:
            continue
        # An LF after a CR at the end of the previous block belongs to that line end.
        fresh = block[1:] if returned and block.startswith(b"\n") else block
        returned = block.endswith(b"\r")
        for part in fresh.splitlines(keepends=True):
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
    return RunawayError("the server sent an endless line, so it was stopped: check any proxy in front of it")


async def events(blocks: AsyncIterator[bytes], place: str) -> AsyncGenerator[dict[str, Any]]:
    """The JSON object of each event until [DONE] (WHATWG HTML, section 9.2.6).

    A one-line event is yielded before its blank line, which some servers omit; so is the last event of a stream that
    breaks off.

    Raises:
        GarbledError: for data that is not a JSON object.
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
            continue  # keep-alive comments, event names
        data = plain[5:].strip()
        if not event and data == b"[DONE]":
            await _to_its_end(blocks)
            return
        # Complete JSON does not continue on a second line.
        if not event and isinstance(found := parsed(data), dict):
            yield cast("dict[str, Any]", found)
            continue
        event += data + b"\n"
        if len(event) > LONGEST_LINE:
            raise _endless()
    if event.strip():
        yield json_object(bytes(event), place)


async def _to_its_end(blocks: AsyncIterator[bytes]) -> None:
    """Drain a finished stream, so that it is logged as answered and not as aborted."""
    with contextlib.suppress(TimeoutError, FaultError):
        async with asyncio.timeout(LEFT_S):
            async for _ in blocks:
                pass
