"""Server-sent events as a stream of JSON objects: bounded, and tolerant of deviations by servers and proxies."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, cast

from adstudio.llm.faults import FaultError, GarbledError, LostError, RunawayError
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


async def json_body(response: httpx2.Response, most: int, place: str) -> dict[str, Any]:
    """The response body, up to `most` bytes, as a JSON object, whatever comes of the connection behind its end.

    Raises:
        LostError: if the connection was lost before the object was complete, whatever the framing.
        GarbledError: if it is anything else.
    """
    data = bytearray()
    blocks = response.aiter_bytes()
    async for block in blocks:
        data += block
        if data[-_LONGEST_GAP:].rstrip().endswith(b"}") and isinstance(found := parsed(bytes(data)), dict):
            await _to_its_end(blocks)
            return cast("dict[str, Any]", found)
        if len(data) > most:
            raise GarbledError(f"{place} sent more than {most // 1_000_000} MB: check the server’s address")
    return json_object(bytes(data), place, at_end=True)


_LONGEST_GAP = 64
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"')


def _is_cut(data: bytes) -> bool:
    """Whether the data are the beginning of a JSON object, or of [DONE]."""
    if b"[DONE]".startswith(data.strip()):
        return True
    bare = _STRINGS.sub(b"", data.strip())
    opened = sum(map(bare.count, (b"{", b"["))) - sum(map(bare.count, (b"}", b"]")))
    return bare.startswith(b"{") and (opened > 0 or b'"' in bare)


def json_object(data: bytes, place: str, *, at_end: bool = False) -> dict[str, Any]:
    """The bytes parsed as a JSON object; raises GarbledError if they are not one.

    `at_end`: if nothing ended them but the end of the connection, the beginning of an object raises LostError.
    """
    found = parsed(data)
    if not isinstance(found, dict):
        if at_end and _is_cut(data):
            raise LostError(f"the connection to {place} was lost: check that the server is still running")
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


async def events(
    blocks: AsyncIterator[bytes], place: str, on_done: Callable[[], None] = lambda: None
) -> AsyncGenerator[dict[str, Any]]:
    """The JSON object of each event until [DONE] (WHATWG HTML, section 9.2.6), for which `on_done` is called.

    A one-line event is yielded before its blank line, which some servers omit; so is the last event of a stream that
    breaks off, and an error that is sent without the form of an event.

    Raises:
        GarbledError: for data that is not a JSON object.
        LostError: for a stream that ends in the middle of an event.
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
            if (error := _bare_error(plain)) is not None:
                yield error
            continue  # keep-alive comments, event names
        data = plain[5:].strip()
        if not event and data == b"[DONE]":
            on_done()
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
        yield json_object(bytes(event), place, at_end=True)


def _bare_error(line: bytes) -> dict[str, Any] | None:
    """An error as llama.cpp sent it until 2025 (`error: {…}`), or a gateway's JSON body in the middle of a stream."""
    if line.startswith(b"error:") and (found := parsed(line[6:])):
        return {"error": found}
    found = parsed(line) if line.startswith(b"{") else None
    return cast("dict[str, Any]", found) if isinstance(found, dict) and "error" in found else None


async def _to_its_end(blocks: AsyncIterator[bytes]) -> None:
    """Drain a finished stream, so that it is logged as answered and not as aborted."""
    with contextlib.suppress(TimeoutError, FaultError):
        async with asyncio.timeout(LEFT_S):
            async for _ in blocks:
                pass
